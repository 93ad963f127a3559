"""The documentation that a person follows: Markdown in two languages, and pages made from code."""

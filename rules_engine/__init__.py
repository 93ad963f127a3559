"""The rules: what happened, what the table looks like, what a hand is worth.

Pure: no Django, no I/O, no clock, no randomness. Start reading at ``fold.py``; ``README.md`` lists
the reading order and says how to add a variant.
"""

VERSION = "0.1.0"
"""Recorded with every settlement; the same as the version of the project."""

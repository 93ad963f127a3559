"""Telling other systems what happened, as Standard Webhooks: start reading at ``README.md``."""

"""Fixtures for every test: the settings, and (in databases.py) real PostgreSQL."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "api.settings"

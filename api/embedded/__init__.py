"""The embedded default: a real PostgreSQL and a broker from Python packages, run by `manage.py up`.

Read `up.py` first; it is the order of everything. Each other module is one concern of it.
"""

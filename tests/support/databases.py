"""A fresh, migrated database for each test that asks for one, cloned from a template."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from api.databases import ROLES, database_settings
from api.embedded.postgres import PostgresServer
from api.embedded.roles import create_roles

TEMPLATE = "paipu_template"
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Database:
    """A database for one test. `url` logs in as the superuser, who may act as every role."""

    name: str
    url: str

    def connect(self, role: str | None = None, **options: Any) -> psycopg.Connection[Any]:
        """A connection beside Django's: the superuser's, or acting as the role of an alias.

        `role` is an alias of Django's ("default", "reader", "sequencer", "owner") or None.
        """
        if role is not None:
            options["options"] = f"-c role={ROLES[role]}"
        return psycopg.connect(self.url, **options)

    @property
    def environment(self) -> dict[str, str]:
        """The environment for a process of ours that is to use this database."""
        return {**os.environ, "PAIPU_DATABASE_URL": self.url}


@contextmanager
def django_uses(url: str) -> Iterator[None]:
    """Point all four aliases, in every thread, at the database of `url`."""
    connections.close_all()
    before = {alias: dict(connections.settings[alias]) for alias in ROLES}
    for alias, role in ROLES.items():
        connections.settings[alias].update(database_settings(url=url, role=role))
    try:
        yield
    finally:
        connections.close_all()
        for alias, kept in before.items():
            connections.settings[alias].clear()
            connections.settings[alias].update(kept)


def create_template(server: PostgresServer) -> None:
    """Create the roles and one migrated database that every test's is a copy of."""
    server.create_database(TEMPLATE)
    create_roles(server.url(TEMPLATE))
    with django_uses(server.url(TEMPLATE)):
        call_command("migrate", verbosity=0)


@contextmanager
def fresh_database(server: PostgresServer, *, template: str = TEMPLATE) -> Iterator[Database]:
    """A new copy of the template, used by Django while the block lasts, dropped afterwards."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
        admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    database = Database(name=name, url=server.url(name))
    try:
        with django_uses(database.url):
            # Counters of failed sign-ins and request rates must not reach the next test.
            cache.clear()
            yield database
    finally:
        with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

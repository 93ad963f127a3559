"""One database, four roles: how the four connection aliases are made and who may migrate."""

from typing import Any

from django.db.models import Model
from psycopg.conninfo import conninfo_to_dict

ROLES = {
    "default": "paipu_writer",
    "reader": "paipu_reader",
    "sequencer": "paipu_sequencer",
    "owner": "paipu_owner",
}
"""Django's alias -> the database role it acts as."""

_DJANGO_KEYS = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST"}


def database_settings(
    *, url: str, role: str | None, pool_max: int = 0, application: str = "paipu"
) -> dict[str, Any]:
    """Django's settings for one alias.

    `url` is anything libpq takes (`postgresql://user@host:5432/name?sslmode=require`, a socket
    folder as `?host=/run/x`, or `dbname=... host=...`). With `role` the session takes that role as
    it starts; without, the login named in the URL must act as it by itself. `pool_max` above 0
    keeps that many connections open per process. Raises psycopg.ProgrammingError on a bad URL.
    """
    given = conninfo_to_dict(url)
    settings: dict[str, Any] = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "",
        "CONN_MAX_AGE": 0,
        "ATOMIC_REQUESTS": False,
    }
    options: dict[str, Any] = {"application_name": application}
    for key, value in given.items():
        if key in _DJANGO_KEYS:
            settings[_DJANGO_KEYS[key]] = value
        elif key == "port":
            settings["PORT"] = str(value)
        else:
            options[key] = value
    startup = [options.pop("options", "")]
    if role is not None:
        startup.append(f"-c role={role}")
    if role != ROLES["owner"]:
        # A forgotten open transaction must not hold everybody else back for ever.
        startup.append("-c idle_in_transaction_session_timeout=60s")
    options["options"] = " ".join(part for part in startup if part)
    # The append is one statement sent over and over; Django's own queries are never prepared. A
    # PgBouncer in between has to be 1.22 or later.
    options["prepare_threshold"] = 5
    if pool_max > 0:
        options["pool"] = {"min_size": 1, "max_size": pool_max, "timeout": 5}
    settings["OPTIONS"] = options
    return settings


class OwnerMigrates:
    """The router: tables are changed through `owner` alone, everything else uses `default`.

    All aliases are one database, so relations between objects of any two of them are allowed.
    """

    def db_for_read(self, model: type[Model], **_hints: Any) -> str:
        """Read through the writer unless a caller names an alias."""
        del model
        return "default"

    def db_for_write(self, model: type[Model], **_hints: Any) -> str:
        """Write through the writer unless a caller names an alias."""
        del model
        return "default"

    def allow_relation(self, obj1: Model, obj2: Model, **_hints: Any) -> bool:
        """Allow every relation."""
        del obj1, obj2
        return True

    def allow_migrate(self, db: str, app_label: str, **_hints: Any) -> bool:
        """Only the owner may change tables."""
        del app_label
        return db == "owner"

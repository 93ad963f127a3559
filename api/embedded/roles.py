"""The four database roles: made where they can be, asked for plainly where they cannot."""

from pathlib import Path

import psycopg

from api.databases import ROLES
from api.embedded.errors import CannotRun

ROLES_SQL = Path(__file__).resolve().parents[2] / "docker" / "postgres" / "roles.sql"


def create_roles(url: str) -> None:
    """Run docker/postgres/roles.sql in the database at `url`; it may be run again at any time."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ROLES_SQL.read_bytes())


def ensure_roles(url: str) -> None:
    """See to it that the login in `url` may act as all four roles in that database.

    Used with a database of somebody else's. Raises CannotRun when it does not answer, or when the
    roles are missing and this login may not make them.
    """
    try:
        if not _may_act_as_all(url):
            create_roles(url)
    except psycopg.errors.InsufficientPrivilege as error:
        raise CannotRun(
            "The database has not the four roles of paipu, and this login may not make them"
            f" ({str(error).strip().splitlines()[0]}).\n"
            f"  Run {ROLES_SQL.name} (in docker/postgres/) there once as a superuser, and\n"
            f"  GRANT {', '.join(sorted(ROLES.values()))} TO the login."
        ) from error
    except psycopg.OperationalError as error:
        raise CannotRun(
            "The database of PAIPU_DATABASE_URL does not answer:\n  "
            + str(error).strip().replace("\n", "\n  ")
        ) from error


def _may_act_as_all(url: str) -> bool:
    """Whether each role exists, this login may take it, and the owner may make tables."""
    query = """
        SELECT bool_and(coalesce(pg_has_role(r.oid, 'MEMBER'), false)),
               coalesce(bool_or(has_schema_privilege(r.oid, 'public', 'CREATE'))
                        FILTER (WHERE wanted.name = %s), false)
        FROM unnest(%s::text[]) AS wanted (name) LEFT JOIN pg_roles r ON r.rolname = wanted.name
    """
    with psycopg.connect(url, connect_timeout=10) as connection:
        row = connection.execute(query, [ROLES["owner"], list(ROLES.values())]).fetchone()
    return row is not None and bool(row[0]) and bool(row[1])

"""Write the examples of the OpenAPI document anew: ``python -m tests.api.make_examples``."""

import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"  # keeps every running database out of it
django.setup()

from pathlib import Path  # noqa: E402 - only now

import msgspec  # noqa: E402

import api  # noqa: E402
from tests.support.databases import create_template, fresh_database  # noqa: E402
from tests.support.servers import running_postgres  # noqa: E402
from tests.support.telling import tell  # noqa: E402
from tests.support.tour import Tour  # noqa: E402


def main() -> None:
    """Tell the story on a database of its own and write down what was said."""
    with running_postgres() as server:
        create_template(server)
        with fresh_database(server):
            tour = Tour()
            tell(tour)
    text = msgspec.json.format(msgspec.json.encode(tour.kept()), indent=1)
    Path(api.__file__).with_name("examples.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main()

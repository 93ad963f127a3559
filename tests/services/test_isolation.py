"""The tests reach nothing that is running beside them."""

import os
import subprocess
import sys

from django.conf import settings

from tests.support.databases import Database
from tests.support.source import PROJECT

TELL = "from django.conf import settings; print(settings.DATABASE_URL, settings.CELERY_BROKER_URL)"


def test_no_broker_outside_the_process_is_rung() -> None:
    assert settings.CELERY_BROKER_URL == "memory://"


def test_no_database_is_reached_without_asking_for_one() -> None:
    assert settings.DATABASE_SOURCE == "none"


def test_a_process_that_a_test_starts_gets_the_tests_database_and_no_other_address(
    database: Database,
) -> None:
    assert os.environ["DJANGO_SETTINGS_MODULE"] == "api.settings"
    told = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", TELL],
        cwd=PROJECT,
        env=database.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == f"{database.url} memory://"

"""The log. Its DDL is SQL, because most of what it promises Django cannot say.

There is no way back: undoing this migration would drop the record. The models are unmanaged, so
their operations only tell Django what the tables look like.
"""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.functions.datetime
from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql"


def run(name: str) -> migrations.RunSQL:
    """The operation that runs one file of ``records/sql``."""
    return migrations.RunSQL((SQL / name).read_text(encoding="utf-8"))


class Migration(migrations.Migration):
    dependencies = [("records", "0001_people")]

    operations = [
        run("log.sql"),
        run("partitions.sql"),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("size", models.BigIntegerField(primary_key=True, serialize=False)),
                ("root", models.BinaryField()),
                (
                    "tree",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BinaryField(), size=None
                    ),
                ),
                ("note", models.TextField()),
                (
                    "signed_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "db_table": "checkpoint",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "seq",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("seq", models.IntegerField()),
                ("type", models.TextField()),
                ("version", models.SmallIntegerField()),
                ("occurred_at_ms", models.BigIntegerField()),
                ("public", models.JSONField()),
                ("secret", models.JSONField(null=True)),
                ("salt", models.BinaryField(null=True)),
                ("prev", models.BinaryField()),
                ("hash", models.BinaryField()),
                (
                    "recorded_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "db_table": "event",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("club_id", models.UUIDField()),
                ("created_by", models.UUIDField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
                ("title", models.TextField(db_default="", default="")),
            ],
            options={
                "db_table": "game",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="HandSnapshot",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "seq",
                        "format",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("seq", models.IntegerField()),
                ("format", models.SmallIntegerField()),
                ("hash", models.BinaryField()),
                ("state", models.BinaryField()),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "db_table": "hand_snapshot",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="QueuedSeal",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("game_id", models.UUIDField()),
                ("hand", models.IntegerField()),
                ("seq", models.IntegerField()),
                ("hash", models.BinaryField()),
                (
                    "queued_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "db_table": "seal_queue",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "command_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("command_id", models.TextField()),
                ("fingerprint", models.BinaryField()),
                ("first_seq", models.IntegerField()),
                ("last_seq", models.IntegerField()),
                ("hash", models.BinaryField()),
                ("actor", models.TextField(null=True)),
                (
                    "recorded_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "db_table": "receipt",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Seal",
            fields=[
                ("position", models.BigIntegerField(primary_key=True, serialize=False)),
                ("game_id", models.UUIDField()),
                ("hand", models.IntegerField()),
                ("seq", models.IntegerField()),
                ("hash", models.BinaryField()),
                ("leaf", models.BinaryField()),
                (
                    "sealed_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "db_table": "journal",
                "managed": False,
            },
        ),
    ]

"""Rulings in the ledger. The append-only tables change in SQL; there is no way back."""

from pathlib import Path

import django.contrib.postgres.fields
from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql"

settlement = [
    (
        "pk",
        models.CompositePrimaryKey(
            "game_id",
            "hand",
            "entry",
            "revision",
            blank=True,
            editable=False,
            primary_key=True,
            serialize=False,
        ),
    ),
    ("game_id", models.UUIDField()),
    ("hand", models.IntegerField()),
    ("entry", models.IntegerField(default=0)),
    ("revision", models.SmallIntegerField()),
    ("position", models.BigIntegerField()),
    ("seal_position", models.BigIntegerField()),
    ("seq", models.IntegerField()),
    ("club_id", models.UUIDField()),
    ("ruleset", models.TextField()),
    ("ruleset_version", models.IntegerField()),
    ("engine", models.TextField()),
    ("result", models.TextField()),
    ("players", django.contrib.postgres.fields.ArrayField(models.UUIDField())),
    ("points", django.contrib.postgres.fields.ArrayField(models.BigIntegerField())),
    ("stake", models.IntegerField()),
    ("ladder_start", models.IntegerField()),
    ("dealer", models.SmallIntegerField(null=True)),
    ("streak", models.IntegerField(null=True)),
    ("next_dealer", models.SmallIntegerField(null=True)),
    ("next_streak", models.IntegerField(null=True)),
    ("facts", models.JSONField(null=True)),
    ("score", models.JSONField()),
    ("started_at_ms", models.BigIntegerField()),
    ("ended_at_ms", models.BigIntegerField()),
    ("settled_at", models.DateTimeField()),
]
transfer = [
    (
        "pk",
        models.CompositePrimaryKey(
            "game_id",
            "hand",
            "entry",
            "revision",
            "line",
            blank=True,
            editable=False,
            primary_key=True,
            serialize=False,
        ),
    ),
    ("game_id", models.UUIDField()),
    ("hand", models.IntegerField()),
    ("entry", models.IntegerField(default=0)),
    ("revision", models.SmallIntegerField()),
    ("line", models.SmallIntegerField()),
    ("payer", models.UUIDField()),
    ("payee", models.UUIDField()),
    ("payer_seat", models.SmallIntegerField(null=True)),
    ("payee_seat", models.SmallIntegerField(null=True)),
    ("points", models.IntegerField()),
    ("kind", models.TextField()),
    ("item", models.TextField()),
    ("rule", models.TextField()),
    ("seq", models.IntegerField()),
    ("reverses", models.SmallIntegerField(null=True)),
    ("position", models.BigIntegerField()),
    ("club_id", models.UUIDField()),
    ("ended_at_ms", models.BigIntegerField()),
]


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0004_club_life"),
    ]

    operations = [
        migrations.RunSQL(
            (SQL / "rulings.sql").read_text(encoding="utf-8"),
            # The models are not managed, so what became of them is told to Django by making the
            # two anew: a primary key of several columns cannot be altered.
            state_operations=[
                migrations.DeleteModel("Settlement"),
                migrations.DeleteModel("Transfer"),
                migrations.CreateModel(
                    name="Settlement",
                    fields=settlement,
                    options={"db_table": "settlement", "managed": False},
                ),
                migrations.CreateModel(
                    name="Transfer",
                    fields=transfer,
                    options={"db_table": "transfer", "managed": False},
                ),
            ],
        ),
        migrations.AddField(
            "SettlementFailure", "entry", models.IntegerField(default=0, db_default=0)
        ),
    ]

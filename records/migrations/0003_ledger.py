"""The ledger. Its two append-only tables are SQL, as the log's are; there is no way back."""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.functions.datetime
from django.db import migrations, models

SQL = Path(__file__).resolve().parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0002_log"),
    ]

    operations = [
        migrations.RunSQL((SQL / "ledger.sql").read_text(encoding="utf-8")),
        migrations.CreateModel(
            name="Settlement",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "hand",
                        "revision",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("game_id", models.UUIDField()),
                ("hand", models.IntegerField()),
                ("revision", models.SmallIntegerField()),
                ("position", models.BigIntegerField()),
                ("seal_position", models.BigIntegerField()),
                ("seq", models.IntegerField()),
                ("club_id", models.UUIDField()),
                ("ruleset", models.TextField()),
                ("ruleset_version", models.IntegerField()),
                ("engine", models.TextField()),
                ("result", models.TextField()),
                (
                    "players",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), size=4
                    ),
                ),
                (
                    "points",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), size=4
                    ),
                ),
                ("stake", models.IntegerField()),
                ("ladder_start", models.IntegerField()),
                ("dealer", models.SmallIntegerField()),
                ("streak", models.IntegerField()),
                ("next_dealer", models.SmallIntegerField(null=True)),
                ("next_streak", models.IntegerField()),
                ("facts", models.JSONField(null=True)),
                ("score", models.JSONField()),
                ("ended_at_ms", models.BigIntegerField()),
                (
                    "settled_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "db_table": "settlement",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "hand",
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
                ("revision", models.SmallIntegerField()),
                ("line", models.SmallIntegerField()),
                ("payer", models.UUIDField()),
                ("payee", models.UUIDField()),
                ("payer_seat", models.SmallIntegerField()),
                ("payee_seat", models.SmallIntegerField()),
                ("points", models.IntegerField()),
                ("kind", models.TextField()),
                ("item", models.TextField()),
                ("rule", models.TextField()),
                ("seq", models.IntegerField()),
                ("reverses", models.SmallIntegerField(null=True)),
            ],
            options={
                "db_table": "transfer",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="SettlementCursor",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("seal_position", models.BigIntegerField(default=0)),
                ("position", models.BigIntegerField(default=0)),
            ],
            options={
                "db_table": "settlement_cursor",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="one_row")
                ],
            },
        ),
        migrations.CreateModel(
            name="SettlementFailure",
            fields=[
                ("seal_position", models.BigIntegerField(primary_key=True, serialize=False)),
                ("game_id", models.UUIDField()),
                ("hand", models.IntegerField()),
                ("seq", models.IntegerField()),
                ("code", models.CharField(max_length=100)),
                ("message", models.TextField()),
                ("attempts", models.IntegerField(default=1)),
                (
                    "first_failed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("retry_at", models.DateTimeField()),
            ],
            options={
                "db_table": "settlement_failure",
                "indexes": [models.Index(fields=["retry_at"], name="settlement_failure_by_retry")],
            },
        ),
    ]

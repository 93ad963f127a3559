import django.db.models.functions.datetime
from django.db import migrations, models

# What every club's players stand on now counts as told; what is told already stays.
KNOW_TIERS = """
    INSERT INTO webhook_told_tier (club_id, season_id, player_id, tier)
    SELECT club_id, season_id, player_id, tier FROM standing
    WHERE ruleset = '' AND tier IS NOT NULL
      AND club_id NOT IN (SELECT club_id FROM webhook_told_club);
    INSERT INTO webhook_told_club (club_id, fingerprint)
    SELECT club_id, fingerprint FROM counted_club ON CONFLICT (club_id) DO NOTHING;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("api", "0004_webhooks"),
        ("replays", "0003_ratings"),
    ]

    operations = [
        migrations.RenameField(
            model_name="webhook",
            old_name="after_position",
            new_name="after_settlement",
        ),
        migrations.AlterField(
            model_name="webhook",
            name="after_settlement",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="webhook",
            name="after_milestone",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="webhook",
            name="after_tier_change",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="webhookcursor",
            name="tier_changes_position",
            field=models.BigIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="ToldTierChange",
            fields=[
                ("position", models.BigIntegerField(primary_key=True, serialize=False)),
                ("club_id", models.UUIDField()),
                (
                    "found_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("data", models.JSONField()),
            ],
            options={
                "db_table": "told_tier_change",
                "indexes": [
                    models.Index(fields=["club_id", "position"], name="told_tier_change_of_club")
                ],
            },
        ),
        migrations.RunSQL(KNOW_TIERS, migrations.RunSQL.noop),
    ]

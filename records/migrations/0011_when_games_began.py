from django.db import migrations, models

# Clubs had games before their milestones told when those were played.
FILL = """
    UPDATE milestone SET occurred_at_ms = event.occurred_at_ms FROM event
    WHERE (event.game_id, event.seq) = (milestone.game_id, milestone.seq)
"""


class Migration(migrations.Migration):
    dependencies = [("records", "0010_public_games")]

    operations = [
        migrations.AddField(
            model_name="milestone",
            name="occurred_at_ms",
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="milestone",
            index=models.Index(
                condition=models.Q(("seq", 1)),
                fields=["club_id", "occurred_at_ms", "game_id"],
                name="game_by_beginning",
            ),
        ),
    ]

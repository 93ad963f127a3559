from django.db import migrations

# On every 256th row: the root of the tree over the 256 seals up to it, so that a proof need not
# read every seal there is. What was sealed before has none, and is read.
# The guard of the log asks for the reason (test_a_ledger_from_before_rulings_is_carried_over).
REASON = "SET LOCAL paipu.log_ddl = 'roots of tiles: a proof need not read every seal'"
ADD = "ALTER TABLE journal ADD COLUMN tile digest CHECK (tile IS NULL OR position % 256 = 0)"
DROP = "ALTER TABLE journal DROP COLUMN tile"


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0011_when_games_began"),
    ]

    operations = [
        migrations.RunSQL([REASON, ADD], [REASON, DROP]),
    ]

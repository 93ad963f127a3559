from django.db import migrations

# On every 256th row: the root of the tree over the 256 seals up to it, so that a proof need not
# read every seal there is. What was sealed before has none, and is read.
ADD = "ALTER TABLE journal ADD COLUMN tile digest CHECK (tile IS NULL OR position % 256 = 0)"


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0011_when_games_began'),
    ]

    operations = [
        migrations.RunSQL(ADD, "ALTER TABLE journal DROP COLUMN tile"),
    ]

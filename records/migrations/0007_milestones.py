import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0006_season_closed_by_hand'),
    ]

    operations = [
        migrations.CreateModel(
            name='QueuedMilestone',
            fields=[
                ('pk', models.CompositePrimaryKey('game_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('game_id', models.UUIDField()),
                ('seq', models.IntegerField()),
            ],
            options={
                'db_table': 'milestone_queue',
            },
        ),
        migrations.CreateModel(
            name='Milestone',
            fields=[
                ('position', models.BigIntegerField(primary_key=True, serialize=False)),
                ('game_id', models.UUIDField()),
                ('seq', models.IntegerField()),
                ('club_id', models.UUIDField()),
                ('placed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'db_table': 'milestone',
                'indexes': [models.Index(fields=['club_id', 'position'], name='milestone_of_club')],
            },
        ),
    ]

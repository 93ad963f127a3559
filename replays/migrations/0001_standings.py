
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ProjectionCursor',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('position', models.BigIntegerField(default=0)),
            ],
            options={
                'db_table': 'projection_cursor',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='one_projection_cursor')],
            },
        ),
        migrations.CreateModel(
            name='SeatResult',
            fields=[
                ('pk', models.CompositePrimaryKey('game_id', 'hand', 'seat', blank=True, editable=False, primary_key=True, serialize=False)),
                ('game_id', models.UUIDField()),
                ('hand', models.IntegerField()),
                ('seat', models.SmallIntegerField()),
                ('position', models.BigIntegerField()),
                ('club_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('player_id', models.UUIDField()),
                ('ladder_start', models.IntegerField()),
                ('points', models.IntegerField()),
                ('gang_points', models.IntegerField()),
                ('won', models.TextField(default='')),
                ('total', models.IntegerField(null=True)),
                ('dealt_in', models.BooleanField()),
                ('gangs', models.SmallIntegerField()),
                ('ended_at_ms', models.BigIntegerField()),
            ],
            options={
                'db_table': 'seat_result',
                'indexes': [models.Index(models.F('player_id'), models.OrderBy(models.F('position'), descending=True), name='seat_result_by_player'), models.Index(models.F('club_id'), models.F('player_id'), models.OrderBy(models.F('total'), descending=True), condition=models.Q(('total__isnull', False)), name='seat_result_by_total')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('pk', models.CompositePrimaryKey('club_id', 'ruleset', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('player_id', models.UUIDField()),
                ('games', models.IntegerField(default=0)),
                ('hands', models.IntegerField(default=0)),
                ('points', models.BigIntegerField(default=0)),
                ('wins', models.IntegerField(default=0)),
                ('zimo_wins', models.IntegerField(default=0)),
                ('deal_ins', models.IntegerField(default=0)),
                ('gangs', models.IntegerField(default=0)),
                ('best_total', models.IntegerField(null=True)),
                ('best_game_id', models.UUIDField(null=True)),
                ('best_hand', models.IntegerField(null=True)),
                ('ladder_start', models.IntegerField()),
                ('ladder_score', models.BigIntegerField()),
                ('tier', models.SmallIntegerField()),
            ],
            options={
                'db_table': 'standing',
                'indexes': [models.Index(models.F('club_id'), models.F('ruleset'), models.OrderBy(models.F('points'), descending=True), models.F('player_id'), name='standing_by_points'), models.Index(fields=['player_id'], name='standing_by_player')],
            },
        ),
        migrations.CreateModel(
            name='TierChange',
            fields=[
                ('pk', models.CompositePrimaryKey('club_id', 'ruleset', 'player_id', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('player_id', models.UUIDField()),
                ('position', models.BigIntegerField()),
                ('game_id', models.UUIDField()),
                ('hand', models.IntegerField()),
                ('revision', models.SmallIntegerField()),
                ('from_tier', models.SmallIntegerField()),
                ('to_tier', models.SmallIntegerField()),
                ('ladder_score', models.BigIntegerField()),
                ('ended_at_ms', models.BigIntegerField()),
            ],
            options={
                'db_table': 'tier_change',
                'indexes': [models.Index(models.F('player_id'), models.OrderBy(models.F('position'), descending=True), name='tier_change_by_player')],
            },
        ),
    ]

import django.contrib.postgres.fields
import django.db.models.expressions
import django.db.models.functions.comparison
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0001_standings'),
    ]

    operations = [
        migrations.DeleteModel(
            name='Standing',
        ),
        migrations.DeleteModel(
            name='SeatResult',
        ),
        migrations.DeleteModel(
            name='TierChange',
        ),
        migrations.CreateModel(
            name='CountedClub',
            fields=[
                ('club_id', models.UUIDField(primary_key=True, serialize=False)),
                ('fingerprint', models.TextField()),
                ('ladder_start', models.BigIntegerField(null=True)),
                ('thresholds', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('demotion', models.BooleanField()),
                ('scope', models.TextField()),
            ],
            options={
                'db_table': 'counted_club',
            },
        ),
        migrations.CreateModel(
            name='CountedSeason',
            fields=[
                ('pk', models.CompositePrimaryKey('club_id', 'season_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('season_id', models.UUIDField()),
                ('from_ms', models.BigIntegerField()),
                ('before_ms', models.BigIntegerField()),
                ('closed_position', models.BigIntegerField(null=True)),
            ],
            options={
                'db_table': 'counted_season',
            },
        ),
        migrations.CreateModel(
            name='TierChange',
            fields=[
                ('pk', models.CompositePrimaryKey('club_id', 'season_id', 'ruleset', 'player_id', 'ended_at_ms', 'game_id', 'hand', 'entry', blank=True, editable=False, primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('season_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('player_id', models.UUIDField()),
                ('ended_at_ms', models.BigIntegerField()),
                ('game_id', models.UUIDField()),
                ('hand', models.IntegerField()),
                ('entry', models.IntegerField()),
                ('revision', models.SmallIntegerField()),
                ('position', models.BigIntegerField()),
                ('from_tier', models.SmallIntegerField()),
                ('to_tier', models.SmallIntegerField()),
                ('ladder_score', models.BigIntegerField()),
            ],
            options={
                'db_table': 'tier_change',
                'indexes': [models.Index(fields=['player_id', 'ended_at_ms'], name='tier_change_by_player')],
            },
        ),
        migrations.CreateModel(
            name='CountedPerson',
            fields=[
                ('player_id', models.UUIDField(primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('person_id', models.UUIDField()),
            ],
            options={
                'db_table': 'counted_person',
                'indexes': [models.Index(fields=['club_id'], name='counted_person_of_club')],
            },
        ),
        migrations.CreateModel(
            name='PlaceCount',
            fields=[
                ('pk', models.CompositePrimaryKey('club_id', 'season_id', 'ruleset', 'level', 'prefix', blank=True, editable=False, primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('season_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('level', models.SmallIntegerField()),
                ('prefix', models.BigIntegerField()),
                ('players', models.IntegerField()),
            ],
            options={
                'db_table': 'place_count',
                'indexes': [models.Index(condition=models.Q(('players', 0)), fields=['club_id'], name='place_count_empty')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('pk', models.CompositePrimaryKey('game_id', 'hand', 'entry', 'revision', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('game_id', models.UUIDField()),
                ('hand', models.IntegerField()),
                ('entry', models.IntegerField()),
                ('revision', models.SmallIntegerField()),
                ('player_id', models.UUIDField()),
                ('person_id', models.UUIDField()),
                ('seat', models.SmallIntegerField(null=True)),
                ('club_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('position', models.BigIntegerField()),
                ('until_position', models.BigIntegerField(null=True)),
                ('first_position', models.BigIntegerField()),
                ('ladder_start', models.IntegerField()),
                ('points', models.BigIntegerField()),
                ('gang_points', models.BigIntegerField()),
                ('won', models.TextField(default='')),
                ('total', models.BigIntegerField(null=True)),
                ('dealt_in', models.BooleanField(default=False)),
                ('gangs', models.SmallIntegerField(default=0)),
                ('started_at_ms', models.BigIntegerField()),
                ('ended_at_ms', models.BigIntegerField()),
                ('played_at_ms', models.BigIntegerField()),
            ],
            options={
                'db_table': 'result',
                'indexes': [models.Index(fields=['position'], name='result_by_position'), models.Index(condition=models.Q(('until_position__isnull', False)), fields=['until_position'], name='result_by_until_position'), models.Index(condition=models.Q(('until_position__isnull', True)), fields=['person_id', 'ended_at_ms', 'game_id', 'hand', 'entry'], name='result_of_person'), models.Index(models.F('person_id'), models.OrderBy(models.F('total'), descending=True), models.F('ended_at_ms'), models.F('game_id'), models.F('hand'), condition=models.Q(('total__isnull', False), ('until_position__isnull', True)), name='result_by_total'), models.Index(fields=['player_id', 'position'], name='result_of_player'), models.Index(fields=['club_id', 'started_at_ms'], name='result_of_club')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('pk', models.CompositePrimaryKey('club_id', 'season_id', 'ruleset', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('club_id', models.UUIDField()),
                ('season_id', models.UUIDField()),
                ('ruleset', models.TextField()),
                ('player_id', models.UUIDField()),
                ('games', models.IntegerField(default=0)),
                ('hands', models.IntegerField(default=0)),
                ('entries', models.IntegerField(default=0)),
                ('points', models.BigIntegerField(default=0)),
                ('gang_points', models.BigIntegerField(default=0)),
                ('adjusted_points', models.BigIntegerField(default=0)),
                ('wins', models.IntegerField(default=0)),
                ('zimo_wins', models.IntegerField(default=0)),
                ('win_total', models.BigIntegerField(default=0)),
                ('deal_ins', models.IntegerField(default=0)),
                ('gangs', models.IntegerField(default=0)),
                ('best_total', models.BigIntegerField(null=True)),
                ('best_game_id', models.UUIDField(null=True)),
                ('best_hand', models.IntegerField(null=True)),
                ('ladder_start', models.BigIntegerField(null=True)),
                ('first_ended_at_ms', models.BigIntegerField(null=True)),
                ('ladder_score', models.BigIntegerField(null=True)),
                ('tier', models.SmallIntegerField(null=True)),
                ('points_per_hand', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Cast(models.F('points'), models.FloatField()), '/', django.db.models.functions.comparison.NullIf(django.db.models.functions.comparison.Cast(models.F('hands'), models.FloatField()), models.Value(0.0))), output_field=models.FloatField(null=True))),
                ('win_rate', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Cast(models.F('wins'), models.FloatField()), '/', django.db.models.functions.comparison.NullIf(django.db.models.functions.comparison.Cast(models.F('hands'), models.FloatField()), models.Value(0.0))), output_field=models.FloatField(null=True))),
                ('zimo_rate', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Cast(models.F('zimo_wins'), models.FloatField()), '/', django.db.models.functions.comparison.NullIf(django.db.models.functions.comparison.Cast(models.F('wins'), models.FloatField()), models.Value(0.0))), output_field=models.FloatField(null=True))),
                ('deal_in_rate', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Cast(models.F('deal_ins'), models.FloatField()), '/', django.db.models.functions.comparison.NullIf(django.db.models.functions.comparison.Cast(models.F('hands'), models.FloatField()), models.Value(0.0))), output_field=models.FloatField(null=True))),
                ('average_win', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Cast(models.F('win_total'), models.FloatField()), '/', django.db.models.functions.comparison.NullIf(django.db.models.functions.comparison.Cast(models.F('wins'), models.FloatField()), models.Value(0.0))), output_field=models.FloatField(null=True))),
                ('rung', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.functions.comparison.Cast(models.F('tier'), models.BigIntegerField()), '*', models.Value(17592186044416)), '+', models.F('ladder_score')), output_field=models.BigIntegerField(null=True))),
            ],
            options={
                'db_table': 'standing',
                'indexes': [models.Index(fields=['club_id', 'season_id', 'ruleset', 'points', 'player_id'], name='standing_by_points'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'points_per_hand', 'player_id'], name='standing_by_points_per_hand'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'win_rate', 'player_id'], name='standing_by_win_rate'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'zimo_rate', 'player_id'], name='standing_by_zimo_rate'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'deal_in_rate', 'player_id'], name='standing_by_deal_in_rate'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'average_win', 'player_id'], name='standing_by_average_win'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'best_total', 'player_id'], name='standing_by_best_total'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'gangs', 'player_id'], name='standing_by_gangs'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'rung', 'player_id'], name='standing_by_rung'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'hands', 'player_id'], name='standing_by_hands'), models.Index(fields=['club_id', 'season_id', 'ruleset', 'games', 'player_id'], name='standing_by_games'), models.Index(fields=['player_id'], name='standing_by_player')],
            },
        ),
        migrations.RunSQL(
            sql='DELETE FROM projection_cursor',
            reverse_sql='',
        ),
    ]

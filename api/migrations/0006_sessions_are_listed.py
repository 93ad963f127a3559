"""Sessions can be listed and ended one by one: a name that is not the key, device, last use."""

import django.utils.timezone
from django.db import migrations, models

NAME_WHAT_THERE_IS = """
    UPDATE api_session
    SET handle = left(encode(sha256(convert_to(session_key, 'UTF8')), 'hex'), 32)::uuid
"""


class Migration(migrations.Migration):
    dependencies = [("api", "0005_tiers_in_one_order")]

    operations = [
        migrations.AddField("session", "device", models.CharField(default="", max_length=200)),
        migrations.AddField(
            "session", "last_seen_at", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.AddField("session", "handle", models.UUIDField(null=True)),
        migrations.RunSQL(NAME_WHAT_THERE_IS, migrations.RunSQL.noop),
        migrations.AlterField("session", "handle", models.UUIDField(unique=True)),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0009_machines")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="public_games",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]

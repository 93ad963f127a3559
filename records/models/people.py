"""People: accounts that sign in."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class Account(AbstractUser):
    """Someone who signs in. Its id is opaque, so that it can be named where a person may not be."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

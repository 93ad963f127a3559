"""The settings of the tests: the service's own, kept away from everything that is running.

pytest loads this module first of all (`--ds` in pyproject.toml), before the settings it is made of.
"""

import os
import tempfile
from pathlib import Path

# Neither a production address in the shell nor a running `manage.py up` may reach a test.
for _name in [name for name in os.environ if name.startswith("PAIPU_")]:
    if not _name.startswith("PAIPU_TEST_"):
        del os.environ[_name]
os.environ["PAIPU_DATA_DIR"] = str(Path(tempfile.gettempdir()) / "paipu-tests-have-no-data-folder")

# PAIPU_TEST_POSTGRES_BIN chooses another PostgreSQL for the tests than the embedded one.
if os.environ.get("PAIPU_TEST_POSTGRES_BIN"):
    os.environ["PAIPU_POSTGRES_BIN"] = os.environ["PAIPU_TEST_POSTGRES_BIN"]

from api.settings import *  # noqa: E402, F403 - only now

# A slow hash is for secrets that matter.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CHECKPOINT_KEY = "cGFpcHUgdGVzdHMgc2lnbiB3aXRoIHRoaXMga2V5ISE="

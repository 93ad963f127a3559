#!/bin/sh
# Collect the static files for production, where they are served compressed and for ever.
#
# The settings of production refuse to load without secrets and addresses. Collecting files uses
# none of them, so it is given values that reach nothing.
set -eu

cd "$(dirname "$0")/.."
python=python
for candidate in "${VENV:-/srv/venv}/bin/python" .venv/bin/python; do
    if [ -x "$candidate" ]; then
        python=$candidate
        break
    fi
done

PAIPU_MODE=production \
    PAIPU_SECRET_KEY=used-for-nothing-while-files-are-being-collected \
    PAIPU_CHECKPOINT_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= \
    PAIPU_DATABASE_URL=postgresql://nowhere.invalid/none \
    PAIPU_BROKER_URL=memory:// \
    PAIPU_ALLOWED_HOSTS=nowhere.invalid \
    exec "$python" manage.py collectstatic --no-input --verbosity 0

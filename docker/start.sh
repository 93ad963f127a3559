#!/bin/sh
# Start one part of paipu in the foreground:
#
#   docker/start.sh web | worker | beat | migrate | healthy | COMMAND...
#
# Anything else is a command of manage.py. The process replaces this shell, so signals reach it.
set -eu

cd "$(dirname "$0")/.."
port=${PORT:-8000}

case ${1:-web} in
web)
    # A thread needs one connection of each kind at most, and the reader of the streams one.
    PAIPU_DATABASE_POOL_MAX=$((${PAIPU_WEB_THREADS:-4} + 1))
    export PAIPU_DATABASE_POOL_MAX
    exec gunicorn api.wsgi --bind "${HOST:-0.0.0.0}:$port" \
        --workers "${PAIPU_WEB_PROCESSES:-2}" \
        --worker-class api.live.worker.Worker --threads "${PAIPU_WEB_THREADS:-4}" \
        --worker-tmp-dir "${PAIPU_SHARED_MEMORY:-/dev/shm}" \
        --graceful-timeout 20 --preload --no-control-socket --access-logfile -
    ;;
worker)
    exec celery --app api worker --loglevel INFO --concurrency "${PAIPU_WORKER_PROCESSES:-2}"
    ;;
beat)
    # The schedule is a table in the code; what beat remembers between runs is of no use.
    exec celery --app api beat --loglevel INFO --schedule "${TMPDIR:-/tmp}/beat-schedule" --pidfile=
    ;;
migrate)
    exec python manage.py migrate
    ;;
healthy)
    host=${PAIPU_ALLOWED_HOSTS%%,*}
    exec python - "http://127.0.0.1:$port/health/ready" "${host:-localhost}" <<'PYTHON'
import sys
import urllib.request

address, host = sys.argv[1:]
request = urllib.request.Request(address, headers={"Host": host.removeprefix(".")})
sys.exit(urllib.request.urlopen(request, timeout=4).status != 200)
PYTHON
    ;;
*)
    exec python manage.py "$@"
    ;;
esac

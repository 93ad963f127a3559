#!/bin/sh
# Make the virtual environment and install one of the hash-pinned locks into it.
#
#   docker/install.sh VENV LOCK
#
# The Makefile, CI and the Dockerfile all install with this script. uv installs three times as fast
# as pip; where it cannot be had, or cannot reach the package index that pip is set up for, pip does
# the same work from the same lock.
set -eu

venv=$1
lock=$2
here=$(dirname "$0")

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# The Python to build on: $PYTHON, else the newest of those we know that is there.
choose_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed. Set PYTHON to one, for example: make PYTHON=python3.12 up"
}

if ! "$venv/bin/python" -c '' 2>/dev/null; then
    python=$(choose_python)
    echo "Making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv" ||
        fail "The module venv does not work. On Debian and Ubuntu: apt install python3-venv"
fi

echo "Installing $lock"
python="$venv/bin/python"
pip() {
    "$python" -m pip --disable-pip-version-check --quiet install --require-hashes "$@"
}
if ! "$venv/bin/uv" --version >/dev/null 2>&1; then
    pip --retries 1 -r "$here/installer.lock" 2>/dev/null || true
fi
if "$venv/bin/uv" --version >/dev/null 2>&1 &&
    UV_HTTP_TIMEOUT=20 UV_HTTP_RETRIES=1 "$venv/bin/uv" --quiet pip install \
        --python "$python" --require-hashes -r "$lock"; then
    exit 0
fi
echo "Installing with pip"
pip -r "$lock"

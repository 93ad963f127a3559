"""A sequencer as a process of its own, which the tests kill (`-m tests.records.sequencer`)."""

import os
import sys
import time

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
    django.setup()

    from records.journal import seal_pending

    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        # Small batches make many transactions, so that a kill falls into one of them.
        seal_pending(batch=3)
        time.sleep(0.005)

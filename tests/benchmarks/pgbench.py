"""The reference: single-row inserts by pgbench, the program PostgreSQL measures itself with."""

from __future__ import annotations

import itertools
import re
import subprocess
import tempfile
from pathlib import Path

from tests.benchmarks.stage import BODY, DIGEST, Stage

RAW = f"""
\\set n :n + 1
INSERT INTO raw_event (game_id, seq, type, data, hash) VALUES (
  ('00000000-0000-7000-8000-' || lpad((:run * 100 + :client_id)::text, 12, '0'))::uuid,
  :n, 'discard', '{BODY}'::jsonb, '\\x{DIGEST.hex()}'::bytea);
"""
MESSAGE_DB = f"""
SELECT message_store.write_message(gen_random_uuid()::varchar,
  ('game-' || (:run * 100 + :client_id)::text)::varchar, 'discard'::varchar, '{BODY}'::jsonb);
"""
"""One stream a client, all of one category, as games are. The lock is the category's."""

_SAID = re.compile(r"tps = ([0-9.]+) \(without initial connection time\)")
_runs = itertools.count(1)


def run_pgbench(stage: Stage, script: str, *, clients: int, seconds: int) -> float:
    """Transactions per second of one run, prepared statements, connecting not counted."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(
            [
                str(Path(stage.server.binaries.folder) / "pgbench"),
                *("--no-vacuum", "-M", "prepared", "-T", str(seconds), "-f", file.name),
                *("-c", str(clients), "-j", str(min(clients, 2))),
                *("-D", "n=0", "-D", f"run={next(_runs)}"),
                stage.url,
            ],
            # message-db's functions call each other without naming their schema.
            env={"PGOPTIONS": "-c search_path=public,message_store"},
            capture_output=True,
            text=True,
            check=False,
        )
    said = _SAID.search(done.stdout)
    if done.returncode != 0 or said is None:
        raise RuntimeError(f"pgbench failed:\n{done.stdout}{done.stderr}")
    return float(said[1])

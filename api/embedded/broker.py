"""The embedded broker: a Valkey server on a socket of its own, which is also the shared cache."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import redis

from api.embedded.processes import Child, Program, wait_until


@dataclass(frozen=True)
class BrokerServer:
    """One Valkey (or Redis) server: its program, data folder, socket folder and log.

    `keep_open` are descriptors that it inherits.
    """

    program: Path
    data: Path
    sockets: Path
    log: Path
    keep_open: tuple[int, ...] = ()

    @property
    def socket(self) -> Path:
        """The socket it listens on; it listens nowhere else."""
        return self.sockets / "valkey.sock"

    @property
    def broker_url(self) -> str:
        """The address as Celery writes it."""
        return f"redis+socket://{self.socket}?virtual_host=0"

    @property
    def cache_url(self) -> str:
        """The address as Django's cache writes it: another numbered database of the same server."""
        return f"rediscache://{self.socket}?db=1"

    def start(
        self,
        *,
        interrupted: Callable[[], None] = lambda: None,
        adopt: Callable[[Child], None],
    ) -> None:
        """Start the server and wait until it answers.

        The child is handed to `adopt` as soon as it exists, so that it is stopped whatever happens.
        """
        self.data.mkdir(parents=True, exist_ok=True)
        command = [
            str(self.program),
            *("--port", "0"),
            *("--unixsocket", str(self.socket)),
            *("--unixsocketperm", "700"),
            *("--dir", str(self.data)),
            *("--appendonly", "yes"),
            *("--save", ""),
            *("--daemonize", "no"),
        ]
        program = Program(name="broker", command=command, log=self.log, keep_open=self.keep_open)
        child = Child(program)
        adopt(child)
        wait_until(self._answers, child=child, limit_s=30.0, interrupted=interrupted)

    def _answers(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2)
        try:
            return bool(client.ping())
        except (redis.ConnectionError, redis.TimeoutError):
            return False  # Not listening yet, or still loading its file.
        finally:
            client.close()

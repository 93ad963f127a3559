"""The address of the web server: is it free, and is it our server that answers on it."""

import json
import socket
import urllib.error
import urllib.request

from api.embedded.errors import CannotRun


def free_address(host: str, port: int) -> tuple[str, int]:
    """The address to listen on, after seeing that it is free. Port 0 stands for any free port.

    Raises CannotRun when the port is taken or may not be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # Without it, the remains of connections to the server just stopped would count as taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen()
        except OSError as error:
            raise CannotRun(
                f"Cannot listen on port {port} of {host}: {error.strerror or error}.\n"
                f"  Choose another, for example: make up PORT={port + 1}"
            ) from error
        return host, int(probe.getsockname()[1])


def shown(host: str, port: int) -> str:
    """The address as a person opens it on this machine."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - recognised, not bound
    reachable = everywhere.get(host, host)
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def is_ours(address: str, instance: str) -> bool:
    """Whether the server we started with PAIPU_INSTANCE=`instance` answers and is ready.

    That something answers is not enough: it could be another program on the same port.
    """
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{address}/health/ready", timeout=2) as answer:
            found = json.load(answer)
    except (OSError, ValueError, urllib.error.URLError):
        return False
    return isinstance(found, dict) and found.get("instance") == instance

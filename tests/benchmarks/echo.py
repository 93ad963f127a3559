"""A bare ASGI application: whatever is posted goes to everybody who listens. Nothing is kept."""

from __future__ import annotations

import asyncio
from typing import Any

_LISTENERS: set[asyncio.Queue[bytes]] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """GET listens, POST speaks."""
    if scope["type"] != "http":
        return
    if scope["method"] == "POST":
        body = (await receive())["body"]
        for listener in _LISTENERS:
            listener.put_nowait(body)
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    _LISTENERS.add(heard)
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
    while True:
        await send({"type": "http.response.body", "body": await heard.get(), "more_body": True})

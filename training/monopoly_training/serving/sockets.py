"""A WebSocket: messages are mappings in JSON; what does not fit is answered with one line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from monopoly_env.errors import InputError
from monopoly_env.files import parse_json
from monopoly_training.serving.app import MOST_BYTES

Hear = Callable[[dict[str, object]], Awaitable[Mapping[str, Any] | None]]
News = Callable[[], Awaitable[Mapping[str, Any] | None]]


class Bell:
    """Wakes a task from any thread. Made in the task's event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake whoever waits, or who waits next."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._rung.set)

    async def wait(self) -> None:
        """Wait until it rings."""
        await self._rung.wait()
        self._rung.clear()


async def converse(socket: WebSocket, bell: Bell, news: News, hear: Hear) -> None:
    """Send news whenever the bell rings, and hear messages, until the other side is gone.

    Args:
        socket: not accepted yet.
        bell: rung when there may be news.
        news: what to send next; None: nothing new. It is called until it says so.
        hear: takes a message; what it returns is sent back. An InputError that it raises is sent
            as ``{"type": "error", "text": line}``, with the ``id`` of the message, if it has one.
    """
    await socket.accept()
    lock = asyncio.Lock()  # one message at a time
    tasks = [
        asyncio.create_task(_tell(socket, bell, news, lock)),
        asyncio.create_task(_listen(socket, hear, lock)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            with suppress(WebSocketDisconnect):
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _send(socket: WebSocket, lock: asyncio.Lock, message: Mapping[str, Any]) -> None:
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    async with lock:
        try:
            await socket.send_text(text)
        except RuntimeError as problem:  # it was closed meanwhile
            raise WebSocketDisconnect from problem


async def _tell(socket: WebSocket, bell: Bell, news: News, lock: asyncio.Lock) -> None:
    bell.ring()
    while True:
        await bell.wait()
        while (message := await news()) is not None:
            await _send(socket, lock, message)


async def _listen(socket: WebSocket, hear: Hear, lock: asyncio.Lock) -> None:
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        number: object = None
        try:
            message = read_message(received.get("text"))
            number = message.get("id")
            answer = await hear(message)
        except InputError as problem:
            answer = {"type": "error", "text": str(problem)}
        if answer is not None:
            known = {"id": number} if isinstance(number, int) else {}
            await _send(socket, lock, {**answer, **known})


def read_message(text: object) -> dict[str, object]:
    """A message of a page. Raises: InputError, one line."""
    location = InputError.at("message")
    if not isinstance(text, str):
        location.fail("must be text, not bytes")
    if len(text) > MOST_BYTES:
        location.fail(f"has more than {MOST_BYTES:,} letters")
    raw = parse_json(text, location)
    if not isinstance(raw, dict):
        location.fail('must be a mapping in JSON, such as {"type": "act"}')
    return location.mapping(raw)

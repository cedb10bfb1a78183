"""The life of a server: a port, a thread of its own, and an end within two seconds of a signal."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Self
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp

from monopoly_env.errors import InputError
from monopoly_training.serving.guard import is_loopback

PORT = 8750  # unless it is taken, or another is named
GRACE = 1  # seconds that open connections have to close
LOOK = 0.2  # seconds between two looks whether it still serves: not all systems interrupt a join


class PageServer:
    """A server of pages, while the block runs.

    Args:
        app: what answers.
        host: 127.0.0.1 for this machine alone; 0.0.0.0 for all that reach it.
        port: None: 8750, or any other if that is taken; 0: any.

    Raises: InputError, one line, for a host or a port that cannot be had.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", port: int | None = None) -> None:
        self.host = host
        self._socket = _bound(host, port)
        self.port = int(self._socket.getsockname()[1])
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=GRACE,
            server_header=False,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="pages", daemon=True)

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    def address(self, path: str = "/", **parameters: str) -> str:
        """The address of a page, for a browser on this machine, or for others that reach it."""
        query = {name: value for name, value in parameters.items() if value}
        return f"http://{self._name()}:{self.port}{path}{'?' * bool(query)}{urlencode(query)}"

    def _name(self) -> str:
        if is_loopback(self.host):
            return self.host if ":" not in self.host else f"[{self.host}]"
        return own_address() if self.host in ("0.0.0.0", "::") else self.host

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def alive(self) -> bool:
        """Whether it serves."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Return when the server has ended; Ctrl-C comes through."""
        while self.alive:
            self._thread.join(LOOK)

    def stop(self) -> None:
        """End it; what is open is closed."""
        self._server.should_exit = True
        if self._thread.ident is not None:  # it has been started
            self._thread.join(GRACE)
        if self._thread.is_alive():
            self._server.force_exit = True
            self._thread.join(GRACE / 2)
        self._socket.close()


def _bound(host: str, port: int | None) -> socket.socket:
    """A socket that listens."""
    try:
        return _listen(host, PORT if port is None else port)
    except OSError as problem:
        if port is not None or isinstance(problem, socket.gaierror):
            _fail(host, port, problem)
    try:
        return _listen(host, 0)
    except OSError as problem:
        _fail(host, port, problem)
        raise


def _fail(host: str, port: int | None, problem: OSError) -> None:
    option = "--host" if port is None or isinstance(problem, socket.gaierror) else "--port"
    where = host if port is None else f"{host}, port {port}"
    InputError.at(option).fail(f"cannot serve at {where}: {problem.strerror or problem}")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with the protocol named, asyncio sends at once; else each answer waits 40 ms for the next one
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except BaseException:
        listener.close()
        raise
    return listener


def own_address() -> str:
    """The address by which other machines of the network reach this one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: it leads nowhere
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()

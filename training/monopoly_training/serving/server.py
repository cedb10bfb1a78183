"""Run a page server in a thread: choose a port, serve, and stop within two seconds of a signal."""

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

PORT = 8750  # default port
GRACE = 1  # seconds that open connections have to close
LOOK = 0.2  # polling interval in seconds: not all systems interrupt a join


class PageServer:
    """A page server that runs while the block is active.

    Args:
        app: the ASGI application.
        host: 127.0.0.1 for this machine only; 0.0.0.0 for all that can reach it.
        port: None: 8750, or a free one if it is taken; 0: a free one.

    Raises: InputError, one line, if it cannot listen on the host or port.
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
        """Return the address of a page, as a browser can reach it."""
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
        """Whether the server is running."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Wait until the server ends; Ctrl-C interrupts it."""
        while self.alive:
            self._thread.join(LOOK)

    def stop(self) -> None:
        """Stop the server and close its connections."""
        self._server.should_exit = True
        if self._thread.ident is not None:  # it was started
            self._thread.join(GRACE)
        if self._thread.is_alive():
            self._server.force_exit = True
            self._thread.join(GRACE / 2)
        self._socket.close()


def _bound(host: str, port: int | None) -> socket.socket:
    """Return a listening socket."""
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
    # With the protocol given, asyncio sets TCP_NODELAY; otherwise each response waits 40 ms
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
    """Return the address of this machine on the network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address, which leads nowhere
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()

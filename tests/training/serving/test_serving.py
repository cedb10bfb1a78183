"""A server of pages: who is let in, files, messages that do not fit, its port and its end."""

from __future__ import annotations

import urllib.request
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the server of pages needs the extra web")

from monopoly_training.serving.app import body_of, make_app
from monopoly_training.serving.guard import Access, new_token
from monopoly_training.serving.pages import files, shell
from monopoly_training.serving.server import PageServer
from monopoly_training.serving.sockets import Bell, converse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from monopoly_env.errors import InputError

HERE = "http://127.0.0.1:8750"
SOCKET = "ws://127.0.0.1:8750/ws"


async def front(_: Request) -> Response:
    return shell("replay.js", "<title>", {"text": "</script><b>"})


async def echo(request: Request) -> Response:
    return JSONResponse(await body_of(request))


async def talk(socket: WebSocket) -> None:
    bell, told = Bell(), [{"type": "hello"}]

    async def news() -> Mapping[str, Any] | None:
        return told.pop() if told else None

    async def hear(message: dict[str, object]) -> Mapping[str, Any] | None:
        if message.get("type") != "say":
            InputError.at("type").fail("must be say")
        return {"type": "said"}

    await converse(socket, bell, news, hear)


def client(access: Access | None = None) -> TestClient:
    app = make_app(
        [Route("/", front), Route("/echo", echo, methods=["POST"]), WebSocketRoute("/ws", talk)],
        access or Access(),
    )
    return TestClient(app, base_url=HERE)


def test_a_page_comes_with_its_modules_and_nothing_can_be_put_into_it() -> None:
    answer = client().get("/")
    assert answer.status_code == 200
    assert "&lt;title&gt;" in answer.text
    assert "</script><b>" not in answer.text
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_every_file_is_sent_once() -> None:
    web = client()
    for path in files():
        first = web.get(path)
        assert first.status_code == 200, path
        again = web.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/static/nothing.js", "/static/../assets.py", "/static/%2e%2e/x", "/no"]
)
def test_there_are_no_other_files(path: str) -> None:
    assert client().get(path).status_code == 404


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:8750"},
    ],
)
def test_other_sites_are_refused(headers: dict[str, str]) -> None:
    web = client()
    answer = web.post("/echo", content=b"{}", headers=headers)
    assert answer.status_code == 403
    assert answer.text.count("\n") == 1
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        web.websocket_connect(SOCKET, headers=headers),
    ):
        pass
    assert closed.value.code == 4403


def test_the_own_origin_is_let_in() -> None:
    web = client()
    assert web.post("/echo", content=b"{}", headers={"Origin": HERE}).json() == {}
    with web.websocket_connect(SOCKET, headers={"Origin": HERE}) as socket:
        assert socket.receive_json() == {"type": "hello"}


def test_a_token_is_needed_where_there_is_one() -> None:
    token = new_token()
    admits = lambda path, query: path == "/" and query.get("seat") == ["mine"]  # noqa: E731
    web = client(Access(token, (), admits))
    assert web.get("/").status_code == 403
    assert web.get("/?token=wrong").status_code == 403
    assert web.get(f"/?token={token}").status_code == 200
    assert web.get("/?seat=mine").status_code == 200
    assert web.post("/echo?seat=mine", content=b"{}").status_code == 403
    assert web.get("/static/style.css").status_code == 200
    with pytest.raises(WebSocketDisconnect), web.websocket_connect(SOCKET):
        pass
    with web.websocket_connect(f"{SOCKET}?token={token}") as socket:
        assert socket.receive_json() == {"type": "hello"}


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "message: is not JSON"),
        ("[1]", "message: must be a mapping in JSON"),
        ("{", "message: is not JSON"),
        ('{"type": NaN}', "NaN is no number of JSON"),
        ('{"type": "x", "type": "y"}', "stands twice"),
        ("[" * 60_000, "nested too deeply"),
        ('{"a": "' + "x" * 70_000 + '"}', "has more than 65,536 letters"),
        ('{"type": "fly", "id": 3}', "type: must be say"),
    ],
)
def test_a_message_that_does_not_fit_is_answered_in_one_line(text: str, says: str) -> None:
    with client().websocket_connect(SOCKET) as socket:
        socket.receive_json()
        socket.send_text(text)
        answer = socket.receive_json()
        assert answer["type"] == "error"
        assert says in answer["text"]
        assert answer.get("id") == (3 if "fly" in text else None)
        socket.send_bytes(b"abc")
        assert "must be text" in socket.receive_json()["text"]
        socket.send_json({"type": "say"})
        assert socket.receive_json() == {"type": "said"}


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b"3", b"x" * 70_000])
def test_a_body_that_does_not_fit_is_answered_in_one_line(content: bytes) -> None:
    answer = client().post("/echo", content=content)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"].startswith("request: ")


def test_a_server_has_a_port_and_ends() -> None:
    app = make_app([Route("/", front)], Access())
    with PageServer(app, port=0) as server:
        with urllib.request.urlopen(server.address()) as answer:
            assert answer.status == 200
        with pytest.raises(
            InputError, match=f"--port: cannot serve at 127.0.0.1, port {server.port}"
        ):
            PageServer(app, port=server.port)
    assert not server.alive


def test_a_host_that_there_is_not_is_named() -> None:
    with pytest.raises(InputError, match="--host: cannot serve at"):
        PageServer(make_app([], Access()), host="no.such.host.invalid")


def test_addresses_have_their_parameters() -> None:
    server = PageServer(make_app([], Access()), port=0)
    server.stop()
    assert server.address("/game/x", seat="a b", token="") == (
        f"http://127.0.0.1:{server.port}/game/x?seat=a+b"
    )

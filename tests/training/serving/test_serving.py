"""A server of pages: who is let in, what it answers, its port and its end."""

from __future__ import annotations

import urllib.request

import pytest

pytest.importorskip("starlette", reason="the server of pages needs the extra web")

from monopoly_training.serving.app import make_app
from monopoly_training.serving.guard import Access, new_token
from monopoly_training.serving.pages import whole_page
from monopoly_training.serving.server import PageServer
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from monopoly_env.errors import InputError

HERE = "http://127.0.0.1:8750"


async def front(_: Request) -> Response:
    return whole_page("<!doctype html><title>front</title>")


async def echo(_: Request) -> Response:
    return JSONResponse({})


async def refuse(_: Request) -> Response:
    InputError.at("request").fail("does not fit")


def client(access: Access | None = None) -> TestClient:
    routes = [
        Route("/", front),
        Route("/echo", echo, methods=["POST"]),
        Route("/refuse", refuse),
    ]
    return TestClient(make_app(routes, access or Access()), base_url=HERE)


def test_a_page_may_ask_its_own_server_alone() -> None:
    answer = client().get("/")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "connect-src 'self';" in policy
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_what_is_not_there_or_does_not_fit_is_one_line() -> None:
    web = client()
    assert (web.get("/no").status_code, list(web.get("/no").json())) == (404, ["error"])
    assert (web.get("/echo").status_code, list(web.get("/echo").json())) == (405, ["error"])
    refused = web.get("/refuse")
    assert (refused.status_code, refused.json()) == (400, {"error": "request: does not fit"})


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


def test_the_own_origin_is_let_in() -> None:
    web = client()
    assert web.post("/echo", content=b"{}", headers={"Origin": HERE}).json() == {}


def test_a_token_is_needed_where_there_is_one() -> None:
    token = new_token()
    admits = lambda path, query: path == "/" and query.get("seat") == ["mine"]  # noqa: E731
    web = client(Access(token, (), admits))
    assert web.get("/").status_code == 403
    assert web.get("/?token=wrong").status_code == 403
    assert web.get(f"/?token={token}").status_code == 200
    assert web.get("/?seat=mine").status_code == 200
    assert web.post("/echo?seat=mine", content=b"{}").status_code == 403


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

"""OpenEnv's own client plays on a server on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

pytest.importorskip("openenv")

from monopoly_openenv import MonopolyAction, MonopolyClient, MonopolyObservation
from monopoly_openenv.server.environment import MonopolyEnvironment

from tests.clients.openenv.play import play

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "examples" / "openenv"
SMALL = {"opponents": "random", "rules": {"max_turns": 40}}


@pytest.fixture(scope="module")
def url():
    """A server on a free port of this machine, for as long as the tests run."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "monopoly_openenv.server.app:app",
        "--port",
        str(port),
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            assert server.poll() is None, "the server has ended"
            try:
                urllib.request.urlopen(f"{address}/health", timeout=1)
                break
            except OSError:
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait(20)


def test_a_game_is_played_to_its_end(url: str) -> None:
    result, state = play(url, lambda text: '{"action": 1}', **SMALL)
    observation = result.observation
    assert isinstance(observation, MonopolyObservation)
    assert "The game is over for you" in observation.text
    assert set(observation.scores) == {"win", "rank", "net_worth", "legality", "solved"}
    assert observation.scores["legality"] == 1
    assert (state.seat, state.seed) == ("A", 7)
    assert state.counts["answers"] == state.step_count > 0


def test_the_same_seed_is_the_same_game_in_another_session(url: str) -> None:
    runs = [play(url, lambda text: "1", seed=3, **SMALL)[0] for _ in range(2)]
    assert runs[0].observation == runs[1].observation
    assert runs[0].reward == runs[1].reward


def test_sessions_do_not_meet(url: str) -> None:
    with MonopolyClient(base_url=url).sync() as one, MonopolyClient(base_url=url).sync() as other:
        first = one.reset(seed=1, **SMALL).observation
        assert other.reset(seed=2, **SMALL).observation.text != first.text
        assert first.instructions.startswith("You play Monopoly as A.")
        wrong = one.step(MonopolyAction(answer="no idea")).observation
        assert (wrong.tries_left, wrong.played) == (2, [])
        assert other.state().step_count == 0


def test_the_schemas_name_every_field(url: str) -> None:
    import json

    schema = json.load(urllib.request.urlopen(f"{url}/schema"))
    assert "answer" in schema["action"]["properties"]
    assert {"text", "legal_actions", "scores"} <= set(schema["observation"]["properties"])


def test_the_environment_is_what_the_server_wraps() -> None:
    env = MonopolyEnvironment()
    first = env.reset(seed=7, **SMALL)
    assert env.step(MonopolyAction(answer="1")).text != first.text
    assert env.state.step_count == 1


def test_manifest_and_image_name_what_is_there() -> None:
    manifest = yaml.safe_load((PACKAGE / "openenv.yaml").read_text())
    module, _, name = manifest["app"].partition(":")
    assert f"{name} = create_app(" in (PACKAGE / f"{module.replace('.', '/')}.py").read_text()
    image = (PACKAGE / "server" / "Dockerfile").read_text()
    copied = [line.split()[1:-1] for line in image.splitlines() if line.startswith("COPY ")]
    for path in (one for line in copied for one in line):
        assert (ROOT / path).exists(), path

"""monopoly-env play: its options, its addresses, and its end."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from monopoly_training.cli import main

from monopoly_env import Game
from monopoly_env.records import read_records, write_record
from monopoly_env.replay import replay

Capture = pytest.CaptureFixture[str]
POSITION = "players: 2\nturn: A\nA: {cash: 300, deeds: [boardwalk]}\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a position and a game that is over."""
    monkeypatch.chdir(tmp_path)
    Path("position.yaml").write_text(POSITION)
    game = Game(players=2, seed=1, rules={"max_turns": 3})
    while not game.over:
        game.play(game.legal_ids()[0])
    write_record("games.jsonl", game.record())
    return tmp_path


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--save x.jsonl", "--save: goes with --terminal"),
        ("--terminal --port 0", "--port: goes without --terminal"),
        (
            "--position position.yaml --replay games.jsonl",
            "cannot be combined with --position; give one",
        ),
        ("--replay games.jsonl --at 999", "--at: must be a move from 0 to"),
        ("--replay games.jsonl --game 2", "there is no game number 2"),
        ("--replay nowhere.jsonl", "nowhere.jsonl: cannot be read"),
        ("--position position.yaml --agents human", "seats: must be 2, as many as the position"),
        ("--agents human,nobody", "there is no bot 'nobody'"),
        ("--agents human,human --edition klassik", "did you mean"),
        ("--port 99999", "--port: must be at most 65535, not '99999'"),
        ("--port=-1", "--port: must be at least 0, not '-1'"),
        ("--host no.such.host.invalid --agents human,random", "--host: cannot serve at"),
    ],
)
def test_options_that_do_not_fit_are_one_line(
    files: Path, options: str, says: str, capsys: Capture
) -> None:
    port = [] if "--terminal" in options or "--port" in options else ["--port", "0"]
    assert main(["play", "--no-browser", *port, *options.split()]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert says in lines[-1]
    assert len(lines) == 1
    kept = [path for path in (files / "runs").rglob("*") if path.is_file()]
    assert kept == []


def test_the_end_of_a_game_is_no_beginning(files: Path, capsys: Capture) -> None:
    (record,) = read_records(files / "games.jsonl")
    last = str(len(record["actions"]))
    assert main(["play", "--no-browser", "--replay", "games.jsonl", "--at", last]) == 2
    assert "--at: the game is over there" in capsys.readouterr().err


def test_the_terminal_begins_in_a_position(files: Path) -> None:
    options = "--terminal --position position.yaml --agents random,random --rule max_turns=5"
    assert main(["play", *options.split(), "--save", "new.jsonl"]) == 0
    (record,) = read_records(files / "new.jsonl")
    assert record["position"]["A"]["cash"] == 300
    assert replay(record).over


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A server for other machines, and the addresses that it prints."""
    command = [
        sys.executable,
        "-m",
        "monopoly_training",
        "play",
        "--no-browser",
        "--host",
        "0.0.0.0",
    ]
    more = [
        "--port",
        "0",
        "--games",
        str(tmp_path),
        "--agents",
        "human,human,random",
        "--pace",
        "0",
    ]
    process = subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process, [process.stdout.readline().split()[0] for _ in range(4)]
    process.kill()
    process.wait()


def status_of(address: str) -> int:
    try:
        with urllib.request.urlopen(address) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as problem:
        return problem.code


def test_other_machines_need_a_link(
    open_server: tuple[subprocess.Popen[str], list[str]],
) -> None:
    process, (home, first, second, both) = open_server
    assert "token=" in home
    assert [status_of(one) for one in (home, first, second, both)] == [200] * 4
    for address in (home.partition("?")[0], first.partition("?")[0], first[:-2] + "xx"):
        assert status_of(address) == 403
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130

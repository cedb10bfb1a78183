"""Commands and files: what is there instead of a file, what is empty, what cannot be written."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from monopoly_training.cli import main

from monopoly_env.game import Game
from monopoly_env.records import write_record

pytestmark = pytest.mark.promise("bad_input")
posix = pytest.mark.skipif(os.name != "posix", reason="needs devices and pipes")


def refused(capsys, *words: object) -> str:
    """The one line that a command line ends with, at status 2."""
    assert main([str(word) for word in words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1
    return str(shown.err)


READING = {
    "replay": ["replay", "{}", "--check"],
    "replay one": ["replay", "{}"],
    "show": ["show", "{}"],
    "editions": ["editions", "{}"],
    "evaluate a model": ["evaluate", "model:{}", "--against", "random"],
    "evaluate weights": ["evaluate", "strategist:{}", "--against", "random"],
    "evaluate a file": ["evaluate", "python:{}:Bot", "--against", "random"],
    "an edition": ["evaluate", "random", "--against", "random", "--edition", "{}"],
    "train": ["train", "{}"],
    "tune": ["tune", "{}"],
    "league": ["league", "{}"],
    "tournament": ["tournament", "{}"],
    "generate": ["generate", "{}"],
    "train --resume": ["train", "--resume", "{}"],
    "tune --resume": ["tune", "--resume", "{}"],
    "league --resume": ["league", "--resume", "{}"],
    "plot": ["plot", "{}", "--out", "{}.png"],
}


@posix
@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("kind", ["pipe", "device", "nothing in it", "noise"])
def test_what_cannot_be_read_is_one_line(command, kind, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "odd.yaml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    else:
        path.write_bytes(b"" if kind == "nothing in it" else bytes(range(256)))
    words = [word.replace("{}", str(path)) for word in READING[command]]
    assert str(path.with_suffix("")) in refused(capsys, *words)  # a card ends in .json


def test_a_model_whose_path_is_no_utf_8_is_spelled_out(tmp_path, capsys):
    path = tmp_path / os.fsdecode(b"\xff\xfe")
    assert r"\xff\xfe: there is no such file" in refused(
        capsys, "evaluate", f"model:{path}", "--against", "random"
    )


@pytest.mark.parametrize("command", [("replay", "--check"), ("negotiation",), ("odds",)])
@pytest.mark.parametrize("text", ["", "\n\n", "hello", '{"for'])
def test_a_file_without_games_is_no_success(text, command, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        assert str(path) in refused(capsys, command[0], path, *command[1:])


def test_no_case_is_no_success(tmp_path, capsys):
    assert "no .yaml files" in refused_cases(capsys, tmp_path)
    path = tmp_path / "cases.yaml"
    path.write_text("")
    assert "must be a list of cases" in refused_cases(capsys, path)
    path.write_text("- id: a\n  editions: [classic]\n  given: {players: 2}\n  do: [A roll]\n")
    assert "no case is of these editions" in refused(
        capsys, "cases", path, "--editions", "kanto2014"
    )
    assert "--editions: names none" in refused(capsys, "cases", path, "--editions", ",")


def refused_cases(capsys, path) -> str:
    assert main(["cases", str(path)]) == 2
    return str(capsys.readouterr().err)


@pytest.mark.filterwarnings("default:.*the last line was cut off:UserWarning")
@pytest.mark.promise("checksums")
def test_a_torn_record_is_warned_of_in_one_line(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    write_record(path, Game(players=2, seed=1).record())
    with path.open("a") as file:
        file.write('{"format":1,"ver')
    assert main(["replay", str(path), "--check"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "1 game replayed exactly\n"
    assert (
        shown.err
        == f"warning: {path}: the last line was cut off while it was written; it is left out\n"
    )


# --- outputs ---

LONG = {  # commands that work for long before they write
    "train": ["train", "small", "--out"],
    "tune": ["tune", "small", "--out"],
    "league": ["league", "small", "--out"],
    "demo": ["demo", "--config", "small", "--out"],
    "generate": ["generate", "--agents", "random,random", "--out"],
    "tournament": ["tournament", "--agents", "random,random", "--out"],
    "bench": ["bench", "--page"],
    "docs": ["docs", "--out"],
}


@posix
@pytest.mark.parametrize("command", LONG)
@pytest.mark.parametrize("where", ["/dev/full", "a file", "in a file", "/proc"])
def test_a_folder_that_cannot_be_written_is_refused_before_work_begins(
    command, where, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    path = {"a file": "file", "in a file": "file/x"}.get(where, where)
    assert re.search(rf"(^error: |--page )(/.*)?{path}: ", refused(capsys, *LONG[command], path))
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert Path("/dev/full").is_char_device()


@posix
@pytest.mark.parametrize("option", ["--json", "--plot"])
@pytest.mark.parametrize("path", ["/dev/full", ".", "/proc/x"])
def test_a_file_that_cannot_be_written_is_refused_before_work_begins(option, path, capsys):
    assert path in refused(capsys, "bench", option, path)


@pytest.mark.parametrize(
    "words",
    [
        ["train", "small", "--out", ""],
        ["train", "small", "--out="],
        ["tune", "small", "--out", ""],
        ["plot", ""],
        ["plot", "runs/x", "--out", ""],
        ["show", ""],
        ["cases", ""],
        ["evaluate", "", "--against", "random"],
        ["play", "--terminal", "--save", ""],
    ],
)
def test_an_empty_path_is_refused(words, capsys):
    assert "must not be empty; give a value, or leave it out" in refused(capsys, *words)


def test_a_name_without_a_path_is_refused(capsys):
    for name in ("model:", "strategist:", "python:", "exec:"):
        assert name in refused(capsys, "evaluate", name, "--against", "random")


BOTS = ("--agents", "random,random", "--games", "2")
REFUSED = [
    ("tournament", "--agents", "random,nobody"),
    ("tournament", "--agents", "random,exec:/there/is/no/program"),
    ("tournament", "--agents", "random,strategist:weights.json"),
    ("tournament", *BOTS, "--rule", "salary=-1"),
    ("tournament", *BOTS, "--jobs", "100000000"),
    ("generate", "--agents", "random,nobody"),
    ("generate", "--agents", "random,exec:/there/is/no/program"),
    ("generate", *BOTS, "--bots", "fixed_a"),
    ("generate", *BOTS, "--format", "swiss"),
    ("train", "small", "--set", "opponents=[nobody]"),
    ("train", "small", "--set", "evaluation.against=[strategist:weights.json]"),
    ("train", "small", "--set", "ppo.envs=65536", "--set", "ppo.n_steps=65536"),
    ("tune", "small", "--set", "tables=[nobody]"),
    ("tune", "small", "--set", "bot=strategist:weights.json"),
    ("tune", "small", "--set", "table.rules={salary: -1}"),
]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("words", REFUSED, ids=lambda words: " ".join(words)[:60])
def test_what_is_refused_leaves_no_folder(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("weights.json").write_text('{"weights": {}}')
    assert main([*words, "--out", "a/b"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["weights.json"]

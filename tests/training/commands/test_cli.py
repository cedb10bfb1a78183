"""The command line: help without imports, one-line errors, exit statuses."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from monopoly_training import cli
from monopoly_training.cli import (
    command_names,
    expected,
    in_options,
    load_command,
    main,
    short_help,
)

from monopoly_env import Game
from monopoly_env.records import write_record

Capture = pytest.CaptureFixture[str]


def run_in_new_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = (
        "import sys; from monopoly_training.cli import main; status = main(); "
        "print('LOADED', [m for m in ('numba', 'torch') if m in sys.modules]); sys.exit(status)"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_help_lists_every_command_and_imports_none() -> None:
    run = run_in_new_process("--help")
    assert run.returncode == 0
    assert "LOADED []" in run.stdout
    assert all(f" {name} " in run.stdout for name in command_names())


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_help(name: str, capsys: Capture) -> None:
    assert short_help(name).endswith(".")
    assert load_command(name).name == name
    assert main([name, "--help"]) == 0
    assert f"monopoly-env {name}" in capsys.readouterr().out


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["fly"], "error: no such command 'fly'; see monopoly-env --help"),
        (["cases"], "error: missing argument"),
        (["cases", "--fast"], "error: no such option: --fast; see monopoly-env cases --help"),
        (["--fast"], "error: no such option: --fast; see monopoly-env --help"),
        (["editions", "clasic"], "did you mean 'classic'"),
        (["editions", "classic", "--mode", "long"], "has no mode 'long'"),
        (["replay", "nosuch.jsonl"], "error: nosuch.jsonl: cannot be read: No such file"),
        (["show", "nosuch.yaml"], "error: nosuch.yaml: cannot be read: No such file"),
        (["train", "quick", "--seed", "-1"], "error: --seed: must be from 0 to 4294967295, not -1"),
        (["train", "quick", "--set", "seed=010"], "error: --set: seed: is not valid YAML: line 1"),
        (["evaluate", "random", "--against", "random", "--games", "0"], "error: --games: must be"),
        (
            ["train", "quick", "--out", ""],
            "error: --out: must not be empty; give a value, or leave it out",
        ),
        (["plot", "x", "--out="], "error: --out: must not be empty; give a value, or leave it out"),
        (["tournament", "--agents", "random,random", "--seats", "3"], "error: --seats: is 3, but"),
    ],
)
def test_errors_are_one_line(arguments: list[str], says: str, capsys: Capture) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert says in captured.err


@pytest.mark.promise("bad_input")
def test_what_is_no_number_is_refused_where_ranges_let_it_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """In older versions of typer it is in any range, so one without a range stands for them."""
    app = typer.Typer(add_completion=False)

    @app.command()
    def play(seconds: float = 1.0) -> None:
        typer.echo(seconds)

    command = typer.main.get_command(app)
    monkeypatch.setattr(cli, "load_command", {"bench": command}.get)
    assert main(["bench", "--seconds", "-nan"]) == 2
    assert "error: --seconds: must be a number, not 'nan'" in capsys.readouterr().err
    assert main(["bench", "--seconds", "2"]) == 0
    assert capsys.readouterr().out == "2.0\n"


def test_parameters_are_named_as_options() -> None:
    text = "jobs: a process has died; `resume` continues, another `folder` or `nothing`"
    said = "--jobs: a process has died; --resume continues, another --out or `nothing`"
    assert in_options(text, "tournament") == said
    assert in_options(text, "nosuch") == text
    assert in_options("position: is no option", "show") == "position: is no option"
    assert in_options("changes: x: unknown", "train") == "--set: x: unknown"


def test_no_arguments_show_the_help(capsys: Capture) -> None:
    assert main([]) == 0
    assert "Usage: monopoly-env" in capsys.readouterr().out


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == "0.1.0"


def test_faults_of_the_program_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(problem: BaseException) -> Any:
        class Group:
            def main(self, *_: object, **__: object) -> None:
                raise problem

        return lambda _: Group()

    monkeypatch.setattr(typer.main, "get_command", fail(ValueError("a fault")))
    with pytest.raises(ValueError, match="a fault"):
        main(["cases"])
    monkeypatch.setattr(typer.main, "get_command", fail(KeyboardInterrupt()))
    assert main(["cases"]) == cli.INTERRUPTED


@pytest.mark.promise("resume")
@pytest.mark.parametrize("how", [KeyboardInterrupt(), cli.INTERRUPTED])  # typer does one or other
def test_an_interrupt_is_said(how: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    class Group:
        def main(self, *_: object, **__: object) -> object:
            if isinstance(how, BaseException):
                raise how
            return how

    monkeypatch.setattr(typer.main, "get_command", lambda _: Group())
    usual = signal.getsignal(signal.SIGINT)
    assert main(["cases"]) == cli.INTERRUPTED
    assert capsys.readouterr().err == "error: interrupted\n"
    assert signal.getsignal(signal.SIGINT) is usual


@pytest.mark.promise("resume")
@pytest.mark.parametrize(
    ("module", "says"),
    [("numba.core.x", b"error: interrupted\n"), ("monopoly_env", b"by exception\n")],
)
def test_an_interrupt_does_not_go_through_the_compiler(module: str, says: bytes) -> None:
    code = f"""
import signal, sys
from monopoly_training.common.stopping import on_signal
signal.signal(signal.SIGINT, on_signal)
frames = {{"__name__": {module!r}, "signal": signal}}
try:
    eval("signal.raise_signal(signal.SIGINT)", frames)
except KeyboardInterrupt:
    sys.stderr.write("by exception\\n")
    sys.exit(130)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (cli.INTERRUPTED, says)


def test_letters_that_a_terminal_does_not_have_end_nothing() -> None:
    code = "import sys; from monopoly_training.cli import main; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-c", code, "editions", "classic", "pokemon1999"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"?" in run.stdout


def test_what_is_expected_has_a_remedy() -> None:
    missing = ModuleNotFoundError("no torch", name="torch.nn")
    assert "pip install 'monopoly-env[train]'" in str(expected(missing))
    assert expected(ModuleNotFoundError("x", name="nowhere")) is None
    assert expected(FileNotFoundError(2, "No such file", "x.yaml")) == "No such file: x.yaml"
    assert expected(ValueError("x")) is None
    taken = FileExistsError(17, "File exists", "x")
    assert expected(taken) == "x: is a file, and a folder is needed there; name another"


def test_editions(capsys: Capture) -> None:
    assert main(["editions"]) == 0
    assert "pokemon_fr2000" in capsys.readouterr().out
    assert main(["editions", "kanto2014", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "kanto2014"
    assert main(["editions", "kanto2014", "--mode", "short"]) == 0
    out = capsys.readouterr().out
    assert "hotel_houses" in out
    assert "Nidoking" in out
    assert main(["editions", "kanto2014", "classic"]) == 0
    assert "Nidoking" in capsys.readouterr().out


def test_show(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "start.yaml"
    file.write_text("players: 2\nB: {cash: 7}\n", encoding="utf-8")
    assert main(["show", str(file)]) == 0
    assert "A decides (TURN)" in capsys.readouterr().out
    assert main(["show", str(file), "--full"]) == 0
    assert Game.from_yaml(capsys.readouterr().out).cash == (1500, 7)
    file.write_text("players: 2\nB: {chas: 7}\n", encoding="utf-8")
    assert main(["show", str(file)]) == 2
    assert f"error: {file}: B.chas: there is no such key" in capsys.readouterr().err


def test_replay(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "games.jsonl"
    game = Game(seed=1, players=2)
    write_record(file, game.record())
    game.play("roll")
    write_record(file, game.record())
    assert main(["replay", str(file), "--check"]) == 0
    assert capsys.readouterr().out == "2 games replayed exactly\n"
    assert main(["replay", str(file), "--game", "2"]) == 0
    assert " roll " in capsys.readouterr().out
    assert main(["replay", str(file), "--game", "2", "--at", "1", "--full"]) == 0
    assert Game.from_yaml(capsys.readouterr().out) == game
    assert main(["replay", str(file), "--at", "1"]) == 2
    assert "game 1: has 0 actions" in capsys.readouterr().err
    file.write_text(
        re.sub(',"digest":"\\w+"', "", file.read_text().replace('"seed":1', '"seed":2'))
    )
    assert main(["replay", str(file), "--check"]) == 2
    assert f"error: {file}: game 1: result" in capsys.readouterr().err

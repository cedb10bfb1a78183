"""Names look the same on a terminal as in a file: nothing in them is taken for markup."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import monopoly_training
import pytest
from monopoly_training.cli import command_names, main
from monopoly_training.common.progress import Live

PACKAGE = Path(next(iter(monopoly_training.__path__)))
FRAMES = set("│╭╮╰╯─┌┐└┘├┤…")  # what typer draws around options


def test_an_edition_keeps_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editions", "classic", "random:train:17"]) == 0
    assert " random:train:17 " in capsys.readouterr().out


def test_progress_takes_names_literally(capsys: pytest.CaptureFixture[str]) -> None:
    with Live() as progress:
        progress.log("python:bot.py:[/x] on random:train:17 [bold]")
    assert capsys.readouterr().err == "python:bot.py:[/x] on random:train:17 [bold]\n"


def test_a_bar_takes_names_literally() -> None:
    from rich.console import Console

    text = io.StringIO()
    with Live(Console(file=text, force_terminal=True, width=100, emoji=False)) as progress:
        progress.stage("random:train:17 [/x]")
        progress.update(0.5, "[/y]")
    assert "random:train:17 [/x]" in text.getvalue()


@pytest.mark.parametrize("name", command_names())
def test_help_has_no_emoji(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([name, "--help"])
    assert {letter for letter in capsys.readouterr().out if letter > "~"} <= FRAMES


def test_every_console_is_a_literal_one() -> None:
    made = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"Console", "console.Console"}
    ]
    assert made == ["common/console.py"]

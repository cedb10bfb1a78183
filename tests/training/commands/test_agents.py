"""monopoly-env agents: a line a bot."""

from __future__ import annotations

import json

import typer
from monopoly_training.commands.agents import command
from typer.testing import CliRunner

from monopoly_env.agent import agents


def test_the_command_lists_a_line_a_bot() -> None:
    result = CliRunner().invoke(typer_app(), [])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(agents())
    described = json.loads(CliRunner().invoke(typer_app(), ["--json"]).stdout)
    assert {row["name"]: row["compiled"] for row in described}["random"] is True


def typer_app() -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app

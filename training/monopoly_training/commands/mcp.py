"""Run an MCP server through which an assistant plays."""

from __future__ import annotations

from typing import Annotated

import typer

from monopoly_training.cli_options.game import Edition, Mode, Rules


def command(
    against: Annotated[
        str, typer.Option(help="The bots in the other seats, comma-separated.")
    ] = "background,background,background",
    preset: Annotated[str, typer.Option(help="Preset of TextEnv: short or full.")] = "short",
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
) -> None:
    """Run an MCP server on standard input and output, through which an assistant plays.

    The tools are new_game, state, legal_actions, why and act. Needs the extra mcp.
    """
    from monopoly_env.extras import require
    from monopoly_training.cli_options.game import rules_of
    from monopoly_training.common.bot_lists import split_names

    require("mcp", "mcp")
    from monopoly_training.language_models.mcp_server import Session, make_server

    session = Session(
        preset,
        split_names(against, "--against"),
        edition=edition,
        mode=mode,
        rules=rules_of(rules),
    )
    make_server(session).run()

"""Serve a game to an assistant that speaks the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from monopoly_training.cli_options.game import Edition, Mode, Rules


def command(
    against: Annotated[
        str, typer.Option(help="The bots in the other seats, with commas between them.")
    ] = "background,background,background",
    preset: Annotated[str, typer.Option(help="Of TextEnv: short or full.")] = "short",
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
) -> None:
    """Serve games over standard input and output, as assistants start MCP servers.

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

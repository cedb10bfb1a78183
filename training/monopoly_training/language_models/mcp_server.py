"""An MCP server that lets any assistant with Model Context Protocol support play a seat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from monopoly_env.errors import InputError
from monopoly_env.extras import need
from monopoly_env.text.env import TextEnv
from monopoly_training.common.bot_lists import split_names

BEFORE = "No game has begun: call new_game."


class Session:
    """A player's game and its MCP tools, which return text.

    Args:
        preset, opponents, options: as for :class:`TextEnv`; a new game may have other opponents.
    """

    def __init__(self, preset: str, opponents: Sequence[str], **options: Any) -> None:
        self._preset, self._options = preset, options
        self._env = TextEnv(preset, opponents=list(opponents), **options)
        self._begun = False

    def new_game(self, seed: int | None = None, opponents: str = "") -> str:
        """Start a new game and show the first decision.

        Args:
            seed: the same seed gives the same dice; by default, a new game is drawn.
            opponents: 1 to 7 bots, comma-separated, such as "background,strategist"; empty: the
                current ones.
        """
        try:
            if opponents:
                bots = split_names(opponents, "opponents")
                self._env = TextEnv(self._preset, opponents=bots, **self._options)
            shown, _ = self._env.reset(seed=seed)
        except InputError as problem:
            return f"No game has begun: {problem}"
        self._begun = True
        return f"{self._env.guide}\n{shown}"

    def state(self) -> str:
        """Show the position, what happened since your last decision, and your numbered actions."""
        return self._env.observe() if self._begun else BEFORE

    def legal_actions(self) -> str:
        """List your legal actions, one per line, with the number by which act takes each."""
        if not self._begun:
            return BEFORE
        actions = self._env.legal_actions()
        lines = [f"{number} {action}" for number, action in enumerate(actions, 1)]
        return "\n".join(lines) or "The game is over: call new_game for another one."

    def why(self, action: str) -> str:
        """Explain why an action is not legal now, or what a legal one does.

        Args:
            action: in words ("build Boardwalk", "build:boardwalk"), or the number of a legal one.
        """
        return self._env.why(action) if self._begun else BEFORE

    def act(self, actions: list[int | str]) -> str:
        """Play one action, or several in order, and show your next decision.

        Args:
            actions: numbers of your legal actions, such as [1]; several are played one after the
                other, until one is not legal any more or the dice are thrown.
        """
        if not self._begun:
            return BEFORE
        if not self._env.legal_actions():
            return "The game is over: call new_game for another one."
        shown, _, terminated, truncated, info = self._env.step(json.dumps({"actions": actions}))
        if terminated or truncated:
            return f"{shown}\n{json.dumps(info['results'])}"
        return shown


def make_server(session: Session) -> Any:
    """Return an MCPServer (package ``mcp``) with the session's tools. Raises: MissingExtra."""
    from importlib.metadata import version

    need("mcp", "mcp")
    from mcp.server import MCPServer

    server = MCPServer(
        "monopoly-env",
        version=version("monopoly-env"),
        instructions=(
            "A game of Monopoly: you have one seat, bots have the others. The last player who is not "
            "bankrupt wins. Call new_game, then act with the number of an action, until the game is over."
        ),
    )
    for tool in (session.new_game, session.state, session.legal_actions, session.why, session.act):
        server.tool(structured_output=False)(tool)
    return server

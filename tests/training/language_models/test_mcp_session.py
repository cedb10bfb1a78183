"""The tools of the MCP server, without the protocol; tests/clients/mcp plays through mcp's client."""

from __future__ import annotations

import json

from monopoly_training.language_models.mcp_server import BEFORE, Session


def test_a_session_plays_a_game() -> None:
    session = Session("short", ["random"], rules={"max_turns": 30})
    assert [session.state(), session.legal_actions(), session.why("1"), session.act([1])] == [
        BEFORE
    ] * 4
    shown = session.new_game(seed=7)
    assert shown.endswith(session.state())
    assert session.legal_actions().startswith("1 ")
    while not shown.startswith("The game is over"):
        shown = session.act([1])
    assert json.loads(shown.splitlines()[-1])["A"]["counts"]["fallbacks"] == 0
    assert (
        session.act([1])
        == session.legal_actions()
        == "The game is over: call new_game for another one."
    )
    assert session.why("buy") == "the game is over"


def test_a_new_game_may_name_its_opponents() -> None:
    session = Session("short", ["random"])
    assert session.new_game(1, "random,fixed_a").startswith("3 players begin")
    assert session.new_game(1, "random,,").startswith("No game has begun: opponents: must be bots")

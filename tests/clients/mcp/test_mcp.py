"""An assistant plays over the Model Context Protocol, through mcp's own client."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

pytest.importorskip("mcp")

from mcp import Client
from monopoly_training.language_models.mcp_server import Session, make_server

from tests.clients.mcp.play import call, play


def session(**options: object) -> Session:
    return Session("short", ["background", "random"], **options)


def in_process(steps):
    """Run a conversation with a server in this process."""

    async def run():
        async with Client(make_server(session())) as client:
            return await steps(client)

    return asyncio.run(run())


def test_the_client_sees_five_tools_with_their_arguments() -> None:
    tools = in_process(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["new_game", "state", "legal_actions", "why", "act"]
    schema = {tool.name: tool.input_schema["properties"] for tool in tools}
    assert set(schema["new_game"]) == {"seed", "opponents"}
    assert set(schema["act"]) == {"actions"}
    assert all(tool.description for tool in tools)


def test_a_game_is_played_to_its_end() -> None:
    shown = asyncio.run(play(lambda text: 1, make_server(session())))
    assert "The game is over for you" in shown
    results = json.loads(shown.splitlines()[-1])
    assert results["A"]["rank"] in (1, 2, 3)
    assert results["A"]["counts"]["illegal"] == 0


def test_state_legal_actions_and_why_change_nothing() -> None:
    async def steps(client):
        await call(client, "new_game", seed=7)
        first = await call(client, "state")
        legal = await call(client, "legal_actions")
        why = await call(client, "why", action="build Boardwalk")
        one = await call(client, "why", action="1")
        return first, legal, why, one, await call(client, "state")

    first, legal, why, one, last = in_process(steps)
    assert first == last
    assert re.match(r"1 \w+", legal)
    assert why.startswith("build:boardwalk: ")
    assert "is legal" in one


def test_what_cannot_be_done_is_said() -> None:
    async def steps(client):
        before = [await call(client, tool) for tool in ("state", "legal_actions")]
        bad = await call(client, "new_game", opponents="nobody")
        await call(client, "new_game", seed=7, opponents="random")
        return before, bad, await call(client, "act", actions=[99])

    before, bad, wrong = in_process(steps)
    assert before == ["No game has begun: call new_game."] * 2
    assert "there is no bot 'nobody'" in bad
    assert wrong.startswith("Not played: there is no action 99")


def test_the_command_serves_over_standard_input_and_output() -> None:
    shown = asyncio.run(play(lambda text: 1, most=5))
    assert "You decide (" in shown or "The game is over" in shown

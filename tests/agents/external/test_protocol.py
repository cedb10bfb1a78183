"""docs/protocol.md says what programs are told, and what is read of their answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from monopoly_agents.external import protocol
from monopoly_agents.external.agent import Limits
from monopoly_agents.external.process import MAX_LINE

from monopoly_env import Game
from monopoly_env.bots.fallback import ORDER
from monopoly_env.view import View

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
MENU: dict[str, Any] = {
    "players": 2,
    "rules": {"deals": "menu"},
    "A": {"deeds": ["kentucky", "indiana"]},
    "B": {"deeds": ["illinois", "reading"]},
}


def keys_of(message: str) -> set[str]:
    """The keys that the page's table below a message's name has."""
    table = (
        PAGE.partition(f"\n`{message}` ")[2].partition("| --- | --- |\n")[2].partition("\n\n")[0]
    )
    return {key for row in table.splitlines() for key in re.findall(r"`(\w+)`", row.split("|")[1])}


def view_of(position: dict[str, Any]) -> View:
    return View.of(Game.from_position(position, seed=1))


def test_hello_has_the_keys_of_the_page() -> None:
    message = protocol.hello(view_of({"players": 2}), 3, {})
    assert set(message) == keys_of("hello")
    assert message["protocol"] == protocol.PROTOCOL
    assert f"version {protocol.PROTOCOL} of the protocol" in PAGE


def test_decide_has_the_keys_of_the_page() -> None:
    message = protocol.decide(view_of(MENU), 1, {"decision": 1.0, "game": 1.0}, "late; roll")
    assert set(message) == keys_of("decide")
    assert set(message["menu"][0]) == {"action", "partner", "give", "ask", "cash"}


def test_result_has_the_keys_of_the_page() -> None:
    game = Game(players=2, seed=1, rules={"max_turns": 2})
    while not game.over:
        game.play(game.legal_ids()[0])
    row = PAGE.partition("\n`result` ")[2].partition("\n\n")[0]
    told = set(re.findall(r"`(\w+)`", row))
    assert set(protocol.result(game)) == told | {"type"}


def test_limits_are_those_of_the_page() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d*) ?\|", PAGE, re.MULTILINE)
    said = {name: float(value) if value else "" for name, value in rows}
    assert said == vars(Limits())
    assert f"{MAX_LINE:,} bytes" in PAGE


def test_the_order_of_safe_actions_is_that_of_the_page() -> None:
    sentence = PAGE.partition("is played in its place:")[2].partition(", any other")[0]
    assert tuple(re.findall(r"`(\w+)`", sentence)) == ORDER


def test_the_example_on_the_page_is_one_decision() -> None:
    question, answer = (
        json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    )
    assert set(question) == keys_of("decide") - {"menu", "fault"}
    assert protocol.read_answer(json.dumps(answer).encode(), question["id"]) in question["legal"]


def test_messages_are_lines_of_ascii() -> None:
    game = Game("pokemon_fr2000", 3, 1)
    line = protocol.encode(protocol.hello(View.of(game), 0, {}))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["names"]["tokens"][0] == game.edition.names.tokens[0]


@pytest.mark.parametrize(
    "line",
    [
        b'{"action": "roll"}',
        b' {"id":5,"action":"roll","why":"\xc3\xa9"} \r',
        b'{"action":"\\u0072oll"}',
    ],
)
def test_answers(line: bytes) -> None:
    assert protocol.read_answer(line, 5) == "roll"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"roll", "'roll' is not JSON"),
        (b"", "'' is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "… is not JSON".replace("… ", "…' ")),
        (b'"roll"', "is not {"),
        (b'["roll"]', "is not {"),
        (b'{"action": ["roll"]}', "is not {"),
        (b'{"Action": "roll"}', "is not {"),
        (b'{"id": 4, "action": "roll"}', "answers another decision than 5"),
        (b'{"id": "5", "action": "roll"}', "answers another decision than 5"),
        (b'{"id": null, "action": "roll"}', "answers another decision than 5"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_answer(line: bytes, says: str) -> None:
    with pytest.raises(protocol.NotAnAnswer, match=re.escape(says)) as refused:
        protocol.read_answer(line, 5)
    assert len(str(refused.value)) < 120

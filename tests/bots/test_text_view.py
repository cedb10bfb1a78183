"""Decisions in words: complete, short, the same each time, with answers read back."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.agent import Agent, make_agent
from monopoly_env.bots.text_view import INSTRUCTIONS, TextBot, describe, parse_choice, prompt
from monopoly_env.playing import GameLoop
from monopoly_env.view import View
from tests.agents.positions import buying, seated

ROOT = Path(__file__).parents[2]
MOST_TOKENS = 1500
# More pieces than the tokenizers of language models make: words by six letters, numbers by three.
PIECES = re.compile(r"[^\W\d]{1,6}|\d{1,3}|[^\w\s]|_")


class Reader:
    """A bot that is asked as ever, while its decisions are read as text."""

    def __init__(self, bot: Agent) -> None:
        self.bot = bot
        self.most = 0

    def reset(self, seed: int) -> None:
        self.bot.reset(seed)

    def decide(self, view: View) -> int:
        text = describe(view)
        self.most = max(self.most, len(PIECES.findall(text)))
        assert "{}" not in text
        for action in view.legal_actions:
            kind, _, label = action.partition(":")
            assert re.search(rf"^- {kind}: |^- {kind}:[XN] .*\b{label}\b", text, re.MULTILINE)
        return self.bot.decide(view)


def view_of(position: dict[str, Any]) -> View:
    return View.of(seated(position))


@pytest.mark.parametrize(
    ("edition", "rules"),
    [
        ("classic", {}),
        ("classic", {"deals": "menu"}),
        ("pokemon_fr2000", {"power_doubles": True, "houses": 8}),
    ],
    ids=str,
)
def test_every_legal_action_is_there_and_the_whole_is_short(
    edition: str, rules: dict[str, object]
) -> None:
    game = Game(edition, 4, 2, rules={"max_decisions": 1500, **rules})
    readers = [Reader(make_agent(name)) for name in ("background", "random", "fixed_a", "fixed_b")]
    GameLoop(game, readers, 2).play()
    assert 400 < max(reader.most for reader in readers) < MOST_TOKENS


@pytest.mark.promise("isolation")
def test_the_same_view_is_the_same_text_and_hidden_things_change_nothing() -> None:
    game = Game(players=3, seed=5)
    other = game.copy()
    other.redraw(1)
    assert describe(View.of(game)) == describe(View.of(game)) == describe(View.of(other))


def test_the_position_in_words() -> None:
    text = describe(
        view_of(
            {
                "A": {"cash": 340, "deeds": ["oriental*", "boardwalk"], "cards": ["card_chest"]},
                "B": {"jail": 1, "deeds": ["park_place"]},
            }
        )
    )
    assert "You are A (car)." in text
    assert "A (car, you): $340, net worth" in text
    assert "light blue 1/3: Oriental Avenue [oriental] mortgaged; dark blue 1/2: Boardwalk" in text
    assert "Get Out of Jail Free [card_chest]" in text
    assert "B (battleship): $1,500" in text
    assert "in Jail" in text
    assert "Nothing has happened since your last decision." in text


def test_events_are_told_and_the_oldest_only_counted() -> None:
    game = Game(players=2, seed=7)
    few = describe(View.of(game, game.journal()))
    assert f"- {game.journal()[0]}" in few
    many = describe(View.of(game, game.journal() * 20))
    assert f"- ({len(game.journal()) * 20 - 30} earlier events)" in many


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('{"action": "buy"}', "buy"),
        ('I think…\n```json\n{"action": "buy"}\n```\nGood luck!', "buy"),
        ('{"action": "buy"} no, rather {"action": "auction"}', "auction"),
        ('{"action": "fly"} or {"action": " buy "}', "buy"),
        ("buy or auction? I will auction.", "auction"),
        ("**buy**", "buy"),
        ("`mortgage:reading`", "mortgage:reading"),
        ("I mortgage:reading, then buy: no.", "buy"),
        ('{"action": ["buy"]} {not json} buy', "buy"),
        ("BUY", None),
        ("I would rather fly.", None),
        ("", None),
        ("{" * 5000, None),
        ("mortgage", None),
        ("buyer", None),
    ],
    ids=lambda value: str(value)[:25],
)
def test_answers_are_read_back(answer: str, action: str | None) -> None:
    view = view_of(buying("boardwalk", 1000, "reading"))
    found = parse_choice(answer, view)
    assert (None if found is None else view.game.text(found)) == action


@pytest.mark.promise("bots")
def test_a_bot_of_words_plays_and_counts_its_faults() -> None:
    asked_for: list[str] = []

    def complete(text: str) -> str:
        asked_for.append(text)
        return "no idea" if len(asked_for) % 2 else "pass, roll, or end_turn"

    bot = TextBot(complete)
    game = Game(players=2, seed=3, rules={"max_decisions": 60})
    assert GameLoop(game, [bot, make_agent("fixed_a")]).play().over
    assert 0 < bot.faults["illegal"] <= len(asked_for)
    assert all(text.startswith("You play Monopoly.") for text in asked_for)
    assert all("Legal actions:" in text for text in asked_for)


def test_a_prompt_is_instructions_and_the_decision() -> None:
    view = view_of(buying("boardwalk", 1000))
    assert prompt(view) == f"{INSTRUCTIONS}\n{describe(view)}\n"


def test_the_example_plays_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    bot = make_agent("python:examples/llm_bot.py:OfflineBot")
    for edition, rules in (("classic", {}), ("pokemon_fr2000", {"deals": "menu"})):
        game = Game(edition, 3, 4, rules={"max_decisions": 1500, **rules})
        GameLoop(game, [bot, make_agent("fixed_a"), make_agent("random")], 4).play()
        done = {game.text(action).partition(":")[0] for seat, action in game.history if seat == 0}
        assert {"buy", "roll"} <= done
    assert bot.faults["illegal"] == 0  # type: ignore[attr-defined]
    assert "openai" not in sys.modules

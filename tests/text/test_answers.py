"""Answers of models, read back."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.text.answers import action_text, explain, read_answer
from monopoly_env.text.numbered import Numbered
from monopoly_env.view import View
from tests.agents.positions import buying, seated

# 1 buy, 2 auction, 3 mortgage:reading


def at_boardwalk() -> tuple[Numbered, Game]:
    game = seated(buying("boardwalk", 1000, "reading"))
    return Numbered(View.of(game)), game


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('{"action": 1}', "buy"),
        ('{"action": "2"}', "auction"),
        ('{"action": "buy"}', "buy"),
        ('{"action": "mortgage Reading Railroad"}', "mortgage:reading"),
        ('{"action": "Mortgage: reading"}', "mortgage:reading"),
        ('I have $1,000.\n```json\n{"action": 3}\n```\nGood luck!', "mortgage:reading"),
        ('{"action": 1} no, rather {"action": 2}', "auction"),
        ('{"action": 1} or {"action": 77}', "buy"),
        ('{"thought": "why not", "action": 2}', "auction"),
        ("2", "auction"),
        ("  **2.**  ", "auction"),
        ("It costs 400.\nAction: 2", "auction"),
        ("The answer is\nnumber 3", "mortgage:reading"),
        ("I choose to buy it: buy", "buy"),
        ("`mortgage:reading`", "mortgage:reading"),
        ("buy or auction? I will auction.", "auction"),
    ],
)
def test_actions_are_read(answer: str, action: str) -> None:
    numbered, game = at_boardwalk()
    found = read_answer(answer, numbered, game)
    assert (found.fault, found.why) == ("", None)
    assert found.actions == (action,)


@pytest.mark.parametrize(
    ("answer", "fault", "note"),
    [
        ("", "unreadable", "the answer names no action; answer with a number from 1 to 3"),
        ("I have 400 dollars and 3 wishes.", "unreadable", "names no action"),
        ("{" * 5000, "unreadable", "names no action"),
        ('{"action": true}', "unreadable", "names no action"),
        ('{"actions": []}', "unreadable", "names no action"),
        ('{"actions": [{}]}', "unreadable", "names no action"),
        ('{"actions": [9, 1]}', "illegal", "there is no action 9"),
        ("[1]", "unreadable", "names no action"),
        ('{"action": 4}', "illegal", "there is no action 4; answer with a number from 1 to 3"),
        ("0", "illegal", "there is no action 0"),
        ('{"action": "-1"}', "illegal", "there is no action -1"),
        ('{"action": "roll"}', "illegal", "roll: not possible in this phase"),
        ("build:boardwalk", "illegal", "build:boardwalk: not possible in this phase"),
        ('{"action": "mortgage boardwalk"}', "illegal", "mortgage:boardwalk: nobody owns it yet"),
        ('{"action": "fly away"}', "illegal", "'fly away' is not an action"),
    ],
    ids=lambda value: str(value)[:25],
)
def test_what_is_wrong_is_said(answer: str, fault: str, note: str) -> None:
    numbered, game = at_boardwalk()
    found = read_answer(answer, numbered, game)
    assert (found.actions, found.why, found.fault) == ((), None, fault)
    assert note in found.note
    assert "\n" not in found.note


@pytest.mark.parametrize(
    "answer", ['{"actions": [3, "buy"]}', '{"actions": ["mortgage Reading Railroad", "1"]}']
)
def test_several_actions_are_read_in_order(answer: str) -> None:
    numbered, game = at_boardwalk()
    assert read_answer(answer, numbered, game).actions == ("mortgage:reading", "buy")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ('{"why": "build Boardwalk"}', "build Boardwalk"),
        ('{"why": 2}', "2"),
        ("why build:boardwalk?", "build:boardwalk?"),
        ("Hm.\nWhy not: 3", "3"),
    ],
)
def test_questions_are_read(answer: str, why: str) -> None:
    numbered, game = at_boardwalk()
    found = read_answer(answer, numbered, game)
    assert (found.actions, found.fault, found.why) == ((), "", why)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("1", "buy is legal: buy the property at its printed price (pay $400)"),
        ("#3", "mortgage:reading is legal: mortgage Reading Railroad (receive $100)"),
        ("buy", "buy is legal: buy the property at its printed price (pay $400)"),
        ("4", "there is no action '4'; answer with a number from 1 to 3"),
        ("mortgage Park Place?", "mortgage:park_place: nobody owns it yet"),
        ("sell_group dark blue", "sell_group:dark_blue: the color group is not complete"),
        ("deal b", "deal:B: not possible in this phase"),
        ("propose 3", "propose:3: not possible in this phase"),
        ("fly", "'fly' is not an action"),
    ],
)
def test_questions_are_answered(words: str, reason: str) -> None:
    numbered, game = at_boardwalk()
    assert explain(words, numbered, game) == reason


def test_names_of_other_editions_are_known() -> None:
    game = Game("pokemon1999", players=2, seed=1)
    names = game.edition.names
    for square in (1, 5, 39):
        assert action_text(f"mortgage {names.space(square)}", names) == action_text(
            f"mortgage:{('mediterranean', 'reading', 'boardwalk')[(1, 5, 39).index(square)]}", names
        )

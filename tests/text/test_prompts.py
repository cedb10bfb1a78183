"""What is shown: positions, events and numbered actions, in full and in few tokens."""

from __future__ import annotations

import pytest

from monopoly_env import Game, TextEnv
from monopoly_env.bots import make_agent
from monopoly_env.editions import load_edition
from monopoly_env.text.compact import short_edition, short_spaces
from monopoly_env.text.guide import guide, instructions
from monopoly_env.text.numbered import Numbered
from monopoly_env.view import View

HELD = {
    "players": 4,
    "A": {"cash": 340, "deeds": ["oriental*", "boardwalk"], "cards": ["card_chest"]},
    "B": {"jail": 1, "deeds": ["park_place"]},
    "C": {"deeds": ["mediterranean", "baltic"], "buildings": {"mediterranean": 2, "baltic": 2}},
}


@pytest.mark.parametrize("detail", ["full", "compact"])
@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("classic", {}),
        ("classic", {"deals": "menu", "windows": "own"}),
        ("pokemon_fr2000", {"rules": {"power_doubles": True, "houses": 8}}),
    ],
    ids=str,
)
def test_every_legal_action_has_its_number(edition: str, options: dict, detail: str) -> None:
    env = TextEnv(edition=edition, detail=detail, opponents=["background", "random"], **options)
    text, info = env.reset(seed=3)
    bot = make_agent("random")
    for _ in range(250):
        numbered = env._episode.numbered
        shown = text.rpartition("You decide (")[2]
        for number, choice in enumerate(numbered.choices, 1):
            assert choice == numbered.choice(number)
            if detail == "full":
                assert f"\n{number}. {choice.text}: " in shown
            else:
                assert any(f"{sep}{number} " in shown for sep in ("\n", "; ", ", ", ": "))
        assert "{}" not in text
        action = bot.decide(numbered.view)
        number = [choice.action for choice in numbered.choices].index(action) + 1
        text, _, terminated, truncated, info = env.step(str(number))
        assert info["played"] == [numbered.choices[number - 1].text]
        if terminated or truncated:
            break


def test_a_compact_position() -> None:
    env = TextEnv("full", detail="compact", opponents=["random"] * 3)
    text, _ = env.reset(seed=1, options={"position": HELD})
    lines = text.splitlines()
    assert lines[0] == "Turn 1, round 1. You are A."
    assert lines[1] == (
        "A (you) $340, worth $790, at GO: light blue 1/3 Oriental mortgaged; dark blue 1/2 "
        "Boardwalk; Get Out of Jail Free"
    )
    assert lines[2].startswith("B $1500, worth $1850, in Jail: dark blue 1/2 Park")
    assert "all brown (2 houses each)" in lines[3]
    assert lines[5].startswith(
        "Bank: 28 houses, 12 hotels; unowned: Vermont, Connecticut, all pink"
    )


def test_compact_events_leave_out_what_the_position_shows() -> None:
    env = TextEnv("short", opponents=["background"] * 3)
    text, _ = env.reset(seed=7)
    (since,) = [line for line in text.splitlines() if line.startswith("Since then: ")]
    assert "receives" in since
    assert "throws" not in since


def test_names_are_short_where_they_stay_clear() -> None:
    names = short_spaces(load_edition("classic").names)
    assert {"Vermont", "Reading", "St. James", "Pennsylvania Avenue", "Boardwalk"} <= set(names)
    for edition in ("classic", "pokemon1999", "yugioh2016", "nintendo2010"):
        before = load_edition(edition).names.spaces
        after = short_spaces(load_edition(edition).names)
        for one, other in zip(before, after, strict=True):
            assert one.startswith(other)
            assert other
        assert len(set(before)) == len(set(after))


def test_short_names_change_nothing_but_words() -> None:
    edition = load_edition("classic")
    game, short = Game(edition, 3, 5), Game(short_edition(edition), 3, 5)
    assert game == short
    assert short.edition.names.money(1500) == "$1500"


@pytest.mark.promise("isolation")
def test_hidden_things_change_nothing() -> None:
    game = Game(players=4, seed=5)
    other = game.copy()
    other.redraw(1)
    for detail in ("full", "compact"):
        env = TextEnv(detail=detail, seats="all")
        first = env.reset(seed=1, options={"position": game})[0]
        assert first == env.reset(seed=2, options={"position": other})[0]


def test_the_guide_has_the_numbers_of_the_rules() -> None:
    text = guide(load_edition("classic", rules={"salary": 400, "deals": "menu"}), 3)
    assert "3 players begin with $1,500" in text
    assert "get $400 for passing GO" in text
    assert "Boardwalk 400: 50/200/600/1400/1700/2000" in text
    assert "whole offers from a list" in text
    assert "rent by how many one has: 25/50/100/200" in text
    assert "no deals" in guide(load_edition("classic", rules={"deals": "off"}), 3)
    without = guide(load_edition("classic", rules={"auctions": False}), 2)
    assert "stays with the Bank" in without


def test_instructions_name_the_seat_and_the_questions() -> None:
    assert "as C." in instructions(2, 2, "Boardwalk")
    assert "at most 2 times" in instructions(2, 2, "Boardwalk")
    assert "why" not in instructions(0, 0, "Boardwalk")


def test_numbered_actions_of_an_auction_are_bids() -> None:
    game = Game(players=2, seed=7)
    while game.phase.name != "AUCTION":
        legal = game.legal_actions()
        game.play("auction" if "auction" in legal else legal[0])
    (line,) = [row for row in Numbered(View.of(game)).compact_lines() if row.startswith("raise")]
    assert line.startswith("raise: ")
    assert "$2" in line

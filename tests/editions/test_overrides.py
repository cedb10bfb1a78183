"""Rules, modes and editions by name: overrides, and what is said of those that do not fit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monopoly_env.editions import load_edition
from monopoly_env.editions.values import FIELDS
from monopoly_env.engine.board import (
    DEEDS,
)
from monopoly_env.engine.cards import CARD_IDS, CardKind
from tests.editions.books import ANYTHING, IDS, SHARED, F, P, edition_or_message, fails


def test_overrides():
    edition = load_edition(
        rules={
            "salary": 400,
            "even_building": False,
            "tax": {"luxury_tax": 75},
            "railroad_rent": [50, 100, 200, 400],
            "windows": "own",
            "deals": "menu",
            "price": [9 if square in DEEDS else 0 for square in range(40)],
            "rent": {"boardwalk": [1, 2, 3, 4, 5, 6]},
            "card_kind": {"ch_small_fine": "collect"},
        }
    )
    rules = edition.rules[0]
    assert rules["salary"] == 400
    assert rules["even_building"] == 0
    assert rules["tax"][[4, 38]].tolist() == [200, 75]
    assert rules["railroad_rent"].tolist() == [50, 100, 200, 400]
    assert rules["between_windows"] == 0
    assert rules["deals"] == 2
    assert rules["price"].sum() == 9 * 28
    assert rules["rent"][39].tolist() == [1, 2, 3, 4, 5, 6]
    assert rules["card_kind"][CARD_IDS.index("ch_small_fine")] == CardKind.COLLECT
    assert edition.sources["salary"] == "override"


def test_overrides_have_one_form():
    one = load_edition(rules={"windows": "all", "gifts": True, "deals": False})
    two = load_edition(rules={"deals": "off", "between_windows": 1, "gifts": np.int64(1)})
    assert one.overrides == two.overrides == {"deals": 0, "gifts": 1, "between_windows": 1}
    assert load_edition(rules=one.overrides).overrides == one.overrides
    assert load_edition().overrides == {}


def test_an_editions_rules_are_its_own():
    with pytest.raises(ValueError, match="read-only"):
        load_edition().rules["salary"] = 1
    assert load_edition().value("salary") == 200


def test_power_doubles_only_where_the_book_has_them():
    for id_ in (P, F):
        for mode in load_edition(id_).modes:
            assert load_edition(id_, mode, {"power_doubles": True}).value("power_doubles") == 1
    for id_ in SHARED:
        message = fails(id_, rules={"power_doubles": True})
        assert f"{P}, {F} have it" in message
        assert "power_doubles" in message
        assert load_edition(id_, rules={"power_doubles": False}).value("power_doubles") == 0


def test_house_rules_are_off_and_can_be_switched_on_everywhere():
    for id_ in IDS:
        edition = load_edition(id_)
        names = [rule.name for rule in edition.house_rules]
        assert {"free_parking_jackpot", "landing_bonus", "auctions", "buy_after_laps"} <= set(names)
        for rule in edition.house_rules:
            assert edition.value(rule.name) != rule.value
            assert load_edition(id_, rules={rule.name: rule.value}).value(rule.name) == rule.value


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"salery": 1}, ["salery", "did you mean 'salary'?"]),
        ({"window": "all"}, ["window", "did you mean 'windows'?"]),
        ({"xyzzy": 1}, ["xyzzy", "monopoly-env editions"]),
        ({"salary": "much"}, ["salary", "whole number from 0 to 100000", "'much'"]),
        ({"salary": -1}, ["salary", "from 0 to 100000", "-1"]),
        ({"salary": 10**30}, ["salary"]),
        ({"salary": 10**5000}, ["salary"]),
        ({"salary": 2.5}, ["salary", "2.5"]),
        ({"salary": True}, ["salary", "True"]),
        ({"salary": None}, ["salary"]),
        ({"salary": [200]}, ["salary"]),
        ({"gifts": 2}, ["gifts", "true or false"]),
        ({"deals": "step"}, ["deals", "did you mean 'steps'?"]),
        ({"windows": "none"}, ["windows", "all or own"]),
        ({"windows": ["own"]}, ["windows", "all or own"]),
        ({"windows": "own", "between_windows": 1}, ["windows", "between_windows"]),
        ({"max_players": 9}, ["max_players", "from 2 to 8"]),
        ({"hotel_houses": 5}, ["hotel_houses", "from 3 to 4"]),
        ({"railroad_rent": [1, 2, 3]}, ["railroad_rent", "list of 4", "not 3"]),
        ({"railroad_rent": {"reading": 1}}, ["railroad_rent", "list of 4"]),
        ({"price": [1] * 39}, ["price", "list of 40", "not 39"]),
        ({"price": [1] * 40}, ["price.go", "must be 0"]),
        ({"price": {"bordwalk": 1}}, ["price.bordwalk", "did you mean 'boardwalk'?"]),
        ({"price": {"go": 1}}, ["price.go"]),
        ({"rent": {"boardwalk": [1, 2]}}, ["rent.boardwalk", "list of 6", "not 2"]),
        ({"rent": {"boardwalk": 5}}, ["rent.boardwalk", "list of 6"]),
        ({"tax": {1: 5}}, ["tax", "keys must be text"]),
        ({"card_amount": {"ch_gone": 5}}, ["card_amount.ch_gone"]),
        ({"card_kind": {"ch_go": 15}}, ["deck.chance", "ch_go", "kind 15"]),
        ({"card_square": {"ch_go": "bordwalk"}}, ["did you mean 'boardwalk'?"]),
        ({"deck_size": [16, 17]}, ["deck_size.1", "from 1 to 16"]),
        ({"deck": {"chance": ["ch_go"] * 16}}, ["deck.chance", "ch_go", "twice"]),
        ({"deck": {"chance": [-1] * 16}}, ["deck.chance", "deck_size"]),
        ({"card_kind": {"ch_go": "keep"}}, ["deck.chance", "one card to keep"]),
        ({"card_amount": {"ch_back3": 0}}, ["deck.chance", "ch_back3", "1 to 39"]),
        ({"deck_size": {"chance": 1}, "card_kind": {"ch_go": "keep"}}, ["deck.chance", "neither"]),
        ({"deck_size": {"chance": 1}, "card_square": {"ch_go": "chest_1"}}, ["neither"]),
        ({3: 4}, ["rules", "keys must be text"]),
        ([("salary", 1)], ["rules", "mapping"]),
        ("salary", ["rules", "mapping"]),
        ({"a\nb\x1b\ud800": 1}, ["rules"]),
    ],
)
def test_overrides_that_do_not_fit(rules: object, words: list[str]):
    message = fails(rules=rules)
    for word in words:
        assert word in message


@pytest.mark.parametrize("mode", ["shrt", "", None, 3, ["short"], "time_limit\n"])
def test_unknown_modes(mode: object):
    assert "mode" in fails("classic", mode)


@pytest.mark.parametrize("edition", ["kanto", "", "\0", "a\nb", 3, None, b"classic", ["classic"]])
def test_unknown_editions(edition: object):
    assert fails(edition).startswith("edition: ")


def test_an_unknown_edition_is_told_the_ids():
    message = fails("kanto2015")
    assert "did you mean 'kanto2014'?" in message
    assert all(id_ in message for id_ in IDS)
    assert "no file" in fails("nowhere/mine.yaml")
    assert "no file" in fails(Path("classic"))


@pytest.mark.promise("bad_input")
@settings(max_examples=300)
@given(raw=st.dictionaries(st.sampled_from([*FIELDS, "windows", "max_players"]), ANYTHING))
def test_any_overrides_load_or_give_one_line(raw: dict):
    edition = edition_or_message(rules=raw)
    if isinstance(edition, str):
        assert edition.isprintable()
    else:
        assert load_edition(rules=edition.overrides).rules.tobytes() == edition.rules.tobytes()

"""What the six rule books say: rules, modes, board, decks, players, sources."""

import numpy as np
import pytest
import yaml

from monopoly_env.editions import editions, load_edition
from monopoly_env.editions.loader import FOLDER
from monopoly_env.editions.values import BOARD_FIELDS, DECK_FIELDS, FIELDS
from monopoly_env.engine.board import (
    DEEDS,
    GROUP_SQUARES,
    STREETS,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST
from monopoly_env.errors import InputError
from tests.editions.books import IDS, SHARED, F, P, fails

# What each group of books says: shared text, P, F. Rules that all have alike stand in ALIKE.
ALIKE = {
    "start_cash": 1500,
    "deal_count": 0,
    "deal_paid": 0,
    "houses": 32,
    "hotels": 12,
    "salary": 200,
    "landing_bonus": 0,
    "auctions": 1,
    "auction_opening": 1,
    "buy_after_laps": 0,
    "rent_asked": 0,
    "railroad_rent": [25, 50, 100, 200],
    "utility_multiplier": [4, 10],
    "jail_fine": 50,
    "jail_tries": 3,
    "hotel_houses": 4,
    "even_building": 1,
    "limited_buildings": 1,
    "lift_percent": 10,
    "mortgage_beside_buildings": 0,
    "bankrupt_keep_percent": 10,
    "deals": 1,
    "trade_limit": 2,
    "debt_trade_limit": 4,
    "gifts": 0,
    "creditors_in_turn": 0,
    "end_bankruptcies": 0,
    "time_limit_rounds": 0,
    "power_doubles": 0,
    "power_rest": 200,
    "power_leech": 50,
    "free_parking_jackpot": 0,
    "between_windows": 1,
    "max_turns": 1000,
    "max_decisions": 1_000_000,
}
DIFFERENT = {
    "rent_deadline": (1, 2, 2),
    "double_rent_beside_mortgage": (0, 1, 0),
    "utility_fresh_throw": (1, 0, 0),
    "jail_fine_tries": (3, 2, 3),
    "sell_group_always": (0, 1, 1),
    "scarce_opens_at_price": (0, 0, 1),
    "deal_keep_percent": (10, 10, 0),
    "property_for_debt": (0, 0, 1),
    "bankrupt_mortgages": (1, 0, 0),
}
SHORT = {
    "deal_count": (3, 3, 2),
    "deal_paid": (0, 0, 1),
    "hotel_houses": (3, 3, 3),
    "jail_tries": (1, 1, 3),
    "end_bankruptcies": (1, 1, 2),
    "time_limit_rounds": (0, 0, 0),
}


def column(edition: str) -> int:
    return {P: 1, F: 2}.get(edition, 0)


def test_there_are_six_editions_and_classic_is_the_default():
    assert editions()[0] == "classic"
    assert sorted(editions()) == sorted(IDS)
    assert load_edition().id == "classic"
    assert load_edition().mode == "standard"


@pytest.mark.parametrize("id_", IDS)
def test_rules_of_the_standard_game(id_: str):
    edition = load_edition(id_)
    expected = {**ALIKE, **{name: row[column(id_)] for name, row in DIFFERENT.items()}}
    assert {row.name: row.value for row in edition.rule_rows()} == expected


def test_every_rule_is_checked_above():
    assert {*ALIKE, *DIFFERENT, *BOARD_FIELDS, *DECK_FIELDS} == set(FIELDS)


@pytest.mark.parametrize("id_", IDS)
def test_rules_of_the_short_game(id_: str):
    short, standard = load_edition(id_, "short"), load_edition(id_)
    for name, row in SHORT.items():
        assert short.value(name) == row[column(id_)], name
    same = [name for name in (*ALIKE, *DIFFERENT) if name not in SHORT]
    assert [short.value(name) for name in same] == [standard.value(name) for name in same]


@pytest.mark.parametrize("id_", [P, F])
def test_rules_of_the_time_limit_game(id_: str):
    limited, standard = load_edition(id_, "time_limit"), load_edition(id_)
    changed = {"deal_count": 2, "deal_paid": 1, "time_limit_rounds": 30}
    for name in (*ALIKE, *DIFFERENT, *BOARD_FIELDS):
        assert limited.value(name) == changed.get(name, standard.value(name)), name
    assert load_edition(id_, "time_limit", {"time_limit_rounds": 8}).value("time_limit_rounds") == 8


@pytest.mark.parametrize("id_", SHARED)
def test_the_shared_text_has_no_time_limit_game(id_: str):
    assert load_edition(id_).modes == ("standard", "short")
    message = fails(id_, "time_limit")
    assert f"{id_}: has no mode 'time_limit'; its modes are standard, short" in message
    assert f"{P}, {F} have it" in message


@pytest.mark.parametrize("id_", IDS)
def test_taxes(id_: str):
    rules = load_edition(id_).rules[0]
    assert rules["tax"][4] == 200
    assert rules["tax"][38] == (75 if id_ == P else 100)
    assert rules["tax"].sum() == 200 + rules["tax"][38]
    assert rules["tax_percent"].tolist() == [10 if id_ == P and s == 4 else 0 for s in range(40)]
    assert load_edition(id_, "short").rules["tax_percent"].sum() == 0


@pytest.mark.parametrize("id_", IDS)
def test_board(id_: str):
    rules = load_edition(id_).rules[0]
    assert rules["price"].sum() == 5690
    assert np.flatnonzero(rules["price"]).tolist() == list(DEEDS)
    assert np.array_equal(rules["mortgage"] * 2, rules["price"])
    for name in ("house_price", "hotel_price", "rent"):
        used = rules[name].reshape(40, -1).any(axis=1)
        assert np.flatnonzero(used).tolist() == list(STREETS), name
    assert np.array_equal(rules["house_price"], rules["hotel_price"])
    for squares in GROUP_SQUARES[:8]:
        assert len(set(rules["house_price"][list(squares)].tolist())) == 1
    assert (np.diff(rules["rent"][list(STREETS)], axis=1) > 0).all()
    assert rules["rent"][39].tolist() == [50, 200, 600, 1400, 1700, 2000]
    assert rules["rent"][[19, 34, 37], 0].tolist() == [16, 28, 35]
    assert rules["house_price"][[1, 11, 21, 31]].tolist() == [50, 100, 150, 200]


@pytest.mark.parametrize("id_", IDS)
def test_decks(id_: str):
    edition = load_edition(id_)
    assert edition.value("deck_size") == [16, 16]
    chance, chest = edition.deck_rows(CHANCE), edition.deck_rows(CHEST)
    assert [row.id for row in chance] == [card for card in CARD_IDS if card.startswith("ch_")]
    before_2008 = id_ in (P, F)
    party = "cc_opera" if before_2008 else "cc_birthday"
    amounts = {row.id: row.amount for row in chest}
    assert len(amounts) == 16
    assert amounts[party] == (50 if before_2008 else 10)
    assert amounts["cc_school"] == (150 if before_2008 else 50)
    assert amounts["cc_stock"] == (45 if before_2008 else 50)
    assert amounts["cc_hospital"] == 100
    kept = [row.id for row in (*chance, *chest) if row.kind == "keep"]
    assert kept == ["ch_goojf", "cc_goojf"]
    repairs = [(row.amount, row.hotel) for row in (*chance, *chest) if row.kind == "repairs"]
    assert repairs == [(25, 100), (40, 115)]
    moves = {row.id: row.square for row in chance if row.kind == "move_to"}
    assert moves == {
        "ch_go": "go",
        "ch_illinois": "illinois",
        "ch_st_charles": "st_charles",
        "ch_reading": "reading",
        "ch_boardwalk": "boardwalk",
    }


@pytest.mark.parametrize("id_", IDS)
@pytest.mark.parametrize("mode", ["standard", "short", "time_limit"])
def test_every_rule_has_a_source_in_its_own_book(id_: str, mode: str):
    edition = load_edition(id_)
    if mode not in edition.modes:
        return
    edition = load_edition(id_, mode)
    assert all(row.source for row in edition.rule_rows())
    assert set(BOARD_FIELDS) | {"deck", "deck_size", "players"} <= set(edition.sources)
    if id_ != "classic":  # what classic says of its own text may not show under another book
        shared = set(load_edition("classic").sources.items())
        general = ("setting", "house rule", "silent", "with Power Doubles", "only in the short")
        for name, source in shared & set(edition.sources.items()):
            assert source.startswith(general), name


@pytest.mark.parametrize("id_", IDS)
def test_built_in_files_say_only_what_differs(id_: str):
    raw = yaml.safe_load((FOLDER / f"{id_}.yaml").read_text(encoding="utf-8"))
    assert raw["id"] == id_
    assert {"title", "year", "publisher", "rulebook", "players", "names"} <= set(raw)
    if id_ == "classic":
        return
    assert raw["extends"] == "classic"
    classic, edition = load_edition("classic"), load_edition(id_)
    for name in raw.get("rules", {}):
        assert classic.value(name) != edition.value(name), name


@pytest.mark.parametrize(
    ("id_", "most"),
    [("classic", 8), ("kanto2014", 6), (P, 6), (F, 6), ("nintendo2010", 6), ("yugioh2016", 7)],
)
def test_players(id_: str, most: int):
    edition = load_edition(id_)
    assert (edition.min_players, edition.max_players) == (2, most)
    assert len(edition.names.tokens) == most
    edition.check_players(2)
    edition.check_players(most)
    with pytest.raises(InputError, match=f"^players: {id_} is for 2 to {most} players, not 9"):
        edition.check_players(9)
    if most < 8:
        with pytest.raises(InputError, match="max_players with 8"):
            edition.check_players(8)
    load_edition(id_, rules={"max_players": 8}).check_players(8)

"""Editions as rows for people, and what differs between two."""

import pytest

from monopoly_env.editions import Edition, load_edition
from monopoly_env.engine.board import (
    SPACE_IDS,
)
from monopoly_env.engine.cards import CHEST
from tests.editions.books import IDS, SHARED, P


def test_differences_name_both_sides():
    found = {d.key: d for d in load_edition("classic").differences(load_edition(P))}
    assert (found["rent_deadline"].left, found["rent_deadline"].right) == ("1", "2")
    assert (found["luxury_tax.tax"].left, found["luxury_tax.tax"].right) == ("100", "75")
    assert (found["income_tax.tax_percent"].right) == "10%"
    assert found["chest.cc_opera"].right == "collect_each 50"
    assert found["chest.cc_birthday"].right == ""
    assert found["house"].right == "Poké Center"
    assert "salary" not in found
    assert "boardwalk.price" not in found


def test_three_books_of_one_text_differ_in_names_and_players_only():
    books = [load_edition(id_) for id_ in SHARED]
    for other in books[1:]:
        found = books[0].differences(other)
        assert {d.part for d in found} == {"rules", "names"}
        assert [d.key for d in found if d.part == "rules"] == ["players"]
        assert books[0].rules.tobytes() == other.rules.tobytes()


@pytest.mark.parametrize("id_", IDS)
def test_an_edition_does_not_differ_from_itself(id_: str):
    assert load_edition(id_).differences(load_edition(id_)) == []
    changes = load_edition(id_).differences(load_edition(id_, "short"))
    assert {d.key for d in changes} >= {"mode", "deal_count", "hotel_houses", "end_bankruptcies"}


def test_rows(kanto: Edition):
    rows = {row.name: row for row in kanto.rule_rows()}
    assert rows["start_cash"].text == "₱1,500"
    assert rows["even_building"].text == "yes"
    assert rows["lift_percent"].text == "10%"
    assert rows["railroad_rent"].text == "₱25 / ₱50 / ₱100 / ₱200"
    assert rows["deals"].text == "steps"
    assert rows["salary"].source == "On your turn, line 120"
    assert rows["salary"].meaning
    board = kanto.board_rows()
    assert [row.id for row in board] == list(SPACE_IDS)
    assert (board[1].name, board[1].group, board[1].group_name) == ("Geodude", "brown", "Brock")
    assert (board[0].price, board[5].rent, board[4].tax) == (None, None, 200)
    house_rules = {row.name: row.text for row in kanto.house_rule_rows()}
    assert house_rules["landing_bonus"] == "₱200"
    assert kanto.describe()["decks"][CHEST][0]["id"] == "cc_go"


@pytest.fixture
def kanto() -> Edition:
    return load_edition("kanto2014")

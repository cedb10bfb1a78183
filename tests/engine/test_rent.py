"""Rent: how much a space earns, and by whom it must be asked for."""

from __future__ import annotations

import pytest

from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import (
    DARK_BLUES,
    GREENS,
    ORANGES,
    RAILROADS,
    SHARED_TEXT,
    UTILITIES,
    payments,
    play,
    position,
)

# --- streets ---


def test_a_lone_street_earns_its_printed_rent() -> None:
    game = position(A={"at": "bno"}, B={"deeds": ["marvin"]}, dice=[(1, 3)])
    play(game, "A roll")
    assert payments(game) == [("A", "B", 24, Reason.RENT)]
    assert game.cash == (1476, 1524)


@pytest.mark.parametrize(
    ("start", "throw", "rent"), [("pacific", (2, 4), 70), ("short_line", (1, 3), 100)]
)  # Park Place at 35, Boardwalk at 50
def test_a_completed_group_doubles_the_rent_of_unimproved_streets(
    start: str, throw: tuple[int, int], rent: int
) -> None:
    game = position(A={"at": start}, B={"deeds": DARK_BLUES}, dice=[throw])
    assert play(game, "A roll").cash == (1500 - rent, 1500 + rent)


def test_two_of_three_streets_are_no_group() -> None:
    game = position(A={"at": "jail"}, B={"deeds": ORANGES[1:]}, dice=[(4, 5)])
    assert play(game, "A roll").cash == (1484, 1516)


@pytest.mark.parametrize(
    ("level", "rent"), [(1, 80), (2, 220), (3, 600), (4, 800), (5, 1000)]
)  # New York's deed
def test_buildings_earn_what_the_deed_says(level: int, rent: int) -> None:
    built = dict.fromkeys(ORANGES, level)
    game = position(A={"at": "jail"}, B={"deeds": ORANGES, "buildings": built}, dice=[(4, 5)])
    assert play(game, "A roll").cash == (1500 - rent, 1500 + rent)


def test_a_bare_street_beside_a_built_one_still_earns_double() -> None:
    built = {"boardwalk": 1}
    owner = {"deeds": DARK_BLUES, "buildings": built}
    assert play(position(A={"at": "pacific"}, B=owner, dice=[(2, 4)]), "A roll").cash[1] == 1570
    # the built one earns what its deed says for a house, not twice that
    assert play(position(A={"at": "short_line"}, B=owner, dice=[(1, 3)]), "A roll").cash[1] == 1700


@pytest.mark.parametrize(
    ("edition", "rent"),
    [*((edition, 28) for edition in SHARED_TEXT), ("pokemon_fr2000", 28), ("pokemon1999", 56)],
)
def test_a_mortgage_in_the_group_ends_double_rent_but_for_the_us_book(
    edition: str, rent: int
) -> None:
    owner = {"deeds": ["pacific*", *GREENS[1:]]}
    game = position(A={"at": "ventnor"}, B=owner, dice=[(3, 4)], edition=edition)
    assert play(game, "A roll").cash == (1500 - rent, 1500 + rent)


# --- railroads and utilities ---


@pytest.mark.parametrize(("owned", "rent"), [(1, 25), (2, 50), (3, 100), (4, 200)])
def test_railroads_earn_by_how_many_their_owner_has(owned: int, rent: int) -> None:
    game = position(A={"at": "go"}, B={"deeds": RAILROADS[:owned]}, dice=[(2, 3)])
    assert play(game, "A roll").cash == (1500 - rent, 1500 + rent)


def test_mortgaged_railroads_count_though_they_earn_nothing_themselves() -> None:
    deeds = ["reading", *(f"{name}*" for name in RAILROADS[1:])]
    assert play(position(B={"deeds": deeds}, dice=[(2, 3)]), "A roll").cash == (1300, 1700)
    closed = position(A={"at": "jail"}, B={"deeds": deeds}, dice=[(2, 3)])
    assert play(closed, "A roll").cash == (1500, 1500)


def test_the_nearest_railroad_card_is_due_twice_the_rent() -> None:
    game = position(B={"deeds": RAILROADS[:2]}, dice=[(3, 4)], chance=["ch_rail_1"])
    play(game, "A roll")
    assert game.hand("A").at == "pennsylvania_rr"
    assert payments(game) == [("A", "B", 100, Reason.RENT)]


@pytest.mark.parametrize("edition", SHARED_TEXT)
@pytest.mark.parametrize(("owned", "rent"), [(1, 4 * 9), (2, 10 * 9)])
def test_utilities_take_a_fresh_throw(edition: str, owned: int, rent: int) -> None:
    owner = {"deeds": UTILITIES[:owned]}
    game = position(A={"at": "connecticut"}, B=owner, dice=[(1, 2), (4, 5)], edition=edition)
    assert play(game, "A roll").cash == (1500 - rent, 1500 + rent)


@pytest.mark.parametrize("edition", ["pokemon1999", "pokemon_fr2000"])
@pytest.mark.parametrize(("owned", "rent"), [(1, 4 * 3), (2, 10 * 3)])
def test_utilities_take_the_throw_that_moved_the_token(edition: str, owned: int, rent: int) -> None:
    owner = {"deeds": UTILITIES[:owned]}
    game = position(A={"at": "connecticut"}, B=owner, dice=[(1, 2)], edition=edition)
    assert play(game, "A roll").cash == (1500 - rent, 1500 + rent)


@pytest.mark.parametrize("edition", ["classic", "pokemon1999", "pokemon_fr2000"])
def test_the_nearest_utility_card_is_due_ten_times_a_fresh_throw(edition: str) -> None:
    """Even if its owner has one utility only."""
    game = position(
        B={"deeds": ["electric"]}, dice=[(3, 4), (1, 4)], chance=["ch_utility"], edition=edition
    )
    assert play(game, "A roll").cash == (1450, 1550)


def test_a_fresh_throw_gives_no_turn_and_counts_as_no_double() -> None:
    game = position(A={"at": "connecticut"}, B={"deeds": ["electric"]}, dice=[(1, 2), (3, 3)])
    play(game, "A roll")
    assert game.cash == (1476, 1524)
    assert (game.actor, game.phase) == ("A", Phase.END)
    doubled = position(A={"at": "jail"}, B={"deeds": ["electric"]}, dice=[(1, 1), (1, 2)])
    play(doubled, "A roll")
    assert (doubled.actor, doubled.phase) == ("A", Phase.TURN)  # the throw that moved was a double


def test_a_power_leads_to_a_utility_without_a_throw_so_one_is_made() -> None:
    game = position(
        A={"at": "go"}, B={"deeds": ["electric"]}, dice=[(1, 1), (2, 3)], chest=["cc_beauty"],
        edition="pokemon1999", rules={"power_doubles": True},
    )  # fmt: skip
    play(game, "A roll", "A power", "A to:electric")
    assert payments(game) == [("A", "B", 20, Reason.RENT)]


# --- rent that must be asked for ---

ASKED: dict[str, object] = {"rent_asked": True, "deals": "off", "between_windows": False}


def test_nothing_is_paid_unless_the_owner_asks() -> None:
    game = position(A={"at": "bno"}, B={"deeds": ["marvin"]}, dice=[(1, 3)], rules=ASKED)
    play(game, "A roll")
    assert (game.actor, game.phase) == ("B", Phase.RENT)
    assert game.legal_actions() == ["pass", "ask_rent"]
    assert game.cash == (1500, 1500)
    assert play(game, "B ask_rent").cash == (1476, 1524)


def test_the_owner_may_still_ask_before_the_next_throw_and_no_later() -> None:
    """Source: 000 line 167."""
    owner = {"deeds": ["marvin"]}
    dice = [(1, 3), (4, 6)]
    game = position(3, A={"at": "bno"}, C=owner, dice=dice, rules=ASKED)
    play(game, "A roll", "C pass")
    assert (game.turn, game.actor, game.phase) == ("B", "C", Phase.RENT)
    late = play(game.copy(), "C ask_rent")
    assert late.cash == (1476, 1500, 1524)
    assert (late.actor, late.phase) == ("B", Phase.TURN)
    play(game, "C pass", "B roll")  # to Jail, as a visitor
    assert (game.actor, game.phase) == ("C", Phase.TURN)
    assert game.cash == (1500, 1500, 1500)


@pytest.mark.parametrize("edition", ["pokemon1999", "pokemon_fr2000"])
def test_in_the_older_books_the_throw_of_the_second_following_player_is_the_deadline(
    edition: str,
) -> None:
    """Source: 001 line 164; 002 line 177."""
    owner = {"deeds": ["marvin"]}
    dice = [(1, 3), (4, 6), (4, 6)]
    game = position(3, A={"at": "bno"}, C=owner, dice=dice, rules=ASKED, edition=edition)
    play(game, "A roll", "C pass", "C pass", "B roll")
    assert (game.turn, game.actor, game.phase) == ("C", "C", Phase.RENT)
    play(game, "C pass", "C roll", "C end_turn")
    assert (game.actor, game.phase) == ("A", Phase.TURN)


def test_rent_asked_for_late_is_what_it_was_at_the_landing() -> None:
    """Two times 16 for New York, though a house stands there by then."""
    game = position(
        3, A={"at": "jail"}, B={"deeds": ORANGES}, dice=[(4, 5), (4, 6)], rules=ASKED,
        edition="pokemon_fr2000",
    )  # fmt: skip
    play(game, "A roll", "B pass", "B pass", "B build:new_york", "B roll", "B end_turn")
    assert (game.turn, game.actor, game.phase) == ("C", "B", Phase.RENT)
    assert play(game, "B ask_rent").cash == (1468, 1432, 1500)


def test_an_owner_who_has_left_asks_for_nothing() -> None:
    """B owes 200 of income tax and can raise 10 + 140."""
    game = position(
        3, A={"at": "bno"}, B={"cash": 10, "deeds": ["marvin"]}, dice=[(1, 3), (1, 3)],
        rules=ASKED, edition="pokemon_fr2000",
    )  # fmt: skip
    play(game, "A roll", "B pass", "B pass", "B roll", "B bankrupt", "C pass", "A pass")
    assert (game.actor, game.phase) == ("C", Phase.TURN)


def test_nothing_is_asked_of_a_debtor_who_has_left() -> None:
    """A lands on Marvin Gardens by a double, and by the next throw to the luxury tax."""
    game = position(
        3, A={"at": "ventnor", "cash": 10}, B={"deeds": ["marvin"]}, dice=[(1, 1), (4, 5)],
        rules=ASKED,
    )  # fmt: skip
    play(game, "A roll", "B pass", "B pass", "A roll", "A bankrupt")
    assert (game.actor, game.phase) == ("B", Phase.TURN)

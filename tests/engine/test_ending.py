"""The end of a game, and who stands where."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.engine.phases import Phase
from tests.engine.positions import DARK_BLUES, play, position

TAXED = [(1, 3)]  # A throws a 4 from GO and owes 200


def ranks(game: Game) -> dict[str, int]:
    return {row.player: row.rank for row in game.standings()}


# --- what ends a game ---


def test_the_last_player_left_wins() -> None:
    game = play(position(A={"cash": 0}, dice=TAXED), "A roll", "A bankrupt")
    assert game.over
    assert (game.phase, game.actor, game.truncated) == (Phase.OVER, None, False)
    assert game.winners == ("B",)
    assert game.legal_actions() == []


def test_a_game_that_is_over_leaves_an_empty_agenda() -> None:
    """Equal ends have equal bytes, however deep the agenda was."""
    debtor = {"at": "electric", "cash": 0}
    game = position(A={"cash": 7}, B=debtor, dice=[(2, 3)], chest=["cc_doctor"], turn="B")
    play(game, "B roll", "B bankrupt")
    assert int(game.state["depth"]) == 0
    assert not game.state["agenda"].tobytes().strip(b"\0")


@pytest.mark.parametrize("edition", ["classic", "kanto2014", "pokemon1999"])
def test_a_short_game_ends_with_the_first_bankruptcy(edition: str) -> None:
    game = position(3, A={"cash": 0}, dice=TAXED, edition=edition, mode="short")
    play(game, "A roll", "A bankrupt")
    assert game.over
    assert not game.truncated
    assert game.winners == ("B", "C")


def test_a_short_game_of_the_french_book_ends_with_the_second() -> None:
    """Source: 002 line 292."""
    game = position(
        4, A={"cash": 0}, B={"cash": 0}, D={"cash": 1501}, dice=[*TAXED, *TAXED],
        edition="pokemon_fr2000", mode="short",
    )  # fmt: skip
    play(game, "A roll", "A bankrupt")
    assert not game.over
    play(game, "B roll", "B bankrupt")
    assert game.winners == ("D",)


def test_the_estate_is_settled_before_a_short_game_is_valued() -> None:
    """Boardwalk, mortgaged, costs C 20 and counts 200: 1,680 against B's 1,679."""
    creditor = {"deeds": ["reading", "pennsylvania_rr", "bno", "short_line"], "cash": 700}
    game = position(
        3, A={"cash": 0, "deeds": ["boardwalk*"]}, B={"cash": 1679}, C=creditor, dice=[(2, 3)],
        mode="short",
    )  # fmt: skip
    play(game, "A roll", "A bankrupt")
    assert (game.actor, game.phase) == ("C", Phase.DEED)
    play(game, "C keep:boardwalk")
    assert game.over
    assert {row.player: row.worth for row in game.standings()} == {"A": 0, "B": 1679, "C": 1680}
    assert game.winners == ("C",)


def test_the_richest_wins_when_the_rounds_are_up() -> None:
    game = position(
        A={"at": "go"}, B={"at": "go", "cash": 1501}, rounds=29, dice=[(4, 6), (4, 6)],
        edition="pokemon1999", mode="time_limit",
    )  # fmt: skip
    play(game, "A roll", "B roll")
    assert game.over
    assert not game.truncated
    assert game.winners == ("B",)


@pytest.mark.promise("limits")
def test_a_limit_of_turns_truncates() -> None:
    game = position(dice=[(4, 6)], rules={"max_turns": 1})
    play(game, "A roll")
    assert game.over
    assert game.truncated


@pytest.mark.promise("limits")
def test_a_limit_of_decisions_truncates() -> None:
    game = position(dice=[(1, 2)], rules={"max_decisions": 2})
    play(game, "A roll")
    assert not game.over
    play(game, "A buy")
    assert game.over
    assert game.truncated


# --- who stands where ---


def test_players_stand_by_what_they_are_worth() -> None:
    """Boardwalk counts 400, mortgaged 200."""
    game = position(
        4, A={"cash": 600}, B={"cash": 200, "deeds": ["boardwalk"]},
        C={"cash": 590, "deeds": ["park_place*"]}, D={"cash": 601},
    )  # fmt: skip
    assert ranks(game) == {"C": 1, "D": 2, "A": 3, "B": 3}


def test_equal_worth_shares_a_place_and_the_next_is_left_out() -> None:
    game = position(4, D={"cash": 1})
    assert ranks(game) == {"A": 1, "B": 1, "C": 1, "D": 4}


def test_who_is_out_stands_below_everybody_in_the_game() -> None:
    game = position(3, turn="B", A={"out": True}, B={"cash": 0}, C={"cash": 1})
    assert ranks(game) == {"C": 1, "B": 2, "A": 3}


def test_who_left_later_stands_higher() -> None:
    game = position(4, A={"cash": 0}, B={"cash": 0}, dice=[*TAXED, *TAXED])
    play(game, "A roll", "A bankrupt", "B roll", "B bankrupt")
    assert ranks(game) == {"C": 1, "D": 1, "B": 3, "A": 4}


def test_buildings_count_at_cost() -> None:
    """Two hotels on the dark blues: 750 of deeds and ten buildings at 200."""
    built = dict.fromkeys(DARK_BLUES, 5)
    game = position(A={"cash": 0, "deeds": DARK_BLUES, "buildings": built}, B={"cash": 2750})
    assert ranks(game) == {"A": 1, "B": 1}

"""The frame of a turn: the throw, doubles, the window after it, the windows between turns."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine.phases import Phase
from tests.engine.positions import EDITIONS, play, position


def test_the_token_moves_by_the_sum_of_the_dice() -> None:
    game = play(position(A={"at": "pennsylvania"}, dice=[(1, 3)]), "A roll")
    assert game.hand("A").at == "luxury_tax"


def test_the_turn_passes_to_the_left_over_who_is_out() -> None:
    game = position(4, B={"out": True}, dice=[(4, 6)] * 3)
    assert play(game, "A roll").actor == "C"
    assert play(game, "C roll").actor == "D"
    assert play(game, "D roll").actor == "A"


# --- doubles ---


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_double_gives_another_throw(edition: str) -> None:
    game = play(position(dice=[(5, 5), (4, 6)], edition=edition), "A roll")
    assert (game.actor, game.phase, game.hand("A").at) == ("A", Phase.TURN, "jail")
    play(game, "A roll")
    assert (game.hand("A").at, game.actor) == ("free_parking", "B")


def test_doubles_are_counted_within_one_turn() -> None:
    """Two of A's and one of B's send nobody to Jail."""
    game = position(
        A={"at": "jail"}, dice=[(5, 5), (1, 1), (4, 6), (5, 5)], chance=["ch_dividend"],
        rules={"auctions": False},
    )  # fmt: skip
    play(game, "A roll", "A roll", "A roll", "A pass", "B roll")
    assert (game.hand("B").at, game.hand("B").in_jail) == ("jail", False)
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_a_plain_throw_ends_the_turn() -> None:
    game = play(position(dice=[(4, 6)]), "A roll")
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_the_space_is_resolved_before_the_next_throw() -> None:
    game = play(position(dice=[(3, 3)]), "A roll")
    assert (game.actor, game.phase) == ("A", Phase.BUY)
    assert game.why("roll") is Why.WRONG_PHASE


# --- windows ---


def test_after_the_last_move_its_player_may_still_act() -> None:
    game = position(A={"deeds": ["water"]}, dice=[(4, 6)])
    play(game, "A roll", "A mortgage:water")
    assert (game.actor, game.phase) == ("A", Phase.END)
    play(game, "A end_turn")
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_between_turns_everybody_but_the_next_may_act_from_the_left() -> None:
    """The next player's own window is the one before the throw."""
    row = {"deeds": ["water"]}
    game = position(
        4, A={"deeds": ["reading"]}, B={"deeds": ["electric"]}, C=row, D={"deeds": ["bno"]},
        dice=[(4, 6)],
    )  # fmt: skip
    play(game, "A roll", "A end_turn")
    assert (game.actor, game.phase, game.turn) == ("C", Phase.BETWEEN, "A")
    play(game, "C mortgage:water")
    assert game.actor == "C"  # until the window is passed
    play(game, "C pass")
    assert (game.actor, game.phase) == ("D", Phase.BETWEEN)
    play(game, "D pass")
    assert (game.actor, game.phase, game.turn) == ("B", Phase.TURN, "B")


def test_without_windows_between_turns_the_dice_go_straight_on() -> None:
    game = position(
        3, A={"deeds": ["reading"]}, C={"deeds": ["water"]}, dice=[(4, 6)],
        rules={"between_windows": False},
    )  # fmt: skip
    play(game, "A roll", "A end_turn")
    assert (game.actor, game.phase) == ("B", Phase.TURN)


# --- rounds ---


def test_a_round_ends_when_the_turn_passes_who_began() -> None:
    game = position(3, dice=[(4, 6)] * 3)
    assert int(game.state["rounds"]) == 0
    play(game, "A roll", "B roll")
    assert int(game.state["rounds"]) == 0
    play(game, "C roll")
    assert int(game.state["rounds"]) == 1
    assert int(game.state["turns"]) == 4


def test_a_round_ends_though_who_began_is_out() -> None:
    game = position(3, turn="C", A={"out": True}, dice=[(4, 6)])
    play(game, "C roll")
    assert (game.actor, int(game.state["rounds"])) == ("B", 1)


def test_a_throw_opens_what_was_used_up_since_the_last() -> None:
    """Offers may be made again, and those refused count no more."""
    game = position(A={"deeds": ["water"]}, dice=[(4, 6)], rules={"trade_limit": 1})
    play(game, "A deal:B", "A give:water", "A ask_cash:1", "A offer", "B reject")
    assert game.why("deal:B") is Why.NO_OFFERS_LEFT
    assert int(game.state["refused"][0]) == 1
    play(game, "A roll")
    assert (game.phase, game.why("deal:B")) == (Phase.END, Why.OK)
    assert int(game.state["refused"][0]) == 0

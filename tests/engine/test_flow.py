"""What happens next: the top of the agenda goes on until somebody has to decide."""

from __future__ import annotations

from monopoly_env.engine.phases import Phase, Task
from tests.engine.positions import RAILROADS, play, position


def test_what_comes_up_inside_is_finished_before_what_it_interrupts() -> None:
    """A double to Chance, a card to a railroad, a rent, a debt: then the other throw."""
    game = position(
        A={"at": "free_parking", "cash": 20, "deeds": ["water"]}, B={"deeds": RAILROADS},
        dice=[(1, 1)], chance=["ch_rail_1"],
    )  # fmt: skip
    play(game, "A roll")
    assert (game.actor, game.phase) == ("A", Phase.DEBT)
    tasks = [Task(item["kind"]).name for item in game.state["agenda"][: game.state["depth"]]]
    assert tasks == ["THROWN", "DEBT"]


def test_a_double_goes_on_after_all_that_it_led_to() -> None:
    game = position(
        A={"at": "reading", "cash": 20, "deeds": ["water"]}, B={"deeds": ["oriental"]},
        dice=[(1, 1)], chance=["ch_dividend"],
    )  # fmt: skip
    play(game, "A roll")
    assert game.cash == (70, 1500)  # the card of the first Chance space
    assert (game.actor, game.phase) == ("A", Phase.TURN)


def test_a_window_in_which_nothing_can_be_done_is_skipped() -> None:
    """Nobody has anything: no END, no BETWEEN."""
    game = play(position(3, dice=[(4, 6)]), "A roll")
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_a_window_in_which_something_can_be_done_is_asked_for() -> None:
    game = position(3, A={"deeds": ["water"]}, C={"deeds": ["electric"]}, dice=[(4, 6)])
    play(game, "A roll")
    assert (game.actor, game.phase) == ("A", Phase.END)
    play(game, "A end_turn")
    assert (game.actor, game.phase) == ("C", Phase.BETWEEN)
    play(game, "C pass")
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_a_step_is_one_decision() -> None:
    game = position(3, dice=[(4, 6), (1, 2)])
    assert int(game.state["decisions"]) == 0
    play(game, "A roll", "B roll", "B buy")
    assert int(game.state["decisions"]) == 3


def test_the_journal_holds_one_step_alone() -> None:
    game = position(dice=[(1, 2)])
    play(game, "A roll")
    assert len(game.journal()) == 2  # a throw and a move
    play(game, "A buy")
    assert [event.kind.name for event in game.journal()][:2] == ["PAY", "DEED"]


def test_an_action_that_settles_nothing_asks_the_same_player_again() -> None:
    game = play(position(A={"deeds": ["water", "electric"]}), "A mortgage:water")
    assert (game.actor, game.phase) == ("A", Phase.TURN)

"""The agenda: what still has to happen, as a small stack of plain records."""

from __future__ import annotations

from monopoly_env import Game
from monopoly_env.engine import agenda
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.state import AGENDA
from tests.engine.positions import RAILROADS, play, position

NOBODY = -1


def tasks(game: Game) -> list[str]:
    """The items, the next one last."""
    return [Task(item["kind"]).name for item in game.state["agenda"][: game.state["depth"]]]


def test_what_is_put_on_top_happens_next() -> None:
    game = position(3)
    agenda.push(game.state, Task.DEBT, 1, 2, NOBODY, 30, 0, 0)
    agenda.push(game.state, Task.BUY, 0, NOBODY, 5, 0, 0, 0)
    assert tasks(game) == ["TURN", "DEBT", "BUY"]
    assert int(agenda.top(game.state)["square"]) == 5
    agenda.pop(game.state)
    item = agenda.top(game.state)
    assert (int(item["player"]), int(item["other"]), int(item["amount"])) == (1, 2, 30)


def test_taking_an_item_off_leaves_no_trace() -> None:
    game = position()
    before = game.state.tobytes()
    agenda.push(game.state, Task.DEBT, 1, 0, 5, 30, 2, 1 << 39)
    agenda.pop(game.state)
    assert game.state.tobytes() == before


def test_a_settled_debt_leaves_the_agenda_as_it_was() -> None:
    game = position(A={"cash": 20, "deeds": ["water"]}, B={"deeds": ["reading"]}, dice=[(2, 3)])
    play(game, "A roll")
    assert tasks(game) == ["THROWN", "DEBT"]
    play(game, "A mortgage:water")
    assert tasks(game) == ["END"]
    assert not game.state["agenda"][1:].tobytes().strip(b"\0")


def test_the_frame_at_the_bottom_is_the_stage_of_the_turn() -> None:
    game = position(3, A={"deeds": ["water"]}, C={"deeds": ["electric"]}, dice=[(4, 6)])
    assert tasks(game) == ["TURN"]
    play(game, "A roll")
    assert tasks(game) == ["END"]
    play(game, "A end_turn")
    assert tasks(game) == ["BETWEEN"]


def test_who_leaves_has_nothing_left_to_do_and_is_owed_nothing() -> None:
    game = position(4)
    for item in (
        (Task.DEBT, 1, 0), (Task.DEBT, 2, 1), (Task.DEBT, 3, 2), (Task.BUY, 1, NOBODY),
        (Task.DEBT, 3, NOBODY),
    ):  # fmt: skip
        agenda.push(game.state, item[0], item[1], item[2], NOBODY, 10, 0, 0)
    agenda.forget(game.state, 1)
    kept = game.state["agenda"][1 : game.state["depth"]]
    assert [(int(item["player"]), int(item["other"])) for item in kept] == [(3, 2), (3, NOBODY)]
    assert not game.state["agenda"][3:].tobytes().strip(b"\0")


def test_the_deepest_stack_of_ordinary_play_is_far_from_the_limit() -> None:
    """Eight players, a birthday, and a deal inside the first debt."""
    game = position(
        8, A={"at": "electric"}, B={"cash": 0, "deeds": ["boardwalk*"]}, C={"deeds": RAILROADS},
        dice=[(2, 3)], chest=["cc_birthday"],
    )  # fmt: skip
    play(game, "A roll", "B deal:C")
    assert game.phase is Phase.DEAL
    assert tasks(game) == ["THROWN", *["DEBT"] * 7, "DEAL"]
    assert int(game.state["depth"]) < AGENDA


def test_waiting_names_the_decision_and_who_takes_it() -> None:
    game = position(3)
    assert agenda.wait(game.state, Phase.DEBT, 2)
    assert (game.phase, game.actor) == (Phase.DEBT, "C")


def test_a_blank_item_is_all_zeros() -> None:
    game = position()
    agenda.push(game.state, Task.DEBT, 1, 0, 5, 30, 2, 1 << 39)
    agenda.clear(game.state["agenda"][1])
    assert game.state["agenda"][1].tobytes() == bytes(game.state["agenda"].dtype.itemsize)

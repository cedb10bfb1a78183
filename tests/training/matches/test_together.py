"""Bots that decide in many games at once play the games that they would play one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import Entrant, entrant
from monopoly_training.matches.runner import Players, play_matches, play_seating
from monopoly_training.matches.schedule import rotated
from monopoly_training.matches.together import GAMES_TOGETHER

from monopoly_env.agent import AgentSpec
from monopoly_env.envs.options import TableOptions
from monopoly_env.view import View

SHORT = TableOptions(rules={"max_turns": 12, "deals": "off"}, skip_forced=True)
SEEDS = np.arange(GAMES_TOGETHER + 9)


class Hashes:
    """A policy without memory: any legal action, by what it sees and has heard."""

    def reset(self, seed: int) -> None:
        pass

    def decide(self, view: View) -> int:
        legal = np.flatnonzero(view.mask)
        seen = abs(view.observation.sum()) * 1000 + sum(len(str(event)) for event in view.events)
        return int(legal[int(seen) % len(legal)])


class Many(Hashes):
    """The same policy in many games; keeps how many it was asked for at once."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def decide_many(self, views: Sequence[View]) -> Any:
        self.asked.append(len(views))
        return np.array([self.decide(view) for view in views])


def of(make: Callable[[], Any], name: str = "mine") -> Entrant:
    return Entrant(name, AgentSpec(name, "", make))


def games(line_up: list[Entrant], errors: ErrorLog | None = None) -> list[Any]:
    players = Players(line_up, errors or ErrorLog(shows=False))
    played = play_seating(players, tuple(range(len(line_up))), SEEDS, SHORT, lambda k: k % 2 == 0)
    return [outcome for _, outcome in sorted(played, key=lambda item: item[0])]


@pytest.mark.promise("everywhere")
def test_the_games_are_the_same_as_one_at_a_time() -> None:
    many = Many()
    others = [entrant("random"), entrant("fixed_a")]
    together = games([of(lambda: many), *others, of(Many)])
    alone = games([of(Hashes), *others, of(Hashes)])
    assert len(together) == len(SEEDS)
    for one, other in zip(together, alone, strict=True):
        assert (one.ranks, one.worth, one.turns) == (other.ranks, other.worth, other.turns)
        assert one.timed_decisions == other.timed_decisions
        assert not np.any(one.faults)
        np.testing.assert_array_equal(one.actions, other.actions)
    assert max(many.asked) > GAMES_TOGETHER // 2
    assert sum(many.asked) == sum(outcome.timed_decisions[0] for outcome in together)


def test_beside_a_bot_that_may_remember_its_game_it_is_asked_one_view_at_a_time() -> None:
    many = Many()
    matches = rotated(3, 6, 1)
    play_matches([of(lambda: many), of(Hashes, "other"), entrant("random")], matches, SHORT)
    assert not many.asked


class Wrong(Many):
    """Answers what it was told to, in the whole batch."""

    def __init__(self, answer: Callable[[Sequence[View]], Any]) -> None:
        super().__init__()
        self.answer = answer

    def decide_many(self, views: Sequence[View]) -> Any:
        return self.answer(views)


@pytest.mark.promise("bots")
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda _: 1 / 0, 2),
        (lambda _: None, 2),
        (lambda _: 7, 2),
        (lambda _: [], 0),
        (lambda views: [0] * (len(views) + 1), 0),
        (lambda views: np.full(len(views), 0.5), 0),
        (lambda views: [True] * len(views), 0),
        (lambda views: ["roll"] * len(views), 0),
        (lambda views: np.full(len(views), -1), 0),
        (lambda views: np.zeros((len(views), 2), np.int64), 0),
    ],
)
def test_what_is_wrong_counts_in_each_game_and_ends_none(
    answer: Callable[[Sequence[View]], Any], kind: int, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = games([of(lambda: Wrong(answer)), entrant("random")], ErrorLog())
    for outcome in outcomes:
        assert outcome.faults[0][kind] == outcome.timed_decisions[0] > 0
        assert sum(outcome.faults[0]) == outcome.faults[0][kind]
        assert not any(outcome.faults[1])
    assert capsys.readouterr().err.startswith("mine: seed 0, seat A, decision 1: ")


def test_a_wrong_answer_to_one_view_is_that_games_alone() -> None:
    class First(Many):
        def decide_many(self, views: Sequence[View]) -> Any:
            answers = super().decide_many(views).tolist()
            if len(self.asked) == 1:
                answers[3] = -1
            return answers

    outcomes = games([of(First), entrant("random")])
    assert [number for number, outcome in enumerate(outcomes) if np.any(outcome.faults)] == [3]

"""Slow checks of sampled positions, in Python: copies, YAML, records and refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pickle import dumps, loads
from typing import Any

from monopoly_env.editions import Edition
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.why import Why
from monopoly_env.game import Game, IllegalAction
from monopoly_env.replay import replay
from monopoly_training.fuzz.checks import Fault

GOES_ON = 20  # actions for which a copy is compared with its game
REFUSALS = 7  # one of this many actions is tried where it is illegal


@dataclass(frozen=True)
class Sample:
    """A position with its game's initial position (arrays of one GAME record) and actions."""

    start: Any
    games: Any
    edition: Edition
    actions: Sequence[int]


def check_copies(sample: Sample) -> str:
    """Check that copies of every kind are equal and play on equally; return the problem, or ""."""
    game = Game.from_record(sample.games, sample.edition, journal=True)
    before = sample.games.tobytes()
    copies = {"copy": game.copy(), "deepcopy": deepcopy(game), "pickle": loads(dumps(game))}
    for _ in range(GOES_ON):
        if game.over:
            break
        legal = game.legal_ids()
        action = legal[len(legal) // 2]
        game.play(action)
        for name, copied in copies.items():
            copied.play(action)
            if copied != game:
                return f"{name} differs after {game.text(action)}"
    return "" if sample.games.tobytes() == before else "a copy's play changed its game"


def check_yaml(sample: Sample) -> str:
    """Check that a position's YAML loads as the same bytes, and also without hidden information."""
    game = Game.from_record(sample.games, sample.edition)
    text = game.to_yaml()
    if Game.from_yaml(text) != game:
        return "to_yaml and from_yaml: " + text
    if not game.over:
        shown = Game.from_yaml(game.to_yaml(hidden=False), seed=1)
        if (shown.actor, shown.cash, str(shown)) != (game.actor, game.cash, str(game)):
            return "to_yaml(hidden=False) loads as another position"
    return ""


def check_record(sample: Sample) -> str:
    """Check that the record of the game so far replays to the same bytes."""
    game = Game.from_record(sample.start, sample.edition)
    for action in sample.actions:
        game.play(int(action))
    if game.state.tobytes() != sample.games.tobytes():
        return "the same actions lead to another position"
    return "" if replay(game.record()) == game else "the record replays to another position"


def check_refusals(sample: Sample) -> str:
    """Check that illegal actions are refused with their reason and change nothing."""
    game = Game.from_record(sample.games, sample.edition)
    legal = set(game.legal_ids())
    for action in range(len(sample.actions) % REFUSALS, N_ACTIONS, REFUSALS):
        if action in legal:
            continue
        reason = game.why(action)
        try:
            game.play(action)
        except IllegalAction as problem:
            if reason is Why.OK or problem.reason is not reason:
                return f"action {action}: why says {reason.name}, play {problem.reason.name}"
        else:
            return f"action {action} was taken, and is not in the mask"
    return (
        ""
        if game.state.tobytes() == sample.games.tobytes()
        else "a refused action changed the game"
    )


Check = Callable[[Sample], str]
CHECKS: dict[Fault, Check] = {
    Fault.COPY: check_copies,
    Fault.POSITION: check_yaml,
    Fault.RECORD: check_record,
    Fault.REFUSAL: check_refusals,
}


def check_sample(sample: Sample) -> tuple[Fault, str]:
    """Run all these checks; return the first fault and its description."""
    for fault in CHECKS:
        if problem := problem_of(fault, sample):
            return fault, problem
    return Fault.NONE, ""


def problem_of(fault: Fault, sample: Sample) -> str:
    """Return what one check finds, including an error that it raises; "" if all is well."""
    try:
        return CHECKS[fault](sample)
    except Exception as problem:  # noqa: BLE001 (any error is a finding)
        return f"{type(problem).__name__}: {problem}"

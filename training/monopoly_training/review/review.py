"""Reviews of games: win probabilities over time, each decision's loss, each roll's luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_env.editions import Edition
from monopoly_env.engine.state import GAME, Float64s
from monopoly_env.errors import Location
from monopoly_env.files import digest_of
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.records.record import RECORD
from monopoly_env.replay import replay_steps
from monopoly_env.value.weights import shipped_value
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.luck.estimator import LuckEstimator
from monopoly_training.review.judge import FINE, MISTAKE, Judged, judge_game
from monopoly_training.review.move_text import better_line, what_was_done

FORMAT = 4  # version of the review format; saved reviews of another one are remade
BLUNDER = 0.025  # win probability lost
BLUNDER_PART = 0.08  # a mistake that loses this fraction of the win probability is also a blunder
GOOD = 0.005  # a decision that lost less counts as accurate
DIGITS = 4  # decimals of probabilities


@dataclass(frozen=True)
class Score:
    """Summary of a player's decisions, all of them or those of a phase."""

    decisions: int  # judged decisions
    accuracy: float | None  # fraction that lost less than half a point; None without decisions
    lost: float  # win probability, summed over the decisions
    blunders: int
    mistakes: int
    fine: int


def review(
    record: Mapping[str, Any], location: Location = RECORD, progress: Progress | None = None
) -> dict[str, Any]:
    """Return the review of a record, as plain data.

    ``chances`` [moments][seats] are win probabilities by the learned value; ``luck`` has rows of an
    action and, by seat, what its roll and card changed; ``decisions`` are the judged decisions;
    ``marks`` are those that stand out, in words; ``seats`` are by letter: score, scores by phase,
    total luck.

    Raises: RecordError.
    """
    shown, value = progress or NoProgress(), shipped_value()
    shown.stage("replaying")
    states, legal, marks_from = [], [], []
    game: Game | None = None
    for game, _ in replay_steps(record, location):
        states.append(game.state.copy())
        legal.append([] if game.over else game.legal_ids())
    assert game is not None  # a record has a first moment
    history, edition = game.history, game.edition
    judged: list[Judged] = []
    shown.stage("judging")
    for number, one in enumerate(judge_game(edition, value, states, history, legal)):
        shown.update(min(number / max(len(history), 1), 1.0), f"{len(judged):,} decisions judged")
        if one is not None:
            judged.append(one)
            if (kind := mark_of(one)) is not None:
                marks_from.append((one, kind))
    luck = LuckEstimator("value").of_record(record)
    chances = _chances(states, edition)
    return {
        "format": FORMAT,
        "record": digest_of(dict(record)),
        "value": value.digest,
        "chances": [[round(float(c), DIGITS) for c in row] for row in chances],
        "luck_start": _rounded(luck.start),
        "luck": [[at, *_rounded(row)] for at, row in enumerate(luck.by_action) if row.any()],
        "decisions": [_row(one) for one in judged],
        "marks": [_mark(one, kind, states, edition, chances) for one, kind in marks_from],
        "seats": [_seat(seat, judged, luck) for seat in range(game.players)],
    }


def mark_of(one: Judged) -> str | None:
    """Return ``blunder``, ``mistake`` or ``fine``; None for a decision that does not stand out."""
    if one.lost >= MISTAKE:
        much = one.lost >= BLUNDER or one.lost >= BLUNDER_PART * one.chance
        return "blunder" if much else "mistake"
    return "fine" if one.gained >= FINE else None


def _chances(states: list[Any], edition: Edition) -> Float64s:
    """Return each seat's win probability at every moment, float64[moments, players]."""
    games = np.array(states, GAME).reshape(len(states))
    players = int(games["players"][0])
    return shipped_value().chances(games, edition.rules)[:, :players]


def _rounded(row: Iterable[float]) -> list[float]:
    return [round(float(number), DIGITS) for number in row]


def _row(one: Judged) -> list[Any]:
    """Return a decision as a row: moment, seat, phase, chosen, best, lost, error."""
    numbers = [round(one.lost, DIGITS), round(one.error, DIGITS)]
    return [one.moment, one.seat, one.phase, one.chosen, one.best, *numbers]


def _mark(
    one: Judged, kind: str, states: list[Any], edition: Edition, chances: Any
) -> dict[str, Any]:
    return {
        "moment": one.moment,
        "seat": one.seat,
        "kind": kind,
        "phase": one.phase,
        "lost": round(one.lost, DIGITS),
        "gained": round(one.gained, DIGITS) if kind == "fine" else 0.0,
        "chance": round(float(chances[one.moment][one.seat]), DIGITS),
        "done": what_was_done(one, states, edition),
        "better": better_line(one, states, edition) if kind != "fine" else "",
    }


def _seat(seat: int, judged: list[Judged], luck: Any) -> dict[str, Any]:
    own = [one for one in judged if one.seat == seat]
    phases = sorted({one.phase for one in own})
    return {
        "seat": LETTERS[seat],
        **asdict(score(own)),
        "luck": round(float(luck.total[seat]), DIGITS),
        "phases": {
            phase: asdict(score([one for one in own if one.phase == phase])) for phase in phases
        },
    }


def score(judged: list[Judged]) -> Score:
    """Return the score of some decisions."""
    kinds = [mark_of(one) for one in judged]
    good = sum(one.lost < GOOD for one in judged)
    return Score(
        decisions=len(judged),
        accuracy=round(good / len(judged), DIGITS) if judged else None,
        lost=round(sum(one.lost for one in judged), DIGITS),
        blunders=kinds.count("blunder"),
        mistakes=kinds.count("mistake"),
        fine=kinds.count("fine"),
    )

"""Scores of win predictions by stage of the game, for the value and for formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from monopoly_agents.strategist.chances import SHARP, Worth, write_all_formulas

from monopoly_env.editions.generated.spec import is_generated
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Float64s
from monopoly_env.value.network import new_work
from monopoly_env.value.weights import Value
from monopoly_training.value.examples import rows_by_table
from monopoly_training.value.positions import Positions

STAGES: dict[str, tuple[int, int]] = {  # rounds played, without the last one
    "0-4": (0, 5),
    "5-14": (5, 15),
    "15-29": (15, 30),
    "30-49": (30, 50),
    "50+": (50, 1 << 30),
}
ALL = "all"
VALUE, FORMULA = "value", "strategist"
FORMULAS: dict[str, tuple[Worth, float]] = {
    "net worth": (Worth.NET, 1.0),
    "net worth, sharp": (Worth.NET, 3.0),
    FORMULA: (Worth.STRENGTH, 2.0),
    "strategist, sharp": (Worth.STRENGTH, SHARP),
}
LEAST = 1e-6  # lower bound of a probability in a logarithm
BINS = 10

Scores = dict[str, float]
Rows = npt.NDArray[Any]


def predictions(positions: Positions, value: Value) -> dict[str, Float64s]:
    """Return win probabilities [n, 8] by the value and by each formula."""
    work = new_work()

    def by_formula(worth: Worth, power: float) -> Float64s:
        def write(states: Any, rules: Any) -> Float64s:
            out = np.zeros((len(states), PLAYERS))
            write_all_formulas(states, rules, worth, power, work, out)
            return out

        return _for_all(positions, write)

    formulas = {name: by_formula(*formula) for name, formula in FORMULAS.items()}
    return {VALUE: _for_all(positions, value.chances), **formulas}


def _for_all(positions: Positions, chances: Callable[[Any, Any], Float64s]) -> Float64s:
    out = np.zeros((len(positions), PLAYERS))
    for table, rows in rows_by_table(positions):
        out[rows] = chances(positions.states[rows], table.load().rules)
    return out


def scores(chances: Float64s, positions: Positions, rows: Rows) -> Scores:
    """Return the scores of some positions.

    ``log_loss``: minus the log probability of the winner. ``brier``: squared errors, summed over
    the seats. ``top_1``: how often the favorite wins. ``auc``: how often a winner's probability is
    above that of a seat that does not win. ``off``: the calibration error, averaged over ten bins
    of probabilities.
    """
    chances, shares = chances[rows], positions.shares[rows]
    alive = positions.states["out"][rows] == 0
    alive &= np.arange(PLAYERS) < positions.states["players"][rows][:, None]
    favorite = chances.argmax(axis=1)
    return {
        "positions": float(len(chances)),
        "log_loss": float(-(shares * np.log(np.maximum(chances, LEAST))).sum(1).mean()),
        "brier": float(((chances - shares) ** 2).sum(1).mean()),
        "top_1": float(shares[np.arange(len(shares)), favorite].mean()),
        "auc": auc(chances[alive], shares[alive] > 0.5),
        "off": sum(abs(b["said"] - b["won"]) * b["part"] for b in reliability(chances[alive], shares[alive])),
    }  # fmt: skip


def auc(chances: Float64s, won: npt.NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve: how often a winner's probability is above a loser's."""
    order = np.argsort(chances, kind="stable")
    ranks = np.empty(len(chances))
    _, first, count = np.unique(chances[order], return_index=True, return_counts=True)
    ranks[order] = np.repeat(first + (count + 1) / 2, count)
    winners = int(won.sum())
    losers = len(won) - winners
    if winners == 0 or losers == 0:
        return float("nan")
    return float((ranks[won].sum() - winners * (winners + 1) / 2) / (winners * losers))


def reliability(chances: Float64s, shares: Float64s) -> list[dict[str, float]]:
    """Return per bin of probabilities the mean prediction, the win rate, and the share of all."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return [
        {
            "from": k / BINS,
            "said": float(chances[bins == k].mean()),
            "won": float(shares[bins == k].mean()),
            "part": float((bins == k).mean()),
        }
        for k in range(BINS)
        if (bins == k).any()
    ]


def judge(
    positions: Positions, value: Value, rows: Rows | None = None
) -> dict[str, dict[str, Scores]]:
    """Return scores by predictor and stage; the mask ``rows`` restricts the positions."""
    rows = np.ones(len(positions), bool) if rows is None else rows
    rounds = positions.states["rounds"]
    stages = {name: rows & (rounds >= a) & (rounds < b) for name, (a, b) in STAGES.items()}
    stages[ALL] = rows
    return {
        name: {
            stage: scores(chances, positions, mask) for stage, mask in stages.items() if mask.any()
        }
        for name, chances in predictions(positions, value).items()
    }


def table_lines(table: Mapping[str, Mapping[str, Scores]]) -> list[str]:
    """Return a Markdown table: log-loss by stage, then the other scores of all positions."""
    stages = [*STAGES, ALL]
    names = ("brier", "top_1", "auc", "off")
    head = ["log-loss by rounds", *stages, "Brier", "top-1", "AUC", "off by"]
    lines = [_row(head), _row(["---"] * len(head))]
    for name, by_stage in table.items():
        losses = [f"{by_stage[s]['log_loss']:.3f}" if s in by_stage else "" for s in stages]
        lines.append(_row([name, *losses, *(f"{by_stage[ALL][key]:.3f}" for key in names)]))
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


GENERATED = "generated boards"  # as one line of a table by edition


def by_table(positions: Positions, value: Value, key: str) -> dict[str, dict[str, float]]:
    """Return log-losses by ``edition``, ``mode``, ``deals`` or ``players``.

    They are those of the value and of two formulas.
    """
    drawn = [str(getattr(positions.tables[game], key)) for game in positions.games.tolist()]
    drawn = [GENERATED if is_generated(one) else one for one in drawn]
    found = predictions(positions, value)
    result = {}
    for one in sorted(set(drawn)):
        rows = np.array([name == one for name in drawn])
        result[one] = {
            "positions": float(rows.sum()),
            **{
                name: scores(found[name], positions, rows)["log_loss"]
                for name in (VALUE, FORMULA, "strategist, sharp")
            },
        }
    return result

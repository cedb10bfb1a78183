"""Plot the NashConv of several bots to a PNG file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from monopoly_training.evaluation.plots import new_figure, save
from monopoly_training.stats.win_rates import Z95


def plot_nash_conv(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Plot the results of ``monopoly-env nashconv``, the bot nearest to an equilibrium on top.

    A circle is an exact value. A triangle is a lower bound, with its 95% interval.
    """
    ordered = sorted(rows, key=_value, reverse=True)
    figure, axes = new_figure(height=1.2 + 0.35 * len(ordered))
    for height, row in enumerate(ordered):
        value = _value(row)
        if "nash_conv" in row:
            axes.plot(value, height, "o", color="tab:blue")
        else:
            reach = Z95 * row["standard_error"]
            axes.errorbar(value, height, xerr=reach, fmt=">", color="tab:orange", capsize=3)
        axes.annotate(
            f"{value:.3f}", (value, height), (0, 7), textcoords="offset points", ha="center"
        )
    axes.set_yticks(range(len(ordered)), [label_of(row["agent"]) for row in ordered])
    axes.set_ylim(-0.6, len(ordered) - 0.2)
    axes.set_xlim(left=0)
    axes.set_xlabel("NashConv; 0 is an equilibrium; triangle: lower bound with its 95% interval")
    axes.grid(axis="x", alpha=0.3)
    save(figure, path)


def label_of(agent: str) -> str:
    """Return a short name of a bot: the folder of a model.

    >>> label_of("model:runs/mini-100k"), label_of("strategist")
    ('mini-100k', 'strategist')
    """
    return agent.removeprefix("model:").rstrip("/").rpartition("/")[2] or agent


def _value(row: dict[str, Any]) -> float:
    """Return NashConv, or its lower bound."""
    return float(row["nash_conv"] if "nash_conv" in row else row["nash_conv_at_least"])

"""The plots of a tournament, each with a text description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_training.common.progress import percent
from monopoly_training.evaluation.plots import new_figure, plot_win_rates, save
from monopoly_training.evaluation.score_table import interval_to_show
from monopoly_training.stats.bootstrap import Float64s
from monopoly_training.tournament.summary import TournamentResult, names_of
from monopoly_training.tournament.trajectories import WealthHistory

# Okabe and Ito's palette, distinguishable with color vision deficiency.
COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#999999",
)
MOST_LABELS = 12  # most bots for which heat map cells are labeled
LINES = 8  # most bots in the plot of money over time
CHARACTERS = 55  # label characters that fit side by side under a heat map
LONGEST = 24  # maximum length of a name in a plot; commands and paths can be long


@dataclass(frozen=True)
class Picture:
    """A plot saved to a file."""

    path: Path
    title: str
    text: str  # description, for alternative text


def draw(
    result: TournamentResult, histories: Sequence[WealthHistory], folder: Path
) -> list[Picture]:
    """Write all plots to a folder; the plot of money needs recorded games."""
    pictures = [
        draw_win_rates(result, folder / "win_rates.png"),
        draw_ratings(result, folder / "ratings.png"),
        draw_head_to_head(result, folder / "head_to_head.png"),
        draw_length(result, folder / "length.png"),
    ]
    if histories:
        pictures.append(draw_money(result, histories, folder / "money.png"))
    return pictures


def labels(result: TournamentResult) -> list[str]:
    """Return a label for each entrant."""
    return [shortened(name) for name in names_of(result.standings)]


def shortened(name: str) -> str:
    """Shorten a name in the middle, since names differ most at their ends."""
    half = LONGEST // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[-half + 1 :]}"


def draw_win_rates(result: TournamentResult, path: Path) -> Picture:
    """Plot win rates with their intervals."""
    rows = [
        (name, row.score, interval_to_show(row.score, row.win_rate_by_seed))
        for name, row in zip(labels(result), result.standings, strict=True)
    ]
    plot_win_rates(rows, result.chance, path)
    text = "; ".join(f"{name} {percent(score.win_rate)}" for name, score, _ in rows)
    return Picture(path, "Games won", f"Share of games won, with 95% intervals: {text}.")


def draw_ratings(result: TournamentResult, path: Path) -> Picture:
    """Plot ratings with their intervals."""
    rated = [
        (name, row.rating.elo, row.rating.ci95)
        for name, row in zip(labels(result), result.standings, strict=True)
        if row.rating.elo is not None
    ]
    figure, axes = new_figure(height=1.2 + 0.45 * len(rated))
    for height, (_, elo, ends) in zip(reversed(range(len(rated))), rated, strict=True):
        axes.plot(ends or (elo, elo), [height, height], color="black", linewidth=2)
        axes.plot(elo, height, "o", color=COLORS[0], markersize=7)
    axes.axvline(0, color="grey", linestyle="--", linewidth=1)
    axes.set_yticks(range(len(rated)), [name for name, *_ in reversed(rated)])
    axes.set_ylim(-0.6, len(rated) - 0.4)
    axes.set_xlabel(f"rating in Elo points; line: 95% by seed; dashed: {shortened(result.anchor)}")
    save(figure, path)
    text = "; ".join(
        f"{name} {elo:.0f}" + (f" ({ends[0]:.0f} to {ends[1]:.0f})" if ends else "")
        for name, elo, ends in rated
    )
    return Picture(path, "Ratings", f"Ratings in Elo points with 95% intervals: {text}.")


def draw_head_to_head(result: TournamentResult, path: Path) -> Picture:
    """Plot how often each bot finished ahead of each other bot, as a heat map."""
    names, count = labels(result), len(result.standings)
    shares = np.array(
        [
            [np.nan if cell.ahead is None else 100 * cell.ahead for cell in row]
            for row in result.against
        ]
    )
    figure, axes = new_figure(height=2.0 + 0.5 * count)
    image = axes.imshow(shares, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    tight = count * max(map(len, names)) > CHARACTERS
    axes.set_xticks(
        range(count), names, rotation=30 if tight else 0, ha="right" if tight else "center"
    )
    axes.set_yticks(range(count), names)
    axes.set_xlabel("finished ahead of")
    if count <= MOST_LABELS:
        for row, column in np.argwhere(~np.isnan(shares)).tolist():
            share = shares[row, column]
            dark = abs(share - 50) > 30
            axes.text(
                column,
                row,
                f"{share:.0f}",
                ha="center",
                va="center",
                color="white" if dark else "black",
            )
    figure.colorbar(image, ax=axes, label="% of their games")
    save(figure, path)
    return Picture(
        path,
        "Head to head",
        "How often the row's bot finished ahead of the "
        "column's bot; the table Head to head has the numbers.",
    )


def draw_length(result: TournamentResult, path: Path) -> Picture:
    """Plot the distribution of game lengths."""
    games = result.games
    figure, axes = new_figure(height=3.2)
    parts = [games.turns[~games.truncated], games.turns[games.truncated]]
    axes.hist(
        parts,
        bins=40,
        stacked=True,
        color=[COLORS[0], COLORS[1]],
        label=["finished", "truncated"],
    )
    axes.set_xlabel("player turns")
    axes.set_ylabel("games")
    axes.legend()
    save(figure, path)
    middle = float(np.median(games.turns))
    share = percent(float(games.truncated.mean()))
    return Picture(
        path,
        "Length of the games",
        f"A histogram of turns: the median is {middle:.0f} turns; {share} were truncated.",
    )


def draw_money(result: TournamentResult, histories: Sequence[WealthHistory], path: Path) -> Picture:
    """Plot cash and net worth over time, averaged over the recorded games."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    turns = int(np.percentile([len(history.cash) for history in histories], 90))
    names = list(dict.fromkeys(row.agent for row in result.standings))[:LINES]
    figure = Figure(figsize=(7, 5.4), layout="constrained")
    FigureCanvasAgg(figure)
    panes: Any = figure.subplots(2, 1, sharex=True)
    last = {}
    for kind, axes in zip(("cash", "worth"), panes, strict=True):
        for name, color in zip(names, COLORS, strict=False):
            means = mean_wealth(histories, kind, name, turns)
            if len(means):
                axes.plot(means, color=color, label=shortened(name))
                last[name] = means[-1]
        axes.set_ylabel("cash, $" if kind == "cash" else "net worth, $")
        axes.grid(alpha=0.3)
    panes[0].legend(ncols=2)
    panes[1].set_xlabel("player turns")
    save(figure, path)
    text = "; ".join(f"{name} ${worth:,.0f}" for name, worth in last.items())
    return Picture(
        path,
        "Cash and net worth",
        f"Means over {len(histories)} recorded games; bankrupt "
        "players have 0, and finished games keep their last values. Net worth after "
        f"{turns} turns: {text}.",
    )


def mean_wealth(histories: Sequence[WealthHistory], kind: str, name: str, turns: int) -> Float64s:
    """Return a bot's mean cash or net worth after each turn, over games and seats."""
    lines = []
    for history in histories:
        values: Float64s = getattr(history, kind)
        last = len(values) - 1
        for seat, bot in enumerate(history.bots):
            if bot == name:
                lines.append(values[np.minimum(np.arange(turns), last), seat])
    return np.mean(lines, axis=0) if lines else np.zeros(0)

"""Format the relations between bots (who beats whom) as table rows and sentences."""

from __future__ import annotations

from collections.abc import Iterator

from monopoly_training.common.progress import percent
from monopoly_training.stats.bootstrap import Interval
from monopoly_training.stats.ratings import Against
from monopoly_training.stats.who_beats_whom import Cycle, WhoBeatsWhom

PLACES = ("bot", "games", "rating", "95%", "Nash weight", "Nash skill", "95%")


def places_rows(found: WhoBeatsWhom) -> Iterator[tuple[str, ...]]:
    """Yield one row per bot, best first."""
    for place in found.places:
        rating = place.rating
        yield (
            place.bot,
            f"{place.games:,}",
            "–" if rating.elo is None else f"{rating.elo:.0f}",
            numbers(rating.ci95, 1),
            percent(place.nash_weight),
            f"{round(100 * place.nash_skill, 1) + 0.0:.1f}",
            numbers(place.nash_skill_ci95, 100, 1),
        )


def numbers(ends: Interval | None, factor: float, digits: int = 0) -> str:
    """Format an interval times a factor; a dash for None."""
    if ends is None:
        return "–"
    low, high = (round(factor * end, digits) + 0.0 for end in ends)
    return f"{low:.{digits}f} to {high:.{digits}f}"


def matrix_rows(found: WhoBeatsWhom) -> Iterator[tuple[str, ...]]:
    """Yield one row per bot: how often it finishes ahead of each other bot."""
    for row, (place, cells) in enumerate(zip(found.places, found.against, strict=True)):
        yield (
            place.bot,
            *("" if column == row else share_text(cell) for column, cell in enumerate(cells)),
        )


def share_text(cell: Against) -> str:
    """Format how often one bot finishes ahead of another, ± half the width of the interval."""
    if cell.ahead is None:
        return "–"
    share = f"{100 * cell.ahead:.0f}"
    return share if cell.ci95 is None else f"{share} ± {50 * (cell.ci95[1] - cell.ci95[0]):.0f}"


def cycles_text(found: WhoBeatsWhom) -> Iterator[str]:
    """Yield one sentence per cycle, or one that says there is none."""
    if not found.cycles:
        yield "No cycles: no bots of which each surely finishes ahead of the next."
    for cycle in found.cycles:
        yield cycle_text(cycle)


def cycle_text(cycle: Cycle) -> str:
    """Describe a cycle in a sentence."""
    chain = " beats ".join((*cycle.bots, cycle.bots[0]))
    return (
        f"Cycle: {chain}; each finishes ahead in at least {percent(cycle.weakest)} of their games."
    )

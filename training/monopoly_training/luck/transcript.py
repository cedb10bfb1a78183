"""A transcript of a game with the luck of each throw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from monopoly_env.errors import Location
from monopoly_env.notation import LETTERS
from monopoly_env.replay import transcript
from monopoly_training.luck.estimator import LuckEstimator


def transcript_with_luck(
    record: Mapping[str, Any], location: Location, taker: LuckEstimator
) -> Iterator[str]:
    """Yield the lines of a transcript, with the luck of each throw for its player appended.

    The last line sums up each player's luck from throws, cards and the first player. Luck is in
    percentage points of win probability. Raises: RecordError.
    """
    lines, luck = list(transcript(record, location)), taker.of_record(record)
    actions = len(luck.by_action)
    first = len(lines) - 1 - actions
    yield from lines[:first]
    for line, points, thrower in zip(lines[first:-1], luck.by_action, luck.throwers, strict=True):
        thrown = f"  [luck of {LETTERS[thrower]}: {100 * points[thrower]:+.1f}]"
        yield line + (thrown if points.any() else "")
    yield lines[-1]
    each = ", ".join(f"{LETTERS[seat]} {100 * total:+.1f}" for seat, total in enumerate(luck.total))
    yield f"luck in all, in points of the chance to win: {each}; judged by the {taker.judge} {taker.digest}"

"""Scores of a model's game, from 0 to 1, for evaluation libraries."""

from __future__ import annotations

from monopoly_env.text.env import TextEnv

SCORES = ("win", "rank", "net_worth", "legality", "solved")


def scores(env: TextEnv) -> dict[str, float]:
    """Return the scores of the only seat that is asked, at the current state of the game.

    ``win``: 1 for a win, a share for a tie. ``rank``: 1 for first place, 0 for last. ``net_worth``:
    the share of all net worth. ``legality``: the share of usable answers. ``solved``: 1 for a sole
    win without fallback actions; reported alongside rewards.

    >>> env = TextEnv("short", opponents=["random"])
    >>> _ = env.reset(seed=7)
    >>> _ = env.step("no idea")
    >>> scores(env)["legality"]
    0.0
    """
    (seat,) = env.results()
    return scores_of(env, seat)


def scores_of(env: TextEnv, seat: str) -> dict[str, float]:
    """Return the scores of one of several seats that are asked, given by letter."""
    row = env.results()[seat]
    worth = {one.player: one.worth for one in env.game.standings()}
    counts = row["counts"]
    useless = counts["unreadable"] + counts["illegal"]
    return {
        "win": float(row["win"]),
        "rank": (env.players - row["rank"]) / (env.players - 1),
        "net_worth": worth[seat] / max(1, sum(worth.values())),
        "legality": 1 - useless / max(1, counts["answers"]),
        "solved": float(row["win"] == 1 and counts["fallbacks"] == 0),
    }

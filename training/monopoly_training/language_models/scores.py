"""How well a model played a game, as numbers from 0 to 1: what libraries of evaluation score."""

from __future__ import annotations

from monopoly_env.text.env import TextEnv

SCORES = ("win", "rank", "net_worth", "legality", "solved")


def scores(env: TextEnv) -> dict[str, float]:
    """The scores of the one seat that is asked, as the game stands.

    ``win``: 1 for a win, a share for a tie. ``rank``: 1 for the first place, 0 for the last.
    ``net_worth``: its share of everybody's. ``legality``: the share of answers that were of use.
    ``solved``: 1 for a win alone in which the fallback chose nothing; it is told beside rewards.

    >>> env = TextEnv("short", opponents=["random"])
    >>> _ = env.reset(seed=7)
    >>> _ = env.step("no idea")
    >>> scores(env)["legality"]
    0.0
    """
    (seat,) = env.results()
    return scores_of(env, seat)


def scores_of(env: TextEnv, seat: str) -> dict[str, float]:
    """The same for one of several seats that are asked, given by letter."""
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

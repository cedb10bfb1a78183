"""The page of a replay: how long it takes to make, and how large it is."""

from __future__ import annotations

from collections.abc import Iterator

from monopoly_training.bench.timing import Result, rates, result

BOTS = ("fixed_a", "fixed_b", "fixed_c", "background")
DECISIONS = 1000


def replay_page(seconds: float) -> Iterator[Result]:
    """The page of a game of four compiled bots, cut off after a thousand decisions."""
    from monopoly_env import Game
    from monopoly_env.agent import make_agent
    from monopoly_env.playing import GameLoop
    from monopoly_training.web.replay_page import replay_page as page

    for seed in range(1, 100):
        game = Game(players=len(BOTS), seed=seed)
        loop = GameLoop(game, [make_agent(bot) for bot in BOTS])
        while not game.over and len(game.history) < DECISIONS:
            loop.step()
        if len(game.history) == DECISIONS:
            break
    record = game.record(BOTS)

    def write() -> int:
        page(record)
        return DECISIONS

    what = "the page of a game of four compiled bots and 1,000 decisions, written"
    yield result("replay_page", rates(write, seconds), "decisions/s", what)
    size = len(page(record).encode())
    yield result("replay_page_bytes", [size], "bytes", "that page, with all that it needs inside")

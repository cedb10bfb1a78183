"""Random play: games in the middle, for tests of what a game can be made to do anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator

from monopoly_env import Game

# A cannot pay the rent that its throw leads to.
DEBTOR = {
    "players": 2,
    "A": {"at": "go", "cash": 10},
    "B": {"deeds": ["reading"]},
    "hidden": {"dice": [[1, 4]]},
}


def play_randomly(game: Game, actions: int, seed: int = 0) -> Iterator[Game]:
    """Play so many random actions, first a kind and then one of it; the game before each."""
    chooser = random.Random(seed)
    for _ in range(actions):
        if game.over:
            return
        yield game
        kinds: dict[str, list[str]] = {}
        for text in game.legal_actions():
            kinds.setdefault(text.partition(":")[0], []).append(text)
        game.play(chooser.choice(kinds[chooser.choice(sorted(kinds))]))


def played(actions: int, **arguments: object) -> Game:
    game = Game(**{"seed": 3, **arguments})  # type: ignore[arg-type]
    for _ in play_randomly(game, actions):
        pass
    return game

"""Random games played to their end, in each edition and mode and with each optional rule.

``python -m tests.engine.whole_games --games 1000`` plays that many in each, asks for every
invariant after every decision, and fails at the first unsound position.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from monopoly_training.fuzz.styles import weighted_pick, weights

from monopoly_env.compiler.jit import jit
from monopoly_env.editions import editions, load_edition
from monopoly_env.engine import flow, new_game
from monopoly_env.engine import status as invariants
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import new_games
from monopoly_env.engine.status import Status


@dataclass
class WholeGames:
    """How the random games of one edition and mode went; every position was sound."""

    edition: str
    mode: str
    rules: dict[str, object]
    games: int = 0
    truncated: int = 0  # ended by a limit on turns or decisions
    turns: int = 0
    decisions: int = 0

    @property
    def name(self) -> str:
        """What is played."""
        return " ".join([self.edition, self.mode, *self.rules])

    def __str__(self) -> str:
        return (
            f"{self.name:40} {self.games} games: {self.games - self.truncated} ended, "
            f"{self.truncated} truncated, {self.turns / self.games:.0f} turns and "
            f"{self.decisions / self.games:.0f} decisions a game, status 0 throughout"
        )


def played_modes() -> list[WholeGames]:
    """Every edition in every mode, without and with each optional rule of its book."""
    found = []
    for id_ in editions():
        edition = load_edition(id_)
        rules: list[dict[str, object]] = [{}, *({name: True} for name in edition.optional_rules)]
        found += [WholeGames(id_, mode, given) for mode in edition.modes for given in rules]
    return found


@jit
def whole_game(
    game: Any, rules: Any, log: Any, players: int, seed: int, liking: Any, bits: Any
) -> int:
    """Play one game until it is over; returns the broken invariants (0: none)."""
    state = np.uint64(seed) * GAMMA
    new_game.new_game(game, rules, log, players, seed)
    flow.proceed(game, rules, log)
    broken = invariants.status(game, rules, bits)
    while broken == 0 and game.phase != Phase.OVER:
        legal_bits(game, rules, bits)
        state += GAMMA + GAMMA
        flow.step(game, rules, log, weighted_pick(bits, liking, state))
        broken = invariants.status(game, rules, bits)
    return int(broken)


def play_whole_games(found: WholeGames, count: int, seed: int) -> None:
    """Play games of 2 to the edition's most players; raises AssertionError with how to repeat it."""
    edition = load_edition(found.edition, found.mode, found.rules)
    games, journals = new_games(1), new_journals(1, on=True)
    liking, bits = weights("random"), np.zeros(N_KINDS, np.int64)
    for number in range(seed, seed + count):
        players = 2 + number % (edition.max_players - 1)
        broken = whole_game(games[0], edition.rules[0], journals[0], players, number, liking, bits)
        assert broken == 0, f"{Status(broken)!r}: {found.name}, players {players}, seed {number}"
        found.games += 1
        found.truncated += int(games[0]["truncated"])
        found.turns += int(games[0]["turns"])
        found.decisions += int(games[0]["decisions"])


def main() -> None:
    """So many games in each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for found in played_modes():
        play_whole_games(found, arguments.games, arguments.seed)
        sys.stdout.write(f"{found}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""How good is an agent? Its games against given opponents, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import show
from monopoly_training.common.schema import location_of
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.runner import Progress, play_matches
from monopoly_training.matches.schedule import SEATS
from monopoly_training.stats.win_rates import Score, score, shared_places, shares_of_wins

MOST_GAMES = 10_000_000
MOST_SEED = 2**62


@dataclass(frozen=True)
class Evaluation:
    """An agent's score, and what is needed to play the same games again."""

    agent: str
    against: tuple[str, ...]
    seats: str
    seed: int
    seeds: int  # how many, from ``seed`` upwards
    mean_turns: float
    score: Score

    def as_json(self) -> dict[str, Any]:
        """The keys that ``evaluate --json`` prints."""
        return {
            "agent": self.agent,
            **asdict(self.score),
            "seeds": {"first": self.seed, "count": self.seeds},
        }


def evaluate(
    agent: Entrant,
    against: Sequence[Entrant],
    games: int,
    options: TableOptions,
    seats: str = "rotate",
    seed: int = 0,
    progress: Progress = lambda _: None,
) -> Evaluation:
    """Play ``games`` games of one agent against a line-up.

    ``seats``: ``rotate`` plays each seed in every rotation of the seats, ``random`` gives each
    game its own seed and order of seats. The same arguments give the same games.
    """
    check_evaluation(games, seats, seed)
    line_up = [agent, *against]
    matches = SEATS[seats](len(line_up), games, seed)
    results = play_matches(line_up, matches, options, progress)
    places = results.by_entrant(matches)
    found = score(
        shares_of_wins(places)[:, 0], shared_places(places)[:, 0], results.truncated.astype(bool)
    )
    return Evaluation(
        agent=agent.name,
        against=tuple(entrant.name for entrant in against),
        seats=seats,
        seed=seed,
        seeds=len({match.seed for match in matches}),
        mean_turns=float(np.mean(results.turns)),
        score=found,
    )


def check_evaluation(games: int, seats: str, seed: int) -> None:
    """Raise a one-line error for what cannot be played."""
    if not 1 <= games <= MOST_GAMES:
        location_of("--games").fail(f"must be from 1 to {MOST_GAMES}, not {games}")
    if seats not in SEATS:
        location_of("--seats").fail(f"must be one of {', '.join(SEATS)}, not {show(seats)}")
    if not 0 <= seed <= MOST_SEED:
        location_of("--seed").fail(f"must be from 0 to {MOST_SEED}, not {seed}")

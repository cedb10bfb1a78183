"""Play games between bots, including negotiators, and record them with their negotiations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from monopoly_env.agent import find_agent, make_agent
from monopoly_env.editions import load_edition
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_env.negotiation.loop import NegotiationLoop
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.records import write_record
from monopoly_training.common.progress import Progress

OPTIONS = NegotiationOptions()


def play_games(
    file: Path,
    names: Sequence[str],
    games: int,
    seed: int,
    edition: str,
    mode: str,
    rules: Mapping[str, object],
    progress: Progress,
) -> None:
    """Play games with consecutive seeds, in rotating seats, and write them to a new file.

    Offers are made in steps, with as many per turn as a negotiation allows, unless ``rules``
    override that. Raises: InputError if the file exists, or for unknown bots.
    """
    if file.exists():
        InputError.at(file).fail(
            "is there already; name a new file, or leave --agents out to read it"
        )
    for name in names:
        find_agent(name)
    given = {"trade_limit": OPTIONS.offers, **rules}
    loaded = load_edition(edition, mode, given)
    for number in range(games):
        turn = number % len(names)
        seated = [*names[turn:], *names[:turn]]
        game = Game(loaded, len(names), seed + number)
        bots = [make_agent(name) for name in seated]
        loop = NegotiationLoop(game, bots, seed + number, OPTIONS, skip_forced=True)
        loop.play()
        loop.close()
        write_record(file, loop.record(seated))
        progress.update((number + 1) / games, f"{number + 1} games")

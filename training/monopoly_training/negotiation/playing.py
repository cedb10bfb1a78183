"""Games between bots, some of which negotiate, written down with what was said."""

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
    """Play games of consecutive seeds and write them into a new file; seats turn by one each game.

    Deals are composed in steps, with as many offers a turn as a negotiation has, unless ``rules``
    say otherwise. Raises: InputError for a file that is there already, or bots that there are not.
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

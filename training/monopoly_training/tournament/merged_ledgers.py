"""Merge the games of several ledgers into one table of pairings and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError, InputError, show
from monopoly_env.files import torn_end, whole_lines
from monopoly_training.common.bot_lists import distinct_names
from monopoly_training.common.files import warn_repaired
from monopoly_training.stats.plackett_luce import components
from monopoly_training.stats.ratings import RankedGames
from monopoly_training.tournament.ledger import END, FILE, decode

NONE = "this is not a tournament's ledger, or it is damaged; name the folder of a tournament"
SAME = ("edition", "mode", "rules", "skip_forced")  # settings that must be equal in all ledgers


@dataclass(frozen=True)
class JointGames:
    """The merged games of several tournaments, whose line-ups may differ."""

    bots: tuple[str, ...]
    games: RankedGames
    codes: int  # number of code versions they were played with


Game = tuple[int, tuple[str, ...], tuple[int, ...]]  # seed, bots by seat, ranks by seat


def read_ledgers(paths: Iterable[Path]) -> JointGames:
    """Read the games of ledgers, or of folders with one. A game found in several counts once.

    Bots are identified by name: a bot named twice in a line-up is one bot. Games with the same seed
    form one resampling unit of the intervals, whichever ledger they are in.

    Raises: FileError for a file that is no ledger or has no games, or if settings differ.
    """
    games: dict[Game, None] = {}
    settings: dict[str, Any] = {}
    codes = set()
    for given in paths:
        path = given / FILE if given.is_dir() else given
        if not path.exists():
            FileError.at(path).fail("there is no such file; name the folder of a tournament")
        header, found = read_games(path)
        check_same(path, settings, header["config"])
        codes.add(show(header["code"]))
        games.update(dict.fromkeys(found))
    return JointGames(*as_ranked(list(games)), len(codes))


def read_games(path: Path) -> tuple[Mapping[str, Any], list[Game]]:
    """Return a ledger's first line and its games. Raises: FileError, one line."""
    location = FileError.at(path)
    try:
        lines = [decode(path, k, line) for k, line in enumerate(whole_lines(path, location), 1)]
        torn = torn_end(path, location)
        if torn:
            warn_repaired(path, f"ends in {torn:,} bytes that are not a line; they are ignored")
        names = distinct_names(lines[0]["config"]["agents"])
        bots = [name.partition("#")[0] if name not in lines[0]["config"]["agents"] else name
                for name in names]  # fmt: skip
        games = [
            (int(seed), tuple(bots[k] for k in seating), tuple(int(rank) for rank in row[0]))
            for line in lines[1:]
            if line != END
            for seed, seating, row in zip(
                line["seeds"], line["seating"], line["games"], strict=True
            )
        ]
        header = {"config": dict(lines[0]["config"]), "code": lines[0]["code"]}
    except FileError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError):
        location.fail(NONE)
    if not games:
        location.fail("holds no game yet; name a tournament that has played some")
    return header, games


def check_same(path: Path, settings: dict[str, Any], config: Mapping[str, Any]) -> None:
    """Compare a ledger's settings with those of the first one; raise an error if they differ."""
    for key in SAME:
        here = config.get(key)
        if settings.setdefault(key, here) != here:
            FileError.at(path).fail(
                f"was played with {key} {show(here)}, the first one with {show(settings[key])}; "
                "give ledgers of the same game"
            )


def as_ranked(games: Sequence[Game]) -> tuple[tuple[str, ...], RankedGames]:
    """Return bot names and games as arrays; tables with fewer seats are padded with rank 0."""
    games = sorted(games)
    bots = tuple(sorted({bot for _, seated, _ in games for bot in seated}))
    number = {bot: k for k, bot in enumerate(bots)}
    seats = max(len(seated) for _, seated, _ in games)
    seating = np.zeros((len(games), seats), np.int64)
    ranks = np.zeros((len(games), seats), np.int8)
    for row, (_, seated, places) in enumerate(games):
        seating[row, : len(seated)] = [number[bot] for bot in seated]
        ranks[row, : len(places)] = places
    seeds = np.array([seed for seed, _, _ in games], np.int64)
    unit = np.unique(seeds, return_inverse=True)[1].astype(np.int64)
    return bots, RankedGames(len(bots), seating, ranks, unit)


def anchor_of(joint: JointGames, name: str | None) -> int:
    """Return the number of the bot whose rating is 0: the one named, or the first by name.

    Raises: InputError if there is no such bot, or no chain of games connects all bots.
    """
    if name is not None and name not in joint.bots:
        InputError.at("anchor").fail(
            f"must be one of the bots, {', '.join(joint.bots)}, not {show(name)}"
        )
    anchor = 0 if name is None else joint.bots.index(name)
    groups = components(joint.games.bots, joint.games.seating, joint.games.ranks.astype(np.int64))
    if len(groups) > 1:
        one, other = (joint.bots[group[0]] for group in groups[:2])
        InputError.at("ledgers").fail(
            f"no chain of games leads from {one} to {other}, so their ratings cannot be compared; "
            "add a tournament in which bots of both meet"
        )
    return anchor

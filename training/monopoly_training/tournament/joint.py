"""The games of one or several ledgers, as one table of who met whom and how they came in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError, InputError, show
from monopoly_env.files import torn_end, whole_lines
from monopoly_training.common.bot_lists import distinct_names
from monopoly_training.common.files import tell_repair
from monopoly_training.stats.plackett_luce import components
from monopoly_training.stats.ratings import RankedGames
from monopoly_training.tournament.ledger import END, FILE, decode

NONE = "this is not a tournament's ledger, or it is damaged; name the folder of a tournament"
SAME = ("edition", "mode", "rules", "skip_forced")  # settings in which all ledgers must agree


@dataclass(frozen=True)
class JointGames:
    """Games of several tournaments between the same or other bots."""

    bots: tuple[str, ...]
    games: RankedGames
    codes: int  # how many versions of the code they were played with


Game = tuple[int, tuple[str, ...], tuple[int, ...]]  # the seed, who sat where, the ranks by seat


def read_ledgers(paths: Iterable[Path]) -> JointGames:
    """The games of ledgers, or of folders that hold one. A game that stands in several counts once.

    A bot is its name: one that was in a line-up twice is one bot. Games of a seed are one unit of
    the intervals, in whichever ledger they are.

    Raises: FileError for what is no ledger, has no games, or was played by other rules than the
    first.
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
    """The first line of a ledger, and its games. Raises: FileError, one line."""
    location = FileError.at(path)
    try:
        lines = [decode(path, k, line) for k, line in enumerate(whole_lines(path, location), 1)]
        torn = torn_end(path, location)
        if torn:
            tell_repair(path, f"ends in {torn:,} bytes that are not a line; they are ignored")
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
    """Note the settings of the first ledger, and raise the error of one that differs."""
    for key in SAME:
        here = config.get(key)
        if settings.setdefault(key, here) != here:
            FileError.at(path).fail(
                f"was played with {key} {show(here)}, the first one with {show(settings[key])}; "
                "give ledgers of the same game"
            )


def as_ranked(games: Sequence[Game]) -> tuple[tuple[str, ...], RankedGames]:
    """The bots by name, and the games as arrays; tables with fewer seats have empty ones."""
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
    """The number of the bot whose rating is 0; the first by name, unless another is named.

    Raises: InputError if there is no such bot, or no chain of games leads to it from others.
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

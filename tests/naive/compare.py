"""The compiled engine and the slow twin side by side: same seed, same actions, first difference.

python -m tests.naive.compare --games 2000 --players 2-8
python -m tests.naive.compare --edition pokemon1999 --mode short --rule power_doubles=1
python -m tests.naive.compare --settings named --games 100
python -m tests.naive.compare --settings mixed --games 2000
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import IDS, N_ACTIONS, TEXTS
from monopoly_env.engine.board import DEEDS, GROUP, NOBODY, PLAYERS
from monopoly_env.engine.journal import Event, new_journals
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.state import new_games

from .settings import DRIVERS, Driver, Setting, mixture, named_settings
from .twin import Twin

# The fields that an event uses, of player, other, square and amount.
EVENT_FIELDS: dict[str, tuple[bool, bool, bool, bool]] = {
    name: (fields[0] == "p", fields[1] == "o", fields[2] == "s", fields[3] == "a")
    for name, fields in {
        "TURN": "p---", "THROW": "p-sa", "MOVE": "p-sa", "PAY": "posa", "CARD": "pos-",
        "KEEP_CARD": "pos-", "RETURN_CARD": "p-s-", "DEED": "pos-", "BANK_DEED": "p-s-",
        "BUILD": "p-sa", "SELL": "p-sa", "MORTGAGE": "p-s-", "LIFT": "p-s-", "JAIL": "p---",
        "FREE": "p---", "AUCTION": "pos-", "BID": "p--a", "PASS": "p---", "UNSOLD": "--s-",
        "OFFER": "po--", "ACCEPT": "po--", "REJECT": "po--", "CLAIM": "p---", "OUT": "po--",
        "OVER": "---a",
    }.items()
}  # fmt: skip


EVENT_NAMES = [event.name for event in Event]


class Difference(Exception):  # noqa: N818  (it is found, not raised in error)
    """The engine and the twin disagree."""


# --- the engine's side ---


class Engine:
    """One compiled game with its journal."""

    def __init__(self, rules: Any, players: int, seed: int, groups: bool = False) -> None:
        self.rules = rules
        self.games = new_games(1)
        self.journals = new_journals(1, True)
        self.mask = np.zeros(N_ACTIONS, np.int8)
        entry_points.start(self.games, 0, rules, self.journals, players, seed)
        if groups:
            self.deal_groups(players)

    def deal_groups(self, players: int) -> None:
        """Give every group to somebody."""
        game = self.games[0]
        game["owned"] = 0
        for square in DEEDS:
            owner = int(GROUP[square]) % players
            game["owner"][square] = owner
            game["owned"][owner] |= 1 << square

    def legal(self) -> frozenset[str]:
        """What the actor may do."""
        entry_points.legal_mask(self.games, 0, self.rules, self.mask)
        return frozenset(TEXTS[i] for i in np.flatnonzero(self.mask))

    def play(self, text: str) -> None:
        """Do it, and run to the next decision."""
        reason = entry_points.step(self.games, 0, self.rules, self.journals, IDS[text])
        if reason != 0:
            raise Difference(f"the engine refuses {text}: reason {reason}")

    def events(self) -> list[tuple[Any, ...]]:
        """The journal since the last decision."""
        log = self.journals[0]
        names = ("kind", "player", "other", "square", "amount")
        order = [log["events"].dtype.names.index(name) for name in names]
        rows = log["events"][: log["length"]].tolist()
        return [used(*(row[i] for i in order)) for row in rows]

    def standings(self) -> tuple[list[int], list[int]]:
        """Each seat's place and worth."""
        n = int(self.games[0]["players"])
        rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(n, np.int64)
        entry_points.standings(self.games, 0, self.rules, rank, worth)
        return rank[:n].tolist(), worth.tolist()

    def state(self) -> dict[str, Any]:
        """The position in comparable facts."""
        game = self.games[0]
        n = int(game["players"])
        facts: dict[str, Any] = {name: int(game[name]) for name in SCALARS}
        facts["phase"] = Phase(facts["phase"]).name
        facts |= {name: game[name][:n].tolist() for name in SEATED}
        facts |= {name: game[name].tolist() for name in ("owner", "level", "unseen", "card_holder")}
        facts["mortgaged"] = bits(game["mortgaged"])
        facts["denied_houses"] = bits(game["denied_houses"])
        facts["denied_hotels"] = bits(game["denied_hotels"])
        sizes = game["deck_size"].tolist()
        facts["deck"] = [game["deck"][pile, : sizes[pile]].tolist() for pile in (0, 1)]
        facts["claims"] = sorted(
            (int(c["owner"]), int(c["debtor"]), int(c["square"]), int(c["amount"]),
             int(c["multiplier"]), int(c["followers"]))
            for c in game["claims"]
            if c["owner"] != NOBODY
        )  # fmt: skip
        return facts

    def auction(self) -> dict[str, Any]:
        """The auction at hand."""
        game = self.games[0]
        return {
            "lot": AuctionLot(int(game["lot"])).name,
            "square": int(game["lot_square"]),
            "opening": int(game["opening"]),
            "bid": int(game["bid"]),
            "high": int(game["high_bidder"]),
            "bidders": bits(game["bidders"]),
        }

    def offer(self) -> dict[str, Any]:
        """The deal at hand."""
        game = self.games[0]
        return {
            "proposer": int(game["proposer"]),
            "partner": int(game["partner"]),
            "give": bits(game["deal_give"]),
            "ask": bits(game["deal_ask"]),
            "give_cash": int(game["deal_give_cash"]),
            "ask_cash": int(game["deal_ask_cash"]),
        }


SCALARS = (
    "phase", "actor", "turn", "starter", "rng", "bank", "pot", "houses", "hotels", "doubles",
    "again", "turns", "rounds", "decisions", "truncated",
)  # fmt: skip
SEATED = (
    "cash", "position", "in_jail", "jail_tries", "out", "laps", "offers_left", "refused",
    "offers_made", "offers_accepted", "offers_rejected",
)  # fmt: skip


def bits(mask: Any) -> list[int]:
    """The numbers of the bits that are set."""
    number = int(mask)
    return [i for i in range(64) if number >> i & 1]


def used(kind: int, *values: int) -> tuple[Any, ...]:
    """An event with only the fields that it uses."""
    name = EVENT_NAMES[kind]
    kept = zip(EVENT_FIELDS[name], values, strict=True)
    return (name, *(value if is_used else None for is_used, value in kept))


# --- one game ---


@dataclass
class Played:
    """What a compared game was like."""

    decisions: int
    turns: int
    finished: bool
    texts: Counter[str]


def compare_game(
    rules: Any,
    players: int,
    seed: int,
    driver: Driver,
    decisions: int = 1_000_000,
    groups: bool = False,
    twin_rules: Any = None,
) -> Played:
    """Play one game on both sides; raises Difference with a report at the first one."""
    chance = random.Random(seed)
    engine = Engine(rules, players, seed, groups)
    twin = Twin(rules if twin_rules is None else twin_rules, players, seed, groups)
    played: list[str] = []
    seen: Counter[str] = Counter()
    while True:
        difference = differences(engine, twin)
        if difference:
            raise Difference(report(players, seed, driver, played, difference, engine, twin))
        if twin.over or len(played) >= decisions:
            break
        text = driver.choose(twin.legal(), chance)
        seen[f"{twin.phase.name} {text.partition(':')[0]}"] += 1
        played.append(f"{twin.phase.name} {'ABCDEFGH'[twin.actor]} {text}")
        try:
            twin.play(text)
            engine.play(text)
        except Exception as problem:
            lines = [f"{type(problem).__name__}: {problem}"]
            raise Difference(
                report(players, seed, driver, played, lines, engine, twin)
            ) from problem
    table = twin.table
    return Played(len(played), table.turns, not table.truncated and table.over, seen)


def differences(engine: Engine, twin: Twin) -> list[str]:
    """What the two sides disagree about, one line each."""
    theirs, ours = engine.state(), twin.state()
    if "auction" in ours and ours["phase"] == "AUCTION":
        theirs["auction"] = engine.auction()
    if "offer" in ours and ours["phase"] in ("DEAL", "ANSWER"):
        theirs["offer"] = engine.offer()
    lines = [
        f"{name}: engine {theirs.get(name)}, twin {ours.get(name)}"
        for name in ours
        if theirs.get(name) != ours[name]
    ]
    mask, legal = engine.legal(), twin.legal()
    if mask != legal:
        lines.append(f"legal only in the engine: {sorted(mask - legal)}")
        lines.append(f"legal only in the twin: {sorted(legal - mask)}")
    journal, events = engine.events(), [used(*event) for event in twin.events]
    if journal != events:
        lines.append(f"journal of the engine: {journal}")
        lines.append(f"journal of the twin:   {events}")
    if twin.over and engine.standings() != twin.standings():
        lines.append(f"standings: engine {engine.standings()}, twin {twin.standings()}")
    return lines


def report(
    players: int,
    seed: int,
    driver: Driver,
    played: list[str],
    lines: list[str],
    engine: Engine,
    twin: Twin,
) -> str:
    """All that is needed to look into a difference."""
    tail = "\n    ".join(played[-25:])
    journal = "\n    ".join(str(event) for event in engine.events())
    return (
        f"players {players}, seed {seed}, driver {driver.name}, decision {len(played)}\n"
        f"  last actions:\n    {tail}\n"
        f"  engine's journal:\n    {journal}\n"
        f"  engine state: {engine.state()}\n"
        f"  twin state:   {twin.state()}\n"
        "  differences:\n    " + "\n    ".join(lines)
    )


# --- many games ---


def compare_setting(setting: Setting, plan: Plan) -> Counter[str]:
    """Play the games of a plan under one setting; raises Difference at the first one."""
    rules, began = setting.load(), time.monotonic()
    total, ended = 0, 0
    seen: Counter[str] = Counter()
    for number in range(1, plan.games + 1):
        game = compare_game(rules, *plan.game(plan.first + number), plan.decisions, plan.groups)
        total += game.decisions
        ended += game.finished
        seen += game.texts
        if number % 200 == 0 or number == plan.games:
            say(
                f"{setting}: {number} games equal, {ended} of them finished, "
                f"{total} decisions, {time.monotonic() - began:.0f} s"
            )
    return seen


@dataclass(frozen=True)
class Plan:
    """How many games, from which number on; the number says players, seed and driver."""

    games: int
    least: int = 2
    most: int = 8
    first: int = 0
    drivers: tuple[str, ...] = tuple(DRIVERS)
    decisions: int = 1_000_000  # a game is left after these
    groups: bool = False  # every group is somebody's from the start

    def game(self, number: int) -> tuple[int, int, Driver]:
        """Players, seed and driver of a game."""
        players = self.least + number % (self.most - self.least + 1)
        return players, number, DRIVERS[self.drivers[number % len(self.drivers)]]


def main(arguments: list[str] | None = None) -> int:
    """Compare many games; 1 if any differs."""
    options = parse(arguments)
    least, _, most = options.players.partition("-")
    plan = Plan(
        options.games,
        int(least),
        int(most or least),
        options.first,
        tuple(options.drivers.split(",")),
        options.decisions,
        options.groups,
    )
    seen: Counter[str] = Counter()
    failed = 0
    for setting, its_plan in chosen(options, plan):
        try:
            seen += compare_setting(setting, its_plan)
        except Difference as difference:
            failed += 1
            say(f"DIFFERENT: {difference}\n  under {setting}")
    if options.seen:
        say("  " + ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    return int(failed > 0)


def chosen(options: argparse.Namespace, plan: Plan) -> Iterator[tuple[Setting, Plan]]:
    """The settings that were asked for."""
    if options.settings == "named":
        yield from ((setting, plan) for setting in named_settings())
    elif options.settings == "mixed":
        for number in range(plan.first, plan.first + plan.games):
            yield mixture(number + 1), replace(plan, games=1, first=number)
    else:
        rules = dict(pair.split("=") for pair in options.rule)
        numbers = {name: int(value) for name, value in rules.items()}
        yield Setting(options.edition, options.mode, numbers), plan


def say(line: str) -> None:
    """One line of progress."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare the engine with the slow twin.")
    parser.add_argument("--games", type=int, default=2000, help="of each setting")
    parser.add_argument("--players", default="2-8", help="such as 4 or 2-8")
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--mode", default="standard")
    parser.add_argument("--rule", action="append", default=[], help="name=number")
    parser.add_argument(
        "--settings",
        choices=("one", "named", "mixed"),
        default="one",
        help="the one described; every edition, mode and switch; or all rules drawn at random",
    )
    parser.add_argument("--drivers", default=",".join(DRIVERS))
    parser.add_argument("--first", type=int, default=0, help="number of the first game, less 1")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="leave a game after these")
    parser.add_argument("--groups", action="store_true", help="start with all groups dealt out")
    parser.add_argument("--seen", action="store_true", help="list what was played, by phase")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())

"""Random legal play in several styles, with an invariant asked after every decision.

``python -m tests.engine.fuzz --decisions 10000000`` plays that many decisions over mixed
editions, modes, switches and numbers of players, and fails at the first unsound position.
:mod:`tests.engine.whole_games` plays games to their end.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.editions import load_edition
from monopoly_env.engine import flow, new_game
from monopoly_env.engine import status as invariants
from monopoly_env.engine.actions import BASE, N_ACTIONS, N_KINDS, TEXTS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import Kind, legal_bits, why
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.masks import nth_set, random_below
from monopoly_env.engine.phases import PHASES, Phase
from monopoly_env.engine.state import new_games
from monopoly_env.engine.status import Status
from monopoly_env.engine.why import Why

STYLES: dict[str, dict[str, int]] = {
    # weights of the kinds that a style likes more or less than 10
    "random": {},
    "builder": {"BUY": 200, "BUILD": 400, "MORTGAGE": 0, "SELL": 0, "SELL_GROUP": 0, "DEAL": 1,
                "CLAIM": 30, "LIFT": 40, "ACCEPT": 40, "RAISE": 20},
    "trader": {"BUY": 100, "DEAL": 60, "OFFER": 60, "CANCEL": 1, "ACCEPT": 60, "MORTGAGE": 3,
               "BUILD": 100, "SELL": 2, "PROPOSE": 60},
    "spender": {"BUY": 100, "MORTGAGE": 30, "BUILD": 100, "SELL": 0, "BANKRUPT": 100, "KEEP": 30},
    "quick": {"BUY": 100, "END_TURN": 60, "PASS": 60, "ROLL": 60, "DEAL": 0, "MORTGAGE": 1},
}  # fmt: skip


@dataclass
class Tally:
    """What a fuzz run has seen."""

    games: int = 0
    decisions: int = 0
    phases: Any = field(default_factory=lambda: np.zeros(PHASES, np.int64))
    actions: Any = field(default_factory=lambda: np.zeros(N_ACTIONS, np.int64))
    reasons: Any = field(default_factory=lambda: np.zeros(len(Why), np.int64))
    cards: Any = field(default_factory=lambda: np.zeros(40, np.int64))
    events: Any = field(default_factory=lambda: np.zeros(32, np.int64))


def weights(style: str) -> Any:
    """The weight of each kind of action."""
    row = np.full(N_KINDS, 10, np.int64)
    for name, weight in STYLES[style].items():
        row[Kind[name]] = weight
    return row


@jit
def weighted_pick(bits: Any, liking: Any, state: Any) -> int:
    """A kind of action by its weight, then one of that kind; any if all weigh nothing."""
    total = 0
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            total += max(liking[kind], 0)
    blind = total == 0
    if blind:
        for kind in range(N_KINDS):
            total += 1 if bits[kind] != 0 else 0
    left = random_below(state, total)
    for kind in range(N_KINDS):
        if bits[kind] != 0:
            left -= 1 if blind else liking[kind]
            if left < 0:
                index = random_below(state + GAMMA, count(bits[kind]))
                return int(BASE[kind]) + nth_set(bits[kind], index)
    return -1


@jit
def fuzz(
    games: Any, rules_: Any, journals: Any, players: int, seed: int, decisions: int, liking: Any,
    bits: Any, phases: Any, actions: Any, reasons: Any, cards: Any, events: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Play; returns decisions played, the broken invariants (0: none) and games finished."""
    game, rules, log = games[0], rules_[0], journals[0]
    state = np.uint64(seed) * GAMMA
    ended = 0
    new_game.new_game(game, rules, log, players, seed)
    flow.proceed(game, rules, log)
    for played in range(decisions):
        broken = invariants.status(game, rules, bits)
        if broken != 0:
            return played, broken, ended
        if game.phase == Phase.OVER:
            ended += 1
            new_game.new_game(game, rules, log, players, seed + 7919 * ended)
            flow.proceed(game, rules, log)
            continue
        phases[game.phase] += 1
        legal_bits(game, rules, bits)
        state += GAMMA + GAMMA
        action = weighted_pick(bits, liking, state)
        actions[action] += 1
        probe = random_below(state ^ GAMMA, N_ACTIONS)
        reasons[why(game, rules, probe)] += 1
        flow.step(game, rules, log, action)
        for index in range(log.length):
            events[log.events[index].kind] += 1
            if log.events[index].kind == 4:
                cards[log.events[index].square] += 1
    return decisions, 0, ended


def run(
    edition: str, mode: str, overrides: dict[str, object], style: str, players: int, seed: int,
    decisions: int, tally: Tally,
) -> None:  # fmt: skip
    """Fuzz one setting; raises AssertionError with all that is needed to repeat it."""
    rules = load_edition(edition, mode, overrides).rules
    games, journals = new_games(1), new_journals(1, on=True)
    played, broken, ended = fuzz(
        games, rules, journals, players, seed, decisions, weights(style),
        np.zeros(N_KINDS, np.int64), tally.phases, tally.actions, tally.reasons, tally.cards,
        tally.events,
    )  # fmt: skip
    tally.games += ended
    tally.decisions += played
    assert broken == 0, (
        f"{Status(broken)!r} after {played} decisions: edition {edition}, mode {mode}, "
        f"rules {overrides}, style {style}, players {players}, seed {seed}"
    )


SETTINGS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("classic", "standard", {}),
    ("classic", "standard", {"deals": "menu"}),
    ("classic", "standard", {"deals": "off", "windows": "own"}),
    ("classic", "standard", {"rent_asked": True}),
    ("classic", "standard", {"houses": 5, "hotels": 1}),
    ("classic", "standard", {"start_cash": 300, "creditors_in_turn": True}),
    ("classic", "standard", {"auctions": False, "free_parking_jackpot": True, "gifts": True,
                             "buy_after_laps": 1, "even_building": False, "landing_bonus": 200}),
    ("classic", "standard", {"limited_buildings": False, "mortgage_beside_buildings": True}),
    ("classic", "short", {}),
    ("kanto2014", "standard", {}),
    ("kanto2014", "short", {"rent_asked": True}),
    ("pokemon1999", "standard", {"power_doubles": True, "rent_asked": True}),
    ("pokemon1999", "short", {"houses": 4}),
    ("pokemon1999", "time_limit", {"time_limit_rounds": 8}),
    ("pokemon_fr2000", "standard", {"power_doubles": True, "houses": 4, "hotels": 2}),
    ("pokemon_fr2000", "standard", {"rent_asked": True, "start_cash": 400}),
    ("pokemon_fr2000", "short", {}),
    ("pokemon_fr2000", "time_limit", {"power_doubles": True}),
    ("nintendo2010", "standard", {"max_turns": 60}),
    ("yugioh2016", "standard", {"max_decisions": 500}),
    ("yugioh2016", "short", {}),
)  # fmt: skip


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    runs = [(s, style, players) for s in SETTINGS for style in STYLES for players in range(2, 9)]
    each = max(1, arguments.decisions // len(runs))
    tally, began = Tally(), time.perf_counter()
    for number, ((edition, mode, overrides), style, players) in enumerate(runs):
        most = load_edition(edition, mode, overrides).max_players
        run(
            edition,
            mode,
            overrides,
            style,
            min(players, most),
            arguments.seed + number,
            each,
            tally,
        )
    seconds = time.perf_counter() - began
    unseen = [TEXTS[action] for action in range(N_ACTIONS) if tally.actions[action] == 0]
    sys.stdout.write(
        f"{tally.decisions} decisions, {tally.games} games, {seconds:.0f} s, status 0 throughout\n"
        f"decisions by phase: { {p.name: int(tally.phases[p]) for p in Phase} }\n"
        f"never legal or never chosen: {', '.join(unseen) or 'none'}\n"
        f"reasons never met: {[w.name for w in Why if tally.reasons[w] == 0]}\n"
    )


if __name__ == "__main__":
    main()

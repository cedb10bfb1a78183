"""The parameters that the environments share, and what they come to: a record for the kernel.

Every fault is one line that names the parameter and the remedy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

import numpy as np

from monopoly_env.agent import Agent, AgentSpec, find_agent
from monopoly_env.compiler.records import new_records
from monopoly_env.editions import Edition, load_edition
from monopoly_env.encoding.reward import Reward, make_reward
from monopoly_env.engine.actions import KINDS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import Policy, policy_address, weights_address
from monopoly_env.engine.policy_loop import ALL_PHASES
from monopoly_env.envs._records import ANY, KERNEL_CONFIG
from monopoly_env.envs.step_codes import EXTERNAL
from monopoly_env.errors import InputError, Location, show, suggest

Windows = Literal["all", "own"]
Deals = Literal["steps", "menu", "off"]
Bot = str | AgentSpec | Agent  # a bot by name, as an agent found it, or made already
Opponent = Bot | tuple[Bot, ...]  # to be drawn: a bot for one seat, or bots for all others
Compiled = tuple[Policy, Any]  # with the weights that it is handed; None: its own
Pool = Sequence[Opponent] | Mapping[Any, float]

HEAVIEST = 1e9  # weight of a bot in a pool
DECISIONS = tuple(phase.name for phase in Phase if phase is not Phase.OVER)


def fail(parameter: str, problem: str) -> NoReturn:
    """Raise the error for a parameter: one line."""
    Location(parameter, (), InputError).fail(problem)


def check_word(parameter: str, value: object, known: Sequence[str]) -> None:
    """A word out of a few."""
    if not isinstance(value, str) or value not in known:
        fail(parameter, f"must be one of {', '.join(known)}, not {show(value)}")


class RenderModeError(InputError, TypeError):
    """A way of rendering that there is not.

    A TypeError too: Stable-Baselines3 asks for pictures first, and goes without after that error.
    """


def check_render_mode(mode: object) -> None:
    """None, or the one there is."""
    if mode is not None and not (isinstance(mode, str) and mode == "ansi"):
        Location("render_mode", (), RenderModeError).fail(
            f"must be one of ansi, or None, not {show(mode)}"
        )


def check_list(parameter: str, value: object, what: str) -> list[Any]:
    """A list or tuple; a lone word is none."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        fail(parameter, f"must be a list of {what}, not {show(value)}")
    return list(value)


def check_flag(parameter: str, value: object) -> bool:
    """Yes or no."""
    if not isinstance(value, bool | np.bool_):
        fail(parameter, f"must be True or False, not {show(value)}")
    return bool(value)


def check_whole(parameter: str, value: object, low: int, high: int) -> int:
    """A whole number within limits."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        fail(parameter, f"must be a whole number, not {show(value)}")
    if not low <= value <= high:
        fail(parameter, f"must be from {low} to {high}, not {show(value)}")
    return int(value)


@dataclass(frozen=True)
class TableOptions:
    """What can be said of a table, whoever sits there; see docs/environments.md."""

    edition: str | Path | Edition = "classic"
    mode: str = "standard"
    num_players: int = 4
    rules: Mapping[str, object] | None = None
    windows: Windows | None = None  # None: as the rules say, which is all
    deals: Deals | None = None  # None: as the rules say, which is steps
    decides: Sequence[str] | None = None  # phases; None: all
    rest: Bot = "background"  # plays the phases that are not in decides
    leaves: Sequence[str] = ()  # kinds of action that rest takes in the other phases, too
    skip_forced: bool = False
    reward: str | Mapping[str, object] | Reward = "win"
    any_players: bool = False

    def overrides(self) -> dict[str, object]:
        """The rules that the table's own options stand for."""
        found: dict[str, object] = {}
        Location("rules", (), InputError).mapping(self.rules)
        if self.windows is not None:
            check_word("windows", self.windows, ("all", "own"))
            found["windows"] = self.windows
        if self.deals is not None:
            check_word("deals", self.deals, ("steps", "menu", "off"))
            found["deals"] = self.deals
        if check_flag("any_players", self.any_players):
            found["max_players"] = PLAYERS
        given = {"windows": ("windows", "between_windows"), "deals": ("deals",)}
        for name, rules in given.items():
            if name in found and any(rule in (self.rules or {}) for rule in rules):
                fail(name, f"is a rule too, and rules={{...}} names it; give {name} once")
        return found

    def load(self) -> Edition:
        """The edition with its rules overridden, fit for the number of players."""
        found = self.overrides()
        check_whole("num_players", self.num_players, 2, PLAYERS)
        if isinstance(self.edition, Edition):
            if self.rules or found or self.mode not in ("standard", self.edition.mode):
                fail(
                    "edition", "is loaded already; give mode, rules, windows, deals to load_edition"
                )
            loaded = self.edition
        else:
            loaded = load_edition(self.edition, self.mode, {**(self.rules or {}), **found})
        if self.num_players > loaded.max_players:
            fail(
                "num_players",
                f"{loaded.id} is for {loaded.min_players} to {loaded.max_players} players, not "
                f"{self.num_players}; any_players=True allows up to {PLAYERS}",
            )
        loaded.check_players(self.num_players, "num_players")
        return loaded

    def decided(self) -> int:
        """The phases that outside seats decide, as bits."""
        if self.decides is None:
            return ALL_PHASES
        check_list("decides", self.decides, "phases, such as ['BUY', 'AUCTION']")
        bits = 0
        for name in self.decides:
            phase = str(name).upper()
            if phase not in DECISIONS:
                fail("decides", f"there is no phase {show(name)}; {suggest(phase, DECISIONS)}")
            bits |= 1 << Phase[phase]
        if bits == 0:
            fail("decides", "names no phase; name one, or leave it out for all")
        return bits

    def left(self) -> int:
        """The kinds of action that outside seats leave to ``rest``, as bits."""
        bits = 0
        for name in check_list("leaves", self.leaves, "kinds of action, such as ['deal', 'sell']"):
            kind = str(name).lower()
            if kind not in KINDS:
                fail("leaves", f"there is no kind of action {show(name)}; {suggest(kind, KINDS)}")
            bits |= 1 << KINDS.index(kind)
        return bits

    @property
    def needs_rest(self) -> bool:
        """Whether ``rest`` plays at all."""
        return self.decides is not None or len(self.leaves) > 0


class EnvConfig:
    """An environment's parameters, checked: the edition, and what the kernel is told of them.

    Attributes:
        kernel_config: an array of one KERNEL_CONFIG record.
        bots: the names of the compiled policies in use, by number.
    """

    def __init__(self, options: TableOptions) -> None:
        self.options = options
        self.edition = options.load()
        self.players = int(options.num_players)
        self.reward = make_reward(options.reward)
        self.kernel_config: Any = new_records(1, KERNEL_CONFIG)
        self.policies: list[Compiled] = []  # kept alive: the kernel has their addresses only
        self.bots: list[str] = []
        self.kernel_config["rules"][0] = self.edition.rules[0]
        self.kernel_config["reward"][0] = self.reward.record()[0]
        self.kernel_config["players"] = self.players
        self.kernel_config["decides"] = options.decided()
        self.kernel_config["leaves"] = options.left()
        self.kernel_config["skip_forced"] = check_flag("skip_forced", options.skip_forced)
        self.kernel_config["seat"] = ANY
        self.kernel_config["opponents"] = EXTERNAL
        if options.needs_rest:
            self.kernel_config["fallback"] = self.number("rest", options.rest)

    def number(self, parameter: str, bot: Bot) -> int:
        """The number of a bot's compiled policy, which is added if it has none yet."""
        check_bot(parameter, bot)
        policy, weights = compiled(bot)
        if policy is None:
            fail(parameter, f"{bot_name(bot)} is not compiled; name a compiled bot")
        for number, (other, others) in enumerate(self.policies):
            if other is policy and others is weights:
                return number
        if len(self.policies) == PLAYERS:
            fail(parameter, f"more than {PLAYERS} different bots; name fewer")
        number = len(self.policies)
        self.policies.append((policy, weights))
        self.bots.append(bot_name(bot))
        self.kernel_config["policies"][0, number] = policy_address(policy)
        self.kernel_config["weights"][0, number] = weights_address(weights)
        return number

    def seat_everyone(self, elimination: str) -> None:
        """Every seat decides for itself."""
        check_word("elimination", elimination, ("immediate", "end"))
        self.kernel_config["every_seat"] = 1
        self.kernel_config["pay_leavers"] = elimination == "immediate"

    def seat_learner(self, seat: object, play_out: object) -> None:
        """One seat learns; a number, or ``random``: another one in each game."""
        if isinstance(seat, str):
            check_word("seat", seat, ("random",))
        else:
            self.kernel_config["seat"] = check_whole("seat", seat, 0, self.players - 1)
        self.kernel_config["play_out"] = check_flag("play_out", play_out)

    def seat_opponent(self, left: int, bot: Bot, parameter: str = "opponents") -> None:
        """Seat a compiled bot so many places to the learner's left."""
        self.kernel_config["opponents"][0, left - 1] = self.number(parameter, bot)

    def seat_pool(self, pool: Pool) -> None:
        """The opponents of each game are drawn from a pool of compiled bots.

        Each seat for itself; or, if the pool has tuples, a tuple or one bot for all seats at once.
        """
        given: object = pool  # whatever the caller's type checker did not see
        if isinstance(given, str) or not isinstance(given, Mapping | Sequence) or not given:
            fail("pool", f"must be bots, or a mapping from bots to weights, not {show(pool)}")
        for entry in pool:
            for bot in entry if isinstance(entry, tuple) else (entry,):
                check_bot("pool", bot)
        weights = dict(pool) if isinstance(pool, Mapping) else dict.fromkeys(pool, 1.0)
        self.policies.clear()  # the pool's policies come first, so that draws are their numbers
        self.bots.clear()
        bots = [entry for entry in weights if not isinstance(entry, tuple)]
        if len(bots) < len(weights):
            self._seat_tables(list(weights))
        elif [self.number("pool", bot) for bot in bots] != list(range(len(bots))):
            fail("pool", "names a bot twice")
        shares = [pool_weight(entry, weight) for entry, weight in weights.items()]
        self.kernel_config["pool"] = len(shares)
        self.kernel_config["chances"][0, : len(shares)] = np.cumsum(shares) / sum(shares)
        if self.options.needs_rest:
            self.kernel_config["fallback"] = self.number("rest", self.options.rest)

    def _seat_tables(self, entries: Sequence[Opponent]) -> None:
        """Note who sits in the other seats at each table of the pool."""
        seats = self.players - 1
        if len(entries) > PLAYERS:
            fail("pool", f"has more than {PLAYERS} tables; name fewer")
        self.kernel_config["whole"] = 1
        for row, entry in enumerate(entries):
            bots = entry if isinstance(entry, tuple) else (entry,) * seats
            if len(bots) != seats:
                fail("pool", f"a table needs {seats} bots, not {len(bots)}: {pool_name(entry)}")
            for left, bot in enumerate(bots):
                self.kernel_config["line_ups"][0, row, left] = self.number("pool", bot)


# Bots


def compiled(bot: Bot) -> tuple[Policy | None, Any]:
    """The compiled policy of a bot, if it has one, and the weights it is handed, if any."""
    found = find_agent(bot)[0] if isinstance(bot, str) else bot
    return getattr(found, "policy", None), getattr(found, "weights", None)


def pool_name(entry: Opponent) -> str:
    """What an entry of a pool is called: a bot, or the bots of a table with commas between them."""
    return ",".join(map(bot_name, entry)) if isinstance(entry, tuple) else bot_name(entry)


def pool_weight(entry: Opponent, weight: object) -> float:
    """How often an entry of a pool is drawn, in proportion to the others' weights."""
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        fail("pool", f"the weight of {pool_name(entry)} must be a number, not {show(weight)}")
    if not 0 < weight <= HEAVIEST:
        fail("pool", f"the weight of {pool_name(entry)} must be more than 0, up to 1e9")
    return float(weight)


def bot_name(bot: Bot) -> str:
    """What a bot is called."""
    return bot if isinstance(bot, str) else str(getattr(bot, "name", "") or type(bot).__name__)


def check_bot(parameter: str, bot: object) -> None:
    """Something that can be found or asked to decide."""
    if not isinstance(bot, str | AgentSpec) and not callable(getattr(bot, "decide", None)):
        fail(parameter, f"{show(bot)} is no bot; give names, or objects with decide(view)")


def check_opponents(opponents: object) -> list[Bot]:
    """The bots round the table, from the learner's left."""
    found: list[Bot] = check_list("opponents", opponents, "bots, such as ['random']")
    if not 1 <= len(found) < PLAYERS:
        fail("opponents", f"must be 1 to {PLAYERS - 1} bots, not {len(found)}")
    for bot in found:
        check_bot("opponents", bot)
    return found

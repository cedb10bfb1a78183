"""Converts an environment's options into the edition, the kernel's record and the policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from monopoly_env.compiler.records import Records, new_records
from monopoly_env.encoding.reward import make_reward
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.policy import Policy, policy_address, weights_address
from monopoly_env.envs._records import ANY, KERNEL_CONFIG
from monopoly_env.envs._saved_state import fill
from monopoly_env.envs.checks import check_flag, check_whole, check_word, fail
from monopoly_env.envs.options import ILLEGAL_ACTIONS, Bot, Opponent, Pool, TableOptions
from monopoly_env.envs.seating import (
    bot_name,
    check_bot,
    check_compiled,
    compiled,
    pool_name,
    pool_weight,
)
from monopoly_env.envs.step_codes import EXTERNAL
from monopoly_env.errors import show

OUTSIDE = ""  # the name of the external opponent, played by the caller


@dataclass(frozen=True, eq=False)
class CompiledBot:
    """A compiled policy in use, and the bot that provided it."""

    bot: Bot
    policy: Policy
    weights: Any  # kept alive, because the kernel only has their address

    def __deepcopy__(self, _: dict[int, Any]) -> CompiledBot:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return reload_compiled, (self.bot, self.weights)


def reload_compiled(bot: Bot, weights: Any) -> CompiledBot:
    """Return a compiled policy in another process, with its original weights."""
    policy = compiled(bot)[0]
    if policy is None:
        fail("opponents", f"{bot_name(bot)} is not compiled any more")
    return CompiledBot(bot, policy, weights)


class EnvConfig:
    """The checked options of an environment: the edition and the record for the kernel.

    Attributes:
        kernel_config: an array of one KERNEL_CONFIG record.
        bots: the names of the compiled policies in use, by number.
        python_bots: for each seat of a Python bot, how far left of the learner it is, the number of
            the bot (one object may have several seats) and the bot's name.
    """

    def __init__(self, options: TableOptions) -> None:
        self.options = options
        self.editions = options.editions()
        self.edition = self.editions.first
        self.players = int(options.num_players)
        self.reward = make_reward(options.reward)
        self.kernel_config: Records = new_records(1, KERNEL_CONFIG)
        self.policies: list[CompiledBot] = []
        self.bots: list[str] = []
        self.python_bots: tuple[tuple[int, int, str], ...] = ()
        self.kernel_config["rules"][0] = self.edition.rules[0]
        self.set_boards()
        self.kernel_config["reward"][0] = self.reward.record()[0]
        self.kernel_config["players"] = self.players
        self.kernel_config["decides"] = options.decided_phases()
        self.kernel_config["leaves"] = options.left_kinds()
        self.kernel_config["skip_forced"] = check_flag("skip_forced", options.skip_forced)
        self.kernel_config["seat"] = ANY
        self.kernel_config["opponents"] = EXTERNAL
        if options.needs_fallback:
            self.kernel_config["fallback"] = self.number("rest", options.rest)
        else:
            check_compiled("rest", options.rest)

    def number(self, parameter: str, bot: Bot) -> int:
        """Return the number of a bot's compiled policy; a new policy is added."""
        check_bot(parameter, bot)
        policy, weights = compiled(bot)
        if policy is None:
            fail(parameter, f"{bot_name(bot)} is not compiled; name a compiled bot")
        for number, other in enumerate(self.policies):
            if other.policy is policy and other.weights is weights:
                return number
        if len(self.policies) == PLAYERS:
            fail(parameter, f"more than {PLAYERS} different bots; name fewer")
        number = len(self.policies)
        self.policies.append(CompiledBot(bot, policy, weights))
        self.bots.append(bot_name(bot))
        self._set_addresses()
        return number

    def set_illegal_action(self, word: str) -> None:
        """Set what happens after a learner's illegal action."""
        check_word("illegal_action", word, tuple(ILLEGAL_ACTIONS))
        self.kernel_config["illegal"] = ILLEGAL_ACTIONS[word]

    def _set_addresses(self) -> None:
        """Store the addresses of the policies and their weights in this process."""
        numbers = [number for number, name in enumerate(self.bots) if name != OUTSIDE]
        for number, bot in zip(numbers, self.policies, strict=True):
            self.kernel_config["policies"][0, number] = policy_address(bot.policy)
            self.kernel_config["weights"][0, number] = weights_address(bot.weights)

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield the options that were given as objects, not by name; see :class:`ExactCopies`."""
        for option in fields(self.options):
            value = getattr(self.options, option.name)
            several = isinstance(value, list | tuple | Mapping)
            for item in (*value, value) if several else (value,):
                if not isinstance(item, str | int | float | None):
                    yield option.name, item

    def __getstate__(self) -> dict[str, Any]:
        kernel_config = self.kernel_config.copy()
        for addresses in ("policies", "weights", "starts", "boards"):
            kernel_config[addresses] = 0
        return self.__dict__ | {"kernel_config": kernel_config.tobytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.kernel_config = new_records(1, KERNEL_CONFIG)
        fill(self.kernel_config, state["kernel_config"])
        self._set_addresses()
        if self.kernel_config["board_count"][0]:
            self.set_boards()

    def set_boards(self) -> None:
        """Let each new game draw its edition, if there are several."""
        several = len(self.editions) > 1
        self.kernel_config["board_count"] = len(self.editions) if several else 0
        self.kernel_config["boards"] = self.editions.rules.ctypes.data if several else 0

    def use_one_edition(self) -> None:
        """Play all games by the rules of the record."""
        self.kernel_config["board_count"] = self.kernel_config["boards"] = 0

    def seat_everyone(self, elimination: str) -> None:
        """Make every seat external: the caller decides for all of them."""
        check_word("elimination", elimination, ("immediate", "end"))
        self.kernel_config["every_seat"] = 1
        self.kernel_config["pay_leavers"] = elimination == "immediate"

    def seat_learner(self, seat: object, play_out: object) -> None:
        """Set the learner's seat: a number, or ``random`` to draw it for each game."""
        if isinstance(seat, str):
            check_word("seat", seat, ("random",))
        else:
            self.kernel_config["seat"] = check_whole("seat", seat, 0, self.players - 1)
        self.kernel_config["play_out"] = check_flag("play_out", play_out)

    def seat_opponent(self, left: int, bot: Bot, parameter: str = "opponents") -> None:
        """Seat a compiled bot ``left`` seats to the learner's left."""
        self.kernel_config["opponents"][0, left - 1] = self.number(parameter, bot)

    def seat_pool(self, pool: Pool) -> None:
        """Draw the opponents of each game from a pool of compiled bots.

        Each seat draws on its own. If the pool has tuples, each entry (a tuple, or one bot) fills
        all seats.
        """
        given: object = pool  # callers may pass anything
        if isinstance(given, str) or not isinstance(given, Mapping | Sequence) or not given:
            fail("pool", f"must be bots, or a mapping from bots to weights, not {show(pool)}")
        for entry in pool:
            for bot in entry if isinstance(entry, tuple) else (entry,):
                check_bot("pool", bot)
        weights = dict(pool) if isinstance(pool, Mapping) else dict.fromkeys(pool, 1.0)
        if len(weights) < len(pool):
            twice = next(entry for entry in pool if list(pool).count(entry) > 1)
            fail("pool", f"names {pool_name(twice)} twice; weights say how often one is drawn")
        self.policies.clear()  # the pool's policies come first, so that draws are their numbers
        self.bots.clear()
        bots = [entry for entry in weights if not isinstance(entry, tuple)]
        if len(bots) < len(weights):
            self._seat_line_ups(list(weights))
        elif [self.number("pool", bot) for bot in bots] != list(range(len(bots))):
            fail("pool", "names a bot twice")
        numbers = [pool_weight(entry, weight) for entry, weight in weights.items()]
        self.kernel_config["pool"] = len(numbers)
        self.kernel_config["chances"][0, : len(numbers)] = np.cumsum(numbers) / sum(numbers)
        if self.options.needs_fallback:
            self.kernel_config["fallback"] = self.number("rest", self.options.rest)

    def _seat_line_ups(self, entries: Sequence[Opponent]) -> None:
        """Store the opponents in each seat for each entry of the pool."""
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

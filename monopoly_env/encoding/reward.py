"""Rewards: at the end of a game, at a seat's own decisions, and by potential-based shaping.

A reward is a small record of codes and weights that compiled loops read; the classes (:class:`Win`,
:class:`Rank`, :class:`NetWorthShare`) only fill that record. Rewards are paid to one seat at a
time: at the seat's own next decision, or when the game ends for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from numbers import Real
from typing import Annotated, Any, Self

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.engine.board import GROUP
from monopoly_env.engine.deeds import owns_group
from monopoly_env.engine.ending import stands_before
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import building_cost, net_worth
from monopoly_env.errors import InputError, Location, show

HEAVIEST = 1e6  # limit of the scales, so that rewards fit into float32 with precision to spare
MOST = 10.0  # cap on own worth / others' worth, which has no bound as the others go broke


class End(IntEnum):
    """The reward at the end of a game."""

    NONE = 0  # nothing
    WIN = 1  # winner 1, everybody else -1 / (players - 1); ties share; the sum is 0
    RANK = 2  # from 1 for first place to -1 for last place in equal steps; the sum is 0
    PLUS_MINUS = 3  # winner 1, everybody else -1
    WIN_ONLY = 4  # winner 1, everybody else 0; ties share


class Truncation(IntEnum):
    """The reward of a game that a limit of turns or decisions ended."""

    BOOTSTRAP = 0  # nothing, and the potential is kept: the learner bootstraps
    STANDINGS = 1  # the end reward for the current standings
    ZERO = 2  # nothing, and the potential is 0, as if nobody had won


class Each(IntEnum):
    """The reward at each own decision except the first."""

    NONE = 0  # nothing
    NET_WORTH_SHARE = 1  # own worth / sum of the others' worth


class Potential(IntEnum):
    """The potential Φ of the shaping reward gamma × Φ(now) − Φ(previous decision)."""

    NONE = 0  # nothing
    NET_WORTH = 1  # own share of the total net worth, 0 to 1


class RewardState:
    """A reward in the form that compiled loops read."""

    end_scale: Annotated[float, Field("f8", (), "", "factor of the end reward")]
    each_scale: Annotated[float, Field("f8", (), "", "factor of the decision reward")]
    potential_scale: Annotated[float, Field("f8", (), "", "factor of the potential")]
    gamma: Annotated[float, Field("f8", (), "", "the learner's discount, for shaping")]
    end: Annotated[int, Field("i1", (), "End", "reward at the end")]
    each: Annotated[int, Field("i1", (), "Each", "reward at each decision")]
    potential: Annotated[int, Field("i1", (), "Potential", "potential for shaping")]
    truncation: Annotated[int, Field("i1", (), "Truncation", "reward of a truncated game")]


REWARD = dtype_of(RewardState)


# Computing rewards


@jit
def reward_at_end(game: GameState, rules: RuleSet, seat: int, code: int) -> float:
    """Return the end reward of ``seat`` for its final rank, or its rank when it went bankrupt."""
    if code == End.NONE:
        return 0.0
    ahead, level = 0, 1
    for other in range(game.players):
        if other != seat:
            if stands_before(game, rules, other, seat):
                ahead += 1
            elif not stands_before(game, rules, seat, other):
                level += 1
    others = game.players - 1
    if code == End.RANK:
        return 1.0 - (2.0 * ahead + (level - 1.0)) / others
    share = 1.0 / level if ahead == 0 else 0.0
    if code == End.WIN:
        return (game.players * share - 1.0) / others
    if code == End.WIN_ONLY:
        return share
    return 2.0 * share - 1.0


@jit
def reward_at_decision(game: GameState, rules: RuleSet, seat: int, code: int) -> float:
    """Return the reward of ``seat`` when it decides again."""
    if code == Each.NONE:
        return 0.0
    own, others = 0.0, 0.0
    for player in range(game.players):
        if player == seat:
            own = weighted_worth(game, rules, player)
        else:
            others += weighted_worth(game, rules, player)
    return MOST if own >= MOST * others else own / others


@jit
def weighted_worth(game: GameState, rules: RuleSet, player: int) -> float:
    """Return cash plus property at 1.5 times its value, or 2 times in complete groups.

    Source: Bonjour et al., IEEE TETCI 2022. Differs: mortgaged deeds count half; the ratio of own
    to others' worth is capped at MOST.
    """
    worth = float(game.cash[player])
    remaining = game.owned[player]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        value = float(rules.price[square])
        if (game.mortgaged >> square) & 1 != 0:
            value *= 0.5
        value += building_cost(game, rules, square)
        worth += value * (2.0 if owns_group(game, player, GROUP[square]) else 1.5)
    return worth


@jit
def potential(game: GameState, rules: RuleSet, seat: int, code: int) -> float:
    """Return the potential of ``seat``, 0 to 1."""
    if code == Potential.NONE:
        return 0.0
    own, total = 0.0, 0.0
    for player in range(game.players):
        worth = float(net_worth(game, rules, player))
        total += worth
        if player == seat:
            own = worth
    return own / total if total > 0.0 else 1.0 / game.players


@jit
def pay_decision(
    game: GameState, rules: RuleSet, reward: RewardState, seat: int, before: float
) -> tuple[float, float]:
    """Return the reward of ``seat`` since its last decision, and its current potential.

    ``before`` is its potential at that decision.
    """
    now = potential(game, rules, seat, reward.potential) * reward.potential_scale
    paid = reward_at_decision(game, rules, seat, reward.each) * reward.each_scale
    return paid + reward.gamma * now - before, now


@jit
def pay_end(
    game: GameState, rules: RuleSet, reward: RewardState, seat: int, before: float
) -> float:
    """Return the reward of ``seat`` when the game ends for it.

    A real end has potential 0. So does a truncation, unless the learner bootstraps: then the end
    reward is not paid and the potential is kept, because the learner estimates the rest of the
    game.
    """
    if game.phase == Phase.OVER and game.truncated != 0:
        if reward.truncation == Truncation.BOOTSTRAP:
            now = potential(game, rules, seat, reward.potential) * reward.potential_scale
            return reward.gamma * now - before
        if reward.truncation == Truncation.ZERO:
            return -before
    return reward_at_end(game, rules, seat, reward.end) * reward.end_scale - before


# Reward objects


@dataclass(frozen=True)
class Reward:
    """A reward function. Its fields are also the keys in configuration files. Scales: -1e6 to 1e6.

    Raises: InputError, one line, for an unknown or invalid value.
    """

    end: str = "win"  # none | win | rank | plus_minus | win_only, see End
    end_scale: float = 1.0
    each: str = "none"  # none | net_worth_share, see Each
    each_scale: float = 1.0
    potential: str = "none"  # none | net_worth, see Potential
    potential_scale: float = 1.0
    gamma: float = 1.0  # the learner's own, so that shaping keeps the optimal policy
    truncation: str = "standings"  # bootstrap | standings | zero, see Truncation

    def __post_init__(self) -> None:
        for key, codes in _CODES.items():
            _check_word(key, getattr(self, key), tuple(code.name.lower() for code in codes))
        for key in ("end_scale", "each_scale", "potential_scale", "gamma"):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, Real):
                (_LOCATION / key).fail(f"must be a number, not {show(value)}")
            number: Any = value  # compared as it is: 10**400 is no float
            if not -HEAVIEST <= number <= HEAVIEST:
                (_LOCATION / key).fail(
                    f"must be a number from {-HEAVIEST:,.0f} to {HEAVIEST:,.0f}, not {show(value)}"
                )
            object.__setattr__(self, key, float(number))  # NumPy's numbers, too
        if not 0 <= self.gamma <= 1:
            (_LOCATION / "gamma").fail(f"must be from 0 to 1, not {show(self.gamma)}")

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Return the reward with these fields. Raises: InputError for an unknown field."""
        known = [field.name for field in fields(cls)]
        for key in values:
            if key not in known:
                _LOCATION.fail_unknown(key, "key", known)
        return cls(**values)

    def last_place(self, players: int) -> float:
        """Return the end reward of the last of ``players`` players."""
        others = {End.NONE: 0.0, End.WIN: -1.0 / (players - 1), End.WIN_ONLY: 0.0}
        return others.get(End[self.end.upper()], -1.0) * self.end_scale

    def record(self) -> Any:
        """Return the reward as an array of one REWARD record."""
        records = new_records(1, REWARD)
        for key, codes in _CODES.items():
            records[key] = codes[getattr(self, key).upper()]
        for key in ("end_scale", "each_scale", "potential_scale", "gamma"):
            records[key] = getattr(self, key)
        return records


@dataclass(frozen=True)
class Win(Reward):
    """The winner gets 1, everybody else the same loss; the sum is 0."""


@dataclass(frozen=True)
class WinOnly(Reward):
    """The winner gets 1, everybody else 0, and nobody gets anything if a limit ends the game.

    A stalled game then pays less than an even one, so an agent gains by finishing the game. With
    ``win``, whose sum is 0, both pay 0 on average.
    """

    end: str = "win_only"
    truncation: str = "zero"


@dataclass(frozen=True)
class Rank(Reward):
    """From 1 for first place to -1 for last place; the sum is 0."""

    end: str = "rank"


@dataclass(frozen=True)
class NetWorthShare(Reward):
    """Own worth / sum of the others' worth at each decision, and ± ``end_scale`` at the end.

    Source: Bonjour et al., IEEE TETCI 2022: ``end_scale`` is 0 for their PPO, 10 for their DDQN.
    """

    end: str = "plus_minus"
    end_scale: float = 0.0
    each: str = "net_worth_share"


_LOCATION = Location("reward", (), InputError)
_CODES: dict[str, type[IntEnum]] = {
    "end": End,
    "each": Each,
    "potential": Potential,
    "truncation": Truncation,
}
REWARDS: dict[str, type[Reward]] = {
    "win": Win,
    "win_only": WinOnly,
    "rank": Rank,
    "net_worth": NetWorthShare,
}


def _check_word(key: str, value: object, known: tuple[str, ...]) -> None:
    """Check that a value is one of a few words. Raises: InputError."""
    if value not in known:
        (_LOCATION / key).fail(f"must be one of {', '.join(known)}, not {show(value)}")


def make_reward(value: object = "win") -> Reward:
    """Return a reward from its name, a mapping with ``name`` and fields, or a Reward as it is.

    >>> make_reward({"name": "rank", "potential": "net_worth", "gamma": 0.99}).end
    'rank'
    """
    if isinstance(value, Reward):
        return value
    if isinstance(value, str):
        return _named(value)()
    if not isinstance(value, Mapping):
        _LOCATION.fail(f"must be a name, a mapping or a Reward, not {show(value)}")
    values = _LOCATION.mapping(value)
    return _named(values.pop("name", "win")).of(**values)


def _named(name: object) -> type[Reward]:
    """Return the class of a reward by name. Raises: InputError."""
    if not isinstance(name, str) or name not in REWARDS:
        _LOCATION.fail(f"must be one of {', '.join(REWARDS)}, not {show(name)}")
    return REWARDS[name]

"""What a learner is paid: at the end of a game, at its own decisions, and by shaping.

A reward is a small record of codes and weights that compiled loops read; its objects
(:class:`Win`, :class:`Rank`, :class:`NetWorthShare`) only fill that record. Everything is paid to
one seat at a time: at the seat's own next decision, or when the game ends for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
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

HEAVIEST = 1e6  # of a reward's scales: what is paid fits a float32 with digits to spare
MOST = 10.0  # own worth over that of the others, at most: it has no bound as they run dry


class End(IntEnum):
    """What the end of a game pays."""

    NONE = 0  # nothing
    WIN = 1  # the winner 1, everybody else -1 / (players - 1); winners share; the sum is 0
    RANK = 2  # from 1 for the first to -1 for the last in equal steps; the sum is 0
    PLUS_MINUS = 3  # the winner 1, everybody else -1
    WIN_ONLY = 4  # the winner 1, everybody else 0; winners share


class Truncation(IntEnum):
    """What a game pays that a limit of turns or decisions ended."""

    BOOTSTRAP = 0  # nothing, and the potential stays: the learner estimates what would have come
    STANDINGS = 1  # what the end pays, by who stands first
    ZERO = 2  # nothing, as an end that nobody wins


class Each(IntEnum):
    """What each own decision but the first pays."""

    NONE = 0  # nothing
    NET_WORTH_SHARE = 1  # own worth over the sum of the others'


class Potential(IntEnum):
    """What shaping follows: gamma × potential now − potential at the decision before."""

    NONE = 0  # nothing
    NET_WORTH = 1  # own share of everybody's net worth, 0 to 1


class RewardState:
    """A reward as compiled loops read it."""

    end_scale: Annotated[float, Field("f8", (), "", "times what the end pays")]
    each_scale: Annotated[float, Field("f8", (), "", "times what a decision pays")]
    potential_scale: Annotated[float, Field("f8", (), "", "times the potential")]
    gamma: Annotated[float, Field("f8", (), "", "the learner's discount, for shaping")]
    end: Annotated[int, Field("i1", (), "End", "what the end pays")]
    each: Annotated[int, Field("i1", (), "Each", "what a decision pays")]
    potential: Annotated[int, Field("i1", (), "Potential", "what shaping follows")]
    truncation: Annotated[int, Field("i1", (), "Truncation", "what a truncated game pays")]


REWARD = dtype_of(RewardState)


# What is paid


@jit
def reward_at_end(game: GameState, rules: RuleSet, seat: int, code: int) -> float:
    """Return what ``seat`` gets for the place it has in the end, or had when it went bankrupt."""
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
    """Return what ``seat`` gets when it decides again."""
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
    """Cash, and property at 1.5 times its value, 2 times in complete groups.

    Source: Bonjour et al., IEEE TETCI 2022.
    Differs: mortgaged deeds count half; own worth over the others' is cut off at MOST.
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
    """Return how well ``seat`` stands, 0 to 1."""
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
    """Return what ``seat`` earned since its last decision, and its potential now.

    ``before`` is its potential at that decision.
    """
    now = potential(game, rules, seat, reward.potential) * reward.potential_scale
    paid = reward_at_decision(game, rules, seat, reward.each) * reward.each_scale
    return paid + reward.gamma * now - before, now


@jit
def pay_end(
    game: GameState, rules: RuleSet, reward: RewardState, seat: int, before: float
) -> float:
    """Return what ``seat`` earns as the game ends for it.

    A real end has potential 0. A truncation counts as one, unless the learner bootstraps: nothing
    is paid then and the potential stays, because the learner estimates what would have come.
    """
    if game.phase == Phase.OVER and game.truncated != 0:
        if reward.truncation == Truncation.BOOTSTRAP:
            now = potential(game, rules, seat, reward.potential) * reward.potential_scale
            return reward.gamma * now - before
        if reward.truncation == Truncation.ZERO:
            return -before
    return reward_at_end(game, rules, seat, reward.end) * reward.end_scale - before


# The objects


@dataclass(frozen=True)
class Reward:
    """A reward; all its fields are keys of a configuration file too. Scales are from -1e6 to 1e6.

    Raises: InputError, one line, for a value that does not exist.
    """

    end: str = "win"  # none | win | rank | plus_minus | win_only, see End
    end_scale: float = 1.0
    each: str = "none"  # none | net_worth_share, see Each
    each_scale: float = 1.0
    potential: str = "none"  # none | net_worth, see Potential
    potential_scale: float = 1.0
    gamma: float = 1.0  # shaping leaves the best policy as it is if this is the learner's discount
    truncation: str = "standings"  # bootstrap | standings | zero, see Truncation

    def __post_init__(self) -> None:
        for key, codes in _CODES.items():
            _check_word(key, getattr(self, key), tuple(code.name.lower() for code in codes))
        for key in ("end_scale", "each_scale", "potential_scale", "gamma"):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int | float):
                (_LOCATION / key).fail(f"must be a number, not {show(value)}")
            if not -HEAVIEST <= value <= HEAVIEST:
                (_LOCATION / key).fail(
                    f"must be a number from {-HEAVIEST:,.0f} to {HEAVIEST:,.0f}, not {show(value)}"
                )
        if not 0 <= self.gamma <= 1:
            (_LOCATION / "gamma").fail(f"must be from 0 to 1, not {show(self.gamma)}")

    @classmethod
    def of(cls, **values: Any) -> Self:
        """The reward with these fields; an unknown one is named in one line."""
        known = [field.name for field in fields(cls)]
        for key in values:
            if key not in known:
                _LOCATION.fail_unknown(key, "key", known)
        return cls(**values)

    def last_place(self, players: int) -> float:
        """Return what the end pays whoever is last of so many."""
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
    """Who wins gets 1, everybody else the same loss; the sum is 0."""


@dataclass(frozen=True)
class WinOnly(Reward):
    """Who wins gets 1, everybody else 0, and nobody anything when a limit ends the game.

    A game that stalls then pays less than an even one, so an agent gains by bringing it to an end;
    with ``win``, whose sum is 0, both pay 0 on average.
    """

    end: str = "win_only"
    truncation: str = "zero"


@dataclass(frozen=True)
class Rank(Reward):
    """From 1 for the first place to -1 for the last; the sum is 0."""

    end: str = "rank"


@dataclass(frozen=True)
class NetWorthShare(Reward):
    """Own worth over the sum of the others' at each decision, ± ``end_scale`` at the end.

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
    """A word out of a few."""
    if value not in known:
        (_LOCATION / key).fail(f"must be one of {', '.join(known)}, not {show(value)}")


def make_reward(value: object = "win") -> Reward:
    """A reward from its name, from a mapping with ``name`` and fields, or as it is.

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
    """Return the class of a reward's name."""
    if not isinstance(name, str) or name not in REWARDS:
        _LOCATION.fail(f"must be one of {', '.join(REWARDS)}, not {show(name)}")
    return REWARDS[name]

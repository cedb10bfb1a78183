"""Assigns bots to the other seats: by name or as objects, in fixed seats or from a pool."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from contextlib import suppress
from numbers import Real
from typing import TYPE_CHECKING, Any

from monopoly_env.agent import Agent, AgentSpec, find_agent, make_agent
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.policy import Policy
from monopoly_env.envs.checks import check_list, check_whole, fail
from monopoly_env.envs.options import Bot, Opponent, SeatOptions
from monopoly_env.errors import AgentError, CopyError, in_words, show

if TYPE_CHECKING:
    from monopoly_env.envs.config import EnvConfig

LENGTH = struct.Struct("<Q")  # the length prefix of a bot's state
HEAVIEST = 1e9  # weight of a bot in a pool


def find_opponents(options: SeatOptions) -> tuple[list[Bot], int]:
    """Return the opponents (empty if they come from a pool) and the number of players."""
    opponents, num_players = options.opponents, options.num_players
    if num_players is not None:
        check_whole("num_players", num_players, 2, PLAYERS)
    if options.pool is not None:
        if opponents is not None:
            fail("pool", "goes without opponents; give one of them")
        return [], 4 if num_players is None else num_players
    if opponents is None:
        bots: list[Bot] = ["random"] * (3 if num_players is None else num_players - 1)
        return bots, len(bots) + 1
    bots = check_opponents(opponents)
    if num_players not in (None, len(bots) + 1):
        fail("num_players", f"{len(bots)} opponents make {len(bots) + 1} players; leave it out")
    return bots, len(bots) + 1


def seat_learner(config: EnvConfig, options: SeatOptions, bots: Sequence[Bot]) -> dict[int, Agent]:
    """Seat the learner and its opponents; return the Python bots, by seats to the left."""
    config.seat_learner(options.seat, options.play_out)
    if options.pool is not None:
        config.seat_pool(options.pool)
    agents: dict[int, Agent] = {}
    for left, bot in enumerate(bots, 1):
        if compiled(bot)[0] is not None:
            config.seat_opponent(left, bot)
        else:  # the seat stays external
            agents[left] = agent_of(bot)
    numbers = {id(agent): number for number, agent in enumerate(_each(agents.values()))}
    config.python_bots = tuple(
        (left, numbers[id(agent)], bot_name(agent)) for left, agent in agents.items()
    )
    return agents


def agent_of(bot: Bot) -> Agent:
    """Return a bot as an Agent object."""
    if isinstance(bot, str):
        return make_agent(bot)
    made: Agent = bot.factory() if hasattr(bot, "factory") else bot
    return made


def compiled(bot: Bot) -> tuple[Policy | None, Any]:
    """Return the compiled policy of a bot and its weights, or None for what it does not have."""
    spec = find_agent(bot)[0] if isinstance(bot, str) else bot
    return getattr(spec, "policy", None), getattr(spec, "weights", None)


def pool_name(entry: Opponent) -> str:
    """Return the name of a pool entry; the bots of a line-up are joined by commas."""
    return ",".join(map(bot_name, entry)) if isinstance(entry, tuple) else bot_name(entry)


def pool_weight(entry: Opponent, weight: object) -> float:
    """Return the weight with which a pool entry is drawn, more than 0. Raises: InputError."""
    what = f"the weight of {pool_name(entry)} "
    number = check_weight("pool", weight, what)
    if number == 0:
        fail("pool", f"{what}must be more than 0, up to {HEAVIEST:,.0f}")
    return number


def check_weight(parameter: str, weight: object, what: str = "") -> float:
    """Return a weight from 0 to HEAVIEST, so that sums of weights are finite. Raises: InputError.

    ``what`` names the weight in the error.
    """
    if isinstance(weight, bool) or not isinstance(weight, Real):
        fail(parameter, f"{what}must be a number, not {show(weight)}")
    number: Any = weight  # compared as it is: 10**400 is no float
    if not 0 <= number <= HEAVIEST:
        fail(parameter, f"{what}must be from 0 to {HEAVIEST:,.0f}, not {show(weight)}")
    return float(number)


def bot_name(bot: Bot) -> str:
    """Return the name of a bot."""
    return bot if isinstance(bot, str) else str(getattr(bot, "name", "") or type(bot).__name__)


def check_bot(parameter: str, bot: object) -> None:
    """Check that a value is a bot: a known name, a spec, or an object with ``decide``."""
    if not isinstance(bot, str | AgentSpec) and not callable(getattr(bot, "decide", None)):
        fail(parameter, f"{show(bot)} is not a bot; give names, or objects with decide(view)")
    if isinstance(bot, str):
        try:
            find_agent(bot)
        except AgentError as problem:
            raise type(problem)(f"{parameter}: {problem}") from None


def check_compiled(parameter: str, bot: object) -> None:
    """Check that a bot has a compiled policy, without loading it."""
    check_bot(parameter, bot)
    spec = find_agent(bot)[0] if isinstance(bot, str) else bot
    if isinstance(spec, AgentSpec) and spec.load_policy is not None:
        return
    if isinstance(spec, AgentSpec) or getattr(spec, "policy", None) is None:
        fail(parameter, f"{bot_name(bot)} is not compiled; name a compiled bot")  # type: ignore[arg-type]


def check_opponents(opponents: object) -> list[Bot]:
    """Return the list of opponents, from the learner's left. Raises: InputError."""
    bots: list[Bot] = check_list("opponents", opponents, "bots, such as ['random']")
    if not 1 <= len(bots) < PLAYERS:
        fail("opponents", f"must be 1 to {PLAYERS - 1} bots, not {len(bots)}")
    for bot in bots:
        check_bot("opponents", bot)
    return bots


def clone_states(agents: Collection[Agent]) -> bytes:
    """Return the states of bots as bytes. Raises: CopyError for a bot without one."""
    check_states(agents)
    states = []
    for agent in _each(agents):
        state = agent.clone_state()  # type: ignore[attr-defined]
        if not isinstance(state, bytes):
            problem = f"clone_state() of {bot_name(agent)} must return bytes, not {show(state)}"
            CopyError.at("opponents").fail(problem)
        states += [LENGTH.pack(len(state)), state]
    return b"".join(states)


def restore_states(agents: Collection[Agent], states: bytes) -> None:
    """Restore the states that :func:`clone_states` returned.

    Raises: InputError if there is not one state for each bot; AgentError if a bot refuses its own.
    All bots are then as before.
    """
    each: list[Any] = _each(agents)
    own = _split_states(states)
    if own is None or len(own) != len(each):
        fail("state", f"has no states of {len(each)} Python bots; clone the state again")
    before: list[tuple[Any, bytes]] = []
    for agent, state in zip(each, own, strict=True):
        with suppress(Exception):  # a bot may have no state before its first game
            before.append((agent, agent.clone_state()))
        try:
            agent.restore_state(state)
        except BaseException as problem:
            for one, earlier in reversed(before):
                with suppress(Exception):  # the first problem is the one to report
                    one.restore_state(earlier)
            if not isinstance(problem, Exception):
                raise
            AgentError.at("opponents").fail(
                f"restore_state() of {bot_name(agent)} failed: {in_words(problem)}; "
                "it must take what clone_state() of a bot like it returned"
            )


def _split_states(states: bytes) -> list[bytes] | None:
    """Return the states that :func:`clone_states` joined; None if the lengths do not fit."""
    parts, offset = [], 0
    while offset < len(states):
        first = offset + LENGTH.size
        if first > len(states):
            return None
        offset = first + LENGTH.unpack_from(states, offset)[0]
        parts.append(states[first:offset])
    return parts if offset == len(states) else None


def check_states(agents: Collection[Agent]) -> None:
    """Check that all bots have ``clone_state`` and ``restore_state``. Raises: CopyError."""
    for agent in agents:
        methods = (getattr(agent, name, None) for name in ("clone_state", "restore_state"))
        if not all(map(callable, methods)):
            CopyError.at("opponents").fail(
                f"{bot_name(agent)} has no clone_state() and restore_state(state); add them, or "
                "use copy.deepcopy(env)"
            )


def _each(agents: Collection[Agent]) -> list[Agent]:
    """Return each bot once; one object may have several seats."""
    return list({id(agent): agent for agent in agents}.values())

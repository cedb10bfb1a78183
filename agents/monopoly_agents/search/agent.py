"""search: a bot, usually the trader, with rollouts for its important decisions.

With a budget of N rollouts per decision, games are reproducible by seed; with a time budget they
are not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from monopoly_agents.search.rollouts import (
    LEAST_BUDGET,
    Player,
    Workspace,
    best_candidate,
    candidates_beside,
    new_workspace,
    own_choice,
    roll_out,
    sequential_halving,
)
from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.policy import strategist
from monopoly_agents.strategist.weights import read_weights
from monopoly_agents.trader.numbers import trader_weights
from monopoly_agents.trader.policy import trader
from monopoly_env.agent import Agent, agents, make_agent
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.entry_points import legal_mask
from monopoly_env.engine.policy import VIEW, new_views, weights_address
from monopoly_env.engine.policy_loop import seat_players
from monopoly_env.errors import AgentError, show, suggest
from monopoly_env.value.weights import shipped_value
from monopoly_env.view import View

TRADER = "trader"
ROLLOUTS = 100  # default rollouts per decision
MOST_ROLLOUTS = 1_000_000
TIMED_SAMPLES = 4096  # most samples per candidate with a time budget
AT_ONCE = 4  # samples per candidate between clock readings
MOST_SECONDS = 3600
DIGITS = 12  # of a number of rollouts that are read; longer ones are too many in any case
SEEDS = 2**40


@dataclass(frozen=True)
class Candidate:
    """A candidate action with the actor's estimated win probability, 0 to 1."""

    action: int
    mean: float
    error: float  # standard error of ``mean``
    samples: int  # number of rollouts


@lru_cache(maxsize=1)
def chooser() -> Player:
    """Return the trader, which makes the default choice unless another bot is named."""
    return Player(trader, trader_weights())


@lru_cache(maxsize=1)
def rollout_player() -> Player:
    """Return the policy for rollouts, in all seats: veteran, ten times as fast as the trader."""
    return Player(strategist, read_weights(VETERAN))


def workspace_under(rules: Any, samples: int) -> Workspace:
    """Allocate memory for ``samples`` samples per candidate, under given rules."""
    return new_workspace(rules, chooser(), rollout_player(), shipped_value().networks, samples)


class SearchAgent:
    """Searches with ``rollouts`` per decision, or for ``seconds`` per decision.

    ``bot`` names the bot that makes the default choice, which another action must beat. It must
    have ``clone_state`` and ``restore_state``, as compiled bots and trained policies do.
    ``make_bot`` creates it from its name.

    Raises: AgentError, one line, if there is no such bot or it cannot save its state.
    """

    def __init__(
        self,
        rollouts: int = ROLLOUTS,
        seconds: float | None = None,
        bot: str = TRADER,
        make_bot: Callable[[str], Agent] = make_agent,
    ) -> None:
        self.rollouts, self.seconds, self.bot = rollouts, seconds, bot
        budget = str(rollouts) if seconds is None else f"time={seconds:g}"
        self.name = f"search:{budget}" if bot == TRADER else f"search:{budget}:{bot}"
        self._make_bot = make_bot
        self._workspace: Workspace | None = None
        self._rules: Any = None
        self._memories: dict[int, Any] = {}  # the trader's, one per seat
        self._bots: dict[int, Any] = {}  # other bots, one per seat
        self.reset(0)
        if bot != TRADER:
            self._new_bot()  # a name that makes no sense is refused here

    def reset(self, seed: int) -> None:
        """Reset all state, and seed the random numbers."""
        self._seed = seed % SEEDS
        self._memories.clear()
        for bot in self._bots.values():
            bot.reset(self._seed)
        self._searches: dict[int, int] = {}  # searches so far, by seat

    def decide(self, view: View) -> int:
        """Return the bot's action, or a candidate with significantly better rollouts."""
        workspace, count = self._prepare(view)
        if count == 1:
            return int(workspace.actions[0])
        seed = self._seed_of(view)
        self._searches[view.seat] = self._searches.get(view.seat, 0) + 1
        if self.seconds is None:
            return int(sequential_halving(workspace, count, self.rollouts, seed))
        return self._until_time_is_up(workspace, count, seed, self.seconds)

    def try_out(self, view: View, rollouts: int) -> list[Candidate]:
        """Evaluate all candidates, the policy's own choice first.

        ``rollouts`` are divided evenly, so that all estimates are equally accurate; ``decide``
        allocates them adaptively instead. If there is only one candidate, it is returned without
        rollouts.
        """
        workspace, count = self._prepare(view)
        samples = min(max(rollouts // count, 2), workspace.values.shape[1])
        if count == 1:
            return [Candidate(int(workspace.actions[0]), 0.0, 0.0, 0)]
        roll_out(workspace, count, 0, samples, self._seed_of(view))
        values = workspace.values[:count, :samples]
        means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(samples)
        return [
            Candidate(int(workspace.actions[k]), float(means[k]), float(errors[k]), samples)
            for k in range(count)
        ]

    def _prepare(self, view: View) -> tuple[Workspace, int]:
        """Let the bot choose; return the workspace with the candidates, and their number."""
        workspace = self._workspace_for(view)
        workspace.games[0] = view.games[0]
        if self.bot != TRADER:  # its memory means nothing to the policy of the rollouts
            workspace.own_view["mask"][0] = view.mask
            own = int(self._bot_of(view.seat).decide(view))
            if not 0 <= own < N_ACTIONS or not view.mask[own]:  # whoever asked replaces it
                workspace.actions[0] = own
                return workspace, 1
            return workspace, int(candidates_beside(workspace, own))
        memory = self._memories[view.seat]
        workspace.own_view[0] = memory[0]
        workspace.own_view["weights"] = weights_address(chooser().weights)
        workspace.own_view["mask"][0] = view.mask
        count = own_choice(workspace)
        memory[0] = workspace.own_view[0]
        memory["weights"] = 0  # clear the address, which is invalid in a copy in another process
        return workspace, int(count)

    def _bot_of(self, seat: int) -> Any:
        """Return the bot that makes the default choice in a seat."""
        if seat not in self._bots:
            self._bots[seat] = self._new_bot()
            self._bots[seat].reset(self._seed)
        return self._bots[seat]

    def _new_bot(self) -> Any:
        if self.bot.startswith("search"):
            raise AgentError("search cannot search for a bot that searches; name another one")
        bot = self._make_bot(self.bot)
        if not (hasattr(bot, "clone_state") and hasattr(bot, "restore_state")):
            raise AgentError(
                f"search cannot search for {show(self.bot)}, which cannot save its state; name a "
                "compiled bot or a trained policy, such as search:100:champion"
            )
        return bot

    def _seed_of(self, view: View) -> int:
        """Return the seed of a search, from the game's seed, the seat and the number of searches.

        Other players cannot influence it, so they cannot predict the rollouts' random numbers.
        """
        return self._seed * 1_000_003 + self._searches.get(view.seat, 0) * PLAYERS + view.seat

    def _workspace_for(self, view: View) -> Workspace:
        """Return the workspace for this game's rules; create the trader's memory if it is missing."""
        if self._workspace is None or self._rules is not view.edition.rules:
            samples = self.rollouts if self.seconds is None else TIMED_SAMPLES
            self._rules = view.edition.rules
            self._workspace = workspace_under(self._rules, samples)
        if self.bot == TRADER and view.seat not in self._memories:
            seat_players(self._workspace.views, self._seed)
            self._memories[view.seat] = self._workspace.views[view.seat : view.seat + 1].copy()
        return self._workspace

    def clone_state(self) -> bytes:
        """Return the state for :meth:`restore_state`."""
        parts = self._bots if self.bot != TRADER else self._memories
        seats = sorted(parts)
        counts = (self._searches.get(seat, 0).to_bytes(8, "little") for seat in seats)
        begin = (self._seed.to_bytes(8, "little"), bytes([len(seats), *seats]))
        return b"".join((*begin, *counts, *(self._state_of(parts[seat]) for seat in seats)))

    def _state_of(self, part: Any) -> bytes:
        """Return the state of the bot in one seat; after its length, unless it is the trader."""
        if self.bot == TRADER:
            return bytes(part.tobytes())
        state: bytes = part.clone_state()
        return len(state).to_bytes(8, "little") + state

    def restore_state(self, state: bytes) -> None:
        """Restore the state returned by :meth:`clone_state`."""
        self._seed = int.from_bytes(state[:8], "little")
        first = 9 + state[8]
        seats = state[9:first]
        counts = np.frombuffer(state, np.int64, len(seats), first).tolist()
        self._searches = dict(zip(seats, counts, strict=True))
        first += 8 * len(seats)
        if self.bot != TRADER:
            self._restore_bots(seats, state[first:])
            return
        views = np.frombuffer(state, VIEW, len(seats), first).copy()
        records = new_views(1)[0][: state[8]]
        records[:] = views
        self._memories = {seat: records[k : k + 1] for k, seat in enumerate(seats)}

    def _restore_bots(self, seats: bytes, state: bytes) -> None:
        """Restore the bot in each of these seats; forget all others."""
        self._bots = {seat: bot for seat, bot in self._bots.items() if seat in seats}
        for seat in seats:
            end = 8 + int.from_bytes(state[:8], "little")
            self._bot_of(seat).restore_state(state[8:end])
            state = state[end:]

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the workspace, which holds nothing between decisions."""
        return self.__dict__ | {"_workspace": None, "_rules": None}

    @staticmethod
    def _until_time_is_up(workspace: Workspace, count: int, seed: int, seconds: float) -> int:
        """Give all candidates equally many samples until the time is up; return the best."""
        end = time.perf_counter() + seconds
        samples = 0
        while samples < TIMED_SAMPLES and (samples == 0 or time.perf_counter() < end):
            roll_out(workspace, count, samples, samples + AT_ONCE, seed)
            samples += AT_ONCE
        return int(best_candidate(workspace, count, samples))

    def __repr__(self) -> str:
        return f"SearchAgent({self.name!r})"


def from_budget(rest: str, make_bot: Callable[[str], Agent] = make_agent) -> SearchAgent:
    """Create the bot of ``search:BUDGET``, ``search:BOT`` or ``search:BUDGET:BOT``.

    BUDGET is a number of rollouts or ``time=SECONDS``. Raises: AgentError, one line.
    """
    budget, colon, bot = rest.partition(":")
    if not is_budget(budget) and is_name(rest):
        budget, bot = str(ROLLOUTS), rest
    elif colon and not bot:
        budget = ""  # a bot must follow
    rollouts, seconds = rollouts_in(budget), seconds_in(budget)
    if rollouts is None and seconds is None:
        remedy = "" if is_budget(budget) else suggest(rest, agents())
        raise AgentError(
            f"search:{show(rest)}: use search:N, {LEAST_BUDGET} to {MOST_ROLLOUTS:,} rollouts a decision, "
            f"or search:time=SECONDS, above 0 and up to {MOST_SECONDS}; a bot may follow, as in "
            "search:100:champion" + (f"; {remedy}" if remedy.startswith("did you mean") else "")
        )
    return SearchAgent(rollouts or ROLLOUTS, seconds, bot or TRADER, make_bot)


def rollouts_in(budget: str) -> int | None:
    """Return the number of rollouts of a budget; None if it is not one that can be played."""
    if not (budget.isascii() and budget.isdigit()):
        return None
    rollouts = int(budget[:DIGITS])
    return rollouts if LEAST_BUDGET <= rollouts <= MOST_ROLLOUTS else None


def seconds_in(budget: str) -> float | None:
    """Return the seconds of a budget ``time=SECONDS``; None if it is not one."""
    kind, _, number = budget.partition("=")
    with suppress(ValueError):
        if kind == "time" and 0 < float(number) <= MOST_SECONDS:
            return float(number)
    return None


def is_budget(text: str) -> bool:
    """Return whether a text is meant as a budget: it begins as a number or has an equals sign."""
    return text[:1].isdigit() or text[:1] in ("-", "+", ".") or "=" in text


def is_name(text: str) -> bool:
    """Return whether a text names a bot, known or with a known scheme."""
    scheme, colon, _ = text.partition(":")
    return text in agents() or (bool(colon) and scheme + colon in agents())


def rollouts_of(position: Any, rules: Any, samples: int) -> int:
    """Run rollouts from a GAME record with a pending decision; return their number.

    They start with the first legal action. The benchmark search_rollouts measures this.
    """
    workspace = workspace_under(rules, samples)
    workspace.games[0] = position
    mask = np.zeros(N_ACTIONS, np.int8)
    legal_mask(workspace.games, 0, rules, mask)
    workspace.actions[0] = int(mask.argmax())
    roll_out(workspace, 1, 0, samples, 1)
    return samples

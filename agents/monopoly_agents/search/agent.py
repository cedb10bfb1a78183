"""search: the strategist, who tries out the decisions that matter before taking them.

A budget of N rollouts a decision gives the same game for the same seed; one in seconds does not.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from monopoly_agents.search.rollouts import Room, halve, new_room, own_choice, try_out, verdict
from monopoly_agents.strategist.policy import strategist
from monopoly_env.engine.dispatch import N_ACTIONS
from monopoly_env.engine.entry_points import legal_mask
from monopoly_env.engine.policy import policy_address
from monopoly_env.engine.policy_loop import seat_players
from monopoly_env.errors import AgentError, show
from monopoly_env.view import View

ROLLOUTS = 100  # a decision, unless the name says otherwise
MOST_ROLLOUTS = 1_000_000
TIMED_TRIES = 4096  # tries of each candidate at most under a time budget
AT_ONCE = 4  # tries of each candidate between two looks at the clock
SEEDS = 2**40


class SearchAgent:
    """Looks ahead within ``rollouts`` a decision, or within ``seconds`` a decision."""

    def __init__(self, rollouts: int = ROLLOUTS, seconds: float | None = None) -> None:
        self.rollouts, self.seconds = rollouts, seconds
        self.name = f"search:{rollouts}" if seconds is None else f"search:time={seconds:g}"
        self._room: Room | None = None
        self._rules: Any = None
        self._memories: dict[int, Any] = {}  # one a seat
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the last game and draw random numbers anew."""
        self._seed = seed % SEEDS
        self._memories.clear()

    def decide(self, view: View) -> int:
        """The strategist's action, or another one that did better when tried out."""
        room = self._room_for(view)
        room.games[0] = view.games[0]
        room.mine[0] = self._memories[view.seat][0]
        room.mine["mask"][0] = view.mask
        count = own_choice(room)
        self._memories[view.seat][0] = room.mine[0]
        if count == 1:
            return int(room.actions[0])
        seed = self._seed * 1_000_003 + int(view.record["decisions"])
        if self.seconds is None:
            return int(halve(room, count, self.rollouts, seed))
        return self._try_for_a_while(room, count, seed, self.seconds)

    def _room_for(self, view: View) -> Room:
        """Where to work, with the rules of this game, and what the seat remembers."""
        if self._room is None or self._rules is not view.edition.rules:
            tries = self.rollouts if self.seconds is None else TIMED_TRIES
            self._rules = view.edition.rules
            self._room = new_room(self._rules, policy_address(strategist), tries)
        if view.seat not in self._memories:
            seat_players(self._room.views, self._seed)
            self._memories[view.seat] = self._room.views[view.seat : view.seat + 1].copy()
        return self._room

    @staticmethod
    def _try_for_a_while(room: Room, count: int, seed: int, seconds: float) -> int:
        """Try all candidates alike until the time is up."""
        end = time.perf_counter() + seconds
        tries = 0
        while tries < TIMED_TRIES and (tries == 0 or time.perf_counter() < end):
            try_out(room, count, tries, tries + AT_ONCE, seed)
            tries += AT_ONCE
        return int(verdict(room, count, tries))

    def __repr__(self) -> str:
        return f"SearchAgent({self.name!r})"


def from_name(rest: str) -> SearchAgent:
    """The bot of ``search:N`` or ``search:time=SECONDS``. Raises: AgentError, one line."""
    kind, equals, number = rest.partition("=")
    try:
        if equals and kind == "time" and 0 < float(number) <= 3600:
            return SearchAgent(seconds=float(number))
        if not equals and 2 <= int(rest) <= MOST_ROLLOUTS:
            return SearchAgent(rollouts=int(rest))
    except ValueError:
        pass
    raise AgentError(
        f"search:{show(rest)}: use search:N, 2 to {MOST_ROLLOUTS:,} rollouts a decision, "
        "or search:time=SECONDS, above 0 and up to 3600"
    )


def rollouts_of(position: Any, rules: Any, tries: int) -> int:
    """Make so many rollouts from a GAME record whose actor is to decide; how many were made.

    From the first legal action. What the bench measures as search_rollouts.
    """
    room = new_room(rules, policy_address(strategist), tries)
    room.games[0] = position
    mask = np.zeros(N_ACTIONS, np.int8)
    legal_mask(room.games, 0, rules, mask)
    room.actions[0] = int(mask.argmax())
    try_out(room, 1, 0, tries, 1)
    return tries

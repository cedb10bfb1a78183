"""Trained policies as bots: ``model:PATH`` wherever a bot is named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.agent import Agent, find_agent, make_agent
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFSETS
from monopoly_env.engine.actions import IDS, KINDS
from monopoly_env.engine.dispatch import KIND_OF
from monopoly_env.engine.phases import PHASES, Phase
from monopoly_env.engine.policy_loop import ALL_PHASES
from monopoly_env.engine.rules import Deals
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import show
from monopoly_env.view import View
from monopoly_training.models.mlp import Floats
from monopoly_training.models.registry import CHAMPION, SCHEME
from monopoly_training.models.storage import Model, fail, load_model

BETWEEN = OFFSETS["phase"] + Phase.BETWEEN
PASS = IDS["pass"]
REST = "background"  # plays the phases that a policy leaves, unless its card names another
ILLEGAL = np.float32(-1e30)
CHAMPION_FOLDER = Path(__file__).parent / CHAMPION
SALTS = np.random.default_rng(0).integers(0, 2**64, OBSERVATION_SIZE, np.uint64)
# The finalizer of splitmix64
MIXING = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
    (np.uint64(31), np.uint64(1)),
)


class ModelAgent:
    """A trained policy. It decides for many games at once, or for one as any bot does.

    It plays tables it was not trained at by what it knows: trained without deals it makes none
    and refuses all; trained without windows between turns it passes them; phases and kinds of
    action that it left to another bot are left to that bot. ``sample`` draws actions from the
    policy instead of taking the likeliest; None: as the model's card says. Where one thing can be
    done in several ways, such as to build on one of three lots, the likeliest action of all may be
    to do nothing, again and again.

    The same sight always gives the same action, drawn or not, whatever was asked before.
    """

    def __init__(self, model: Model, name: str, sample: bool | None = None) -> None:
        table = model.card.get("table", {})
        self.name = name
        self.model = model
        self.sample = bool(model.card.get("sample", False)) if sample is None else sample
        self.windows = (table.get("windows") or "all") == "all"
        self.phases = table.get("decides")
        self.decides = phase_bits(self.phases)
        self.kinds = tuple(table.get("leaves", ()))
        self._left: Int8s = np.isin(KIND_OF, [KINDS.index(kind) for kind in self.kinds]).astype(
            np.int8
        )
        self.rest_name = str(table.get("rest", REST))
        self._rest: Agent | None = None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """A new game, or a new row of games, begins."""
        if self._rest is not None:
            self._rest.reset(seed)

    def decide(self, view: View) -> int:
        """The id of the action to take."""
        action, mask = self.ask_rest(self.rest, view) if self.has_rest else (None, view.mask)
        if action is not None:
            return action
        return int(self.decide_many(view.observation[None], mask[None])[0])

    @property
    def has_rest(self) -> bool:
        """Whether another bot plays a part."""
        return self.decides != ALL_PHASES or bool(self.kinds)

    def ask_rest(self, rest: Agent, view: View) -> tuple[int | None, Int8s]:
        """What the other bot does of its own; else None, and what the policy may choose from."""
        if not self.decides >> int(view.record["phase"]) & 1:
            return rest.decide(view), view.mask
        if not (view.mask & self._left).any():
            return None, view.mask
        action = rest.decide(view)
        kept = view.mask & (1 - self._left)
        if self._left[action] or not kept.any():
            return action, view.mask
        return None, kept

    @property
    def rest(self) -> Agent:
        """Who plays the phases that the policy does not decide; it remembers one game's."""
        if self._rest is None:
            self._rest = make_agent(self.rest_name)
        return self._rest

    def fresh(self) -> ModelAgent:
        """The same policy for another seat or game, with a memory of its own for the rest."""
        return ModelAgent(self.model, self.name, self.sample)

    def unlike(self, options: TableOptions) -> str:
        """A line if deals or windows are others here than where the policy learned, else empty."""
        learned = self.model.card.get("table", {})
        rules = options.load().rules[0]
        here = {
            "deals": Deals(int(rules["deals"])).name.lower(),
            "windows": "all" if rules["between_windows"] else "own",
        }
        there = {name: learned.get(name) or value for name, value in here.items()}
        if there == here:
            return ""
        words = " ".join(f"--rule {name}={value}" for name, value in there.items())
        return f"{self.name} learned at another table: {words}"

    def decide_many(self, observations: Floats, masks: Int8s) -> Int64s:
        """One action a game, int64[n], from float32[n, OBSERVATION_SIZE] and int8[n, N_ACTIONS]."""
        known = self._playable(observations, masks)[:, self.model.actions] != 0
        logits = np.where(known, self.model.logits(observations), ILLEGAL)
        columns = draw(logits, chances(observations)) if self.sample else logits.argmax(axis=1)
        lost = ~known.any(axis=1)  # nothing that it knows is legal: the first that is
        return np.where(lost, masks.argmax(axis=1), self.model.actions[columns])

    def _playable(self, observations: Floats, masks: Int8s) -> Int8s:
        """The legal actions; only to pass in windows that the policy was not trained in."""
        if self.windows:
            return masks
        found = masks.copy()
        between = observations[:, BETWEEN] > 0
        found[between] = 0
        found[between, PASS] = masks[between, PASS]
        return found

    def __repr__(self) -> str:
        return f"ModelAgent({self.name!r})"


def draw(logits: Floats, chance: npt.NDArray[np.float64]) -> Int64s:
    """One column a row by softmax, for a random number a row from 0 to below 1."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1, dtype=np.float64)
    goals = (1 - chance)[:, None] * sums[:, -1:]  # never 0, so never illegal
    columns: Int64s = (sums < goals).sum(axis=1)
    return columns


def chances(observations: Floats) -> npt.NDArray[np.float64]:
    """A number a row from 0 to below 1 that follows from the row alone, but looks random."""
    bits = np.ascontiguousarray(observations).view(np.uint32).astype(np.uint64)
    mixed = (bits * SALTS).sum(axis=1, dtype=np.uint64)
    for shift, factor in MIXING:
        mixed = (mixed ^ (mixed >> shift)) * factor
    found: npt.NDArray[np.float64] = (mixed >> np.uint64(11)) / 2.0**53
    return found


def phase_bits(names: Any) -> int:
    """Phases by name as bits; None stands for all."""
    if names is None:
        return (1 << PHASES) - 1
    return sum(1 << Phase[str(name).upper()] for name in names)


def is_model(name: str) -> bool:
    """Whether a bot's name stands for a trained policy."""
    return name == CHAMPION or name.startswith(SCHEME)


def model_agent(name: str, trust: bool = False) -> ModelAgent:
    """A trained policy by name: ``champion`` or ``model:PATH``."""
    path = CHAMPION_FOLDER if name == CHAMPION else Path(name.removeprefix(SCHEME))
    model = load_model(path, trust)
    check_table(model.card.get("table", {}), path)
    return ModelAgent(model, name)


def check_table(table: Mapping[str, Any], path: Path) -> None:
    """Raise a one-line error for what a card says of the table and cannot be."""
    names = table.get("decides")
    known = {phase.name for phase in Phase}
    if names is not None and not (
        isinstance(names, list) and all(str(name).upper() in known for name in names)
    ):
        fail(path, f"its card: table.decides must be phases, such as [BUY], not {show(names)}")
    kinds = table.get("leaves", [])
    if not isinstance(kinds, list) or any(kind not in KINDS for kind in kinds):
        words = f"must be kinds of action, such as [deal], not {show(kinds)}"
        fail(path, f"its card: table.leaves {words}")
    rest = str(table.get("rest", REST))
    if find_agent(rest)[0].policy is None:
        fail(path, f"its card: table.rest must be a compiled bot, such as {REST}, not {rest}")

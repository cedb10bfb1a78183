"""Trained policies as bots: ``model:PATH`` wherever a bot is named."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from monopoly_env.agent import Agent, make_agent
from monopoly_env.encoding.blocks import OFFSETS
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import ALL_PHASES
from monopoly_env.engine.rules import Deals
from monopoly_env.engine.state import Float64s, Int8s, Int64s
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import one_line
from monopoly_env.view import View
from monopoly_training.models.card import ModelError, TrainedTable, check_table
from monopoly_training.models.mlp import Floats
from monopoly_training.models.model import Model
from monopoly_training.models.names import CHAMPION, SCHEME
from monopoly_training.models.sampling import Uint64s, sample_columns, uniforms
from monopoly_training.models.storage import check_fit, load_model
from monopoly_training.models.where import Where

BETWEEN = OFFSETS["phase"] + Phase.BETWEEN
PASS = IDS["pass"]
ILLEGAL = np.float32(-1e30)
CHAMPION_FOLDER = Path(__file__).parent / CHAMPION


class ModelAgent:
    """A trained policy. It decides for many games at once, or for one as any bot does.

    It plays tables it was not trained at by what it knows: trained without deals it makes none
    and refuses all; trained without windows between turns it passes them; phases and kinds of
    action that it left to a fallback bot are left to that bot. At tables that its card's ``where``
    does not name, the fallback bot plays alone. ``sample`` draws actions from the
    policy instead of taking the likeliest; None: as the model's card says. Where one thing can be
    done in several ways, such as to build on one of three lots, the likeliest action of all may be
    to do nothing, again and again.

    What is drawn follows from the seed of :meth:`reset`, the seat, and how many choices between
    several actions the policy has had there before: not from what others do.
    """

    def __init__(self, model: Model, name: str, sample: bool | None = None) -> None:
        self.name = name
        self.model = model
        self.sample = bool(model.card.get("sample", False)) if sample is None else sample
        self.table = TrainedTable.of(model.card)
        self._phase_bits = phase_bits(self.table.decides)
        left = [KINDS.index(kind) for kind in self.table.leaves]
        self._is_left: Int8s = np.isin(KIND_OF, left).astype(np.int8)
        self._fallback: Agent | None = None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """A new game, or a new row of games, begins."""
        self._seed = seed
        self._counts = np.zeros(PLAYERS, np.int64)  # choices so far, by seat
        if self._fallback is not None:
            self._fallback.reset(seed)

    def decide(self, view: View) -> int:
        """The id of the action to take."""
        mask = view.mask
        if self.has_fallback:
            action, mask = self.ask_fallback(self.fallback, view)
            if action is not None:
                return action
        draws = None
        if self.sample:
            seat = np.array([view.seat])
            draws = self.draw(np.array([self._seed], np.uint64), seat, self._counts[seat])
            self._counts[view.seat] += is_choice(mask[None])[0]
        return int(self.decide_rows(view.observation[None], mask[None], draws)[0])

    @staticmethod
    def draw(seeds: Uint64s, seats: Int64s, counts: Int64s) -> Float64s:
        """The numbers by which actions are drawn, float64[n], for :meth:`decide_rows`.

        Args:
            seeds: as :meth:`reset` takes them, uint64[n].
            seats: who decides, int64[n].
            counts: how many choices the policy has had there before, int64[n]; where only one
                action may be taken is none (:func:`is_choice`).
        """
        return uniforms(seeds, seats, counts)

    @property
    def has_fallback(self) -> bool:
        """Whether another bot plays a part, or whole games at other tables."""
        parts = self._phase_bits != ALL_PHASES or bool(self.table.leaves)
        return parts or self.table.where != Where()

    def ask_fallback(self, fallback: Agent, view: View) -> tuple[int | None, Int8s]:
        """The fallback bot's action where it decides; else None, and what the policy may choose."""
        if not self.table.where.holds(view.edition, int(view.record["players"])):
            return fallback.decide(view), view.mask
        if not self._phase_bits >> int(view.record["phase"]) & 1:
            return fallback.decide(view), view.mask
        if not (view.mask & self._is_left).any():
            return None, view.mask
        action = fallback.decide(view)
        kept = view.mask & (1 - self._is_left)
        if self._is_left[action] or not kept.any():
            return action, view.mask
        return None, kept

    @property
    def fallback(self) -> Agent:
        """The bot that plays what the policy leaves; it remembers one game's seat."""
        if self._fallback is None:
            self._fallback = make_agent(self.table.fallback)
            self._fallback.reset(self._seed)
        return self._fallback

    def copy(self) -> ModelAgent:
        """This policy with a fallback bot of its own, for another seat or game."""
        return ModelAgent(self.model, self.name, self.sample)

    def clone_state(self) -> bytes:
        """Where its draws stand, and what the fallback bot remembers, for :meth:`restore_state`."""
        own = b""
        if self.sample:
            own = self._seed.to_bytes(8, "little") + self._counts.tobytes()
        if not self.has_fallback:
            return own
        state: bytes = self.fallback.clone_state()  # type: ignore[attr-defined]  # it is compiled
        return own + state

    def restore_state(self, state: bytes) -> None:
        """Go on where :meth:`clone_state` was taken."""
        if self.sample:
            own, state = state[: 8 + self._counts.nbytes], state[8 + self._counts.nbytes :]
            self._seed = int.from_bytes(own[:8], "little")
            self._counts = np.frombuffer(own, np.int64, PLAYERS, 8).copy()
        if self.has_fallback:
            self.fallback.restore_state(state)  # type: ignore[attr-defined]

    def plays_at(self, options: TableOptions) -> bool:
        """Whether the policy plays at a table, in some editions at least; else its fallback bot."""
        return self.table.where.holds_for(options.editions(), options.num_players) is not False

    def missing_rules(self, options: TableOptions) -> dict[str, str]:
        """The rules of the table it learned at, by name, if deals or windows are others here.

        None are missing where the fallback bot plays alone.
        """
        if not self.plays_at(options):
            return {}
        rules = options.editions().first.rules[0]
        here = {
            "deals": Deals(int(rules["deals"])).name.lower(),
            "windows": "all" if rules["between_windows"] else "own",
        }
        there = {name: getattr(self.table, name) or value for name, value in here.items()}
        return {} if there == here else there

    def decide_rows(
        self, observations: Floats, masks: Int8s, draws: Float64s | None = None
    ) -> Int64s:
        """One action a game, int64[n], from float32[n, OBSERVATION_SIZE] and int8[n, N_ACTIONS].

        ``draws``: the numbers from 0 to below 1 by which a policy that samples draws its actions,
        float64[n], such as those of :meth:`draw`; others need none.

        Raises: ModelError, one line that names the model, if its network gives no numbers to
        choose by.
        """
        legal, logits = self._legal_logits(observations, masks)
        if self.sample:
            if draws is None:
                raise TypeError(f"{self.name} draws its actions: give `draws`, see ModelAgent.draw")
            columns = sample_columns(logits, draws)
        else:
            columns = logits.argmax(axis=1)
        none_known = ~legal.any(axis=1)  # then the first legal action
        return np.where(none_known, masks.argmax(axis=1), self.model.actions[columns])

    def probabilities(self, observations: Floats, masks: Int8s) -> Floats:
        """How likely the policy takes each action, float32[n, N_ACTIONS]; parameters as above.

        All zeros where it knows none of the legal actions. Raises: ModelError.
        """
        legal, logits = self._legal_logits(observations, masks)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True)) * legal
        likely /= np.maximum(likely.sum(axis=1, keepdims=True), np.float32(1e-30))
        rows = np.zeros(masks.shape, np.float32)
        rows[:, self.model.actions] = likely
        return rows

    def _legal_logits(
        self, observations: Floats, masks: Int8s
    ) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Which of the model's actions may be chosen, and all their logits, low where not."""
        legal = self._playable(observations, masks)[:, self.model.actions] != 0
        return legal, np.where(legal, self._checked_logits(observations, masks), ILLEGAL)

    def _checked_logits(self, observations: Floats, masks: Int8s) -> Floats:
        """The logits of the network. Raises: ModelError, one line, for NaN and infinity."""
        with np.errstate(over="ignore", invalid="ignore"):  # said below, by the model's name
            logits = self.model.logits(observations, masks)
        if not np.abs(logits).max(initial=0) < -ILLEGAL:  # NaN is not less either
            raise ModelError(
                one_line(
                    f"{self.name}: the network cannot choose: its logits overflow (NaN or "
                    "infinity); train it again, with a lower learning rate"
                )
            )
        return logits

    def _playable(self, observations: Floats, masks: Int8s) -> Int8s:
        """The legal actions; only to pass in windows that the policy was not trained in."""
        if self.table.windows != "own":
            return masks
        playable = masks.copy()
        between = observations[:, BETWEEN] > 0
        playable[between] = 0
        playable[between, PASS] = masks[between, PASS]
        return playable

    def __repr__(self) -> str:
        return f"ModelAgent({self.name!r})"


def is_choice(masks: Int8s) -> npt.NDArray[np.bool_]:
    """Whether several actions are legal, bool[n], by masks int8[n, N_ACTIONS].

    Some ways to play ask for a lone legal action and others do not: no draw is spent on it.
    """
    several: npt.NDArray[np.bool_] = masks.sum(axis=1) > 1
    return several


def phase_bits(names: Iterable[str] | None) -> int:
    """Phases by name as bits; None stands for all."""
    if names is None:
        return ALL_PHASES
    return sum(1 << Phase[name] for name in names)


def is_model(name: str) -> bool:
    """Whether a bot's name stands for a trained policy."""
    return name == CHAMPION or name.startswith(SCHEME)


def model_agent(name: str, trust: bool = False) -> ModelAgent:
    """A trained policy by name: ``champion`` or ``model:PATH``."""
    path = CHAMPION_FOLDER if name == CHAMPION else Path(name.removeprefix(SCHEME))
    model = load_model(path, trust)
    check_table(model.card, path)
    check_fit(model, path)
    return ModelAgent(model, name)

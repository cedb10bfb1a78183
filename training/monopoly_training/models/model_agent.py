"""Trained policies as bots: ``model:PATH`` wherever a bot can be named."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from monopoly_env.agent import Agent, make_agent
from monopoly_env.editions import Edition
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
from monopoly_training.models.offer_composer import COMPOSING, OfferComposer, menu_view
from monopoly_training.models.sampling import Uint64s, sample_columns, uniforms
from monopoly_training.models.storage import check_fit, load_model
from monopoly_training.models.table_filter import Where

BETWEEN = OFFSETS["phase"] + Phase.BETWEEN
PASS = IDS["pass"]
IS_DEAL = KINDS.index("deal") == KIND_OF  # bool[N_ACTIONS]
ILLEGAL = np.float32(-1e30)
CHAMPION_FOLDER = Path(__file__).parent / CHAMPION


class Look(NamedTuple):
    """What a policy makes of a position before its network decides."""

    action: int | None  # settled without the network; None: the network decides
    view: View  # what the network sees
    mask: Int8s  # what it chooses among
    # the view has a menu of offers that the table lacks: give it and the choice to
    # :meth:`OfferComposer.begin`
    is_menu: bool = False


class ModelAgent:
    """A trained policy as a bot: :meth:`decide` for one game at a time, or arrays for a batch.

    It adapts to games that it was not trained on: trained without deals, it makes none and refuses
    all; trained with the deal menu, it makes the menu's offers where deals are composed in steps;
    trained without windows between turns, it passes in them; phases and kinds of action that were
    left to a fallback bot still are. In games that its card's ``where`` excludes, the fallback
    bot plays alone. ``sample`` draws actions from the policy instead of taking the most likely one;
    None follows the model's card. Sampling matters where one intention is split among several
    actions, such as building on one of three lots: doing nothing may then be the single most
    likely action every time.

    A draw depends on the seed of :meth:`reset`, the seat, and the number of earlier choices among
    several actions, but not on the other players.
    """

    def __init__(self, model: Model, name: str, sample: bool | None = None) -> None:
        self.name = name
        self.model = model
        self.sample = bool(model.card.get("sample", False)) if sample is None else sample
        self.table = TrainedTable.of(model.card)
        self._phase_bits = phase_bits(self.table.decides)
        self._fallback: Agent | None = None
        self._composer = OfferComposer()
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a new game, or a new batch of games."""
        self._seed = seed
        self._counts = np.zeros(PLAYERS, np.int64)  # number of choices so far, by seat
        self._composer.reset()
        if self._fallback is not None:
            self._fallback.reset(seed)

    def decide(self, view: View) -> int:
        """Return the id of the action to take."""
        seen = self.look(view, self._composer, self.fallback)
        if seen.action is not None:
            return seen.action
        draws = None
        if self.sample:
            seat = np.array([view.seat])
            draws = self.draw(np.array([self._seed], np.uint64), seat, self._counts[seat])
            self._counts[view.seat] += is_choice(seen.mask[None])[0]
        action = int(self.decide_rows(seen.view.observation[None], seen.mask[None], draws)[0])
        return self._composer.begin(seen.view, action) if seen.is_menu else action

    def composes(self, edition: Edition) -> bool:
        """Return whether it composes the menu's offers in steps: it learned to choose from a menu."""
        knows_menu = self.table.deals == "menu" and "propose" not in self.table.leaves
        return knows_menu and edition.rules[0]["deals"] == Deals.STEPS

    def left_kinds(self, edition: Edition) -> tuple[str, ...]:
        """Return the kinds of action that are left to the fallback bot at a table.

        A policy that left the menu's offers to that bot leaves it the steps, too.
        """
        leaves = self.table.leaves
        if self.table.deals != "menu" or edition.rules[0]["deals"] != Deals.STEPS:
            return leaves
        if "propose" in leaves:
            return (*(kind for kind in leaves if kind not in COMPOSING), *COMPOSING)
        return tuple(kind for kind in leaves if kind not in COMPOSING)

    def look(self, view: View, composer: OfferComposer, fallback: Agent | None) -> Look:
        """Return the action if it is settled without the network; otherwise what the network sees.

        Args:
            view: the position. Its mask is the table's, or what is left for the network if the
                fallback bot plays elsewhere.
            composer: composes the offers of this seat in this game.
            fallback: the fallback bot of this seat; None if there is none, or it plays elsewhere.
        """
        action = composer.next_step(view)
        if action is not None:
            return Look(action, view, view.mask)
        composes, phase = self.composes(view.edition), int(view.record["phase"])
        if composes and phase == Phase.DEAL:  # no plan is known: the policy did not begin it here
            action = IDS["cancel"] if fallback is None else fallback.decide(view)
            return Look(action, view, view.mask)
        seen = view
        passes = self.table.windows == "own" and phase == Phase.BETWEEN
        if composes and not passes and view.mask[IS_DEAL].any():
            seen = menu_view(view)
        mask = seen.mask
        if fallback is not None:
            action, mask = self._ask_fallback(fallback, view, mask)
        if action is None and not mask.any():  # it could only begin an offer that it does not know
            action = int(view.mask.argmax())
        return Look(action, seen, mask, is_menu=seen is not view)

    @staticmethod
    def draw(seeds: Uint64s, seats: Int64s, counts: Int64s) -> Float64s:
        """Return the random numbers for :meth:`decide_rows`, float64[n].

        Args:
            seeds: as passed to :meth:`reset`, uint64[n].
            seats: the deciding seats, int64[n].
            counts: number of earlier choices of the policy in that seat, int64[n]; forced actions
                do not count (:func:`is_choice`).
        """
        return uniforms(seeds, seats, counts)

    @property
    def has_fallback(self) -> bool:
        """Whether a fallback bot makes some decisions, or plays whole games."""
        parts = self._phase_bits != ALL_PHASES or bool(self.table.leaves)
        return parts or self.table.where != Where()

    def _ask_fallback(self, fallback: Agent, view: View, mask: Int8s) -> tuple[int | None, Int8s]:
        """Return the fallback bot's action if it decides; otherwise None and the policy's mask.

        ``mask`` has the actions that the network would choose among without a fallback bot.
        """
        if not self.table.where.holds(view.edition, int(view.record["players"])):
            return fallback.decide(view), mask
        if not self._phase_bits >> int(view.record["phase"]) & 1:
            return fallback.decide(view), mask
        is_left = actions_of(self.left_kinds(view.edition))
        if not view.mask[is_left].any():
            return None, mask
        action, kept = fallback.decide(view), mask * ~is_left
        if is_left[action] or not kept.any():
            return action, mask
        return None, kept

    @property
    def fallback(self) -> Agent | None:
        """The bot that makes the decisions left to it; None if there are none.

        It keeps the state of one seat in one game.
        """
        if not self.has_fallback:
            return None
        if self._fallback is None:
            self._fallback = make_agent(self.table.fallback)
            self._fallback.reset(self._seed)
        return self._fallback

    def copy(self) -> ModelAgent:
        """Return this policy with its own fallback bot, for another seat or game."""
        return ModelAgent(self.model, self.name, self.sample)

    def clone_state(self) -> bytes:
        """Return the state of the draws and of the fallback bot, for :meth:`restore_state`."""
        own = b""
        if self.sample:
            own = self._seed.to_bytes(8, "little") + self._counts.tobytes()
        if self.table.deals == "menu":
            own += self._composer.clone_state()
        if not self.has_fallback:
            return own
        state: bytes = self.fallback.clone_state()  # type: ignore[union-attr]  # a compiled bot
        return own + state

    def restore_state(self, state: bytes) -> None:
        """Restore the state returned by :meth:`clone_state`."""
        if self.sample:
            own, state = state[: 8 + self._counts.nbytes], state[8 + self._counts.nbytes :]
            self._seed = int.from_bytes(own[:8], "little")
            self._counts = np.frombuffer(own, np.int64, PLAYERS, 8).copy()
        if self.table.deals == "menu":
            state = self._composer.restore_state(state)
        if self.has_fallback:
            self.fallback.restore_state(state)  # type: ignore[union-attr]

    def plays_at(self, options: TableOptions) -> bool:
        """Return whether the policy itself plays with these options, in at least one edition."""
        return self.table.where.holds_for(options.editions(), options.num_players) is not False

    def missing_rules(self, options: TableOptions) -> dict[str, str]:
        """Return the deals and windows of its training if they differ from the options.

        Returns {} if the fallback bot plays alone.
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
        """Return an action id for each row, int64[n].

        ``observations`` float32[n, OBSERVATION_SIZE], ``masks`` int8[n, N_ACTIONS]. ``draws`` are
        numbers in [0, 1) for policies that sample, float64[n], such as those of :meth:`draw`.

        Raises: ModelError, one line that names the model, if its logits are not finite.
        """
        legal, logits = self._legal_logits(observations, masks)
        if self.sample:
            if draws is None:
                raise TypeError(f"{self.name} draws its actions: give `draws`, see ModelAgent.draw")
            columns = sample_columns(logits, draws)
        else:
            columns = logits.argmax(axis=1)
        none_known = ~legal.any(axis=1)  # if it knows no legal action, take the first
        return np.where(none_known, masks.argmax(axis=1), self.model.actions[columns])

    def probabilities(self, observations: Floats, masks: Int8s) -> Floats:
        """Return action probabilities, float32[n, N_ACTIONS].

        Parameters as for :meth:`decide_rows`. A row is all zeros if the policy knows no legal
        action. Raises: ModelError.
        """
        legal, logits = self._legal_logits(observations, masks)
        probs = np.exp(logits - logits.max(axis=1, keepdims=True)) * legal
        probs /= np.maximum(probs.sum(axis=1, keepdims=True), np.float32(1e-30))
        rows = np.zeros(masks.shape, np.float32)
        rows[:, self.model.actions] = probs
        return rows

    def _legal_logits(
        self, observations: Floats, masks: Int8s
    ) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Return which of the model's actions are legal, and the logits, very low where illegal."""
        legal = self._playable(observations, masks)[:, self.model.actions] != 0
        return legal, np.where(legal, self._checked_logits(observations, masks), ILLEGAL)

    def _checked_logits(self, observations: Floats, masks: Int8s) -> Floats:
        """Return the network's logits. Raises: ModelError, one line, for NaN and infinity."""
        with np.errstate(over="ignore", invalid="ignore"):  # reported below, with the model's name
            logits = self.model.logits(observations, masks)
        if not np.abs(logits).max(initial=0) < -ILLEGAL:  # NaN compares false as well
            raise ModelError(
                one_line(
                    f"{self.name}: the network cannot choose: its logits overflow (NaN or "
                    "infinity); train it again, with a lower learning rate"
                )
            )
        return logits

    def _playable(self, observations: Floats, masks: Int8s) -> Int8s:
        """Return the mask, reduced to passing in windows that the policy was not trained in."""
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
    """Return whether several actions are legal, bool[n], from masks int8[n, N_ACTIONS].

    Forced actions use no draw, because some game loops skip them without asking.
    """
    several: npt.NDArray[np.bool_] = masks.sum(axis=1) > 1
    return several


@cache
def actions_of(kinds: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """Return whether each action is of one of these kinds, bool[N_ACTIONS]."""
    return np.isin(KIND_OF, [KINDS.index(kind) for kind in kinds])


def phase_bits(names: Iterable[str] | None) -> int:
    """Return phases by name as a bit mask; None means all."""
    if names is None:
        return ALL_PHASES
    return sum(1 << Phase[name] for name in names)


def is_model(name: str) -> bool:
    """Return whether a bot's name refers to a trained policy."""
    return name == CHAMPION or name.startswith(SCHEME)


def model_agent(name: str, trust: bool = False) -> ModelAgent:
    """Load a trained policy by name: ``champion`` or ``model:PATH``."""
    path = CHAMPION_FOLDER if name == CHAMPION else Path(name.removeprefix(SCHEME))
    model = load_model(path, trust)
    check_table(model.card, path)
    check_fit(model, path)
    return ModelAgent(model, name)

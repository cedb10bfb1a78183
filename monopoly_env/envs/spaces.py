"""Observation and action spaces, and conversion of the kernel's arrays to the chosen form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from monopoly_env.editions import Edition, EditionSet
from monopoly_env.encoding.features import used_actions, used_columns
from monopoly_env.encoding.observation import HIGH, LOW
from monopoly_env.encoding.packed import PACKED_SIZE, check_packable
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.rules import Deals
from monopoly_env.engine.why import Why
from monopoly_env.envs._aligned import aligned_copy, aligned_take
from monopoly_env.envs.checks import UNKNOWN, check_flag, check_word, fail, read_only
from monopoly_env.envs.options import AECOptions, CommonOptions, SeatOptions
from monopoly_env.envs.seating import bot_name
from monopoly_env.errors import show
from monopoly_env.game import IllegalAction

Arrays = npt.NDArray[Any]
Observation = Arrays | dict[str, Arrays]  # an array, or a dict with the mask

FORMS = ("flat", "dict", "packed")
MASK_DTYPES = {"int8": np.int8, "bool": np.bool_, "float32": np.float32}
NOWHERE = -1  # the index of an action that a narrow space excludes


class Columns(spaces.Box):
    """A Box of observed features that records which columns they are.

    Learners save their spaces, so a saved policy from any library can be played again.

    Attributes:
        columns: the columns of the complete observation, int64[n]; None for all.
    """

    columns: npt.NDArray[np.int64] | None = None  # for old pickles

    def __init__(self, columns: npt.NDArray[np.int64] | None = None) -> None:
        chosen = slice(None) if columns is None else columns
        super().__init__(LOW[chosen], HIGH[chosen], dtype=np.float32)
        self.columns = columns


class Actions(spaces.Discrete):  # type: ignore[type-arg]  # not generic in every version
    """A Discrete space that records which actions it contains.

    ``contains`` is ten times faster for plain ints, because one of PettingZoo's wrappers calls it
    at every step.

    Attributes:
        action_ids: the action ids by index, int64[n]; None if they are the same.
        table: the settings that a policy for these actions must know, as under the key ``table`` of
            a model card; see docs/model_format.md.
    """

    action_ids: npt.NDArray[np.int64] | None = None  # for old pickles
    table: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        n: int = N_ACTIONS,
        action_ids: npt.NDArray[np.int64] | None = None,
        table: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(n)
        self.action_ids = action_ids
        self.table = dict(table or {})

    def contains(self, x: Any) -> bool:
        """Return whether ``x`` is the index of an action."""
        return 0 <= x < int(self.n) if type(x) is int else bool(super().contains(x))

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random action; ``mask`` has any ``mask_dtype``, where Gymnasium takes int8 alone."""
        if isinstance(mask, np.ndarray) and mask.dtype in (np.bool_, np.float32):
            mask = mask.astype(np.int8)
        return super().sample(mask, **({} if probability is None else {"probability": probability}))


class Interface:
    """The spaces of one seat, and the conversion between them and the kernel's arrays.

    Attributes:
        flat: whether an observation is a single array, with a separate mask.
        packed: whether that array is a packed row, which always has all columns.
        columns: the columns of the complete observation that are shown, ascending; None for all.
        action_ids: the ids of the available actions, ascending; None for all.
        mask_dtype: the type of masks in infos and observations.
        plain: whether observations and masks are the kernel's own: complete, int8.
        table: see :class:`Actions`.
    """

    def __init__(
        self,
        options: AECOptions | SeatOptions,
        editions: EditionSet,
        players: int,
    ) -> None:
        edition = editions.first
        check_word("observation", options.observation, FORMS)
        check_word("mask_dtype", options.mask_dtype, tuple(MASK_DTYPES))
        self.flat = options.observation != "dict"
        self.packed = options.observation == "packed"
        if self.packed:
            check_packable(edition)
        self.mask_dtype: Any = np.dtype(MASK_DTYPES[options.mask_dtype])
        self._players = players
        self.columns: npt.NDArray[np.int64] | None = None
        self.action_ids: npt.NDArray[np.int64] | None = None
        self.num_actions = N_ACTIONS
        if check_flag("narrow", options.narrow):
            self.columns = read_only(used_columns(players, editions))
            self.action_ids = read_only(used_actions(edition))
            self.num_actions = len(self.action_ids)
            self._numbers = np.full(N_ACTIONS + 1, NOWHERE, np.int64)  # by id; -1 stays -1
            self._numbers[self.action_ids] = np.arange(self.num_actions)
            self._checked = edition
        self.plain = not options.narrow and self.mask_dtype == np.int8
        self.table = table_of(options, edition)

    # Spaces

    def action_space(self) -> Actions:
        """Return the space of actions: their ids, or indices into ``action_ids``."""
        return Actions(self.num_actions, self.action_ids, self.table)

    def observation_space(self) -> spaces.Space[Any]:
        """Return the space of observations: a Box, or a Dict with the mask."""
        box = self.box()
        if not self.flat:
            mask = spaces.Box(0, 1, (self.num_actions,), self.mask_dtype)
            return spaces.Dict({"observation": box, "action_mask": mask})
        return box

    def box(self) -> spaces.Box:
        """Return the space of observations without a mask."""
        if self.packed:
            return spaces.Box(0, 255, (PACKED_SIZE,), np.uint8)
        return Columns(self.columns)

    def check(self, edition: Edition) -> None:
        """Raise an error if games with these rules need columns or actions that were dropped."""
        if self.packed:
            check_packable(edition)
        if self.action_ids is None or self.columns is None or edition is self._checked:
            return
        columns, ids = used_columns(self._players, edition), used_actions(edition)
        if not (np.isin(columns, self.columns).all() and np.isin(ids, self.action_ids).all()):
            fail(
                "narrow",
                "this position plays by rules with more actions than the environment has; make it "
                "with that edition, mode and rules, or without narrow",
            )
        self._checked = edition

    # From the kernel to the caller

    def observation(self, rows: Arrays) -> Arrays:
        """Return observations in the chosen form, (..., n); new arrays if columns are dropped."""
        if self.columns is None or self.packed:
            return rows
        return aligned_take(rows, self.columns)

    def mask(self, rows: npt.NDArray[np.int8]) -> Arrays:
        """Return masks in the chosen form, (..., num_actions); new arrays unless ``plain``."""
        chosen = rows if self.action_ids is None else aligned_take(rows, self.action_ids)
        if self.mask_dtype == np.int8:
            return chosen
        if rows.ndim == 1:
            return chosen.astype(self.mask_dtype)
        return aligned_copy(chosen, self.mask_dtype)

    def legal(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return masks as bool, regardless of ``mask_dtype``."""
        return rows if self.action_ids is None else aligned_take(rows, self.action_ids)

    def shown(self, row: Arrays, mask: npt.NDArray[np.int8]) -> Observation:
        """Return one seat's observation in the chosen form."""
        observation = self.observation(row)
        if self.flat:
            return observation
        return {"observation": observation, "action_mask": self.mask(mask)}

    def numbers(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the indices of action ids; -1 stays -1."""
        return ids if self.action_ids is None else self._numbers[ids]

    # From the caller to the kernel

    def id(self, number: int) -> int:
        """Return the id of an action index; UNKNOWN if it does not exist."""
        if not 0 <= number < self.num_actions:
            return UNKNOWN
        return number if self.action_ids is None else int(self.action_ids[number])

    def ids(self, numbers: Arrays) -> Arrays:
        """Return the ids of action indices; UNKNOWN for those that do not exist."""
        if self.action_ids is None:
            return numbers
        known = (numbers >= 0) & (numbers < self.num_actions)
        inside = np.where(known, numbers, 0).astype(np.int64)
        return np.where(known, self.action_ids[inside], UNKNOWN)

    def refused(self, number: int | None) -> int | None:
        """Return the id of a refused action. Raises: IllegalAction for an unknown index."""
        if number is None or self.action_ids is None:
            return number
        if not 0 <= number < self.num_actions:
            given, last = show(number), self.num_actions - 1
            text = f"there is no action {given}: with narrow they are 0 to {last}"
            raise IllegalAction(text, given, Why.NO_SUCH_ACTION)
        return self.id(number)


def table_of(options: CommonOptions, edition: Edition) -> dict[str, Any]:
    """Return the settings that a policy must know, as stored under ``table`` in a model card."""
    rules = edition.rules[0]
    table: dict[str, Any] = {
        "deals": Deals(int(rules["deals"])).name.lower(),
        "windows": "all" if rules["between_windows"] else "own",
    }
    if options.decides is not None:
        table["decides"] = [str(name).upper() for name in options.decides]
    if len(options.leaves):
        table["leaves"] = [str(name).lower() for name in options.leaves]
    if options.needs_fallback:
        table["rest"] = bot_name(options.rest)
    return table


class HasInterface:
    """Mixin for environments that present their games through an :class:`Interface`."""

    _interface: Interface

    @property
    def columns(self) -> npt.NDArray[np.int64] | None:
        """With ``narrow``, the shown columns of the complete observation; else None."""
        return self._interface.columns

    @property
    def action_ids(self) -> npt.NDArray[np.int64] | None:
        """With ``narrow``, the ids of the actions by index; else None."""
        return self._interface.action_ids

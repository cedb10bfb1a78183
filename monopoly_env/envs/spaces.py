"""What learners observe and do: spaces, and the kernel's arrays in the form that a caller chose."""

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
Observation = Arrays | dict[str, Arrays]  # flat or packed; or with its mask

FORMS = ("flat", "dict", "packed")
MASK_DTYPES = {"int8": np.int8, "bool": np.bool_, "float32": np.float32}
NOWHERE = -1  # where a narrow action space does not have an action


class Columns(spaces.Box):
    """Gymnasium's box of the numbers that are observed; it says which they are.

    Learners save their spaces. So a policy from any library can be played again.

    Attributes:
        columns: the columns of the whole observation, int64[n]; None for all.
    """

    columns: npt.NDArray[np.int64] | None = None  # in pickles of older versions

    def __init__(self, columns: npt.NDArray[np.int64] | None = None) -> None:
        chosen = slice(None) if columns is None else columns
        super().__init__(LOW[chosen], HIGH[chosen], dtype=np.float32)
        self.columns = columns


class Actions(spaces.Discrete):  # type: ignore[type-arg]  # not generic in every version
    """Gymnasium's space of the numbers of actions; it says which actions they are.

    It tells a plain int in a tenth of the time: one of PettingZoo's wrappers asks at every step.

    Attributes:
        action_ids: the ids of the actions by their numbers, int64[n]; None if they are the same.
        table: what a policy for these actions has to know of the table, as the key ``table`` of a
            model's card says it; see docs/model_format.md.
    """

    action_ids: npt.NDArray[np.int64] | None = None  # in pickles of older versions
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
        """Return whether this is the number of an action."""
        return 0 <= x < int(self.n) if type(x) is int else bool(super().contains(x))


class Interface:
    """Spaces of one seat, and the way between them and the kernel's arrays.

    Attributes:
        flat: whether an observation is one array, with its mask beside it.
        packed: whether that array is a packed row, in which ``columns`` are not left out.
        columns: the columns of the whole observation that are shown, ascending; None for all.
        action_ids: the ids of the actions that there are, ascending; None for all.
        mask_dtype: the type of masks in infos and observations.
        plain: whether observations and masks are the kernel's, whole and int8.
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
            self._numbers = np.full(N_ACTIONS + 1, NOWHERE, np.int64)  # by id; sampled: -1 for none
            self._numbers[self.action_ids] = np.arange(self.num_actions)
            self._checked = edition
        self.plain = not options.narrow and self.mask_dtype == np.int8
        self.table = table_of(options, edition)

    # Spaces

    def action_space(self) -> Actions:
        """Return the numbers of the actions: their ids, or indices into ``action_ids``."""
        return Actions(self.num_actions, self.action_ids, self.table)

    def observation_space(self) -> spaces.Space[Any]:
        """Return what is observed: a box, or a dictionary with its mask."""
        box = self.box()
        if not self.flat:
            mask = spaces.Box(0, 1, (self.num_actions,), self.mask_dtype)
            return spaces.Dict({"observation": box, "action_mask": mask})
        return box

    def box(self) -> spaces.Box:
        """The numbers that are observed, without a mask."""
        if self.packed:
            return spaces.Box(0, 255, (PACKED_SIZE,), np.uint8)
        return Columns(self.columns)

    def check(self, edition: Edition) -> None:
        """Raise an error if games by these rules need columns or actions that are left out."""
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
        """Observations as they are shown, (..., n); new arrays if columns are left out."""
        if self.columns is None or self.packed:
            return rows
        return aligned_take(rows, self.columns)

    def mask(self, rows: npt.NDArray[np.int8]) -> Arrays:
        """Masks as they are shown, (..., num_actions); new arrays unless ``plain``."""
        chosen = rows if self.action_ids is None else aligned_take(rows, self.action_ids)
        if self.mask_dtype == np.int8:
            return chosen
        if rows.ndim == 1:
            return chosen.astype(self.mask_dtype)
        return aligned_copy(chosen, self.mask_dtype)

    def legal(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Masks as bool, whatever ``mask_dtype`` says."""
        return rows if self.action_ids is None else aligned_take(rows, self.action_ids)

    def shown(self, row: Arrays, mask: npt.NDArray[np.int8]) -> Observation:
        """Return what one seat observes."""
        observation = self.observation(row)
        if self.flat:
            return observation
        return {"observation": observation, "action_mask": self.mask(mask)}

    def numbers(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the numbers of actions by their ids; -1 stays -1."""
        return ids if self.action_ids is None else self._numbers[ids]

    # From the caller to the kernel

    def id(self, number: int) -> int:
        """The id of an action by its number; UNKNOWN if no action has that number."""
        if not 0 <= number < self.num_actions:
            return UNKNOWN
        return number if self.action_ids is None else int(self.action_ids[number])

    def ids(self, numbers: Arrays) -> Arrays:
        """The ids of actions by their numbers; UNKNOWN where no action has that number."""
        if self.action_ids is None:
            return numbers
        known = (numbers >= 0) & (numbers < self.num_actions)
        inside = np.where(known, numbers, 0).astype(np.int64)
        return np.where(known, self.action_ids[inside], UNKNOWN)

    def refused(self, number: int | None) -> int | None:
        """The id of an action that was refused. Raises: IllegalAction if there is no such number."""
        if number is None or self.action_ids is None:
            return number
        if not 0 <= number < self.num_actions:
            given, last = show(number), self.num_actions - 1
            text = f"there is no action {given}: with narrow they are 0 to {last}"
            raise IllegalAction(given, Why.NO_SUCH_ACTION, text)
        return self.id(number)


def table_of(options: CommonOptions, edition: Edition) -> dict[str, Any]:
    """What of the table a policy has to know, as the key ``table`` of a model's card says it."""
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
    """An environment that shows its games through an :class:`Interface`."""

    _interface: Interface

    @property
    def columns(self) -> npt.NDArray[np.int64] | None:
        """With ``narrow`` the columns of the whole observation that are shown; else None."""
        return self._interface.columns

    @property
    def action_ids(self) -> npt.NDArray[np.int64] | None:
        """With ``narrow`` the ids of the actions by their numbers here; else None."""
        return self._interface.action_ids

"""Exact copies of environments by ``copy`` and ``pickle``, with clear errors when impossible."""

from __future__ import annotations

import copy
import copyreg
import pickle
from collections.abc import Callable, Iterator
from typing import Any, Self

from monopoly_env.envs.seating import bot_name
from monopoly_env.errors import CopyError

ANEW = (
    "make a new environment and reset it with options={'position': env.game}, where the bot "
    "starts over"
)


class ExactCopies:
    """Mixin: copies and pickles continue exactly as the original would, and share no mutable state.

    ``copy.copy`` equals ``copy.deepcopy``, because a shallow copy of an environment is of no use.
    """

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield the users' objects inside this object, with their parameter names."""
        return iter(())

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        for parameter, value in self.carried():
            _try(parameter, value, "copied", lambda value: copy.deepcopy(value, memo))
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()

    def __setstate__(self, state: dict[str, Any] | bytes) -> None:
        self.__dict__.update(pickle.loads(state) if isinstance(state, bytes) else state)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickle the state, with cloudpickle if plain pickle fails (lambdas)."""
        state: Any = self.__getstate__()
        carried = list(self.carried())
        try:
            pickle.dumps(carried, protocol)
        except Exception:  # noqa: BLE001 - objects of users may raise anything
            from cloudpickle import dumps  # type: ignore[import-untyped]  # Gymnasium has it

            for parameter, value in carried:
                _try(parameter, value, "pickled", dumps)
            state = dumps(state)
        return copyreg.__newobj__, (type(self),), state  # type: ignore[attr-defined]


def _try(parameter: str, value: Any, how: str, action: Callable[[object], object]) -> None:
    """Copy or pickle a user's object. Raises: CopyError, one line that names it."""
    try:
        action(value)
    except Exception as problem:  # noqa: BLE001 - objects of users may raise anything
        what = f"{bot_name(value)} cannot be {how}"
        if isinstance(problem, CopyError):
            CopyError.at(parameter).fail(f"{what}: {problem}; {ANEW}")
        reason = f"{type(problem).__name__}: {problem}"
        CopyError.at(parameter).fail(f"{what} ({reason}); let it hold only data, or {ANEW}")

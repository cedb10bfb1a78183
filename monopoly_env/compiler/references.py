"""Compile functions without reference counts where their callers hold all arrays.

Numba counts the references to each array with an atomic operation whenever a variable starts or
stops referring to it: for each argument of each call, and for each slice, on the same few bytes in
all threads. A caller holds its arguments until the call returns, so a function that makes, stores
and returns no arrays needs no counts of its own.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaRuntimeError
from numba.core.runtime.context import NRTContext
from numba.core.typed_passes import NativeLowering

# Operations that give a part of an existing value, or the same value under another name
BORROWS = frozenset(("getattr", "getitem", "static_getitem", "cast", "exhaust_iter", "build_tuple"))
STORES = (ir.SetItem, ir.StaticSetItem, ir.SetAttr)
# Values that exist already
SAME = (ir.Arg, ir.Var, ir.Const, ir.Global, ir.FreeVar)


class NoCounts(NRTContext):  # type: ignore[misc]  # Numba is not typed
    """A reference-counting context that emits no counts. Allocating an array raises an error."""

    def __init__(self, context: Any) -> None:
        super().__init__(context, False)

    def incref(self, builder: Any, typ: Any, value: Any) -> None:
        """Emit nothing."""

    def decref(self, builder: Any, typ: Any, value: Any) -> None:
        """Emit nothing."""


def only_borrows(state: Any) -> bool:
    """Return whether a typed function makes, stores and returns nothing that is counted."""
    if _is_counted(state, state.return_type):
        return False
    for block in state.func_ir.blocks.values():
        for one in block.body:
            if isinstance(one, ir.DynamicRaise | ir.DynamicTryRaise):
                return False  # makes what it raises
            if isinstance(one, STORES) and _is_counted(state, state.typemap[one.value.name]):
                return False  # copies an array that may overlap with the one it is written into
            if isinstance(one, ir.Assign) and not _borrows(state, one):
                return False
    return True


def _is_counted(state: Any, found: Any) -> bool:
    """Return whether values of a type hold a reference."""
    return bool(state.targetctx.data_model_manager[found].contains_nrt_meminfo())


def _holds_arrays_alone(state: Any, found: Any) -> bool:
    """Return whether a counted type is an array, or a tuple whose counted items are arrays."""
    if isinstance(found, types.containers.BaseTuple):
        counted = (part for part in found.types if _is_counted(state, part))
        return all(_holds_arrays_alone(state, part) for part in counted)
    return isinstance(found, types.Array)


def _borrows(state: Any, assignment: Any) -> bool:
    """Return whether an assignment leaves all counts unchanged."""
    found = state.typemap[assignment.target.name]
    if not _is_counted(state, found):
        return True
    if not _holds_arrays_alone(state, found):
        return False
    value = assignment.value
    if isinstance(value, SAME):
        return True
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "call":
        return _is_lent(state.typemap[value.func.name])
    return value.op in BORROWS and _is_view(state, value)


def _is_lent(function: Any) -> bool:
    """Return whether a callee returns an array without counts: see :func:`monopoly_env.compiler.jit.lends`."""
    callee = getattr(function, "dispatcher", getattr(function, "typing_key", None))
    return bool(getattr(callee, "lends", False))


def _is_view(state: Any, value: Any) -> bool:
    """Return whether indexing gives a view, and not a copy, as with a list of indices."""
    if value.op != "getitem":
        return True
    index = state.typemap[value.index.name]
    parts = index.types if isinstance(index, types.containers.BaseTuple) else (index,)
    return all(isinstance(part, types.Integer | types.misc.SliceType) for part in parts)


@register_pass(mutates_CFG=True, analysis_only=False)
class LoweringWithoutCounts(NativeLowering):  # type: ignore[misc]
    """Translate typed code to LLVM, without counts in functions that only borrow."""

    _name = "monopoly_env_lowering_without_counts"

    def run_pass(self, state: Any) -> bool:
        """Lower without counts where :func:`only_borrows` allows it, else as Numba does."""
        counting = state.targetctx
        if only_borrows(state):
            state.targetctx = counting.subtarget(enable_nrt=False)
            state.targetctx.nrt = NoCounts(state.targetctx)
            try:
                return bool(super().run_pass(state))
            except NumbaRuntimeError:  # Numba makes an array here that no variable shows
                pass
            finally:
                state.targetctx = counting
        return bool(super().run_pass(state))

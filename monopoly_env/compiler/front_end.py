"""From Python to LLVM in fewer steps: what our functions do not use is not looked for.

Most of a cold start goes into Numba's front end, which is Python. Four things are saved here, and
the code that comes out is the same: passes for what a function has not (closures, ``with`` blocks,
arithmetic of arrays), records of each pass that nobody reads, how long each variable lives after
passes that do not ask, and finding out once more what ``int64 + int64`` is.
"""

from __future__ import annotations

import dis
from functools import cache
from types import CodeType
from typing import Any

from numba.core import types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir_utils import build_definitions
from numba.core.ssa import reconstruct_ssa
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import (
    InlineOverloads,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing.context import Context
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    InlineInlinables,
    IRProcessing,
    ReconstructSSA,
    RewriteDynamicRaises,
    RewriteSemanticConstants,
    TranslateByteCode,
)

# What Numba's other passes are for, by the names of instructions and of what is called
INSTRUCTIONS = frozenset(
    "BEFORE_WITH SETUP_WITH LIST_APPEND MAP_ADD SET_ADD MAKE_FUNCTION YIELD_VALUE RETURN_GENERATOR "
    "STORE_DEREF LOAD_CLOSURE".split()
)
NAMES = frozenset(("literally", "literal_unroll", "objmode", "prange"))


def is_plain(code: CodeType) -> bool:
    """Whether a function has none of what only the whole of Numba's pipeline sees to."""
    if NAMES.intersection(code.co_names):
        return False
    return not any(one.opname in INSTRUCTIONS for one in dis.get_instructions(code))


@register_pass(mutates_CFG=True, analysis_only=False)
class RewritesIfNeeded(NopythonRewrites):  # type: ignore[misc]  # Numba is not typed
    """Rewrites arithmetic of arrays and fields named by text, in functions that have them."""

    TEXT: tuple[type, ...] = (types.misc.StringLiteral, types.misc.UnicodeType)

    _name = "monopoly_env_rewrites_if_needed"

    def run_pass(self, state: Any) -> bool:
        """Do it, or nothing."""
        found = state.typemap.values()
        text = any(isinstance(one, self.TEXT) for one in found)
        return bool(super().run_pass(state)) if text or _has_array_arithmetic(state) else False


def _has_array_arithmetic(state: Any) -> bool:
    """Whether an operator or a call makes an array out of arrays."""
    return any(
        isinstance(signature.return_type, types.Array)
        and any(isinstance(one, types.Array) for one in signature.args)
        for signature in state.calltypes.values()
        if signature is not None
    )


@register_pass(mutates_CFG=True, analysis_only=False)
class CanonicalFlow(IRProcessing):  # type: ignore[misc]
    """Loops with one way back each. When variables die is found out at the end, by IRLegalization."""

    _name = "monopoly_env_canonical_flow"

    def run_pass(self, state: Any) -> bool:
        """Do it."""
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class AssignedOnce(ReconstructSSA):  # type: ignore[misc]
    """Names for variables so that each is assigned in one place."""

    _name = "monopoly_env_assigned_once"

    def run_pass(self, state: Any) -> bool:
        """Do it."""
        state.func_ir = reconstruct_ssa(state.func_ir)
        self._patch_locals(state)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class WithoutPhis(PreLowerStripPhis):  # type: ignore[misc]
    """Assignments for the phi nodes that those names have brought."""

    _name = "monopoly_env_without_phis"

    def run_pass(self, state: Any) -> bool:
        """Do it."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


PASSES = (
    TranslateByteCode,
    FixupArgs,
    CanonicalFlow,
    RewriteSemanticConstants,
    DeadBranchPrune,
    GenericRewrites,
    RewriteDynamicRaises,
    InlineInlinables,
    AssignedOnce,
    DeadBranchPrune,
    NopythonTypeInference,
    WithoutPhis,
    InlineOverloads,
    RewritesIfNeeded,
    NoPythonSupportedFeatureValidation,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)


class QuietPasses(PassManager):  # type: ignore[misc]
    """Runs passes without a record of each: to write one takes as long as many a pass."""

    def _runPass(self, index: int, one: Any, state: Any) -> None:  # noqa: ARG002, N802 - Numba's
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


@cache
def plain_passes() -> QuietPasses:
    """The passes for a plain function."""
    manager = QuietPasses("nopython")
    for one in PASSES:
        manager.add_pass(one, one.__name__)
    manager.finalize()
    return manager


class FrontEnd(Compiler):  # type: ignore[misc]
    """Compiles plain functions in fewer passes, all others as Numba does."""

    def define_pipelines(self) -> list[Any]:
        """The passes that the function needs."""
        if not is_plain(self.state.func_id.code):
            pipelines: list[Any] = super().define_pipelines()
            return pipelines
        self.state.type_annotation = ""  # which nobody reads
        return [plain_passes()]


class RememberedTypes(Context):  # type: ignore[misc]
    """Numba's typing context, which keeps what an operator gave for arguments of some types.

    It is the same context, down to its memory, and equal to it: Numba uses both as keys.
    """

    def __init__(self, context: Any) -> None:  # it is made from another, not set up anew
        self.__dict__ = context.__dict__
        self.__dict__.setdefault("monopoly_env_signatures", {})
        self.__dict__.setdefault("monopoly_env_context", context)

    def resolve_function_type(self, function: Any, args: Any, keywords: Any) -> Any:
        """The signature of a call."""
        if keywords or not (type(function) is types.Function or function.__class__ is BUILTIN):
            return super().resolve_function_type(function, args, keywords)
        known = self.__dict__["monopoly_env_signatures"]
        key = (function, tuple(args))
        signature = known.get(key)
        if signature is None:
            signature = super().resolve_function_type(function, args, keywords)
            if signature is not None:
                known[key] = signature
        return signature

    def __eq__(self, other: object) -> bool:
        return other is self or other is self.__dict__["monopoly_env_context"]

    def __hash__(self) -> int:
        return hash(self.__dict__["monopoly_env_context"])


BUILTIN = type(len)  # of the functions in ``operator``


def remembering(context: Any) -> Any:
    """A typing context with a memory."""
    return context if isinstance(context, RememberedTypes) else RememberedTypes(context)

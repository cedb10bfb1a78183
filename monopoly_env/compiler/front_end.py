"""A shorter compilation pipeline: it skips Numba passes that our functions do not need.

Most of a cold start is spent in Numba's front end, which is written in Python. The pipeline skips
passes for unused features (closures, ``with`` blocks, array expressions), statistics of each pass,
and liveness analysis where it is not needed, and it caches the types of operators such as ``int64 +
int64``. The generated code is the same.
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

from monopoly_env.compiler.references import LoweringWithoutCounts

# Instructions and names that need Numba's other passes
INSTRUCTIONS = frozenset(
    "BEFORE_WITH SETUP_WITH LIST_APPEND MAP_ADD SET_ADD MAKE_FUNCTION YIELD_VALUE RETURN_GENERATOR "
    "STORE_DEREF LOAD_CLOSURE".split()
)
NAMES = frozenset(("literally", "literal_unroll", "objmode", "prange"))


def is_plain(code: CodeType) -> bool:
    """Return whether a function needs none of the passes that are left out."""
    if NAMES.intersection(code.co_names):
        return False
    return not any(one.opname in INSTRUCTIONS for one in dis.get_instructions(code))


@register_pass(mutates_CFG=True, analysis_only=False)
class RewritesIfNeeded(NopythonRewrites):  # type: ignore[misc]  # Numba is not typed
    """Rewrites array expressions and fields named by strings, if a function has them."""

    TEXT: tuple[type, ...] = (types.misc.StringLiteral, types.misc.UnicodeType)

    _name = "monopoly_env_rewrites_if_needed"

    def run_pass(self, state: Any) -> bool:
        """Run the pass if it is needed."""
        found = state.typemap.values()
        text = any(isinstance(one, self.TEXT) for one in found)
        return bool(super().run_pass(state)) if text or _has_array_arithmetic(state) else False


def _has_array_arithmetic(state: Any) -> bool:
    """Return whether any operator or call turns arrays into an array."""
    return any(
        isinstance(signature.return_type, types.Array)
        and any(isinstance(one, types.Array) for one in signature.args)
        for signature in state.calltypes.values()
        if signature is not None
    )


@register_pass(mutates_CFG=True, analysis_only=False)
class CanonicalFlow(IRProcessing):  # type: ignore[misc]
    """Gives each loop a single back edge; IRLegalization computes liveness at the end."""

    _name = "monopoly_env_canonical_flow"

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class AssignedOnce(ReconstructSSA):  # type: ignore[misc]
    """Converts variables to static single assignment form."""

    _name = "monopoly_env_assigned_once"

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
        state.func_ir = reconstruct_ssa(state.func_ir)
        self._patch_locals(state)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class WithoutPhis(PreLowerStripPhis):  # type: ignore[misc]
    """Replaces phi nodes by assignments."""

    _name = "monopoly_env_without_phis"

    def run_pass(self, state: Any) -> bool:
        """Run the pass."""
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
    LoweringWithoutCounts,
    NoPythonBackend,
)


class QuietPasses(PassManager):  # type: ignore[misc]
    """Runs passes without recording statistics, which take as long as many passes."""

    def _runPass(self, index: int, one: Any, state: Any) -> None:  # noqa: ARG002, N802 - Numba's
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


@cache
def plain_passes() -> QuietPasses:
    """Return the passes for a plain function."""
    manager = QuietPasses("nopython")
    for one in PASSES:
        manager.add_pass(one, one.__name__)
    manager.finalize()
    return manager


class FrontEnd(Compiler):  # type: ignore[misc]
    """Compiles plain functions with fewer passes, and all others as Numba does."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes that the function needs."""
        if not is_plain(self.state.func_id.code):
            pipelines: list[Any] = super().define_pipelines()
            return pipelines
        self.state.type_annotation = ""  # not used
        return [plain_passes()]


class RememberedTypes(Context):  # type: ignore[misc]
    """Numba's typing context with a cache of the types of operators.

    It shares the state of the original context and is equal to it, because Numba uses both as keys.
    """

    def __init__(self, context: Any) -> None:  # shares another's state
        self.__dict__ = context.__dict__
        self.__dict__.setdefault("monopoly_env_signatures", {})
        self.__dict__.setdefault("monopoly_env_context", context)

    def resolve_function_type(self, function: Any, args: Any, keywords: Any) -> Any:
        """Return the signature of a call, from the cache if possible."""
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


BUILTIN = type(len)  # type of the functions in ``operator``


def remembering(context: Any) -> Any:
    """Return a typing context with a cache."""
    return context if isinstance(context, RememberedTypes) else RememberedTypes(context)

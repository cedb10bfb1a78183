"""Links compiled functions once, at the entry points that Python calls.

Numba makes a library of every function: it links in everything that the function calls, optimizes
the result and generates machine code. The rules at the bottom are thus optimized again for each
function above them. Most of our functions are only called by other compiled functions. They are
kept as unoptimized LLVM code. Only entry points, which Python calls or a table of policies points
to, are linked, optimized and turned into machine code, with everything below them visible to the
optimizer. A cold start takes less than half the time, and the code is faster.

No other module depends on Numba's internals. The hooks are ``pipeline_class``, which Numba provides
for this purpose, and its cache. With an incompatible Numba, this module is not used
(:mod:`monopoly_env.compiler.link_choice`).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba.core.base import BaseContext
from numba.core.caching import Cache, CompileResultCacheImpl, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler import compile_result as new_compile_result
from numba.core.compiler_machinery import CompilerPass, PassManager
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.context import NRTContext
from numba.core.typed_passes import NativeLowering, NopythonTypeInference, PreLowerStripPhis
from numba.core.typing.context import Context
from numba.core.untyped_passes import ReconstructSSA

from monopoly_env.compiler.code_files import CodeFiles, CodeFilesImpl
from monopoly_env.compiler.front_end import FrontEnd, remembering
from monopoly_env.compiler.numba_trimming import quiet
from monopoly_env.compiler.symbols import name_alike

# The Numba methods that are overridden or called here, and their numbers of parameters.
USED: tuple[tuple[Any, str, int], ...] = (
    (Compiler, "compile_extra", 2),
    (Compiler, "_compile_bytecode", 1),
    (Compiler, "define_pipelines", 1),
    (CompilerPass, "run_initialization", 3),
    (NopythonTypeInference, "run_pass", 2),
    (ReconstructSSA, "_patch_locals", 2),
    (PreLowerStripPhis, "_strip_phi_nodes", 2),
    (NativeLowering, "run_pass", 2),
    (BaseContext, "subtarget", 2),
    (NRTContext, "__init__", 3),
    (NRTContext, "incref", 4),
    (NRTContext, "decref", 4),
    (CompilerPass, "run_finalizer", 3),
    (PassManager, "_runPass", 4),
    (PassManager, "add_pass", 3),
    (PassManager, "finalize", 1),
    (Context, "resolve_function_type", 4),
    (JITCodeLibrary, "__init__", 3),
    (JITCodeLibrary, "finalize", 1),
    (JITCodeLibrary, "enable_object_caching", 1),
    (JITCodeLibrary, "get_pointer_to_function", 2),
    (JITCodeLibrary, "serialize_using_object_code", 1),
    (JITCodeLibrary, "_finalize_dynamic_globals", 1),
    (JITCodeLibrary, "_get_module_for_linking", 1),
    (JITCodeLibrary, "_optimize_functions", 2),
    (JITCodeLibrary, "_raise_if_finalized", 1),
    (JITCPUCodegen, "_function_pass_manager", 2),
    (CompileResult, "_reduce", 1),
    (CompileResultCacheImpl, "check_cachable", 2),
    (CompileResultCacheImpl, "rebuild", 3),
    (CompileResultCacheImpl, "reduce", 2),
    (Cache, "load_overload", 3),
    (Cache, "save_overload", 3),
    (Cache, "_load_overload", 3),
    (Cache, "_save_overload", 3),
    (Cache, "_index_key", 3),
    (IndexDataCacheFile, "__init__", 4),
    (IndexDataCacheFile, "load", 2),
    (IndexDataCacheFile, "save", 3),
    (IndexDataCacheFile, "flush", 1),
    (Dispatcher, "get_call_template", 3),
    (Dispatcher, "get_overload", 2),
)
COMPILED = "_ZN"  # prefix of the symbols of compiled Python functions
REMEDY = "remove the folder of compiled code (MONOPOLY_ENV_CACHE, ~/.cache/monopoly-env)"


class NoEnvironments:
    """Replaces the code generator where there is no machine code."""

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing; Numba would write the environment's address into the machine code."""


class Origin(NamedTuple):
    """The data that locates a callee again."""

    module: str
    name: str
    arguments: tuple[Any, ...]  # types
    symbol: str  # what its callers refer to, see :mod:`monopoly_env.compiler.symbols`


class Library(JITCodeLibrary):  # type: ignore[misc]  # Numba is not typed
    """The common part of both kinds of libraries."""

    def _optimize_functions(self, module: Any) -> None:
        """Run LLVM's function passes over newly generated functions."""
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


class CalleeLibrary(Library):
    """A function that only compiled code calls: its own code, and the libraries it needs."""

    origin: Origin
    codegen = NoEnvironments()
    _linking_libraries: list[Any]

    @property
    def callees(self) -> list[CalleeLibrary]:
        """The libraries of this kind that it calls."""
        libraries = self._linking_libraries
        return [library for library in libraries if isinstance(library, CalleeLibrary)]

    def finalize(self) -> None:
        """Link in Numba's own helpers; everything else is linked at entry points."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if not isinstance(library, CalleeLibrary):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def own_module(self) -> Any:
        """The function's own code, without its callees."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """Return the function with all callees, for other packages' compiled code."""
        module = self.own_module.clone()
        for library in reached(self.callees):
            module.link_in(library.own_module, preserve=True)
        return module

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - Numba's interface
        """Return 0, because there is no machine code."""
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the data to cache: the LLVM code of this function alone."""
        return self.name, "bitcode", self._final_module.as_bitcode()

    @classmethod
    def read(cls, codegen: Any, name: str, bitcode: bytes, origin: Origin) -> CalleeLibrary:
        """Return a library from the cache, without its callees."""
        from llvmlite import binding

        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_dynamic_globals()
        library._finalized = True
        library.origin = origin
        return library


class EntryLibrary(Library):
    """A function that Python calls, including everything that it reaches."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link all direct and indirect callees, optimize, and generate machine code."""
        called = dict.fromkeys(self._linking_libraries)
        callees = reached(library for library in called if isinstance(library, CalleeLibrary))
        others = [library for library in called if not isinstance(library, CalleeLibrary)]
        for library in (*callees, *others):
            self._reload_init.update(library._reload_init)
            callee = isinstance(library, CalleeLibrary)
            module = library.own_module if callee else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        self._linking_libraries = []
        self._link_again(callees)
        self._check_whole()
        super().finalize()

    def _link_again(self, callees: Sequence[CalleeLibrary]) -> None:
        """Link callees that are still missing.

        LLVM omits functions to which nothing refers yet. A function that only dead code calls may
        be linked and removed before the live code that also calls it arrives.
        """
        by_symbol = {library.origin.symbol: library for library in callees}
        while True:
            functions = self._final_module.functions
            lacking = [one.name for one in functions if one.is_declaration]
            found = [by_symbol[name] for name in lacking if name in by_symbol]
            if not found:
                return
            for library in found:
                self._final_module.link_in(library.own_module, preserve=True)

    def _check_whole(self) -> None:
        """Raise an error for missing callees; calling them would crash the process."""
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(COMPILED):
                raise RuntimeError(f"{self.name}: compiled without {function.name}; {REMEDY}")


def reached(libraries: Iterable[CalleeLibrary]) -> list[CalleeLibrary]:
    """Return these libraries and all their callees, each once, in a fixed order."""
    visited: dict[CalleeLibrary, None] = {}
    waiting = list(libraries)[::-1]
    while waiting:
        library = waiting.pop()
        if library not in visited:
            visited[library] = None
            waiting += library.callees[::-1]
    return list(visited)


def missing() -> str:
    """Return the first Numba method used here that has changed; empty if none has."""
    for owner, name, arguments in USED:
        method = getattr(owner, name, None)
        if method is None or len(inspect.signature(method).parameters) != arguments:
            return f"{owner.__name__}.{name} with {arguments} arguments"
    return ""


class EntryCompiler(FrontEnd):
    """Compiles functions that Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function into an EntryLibrary."""
        self.state.library = EntryLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        self.state.typingctx = remembering(self.state.typingctx)
        with quiet():
            return super().compile_extra(function)


class CalleeCompiler(FrontEnd):
    """Compiles functions that only compiled code calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function into a CalleeLibrary."""
        library = CalleeLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library = library
        self.state.typingctx = remembering(self.state.typingctx)
        with quiet():
            result = super().compile_extra(function)
        library.origin = origin_of(result.fndesc, result.signature)
        return result

    def _compile_bytecode(self) -> Any:
        """Compile under a symbol that is the same in every process."""
        name_alike(self.state.func_id)
        return super()._compile_bytecode()


def origin_of(described: Any, signature: Any) -> Origin:
    """Return the data that locates a compiled function again."""
    module, name = described.modname, described.qualname
    return Origin(module, name, tuple(signature.args), described.llvm_func_name)


class CalleeFilesImpl(CodeFilesImpl):
    """Stores a callee with references to its own callees, and resolves them on loading."""

    PREFIX = "callee-"  # separate from the file of the same function's entry point

    def reduce(self, result: Any) -> Any:
        """Return the data to store."""
        return result._reduce(), [callee.origin for callee in result.library.callees]

    def rebuild(self, target: Any, kept: Any) -> Any:
        """Return the callee from stored data; None (recompile) if a part is missing."""
        parts, origins = kept
        code, described, environment, signature, _, lifted, annotation, *references = parts
        reload_init, environments = references
        callees = [library_of(origin) for origin in origins]
        if None in callees:
            return None
        origin = origin_of(described, signature)
        library = CalleeLibrary.read(target.codegen(), code[0], code[2], origin)
        library._linking_libraries += callees
        return new_compile_result(
            typing_context=target.typing_context,
            target_context=target,
            entry_point=target.get_executable(library, described, environment),
            library=library,
            fndesc=described,
            environment=environment,
            signature=signature,
            objectmode=False,
            lifted=lifted,
            type_annotation=annotation,
            reload_init=reload_init,
            referenced_envs=environments,
        )

    def check_cachable(self, result: CompileResult) -> bool:
        """Refuse callees that are local functions, which could not be located again."""
        inside = any("<locals>" in callee.origin.name for callee in result.library.callees)
        return not inside and bool(super().check_cachable(result))


class CalleeFiles(CodeFiles):
    """Caches callees as LLVM code, which is the same for all processors of an architecture."""

    _impl_class = CalleeFilesImpl

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        """Return Numba's key without the processor."""
        signature, target, code = super()._index_key(signature, codegen)
        return signature, target[:1], code

    def other_keys(self, key: Any) -> Iterator[Any]:  # noqa: ARG002 - Numba's interface
        """Yield nothing, because the key fits all processors."""
        return iter(())


def library_of(origin: Origin) -> CalleeLibrary | None:
    """Return the library of a callee, loaded or compiled; None if it is not the expected version."""
    dispatcher = getattr(sys.modules.get(origin.module), origin.name, None)
    callee = getattr(dispatcher, "callee", None)
    if callee is None:
        return None
    callee.compile(origin.arguments)
    library: CalleeLibrary = callee.overloads[origin.arguments].library
    return library if library.origin.symbol == origin.symbol else None


def linked(function: Any, folders: Sequence[Path], **options: Any) -> tuple[Any, Any]:
    """Return the dispatchers of a function for calls from Python and from compiled code."""
    callee = numba.njit(
        pipeline_class=CalleeCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options
    )(function)
    callee._cache = CalleeFiles(function, folders)
    entry = numba.njit(pipeline_class=EntryCompiler, **options)(function)
    entry._cache = CodeFiles(function, folders)
    return entry, callee


def fix_signature(entry: Any, signature: Any) -> None:
    """Compile an entry point for exactly one signature, as Numba's decorator would."""
    entry.compile(signature)
    entry.disable_compile()

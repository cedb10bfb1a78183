"""How compiled functions are put together: once, where Python calls in.

Numba makes a library of every function: it links in whatever that function calls, optimises the
whole and makes machine code of it, so that the rules at the bottom are optimised again for each
function above them. Most of ours are only ever called by other compiled functions. Those are kept
as they come out of type inference, and only an entry point, which Python calls or a table of
policies points to, is linked, optimised and made into machine code. Everything below it is then
seen at once. A cold start takes less than half the time, and the code is faster.

No other file needs to know Numba's insides: the ways in are ``pipeline_class``, which Numba offers
for such ends, and its cache. A Numba whose insides are others is served without this file
(:mod:`monopoly_env.compiler.link_choice`).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba.core.caching import Cache, CompileResultCacheImpl, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler import compile_result as new_compile_result
from numba.core.compiler_machinery import CompilerPass, PassManager
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import NopythonTypeInference, PreLowerStripPhis
from numba.core.typing.context import Context
from numba.core.untyped_passes import ReconstructSSA

from monopoly_env.compiler.code_files import CodeFiles, CodeFilesImpl
from monopoly_env.compiler.front_end import FrontEnd, remembering
from monopoly_env.compiler.quiet import quiet

# Numba's own methods that are overridden or called here, and how many arguments each takes.
USED: tuple[tuple[Any, str, int], ...] = (
    (Compiler, "compile_extra", 2),
    (Compiler, "define_pipelines", 1),
    (CompilerPass, "run_initialization", 3),
    (NopythonTypeInference, "run_pass", 2),
    (ReconstructSSA, "_patch_locals", 2),
    (PreLowerStripPhis, "_strip_phi_nodes", 2),
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
COMPILED = "_ZN"  # how the names of compiled Python functions begin
REMEDY = "remove the folder of compiled code (MONOPOLY_ENV_CACHE, ~/.cache/monopoly-env)"


class NoEnvironments:
    """Takes the place of the code generator where there is no machine code to tell about objects."""

    def set_env(self, name: str, environment: Any) -> None:
        """Numba would write the environment's address into the machine code."""


class Origin(NamedTuple):
    """How to find a callee again."""

    module: str
    name: str
    arguments: tuple[Any, ...]  # types
    symbol: str  # which Numba numbers anew in each process: who calls it must have meant this one


class Library(JITCodeLibrary):  # type: ignore[misc]  # Numba is not typed
    """What both kinds of libraries share."""

    def _optimize_functions(self, module: Any) -> None:
        """Run LLVM's passes over a function that was just made; names of others need none."""
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


class CalleeLibrary(Library):
    """A function that only compiled code calls: its own code, and whose libraries it needs."""

    origin: Origin
    codegen = NoEnvironments()
    _linking_libraries: list[Any]

    @property
    def callees(self) -> list[CalleeLibrary]:
        """The libraries of what it calls, as far as those are of this kind."""
        libraries = self._linking_libraries
        return [library for library in libraries if isinstance(library, CalleeLibrary)]

    def finalize(self) -> None:
        """Take in Numba's own helpers; all else is linked where Python calls in."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if not isinstance(library, CalleeLibrary):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def own_module(self) -> Any:
        """The function's own code, to be linked into one that has its callees too."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The function and all that it reaches: what another package's compiled code needs."""
        module = self.own_module.clone()
        for library in reached(self.callees):
            module.link_in(library.own_module, preserve=True)
        return module

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - Numba's interface
        """There is no machine code."""
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What the cache keeps: LLVM's code of this function alone."""
        return self.name, "bitcode", self._final_module.as_bitcode()

    @classmethod
    def read(cls, codegen: Any, name: str, bitcode: bytes, origin: Origin) -> CalleeLibrary:
        """A library from the cache, without its callees."""
        from llvmlite import binding

        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_dynamic_globals()
        library._finalized = True
        library.origin = origin
        return library


class EntryLibrary(Library):
    """A function that Python calls, with everything that it reaches."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link all that is called, directly or not; then optimise and make machine code."""
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
        """Link what is called and was left out.

        LLVM leaves out what nothing refers to so far. What is called by dead code alone comes, and
        goes, before the living code that calls it, too.
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
        """Machine code that calls what is nowhere would end the process."""
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(COMPILED):
                raise RuntimeError(f"{self.name}: compiled without {function.name}; {REMEDY}")


def reached(libraries: Iterable[CalleeLibrary]) -> list[CalleeLibrary]:
    """These libraries and the callees of callees, each once, in a fixed order."""
    visited: dict[CalleeLibrary, None] = {}
    waiting = list(libraries)[::-1]
    while waiting:
        library = waiting.pop()
        if library not in visited:
            visited[library] = None
            waiting += library.callees[::-1]
    return list(visited)


def missing() -> str:
    """The first of Numba's methods used here that is not as it was; nothing if all are."""
    for owner, name, arguments in USED:
        method = getattr(owner, name, None)
        if method is None or len(inspect.signature(method).parameters) != arguments:
            return f"{owner.__name__}.{name} with {arguments} arguments"
    return ""


class EntryCompiler(FrontEnd):
    """Compiles what Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function into a library of our kind."""
        self.state.library = EntryLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        self.state.typingctx = remembering(self.state.typingctx)
        with quiet():
            return super().compile_extra(function)


class CalleeCompiler(FrontEnd):
    """Compiles what only compiled code calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function into a library of our kind."""
        library = CalleeLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library = library
        self.state.typingctx = remembering(self.state.typingctx)
        with quiet():
            result = super().compile_extra(function)
        library.origin = origin_of(result.fndesc, result.signature)
        return result


def origin_of(described: Any, signature: Any) -> Origin:
    """How a compiled function is found again."""
    module, name = described.modname, described.qualname
    return Origin(module, name, tuple(signature.args), described.llvm_func_name)


class CalleeFilesImpl(CodeFilesImpl):
    """Puts a callee on disk with the names of its own callees, and finds those again."""

    PREFIX = "callee-"  # Python may call the same function: not in the same file

    def reduce(self, result: Any) -> Any:
        """What is kept."""
        return result._reduce(), [callee.origin for callee in result.library.callees]

    def rebuild(self, target: Any, kept: Any) -> Any:
        """The callee from what was kept; None, so that it is compiled anew, if a part is missing."""
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
        """A function inside a function could not be found again."""
        inside = any("<locals>" in callee.origin.name for callee in result.library.callees)
        return not inside and bool(super().check_cachable(result))


class CalleeFiles(CodeFiles):
    """Where callees are kept: as LLVM's code, which is the same for all processors of a kind."""

    _impl_class = CalleeFilesImpl

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        """Numba's key without the processor."""
        signature, target, code = super()._index_key(signature, codegen)
        return signature, target[:1], code

    def other_keys(self, key: Any) -> Iterator[Any]:  # noqa: ARG002 - as above
        """None: the key fits all processors."""
        return iter(())


def library_of(origin: Origin) -> CalleeLibrary | None:
    """The library of a callee, read or compiled; None if it is not the one that was meant.

    Two processes that start cold together each compile all of it, and either's files may stay.
    """
    dispatcher = getattr(sys.modules.get(origin.module), origin.name, None)
    callee = getattr(dispatcher, "callee", None)
    if callee is None:
        return None
    callee.compile(origin.arguments)
    library: CalleeLibrary = callee.overloads[origin.arguments].library
    return library if library.origin.symbol == origin.symbol else None


def linked(function: Any, folders: Sequence[Path], **options: Any) -> tuple[Any, Any]:
    """A function as Python calls it, and as compiled code does: dispatchers."""
    callee = numba.njit(
        pipeline_class=CalleeCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options
    )(function)
    callee._cache = CalleeFiles(function, folders)
    entry = numba.njit(pipeline_class=EntryCompiler, **options)(function)
    entry._cache = CodeFiles(function, folders)
    return entry, callee


def fix_signature(entry: Any, signature: Any) -> None:
    """Compile an entry point for one signature and for no other, as Numba's decorator would."""
    entry.compile(signature)
    entry.disable_compile()

"""How the rules are compiled, cached and given their records: what Numba is to everything else.

Everything compiled in this project goes through :func:`jit`. Compiled code is kept in folders
named by a hash of the sources it can be made of (:mod:`monopoly_env.compiler.source_keys`), of
Numba's and Python's versions and of the flags, because Numba's own cache looks at one file at a
time and would serve stale code when a rule or a constant in another module changed.

Environment variables: ``MONOPOLY_ENV_CACHE`` (the folder for compiled code),
``NUMBA_BOUNDSCHECK=1`` (check every index), ``NUMBA_DISABLE_JIT=1`` (run as plain Python).
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, event
from numba.extending import intrinsic

from monopoly_env.compiler.linking import EntryCompiler, callee_of
from monopoly_env.compiler.source_keys import SourceKeys, find_packages

F = TypeVar("F", bound=Callable[..., Any])

# GameBatch of policies rest on it, and they are tested; one line a process would only alarm people.
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

JIT: bool = not numba.config.DISABLE_JIT
BOUNDS_CHECKED: bool = bool(numba.config.BOUNDSCHECK)


def _cache_root() -> Path:
    """The folder the user names, else the usual cache folder of the system."""
    named = os.environ.get("MONOPOLY_ENV_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "monopoly-env"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/monopoly-env"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "monopoly-env"


def _writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path:
    """Where compiled code is kept; a private temporary folder if the usual one is read-only."""
    if _writable(_cache_root()):
        return _cache_root()
    user = getattr(os, "getuid", lambda: "user")()
    folder = Path(tempfile.gettempdir()) / f"monopoly-env-{user}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


class _Progress(event.Listener):  # type: ignore[misc]  # Numba is not typed
    """A line on the terminal while functions are compiled, which happens once a machine."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream  # the terminal itself: a progress bar may stand before sys.stderr
        self.functions = self.depth = 0
        self.began = self.ended = 0.0

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Count the function, and show the count."""
        now = time.monotonic()
        if self.depth == 0 and now - self.ended > 2:  # another spell of compiling
            self.functions, self.began = 0, now
        self.depth += 1
        self.functions += 1
        if now - self.began > 2:  # a bot or two compile unnoticed
            self.stream.write(
                f"\rmonopoly-env: compiling, once a machine … {self.functions} functions, "
                f"{now - self.began:.0f} s "
            )
            self.stream.flush()

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Clear the line for whatever the program writes next."""
        self.depth -= 1
        self.ended = time.monotonic()
        if self.depth == 0 and self.ended - self.began > 2:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


if JIT and sys.stderr is not None and sys.stderr.isatty():
    event.register("numba:compile", _Progress(sys.stderr))
if not JIT:
    np.seterr(over="ignore")  # the generator's numbers wrap around, as they do when compiled

FLAGS = (numba.__version__, np.__version__, platform.python_version(), str(BOUNDS_CHECKED))
SOURCE_KEYS = SourceKeys(FLAGS, find_packages())
CACHE_FOLDER: Path = _cache_folder()


def folder_of(module: str, file: str = "") -> Path:
    """Where the compiled code of a module is kept; see :meth:`SourceKeys.key`."""
    return CACHE_FOLDER / SOURCE_KEYS.key(module, file)


def _widened(argument: Any) -> Any:
    """The type a call is compiled for: whole numbers of every kind and size are int64."""
    argument = types.unliteral(argument)
    signed = isinstance(argument, types.Integer) and argument.signed
    return types.int64 if signed or isinstance(argument, types.IntEnumMember) else argument


def _call_by(dispatcher: Any, callee: Any) -> None:
    """Let compiled code call ``callee`` where it names ``dispatcher``, with widened arguments.

    Numba has one version of a function for each combination of argument types, and an int8 from
    a record, the literal 3 and Phase.BUY are three types to it; here they share one. Halves the
    time of a cold start.
    """

    def template(arguments: Any, keywords: Any) -> Any:
        return callee.get_call_template(
            tuple(_widened(argument) for argument in arguments),
            {name: _widened(argument) for name, argument in keywords.items()},
        )

    dispatcher.callee = callee
    dispatcher.get_call_template = template
    dispatcher.get_overload = callee.get_overload


def _compile(function: Any, *signature: Any) -> Any:
    """Hand a function to Numba, with its module's cache folder.

    Numba's cache folder is a global setting; it is set back at once, so that other packages'
    compiled functions stay where they were.
    """
    if not JIT:
        return numba.njit(*signature)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder_of(function.__module__, function.__code__.co_filename))
    options = {"nogil": True, "error_model": "numpy"}
    try:
        callee = callee_of(function, **options)
        compiled = numba.njit(*signature, cache=True, pipeline_class=EntryCompiler, **options)
        dispatcher = compiled(function)
    finally:
        numba.config.CACHE_DIR = before
    _call_by(dispatcher, callee)
    return dispatcher


def jit(function: F) -> F:
    """Compile ``function`` on its first call, keep the result on disk, release the GIL inside."""
    compiled: F = _compile(function)
    return compiled


def jit_as(signature: Any) -> Callable[[F], F]:
    """Compile with one explicit signature: what a table of interchangeable policies needs."""

    def decorate(function: F) -> F:
        compiled: F = _compile(function, signature) if JIT else function
        return compiled

    return decorate


_WITHOUT_JIT: list[Callable[..., Any]] = []  # address_of() counts through this list


def address_of(function: Callable[..., Any], signature: Any) -> int:
    """Where a function made by :func:`jit_as` lies in memory, for :func:`function_at`.

    Numbers in an array cost a compiled loop nothing to take in; a tuple of functions costs it
    50 µs each, at every call from Python.
    """
    if not JIT:
        if function not in _WITHOUT_JIT:
            _WITHOUT_JIT.append(function)
        return _WITHOUT_JIT.index(function)
    compiled = function.get_compile_result(signature)  # type: ignore[attr-defined]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def function_at(signature: Any) -> Any:
    """A compiled function from an address to the function there, which has ``signature``.

    The address must come from :func:`address_of` in this process, and its function must be alive.
    """
    if not JIT:
        return lambda address: _WITHOUT_JIT[int(address)]
    function_type = types.FunctionType(signature)

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = context.get_value_type(types.voidptr)
            made = cgutils.create_struct_proxy(function_type)(context, builder)
            made.jit_addr = builder.inttoptr(args[0], pointer)
            return made._getvalue()

        return function_type(types.int64), codegen

    return at


def record_at(dtype: np.dtype[Any]) -> Any:
    """A compiled function from an address to the record of this dtype there.

    The memory must be this process's, aligned, and held by somebody as long as the record is used.
    """
    if not JIT:

        def view_at(address: int) -> Any:
            held = (ctypes.c_char * dtype.itemsize).from_address(int(address))
            return np.frombuffer(memoryview(held), dtype).view(np.recarray)[0]

        return view_at
    record = numba.from_dtype(dtype)

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(types.int64), codegen

    return at


CACHE_LINE = 64  # bytes, on most processors


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(typing_context: Any, bits: Any) -> Any:
    signature = types.int64(types.int64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return signature, codegen


@intrinsic  # type: ignore[untyped-decorator]
def _population(typing_context: Any, bits: Any) -> Any:
    signature = types.int64(types.int64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return signature, codegen


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(typing_context: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(array)(context, builder, args[0])
        made.meminfo = cgutils.get_null_value(made.meminfo.type)
        made.parent = cgutils.get_null_value(made.parent.type)
        return made._getvalue()

    return array(array), codegen


def in_a_row(array: Any) -> bool:
    """Whether the numbers of such an array lie one after another; for others nothing compiles."""
    return isinstance(array, types.Array) and array.ndim == 1 and bool(array.is_c_contig)


@intrinsic  # type: ignore[untyped-decorator]
def _zero(typing_context: Any, array: Any, start: Any, stop: Any) -> Any:
    if not in_a_row(array):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(array)(context, builder, args[0])
        size = builder.mul(builder.sub(args[2], args[1]), made.itemsize)
        cgutils.memset(builder, builder.gep(made.data, [args[1]]), size, 0)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _spread(typing_context: Any, array: Any, start: Any, bits: Any) -> Any:
    if not in_a_row(array):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(array)(context, builder, args[0])
        number = context.get_data_type(array.dtype)
        lanes = CACHE_LINE // context.get_abi_sizeof(number)
        some = builder.trunc(args[2], ir.IntType(lanes)) if lanes < 64 else args[2]
        flags = builder.bitcast(some, ir.VectorType(ir.IntType(1), lanes))
        wide = ir.VectorType(number, lanes)
        real = isinstance(array.dtype, types.Float)
        numbers = (builder.uitofp if real else builder.zext)(flags, wide)
        target = builder.bitcast(builder.gep(made.data, [args[1]]), wide.as_pointer())
        builder.store(numbers, target, align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typing_context: Any, array: Any, byte: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(array)(context, builder, args[0])
        flag = context.get_value_type(types.int32)
        start = builder.bitcast(made.data, context.get_value_type(types.voidptr))
        hint = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [start.type, flag, flag, flag]),
            "llvm.prefetch.p0",
        )
        to_write, closest, data = flag(1), flag(3), flag(1)
        builder.call(hint, [builder.gep(start, [args[1]]), to_write, closest, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


if JIT:

    @jit
    def prefetch(array: Any, first: int, last: int) -> None:
        """Ask for bytes ``first`` to ``last`` of a contiguous array, to be written to soon.

        A hint: the processor moves them into its cache while it goes on. Nothing changes, and
        bytes beyond the array are no error.
        """
        for byte in range(first, last, CACHE_LINE):
            _prefetch(array, byte)

    @jit
    def zero(array: Any, start: int, stop: int) -> None:
        """Zeros in ``array[start:stop]``, one-dimensional and contiguous; bounds are not checked.

        A slice that is assigned to is filled number by number.
        """
        _zero(array, start, stop)

    @jit
    def spread(array: Any, start: int, bits: int) -> None:
        """A one for each bit that is set, a zero for each other, lowest first, from ``start`` on.

        Writes 64 bytes, so many of the bits as there is room for numbers; bounds are not checked.
        No branches: that a bit is set can't be foretold, and each wrong guess takes as long.
        """
        _spread(array, start, bits)

    @jit
    def borrowed(array: Any) -> Any:
        """An argument of an entry point as an array that nobody counts references to.

        Whoever called holds the array anyway. Each slice of a counted one costs two atomic
        operations, on the same few bytes for all threads, which makes two slower than one.
        """
        return _borrowed(array)

    @jit
    def lowest(bits: int) -> int:
        """The number of the lowest bit that is set; ``bits`` must not be 0."""
        return int(_trailing_zeros(bits))

    @jit
    def count(bits: int) -> int:
        """How many bits are set."""
        return int(_population(bits))

else:

    def prefetch(array: Any, first: int, last: int) -> None:
        """A hint that plain Python does without."""

    def zero(array: Any, start: int, stop: int) -> None:
        """Zeros in ``array[start:stop]``."""
        array[start:stop] = 0

    def spread(array: Any, start: int, bits: int) -> None:
        """Ones and zeros for the lowest bits, in the 64 bytes of ``array`` from ``start`` on."""
        for index in range(CACHE_LINE // array.itemsize):
            array[start + index] = (int(bits) >> index) & 1

    def borrowed(array: Any) -> Any:
        """The array itself: Python counts its references."""
        return array

    def lowest(bits: int) -> int:
        """The number of the lowest bit that is set; ``bits`` must not be 0."""
        bits = int(bits)
        return (bits & -bits).bit_length() - 1

    def count(bits: int) -> int:
        """How many bits are set."""
        return int(bits).bit_count()


@jit
def bit(number: int) -> int:
    """The mask with one bit set. ``int`` first: an int8 shifted without Numba would wrap."""
    return 1 << int(number)


@jit
def copy_numbers(target: Any, source: Any) -> None:
    """``target[:] = source`` for one-dimensional arrays of one length.

    That itself would compile Numba's message about other lengths: two seconds of a cold start.
    """
    for index in range(len(source)):
        target[index] = source[index]


def new_records(n: int, dtype: np.dtype[Any]) -> Any:
    """``n`` zeroed records: a plain structured array for compiled code, a recarray without it."""
    records = np.zeros(n, dtype)
    return records if JIT else records.view(np.recarray)


def record_signature(*records: np.dtype[Any]) -> Any:
    """The signature of a function that takes such records and returns an int64."""
    return types.int64(*(numba.from_dtype(record) for record in records))

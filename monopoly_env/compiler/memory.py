"""Bytes of arrays from compiled code: cleared, copied, fetched early, borrowed."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from monopoly_env.compiler.jit import JIT, jit

CACHE_LINE = 64  # bytes, on most processors


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


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(typing_context: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(array)(context, builder, args[0])
        made.meminfo = cgutils.get_null_value(made.meminfo.type)
        made.parent = cgutils.get_null_value(made.parent.type)
        return made._getvalue()

    return array(array), codegen


if JIT:

    @jit
    def zero(array: Any, start: int, stop: int) -> None:
        """Zeros in ``array[start:stop]``, one-dimensional and contiguous; bounds are not checked.

        A slice that is assigned to is filled number by number.
        """
        _zero(array, start, stop)

    @jit
    def prefetch(array: Any, first: int, last: int) -> None:
        """Ask for bytes ``first`` to ``last`` of a contiguous array, to be written to soon.

        A hint: the processor moves them into its cache while it goes on. Nothing changes, and
        bytes beyond the array are no error.
        """
        for byte in range(first, last, CACHE_LINE):
            _prefetch(array, byte)

    @jit
    def borrowed(array: Any) -> Any:
        """An argument of an entry point as an array that nobody counts references to.

        Whoever called holds the array anyway. Each slice of a counted one costs two atomic
        operations, on the same few bytes for all threads, which makes two slower than one.
        """
        return _borrowed(array)

else:

    def zero(array: Any, start: int, stop: int) -> None:
        """Zeros in ``array[start:stop]``."""
        array[start:stop] = 0

    def prefetch(array: Any, first: int, last: int) -> None:
        """A hint that plain Python does without."""

    def borrowed(array: Any) -> Any:
        """The array itself: Python counts its references."""
        return array


@jit
def copy_numbers(target: Any, source: Any) -> None:
    """``target[:] = source`` for one-dimensional arrays of one length.

    That itself would compile Numba's message about other lengths: two seconds of a cold start.
    """
    for index in range(len(source)):
        target[index] = source[index]

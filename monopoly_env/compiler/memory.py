"""Clears, copies, prefetches and borrows array memory in compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from monopoly_env.compiler.jit import JIT, jit, lends

CACHE_LINE = 64  # bytes, on most processors


def in_a_row(array: Any) -> bool:
    """Return whether an array type is one-dimensional and contiguous, as compilation requires."""
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


@lends
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
        """Set ``array[start:stop]`` to zero (one-dimensional, contiguous); bounds are not checked.

        Faster than assigning to a slice, which writes number by number.
        """
        _zero(array, start, stop)

    @jit
    def prefetch(array: Any, first: int, last: int) -> None:
        """Prefetch bytes ``first`` to ``last`` of a contiguous array for writing.

        This is a hint: the processor loads them into its cache in the background. Nothing changes,
        and bytes beyond the array are no error.
        """
        for byte in range(first, last, CACHE_LINE):
            _prefetch(array, byte)

    @lends
    @jit
    def borrowed(array: Any) -> Any:
        """Return an argument of an entry point as an array without reference counting.

        The caller keeps the array alive anyway. Each slice of a counted array costs two atomic
        operations on memory shared by all threads, which makes two threads slower than one.
        """
        return _borrowed(array)

else:

    def zero(array: Any, start: int, stop: int) -> None:
        """Set ``array[start:stop]`` to zero."""
        array[start:stop] = 0

    def prefetch(array: Any, first: int, last: int) -> None:
        """Do nothing: a hint that plain Python does not need."""

    def borrowed(array: Any) -> Any:
        """Return the array itself: Python counts its references."""
        return array


@jit
def copy_numbers(target: Any, source: Any) -> None:
    """Copy ``source`` into ``target``, one-dimensional arrays of the same length.

    ``target[:] = source`` would also compile Numba's error message for different lengths, which
    takes two seconds of a cold start.
    """
    for index in range(len(source)):
        target[index] = source[index]

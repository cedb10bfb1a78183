"""Sets of squares, seats and actions as bits of integers."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from monopoly_env.compiler.jit import JIT, jit
from monopoly_env.compiler.memory import CACHE_LINE, in_a_row


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


if JIT:

    @jit
    def lowest(bits: int) -> int:
        """Return the index of the lowest set bit; ``bits`` must not be 0."""
        return int(_trailing_zeros(bits))

    @jit
    def count(bits: int) -> int:
        """Return the number of set bits."""
        return int(_population(bits))

    @jit
    def spread(array: Any, start: int, bits: int) -> None:
        """Write bits as ones and zeros into ``array`` from ``start`` on, lowest first.

        Writes 64 bytes, however many numbers that is; bounds are not checked. There are no branches,
        because a mispredicted branch takes as long as the whole write.
        """
        _spread(array, start, bits)

else:

    def lowest(bits: int) -> int:
        """Return the index of the lowest set bit; ``bits`` must not be 0."""
        bits = int(bits)
        return (bits & -bits).bit_length() - 1

    def count(bits: int) -> int:
        """Return the number of set bits."""
        return int(bits).bit_count()

    def spread(array: Any, start: int, bits: int) -> None:
        """Write the lowest bits as ones and zeros into 64 bytes of ``array``, from ``start`` on."""
        for index in range(CACHE_LINE // array.itemsize):
            array[start + index] = (int(bits) >> index) & 1


@jit
def bit(number: int) -> int:
    """Return a mask with one bit set. Converts to int first, because an int8 would overflow."""
    return 1 << int(number)

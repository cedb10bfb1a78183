"""Atomic reads and writes of array elements that several threads share, for compiled code.

Every operation is atomic and sequentially consistent. Arrays are int64, one-dimensional and
contiguous; indices are not checked.
"""

from __future__ import annotations

import platform
import threading
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from monopoly_env.compiler.jit import JIT, jit
from monopoly_env.compiler.memory import in_a_row

ORDER = "seq_cst"
NUMBER = 8  # bytes
X86, ARM = ("llvm.x86.sse2.pause",), ("llvm.aarch64.hint", 1)  # LLVM's name and its arguments
PAUSES = {"x86_64": X86, "AMD64": X86, "arm64": ARM, "aarch64": ARM}


def _place(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    made = cgutils.create_struct_proxy(array)(context, builder, value)
    return builder.gep(made.data, [index])


@intrinsic  # type: ignore[untyped-decorator]
def _load(typing_context: Any, array: Any, index: Any) -> Any:
    if not in_a_row(array):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, *args)
        return builder.load_atomic(place, ORDER, NUMBER)

    return types.int64(array, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _add(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    if not in_a_row(array):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, *args[:2])
        return builder.atomic_rmw("add", place, args[2], ORDER)

    return types.int64(array, types.int64, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _swap(typing_context: Any, array: Any, index: Any, old: Any, new: Any) -> Any:
    if not in_a_row(array):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, *args[:2])
        result = builder.cmpxchg(place, args[2], args[3], ORDER)
        return builder.zext(builder.extract_value(result, 1), ir.IntType(64))

    return types.int64(array, types.int64, types.int64, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _pause(typing_context: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name, *numbers = PAUSES.get(platform.machine(), ("",))
        if name:
            arguments = [ir.IntType(32)(number) for number in numbers]
            form = ir.FunctionType(ir.VoidType(), [number.type for number in arguments])
            builder.call(cgutils.get_or_insert_function(builder.module, form, name), arguments)
        return context.get_dummy_value()

    return types.void(), codegen


if JIT:

    @jit
    def load(array: Any, index: int) -> int:
        """Return ``array[index]``, read atomically."""
        return int(_load(array, index))

    @jit
    def add(array: Any, index: int, amount: int) -> int:
        """Add to ``array[index]`` atomically; return its previous value."""
        return int(_add(array, index, amount))

    @jit
    def swap(array: Any, index: int, old: int, new: int) -> bool:
        """Set ``array[index]`` to ``new`` if it equals ``old``; return whether it did."""
        return bool(_swap(array, index, old, new) != 0)

    @jit
    def pause() -> None:
        """Tell the processor that this thread is waiting for another one."""
        _pause()

else:
    _lock = threading.Lock()

    def load(array: Any, index: int) -> int:
        """Return ``array[index]``, read atomically."""
        return int(array[index])

    def add(array: Any, index: int, amount: int) -> int:
        """Add to ``array[index]`` atomically; return its previous value."""
        with _lock:
            before = int(array[index])
            array[index] = before + amount
            return before

    def swap(array: Any, index: int, old: int, new: int) -> bool:
        """Set ``array[index]`` to ``new`` if it equals ``old``; return whether it did."""
        with _lock:
            if array[index] != old:
                return False
            array[index] = new
            return True

    def pause() -> None:
        """Do nothing: plain Python lets other threads run anyway."""

"""Functions, records and arrays by address, for compiled code."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from monopoly_env.compiler.jit import JIT, lends
from monopoly_env.compiler.memory import CACHE_LINE
from monopoly_env.compiler.records import new_records

_WITHOUT_JIT: list[Callable[..., Any]] = []  # indices into this list serve as addresses


def record_signature(*records: np.dtype[Any]) -> Any:
    """Return the signature of a function that takes these records and returns an int64."""
    return types.int64(*(numba.from_dtype(record) for record in records))


def address_of(function: Callable[..., Any], signature: Any) -> int:
    """Return the memory address of a function made by ``jit_as``, for :func:`function_at`.

    Passing an array of addresses to a compiled loop is free; a tuple of functions costs 50 µs per
    function at every call from Python.
    """
    if not JIT:
        if function not in _WITHOUT_JIT:
            _WITHOUT_JIT.append(function)
        return _WITHOUT_JIT.index(function)
    compiled = function.get_compile_result(signature)  # type: ignore[attr-defined]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def function_at(signature: Any) -> Any:
    """Return a compiled function that maps an address to the function there.

    That function has ``signature``. The address must come from :func:`address_of` in this process,
    and its function must be alive.
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
    """Return a compiled function that maps an address to the record of this dtype there.

    The memory must belong to this process, be aligned, and stay alive as long as the record is
    used.
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


def array_at(dtype: np.dtype[Any], *columns: int) -> Any:
    """Return a compiled function that maps (address, n) to the array of shape (n, *columns) there.

    Each array argument of a call from Python costs 100 ns; an address costs nothing. The memory
    must belong to this process, be aligned and writable, and stay alive as long as the array is
    used. For an empty array, any address will do.
    """
    if not JIT:

        def view_at(address: int, n: int) -> Any:
            shape = (int(n), *columns)
            size = math.prod(shape) * dtype.itemsize
            held: Any = (ctypes.c_char * size).from_address(int(address)) if size else None
            array: Any = np.ndarray(shape, dtype, held)
            return array.view(np.recarray) if dtype.names else array

        return view_at
    array = types.Array(numba.from_dtype(dtype), 1 + len(columns), "C")
    strides = [math.prod(columns[axis:]) * dtype.itemsize for axis in range(1 + len(columns))]

    @lends
    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, address: Any, n: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def number(value: int) -> Any:
                return context.get_constant(types.intp, value)

            made = context.make_array(array)(context, builder)
            populate_array(
                made,
                data=builder.inttoptr(args[0], made.data.type),
                shape=[args[1], *(number(size) for size in columns)],
                strides=[number(size) for size in strides],
                itemsize=number(dtype.itemsize),
                meminfo=None,
            )
            return made._getvalue()

        return array(types.int64, types.int64), codegen

    return at


def scratch_record(dtype: np.dtype[Any]) -> Any:
    """A compiled function to a record of this dtype in the memory of the call, with any content.

    It costs nothing to make, and is gone when the function returns that asked for it; the same
    place is given again where that function asks again.
    """
    if not JIT:
        return lambda: new_records(1, dtype)[0]
    record = numba.from_dtype(dtype)

    @intrinsic  # type: ignore[untyped-decorator]
    def scratch(typing_context: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            room = cgutils.alloca_once(builder, context.get_data_type(record))
            room.align = CACHE_LINE
            return builder.bitcast(room, context.get_value_type(record))

        return record(), codegen

    return scratch

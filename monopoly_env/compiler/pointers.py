"""Functions and records by their addresses, which compiled code reads from arrays of numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from monopoly_env.compiler.jit import JIT

_WITHOUT_JIT: list[Callable[..., Any]] = []  # address_of() counts through this list


def record_signature(*records: np.dtype[Any]) -> Any:
    """The signature of a function that takes such records and returns an int64."""
    return types.int64(*(numba.from_dtype(record) for record in records))


def address_of(function: Callable[..., Any], signature: Any) -> int:
    """Where a function made by ``jit_as`` lies in memory, for :func:`function_at`.

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

"""The decorators with which everything in this project is compiled.

Environment variables: ``MONOPOLY_ENV_CACHE`` (the folder for compiled code),
``MONOPOLY_ENV_LINKING`` (how functions are linked: ``entry`` or ``plain``),
``MONOPOLY_ENV_COMPILE_PROCESSES`` (1: compile in one process), ``NUMBA_BOUNDSCHECK=1``
(check every index), ``NUMBA_DISABLE_JIT=1`` (run as plain Python).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types

from monopoly_env.compiler.cache import FOLDERS, NAMED, folder_of, folders_of
from monopoly_env.compiler.link_choice import ENTRY, LINKING
from monopoly_env.compiler.progress import show_progress, warn_fallback, warn_on_compile
from monopoly_env.compiler.second_process import start_when_compiling

F = TypeVar("F", bound=Callable[..., Any])

# We rely on this feature and test it; a warning in every process would only alarm users.
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

JIT: bool = not numba.config.DISABLE_JIT


def why_compiled_anew() -> str:
    """Return why prebuilt code cannot be used; determined only when needed."""
    from monopoly_env.compiler import manifest

    return manifest.why_compiled_anew()


if JIT:
    show_progress(sys.stderr)
    if LINKING.fallback:
        warn_fallback(str(LINKING))
    if NAMED or FOLDERS.shipped:
        warn_on_compile(why_compiled_anew)
    start_when_compiling()
else:
    np.seterr(over="ignore")  # the random generator overflows on purpose


def _widened(argument: Any) -> Any:
    """Return the type a call is compiled for: all signed integers become int64."""
    argument = types.unliteral(argument)
    signed = isinstance(argument, types.Integer) and argument.signed
    return types.int64 if signed or isinstance(argument, types.IntEnumMember) else argument


def _call_by(dispatcher: Any, callee: Any) -> None:
    """Let compiled code call ``callee`` where it names ``dispatcher``, with widened arguments.

    Numba compiles a function for each combination of argument types, and an int8 from a record, the
    literal 3 and Phase.BUY have three types. Here they share one version, which halves the time of
    a cold start.
    """
    find = getattr(callee, "get_call_template", None)
    if find is None:  # a future Numba with another lookup: no widening
        return

    def template(arguments: Any, keywords: Any, *more: Any) -> Any:
        return find(
            tuple(_widened(argument) for argument in arguments),
            {name: _widened(argument) for name, argument in keywords.items()},
            *more,
        )

    dispatcher.callee = callee
    dispatcher.get_call_template = template
    dispatcher.get_overload = callee.get_overload


OPTIONS = {"nogil": True, "error_model": "numpy"}


def _linked(function: Any, *signature: Any) -> Any:
    """Return the dispatcher of a function for Python, with a separate one for compiled code."""
    from monopoly_env.compiler.linking import fix_signature, linked

    folders = folders_of(function.__module__, function.__code__.co_filename)
    entry, callee = linked(function, folders, **OPTIONS)
    _call_by(entry, callee)
    if signature:
        fix_signature(entry, *signature)
    return entry


def _plain(function: Any, *signature: Any) -> Any:
    """Return a function compiled by Numba's ordinary pipeline, cached in its module's folder.

    Numba's cache folder is a global setting. It is restored at once, so that compiled functions of
    other packages are not affected.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder_of(function.__module__, function.__code__.co_filename))
    try:
        dispatcher = numba.njit(*signature, cache=True, **OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = before
    _call_by(dispatcher, dispatcher)
    return dispatcher


def _compile(function: Any, *signature: Any) -> Any:
    """Return the compiled function."""
    if not JIT:
        return numba.njit(*signature)(function)
    return (_linked if LINKING.kind == ENTRY else _plain)(function, *signature)


def jit(function: F) -> F:
    """Compile ``function`` on its first call, cache the result on disk, release the GIL inside."""
    compiled: F = _compile(function)
    return compiled


def jit_as(signature: Any) -> Callable[[F], F]:
    """Compile with one explicit signature, as tables of interchangeable policies require."""

    def decorate(function: F) -> F:
        compiled: F = _compile(function, signature) if JIT else function
        return compiled

    return decorate


def lends(function: F) -> F:
    """Declare that nobody counts references to the array that a compiled function returns.

    Its memory must be held by somebody as long as the array is used. Who calls it need not count
    either, see :mod:`monopoly_env.compiler.references`.
    """
    function.lends = True  # type: ignore[attr-defined]
    return function

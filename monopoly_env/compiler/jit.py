"""The decorators that everything compiled in this project goes through.

Environment variables: ``MONOPOLY_ENV_CACHE`` (the folder for compiled code),
``MONOPOLY_ENV_LINKING`` (how functions are put together: ``entry`` or ``plain``),
``NUMBA_BOUNDSCHECK=1`` (check every index), ``NUMBA_DISABLE_JIT=1`` (run as plain Python).
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
from monopoly_env.compiler.progress import show_progress, tell_fallback, tell_on_compiling

F = TypeVar("F", bound=Callable[..., Any])

# Tuples of policies rest on it, and they are tested; one line a process would only alarm people.
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

JIT: bool = not numba.config.DISABLE_JIT


def why_compiled_anew() -> str:
    """Why compiled code that was handed on does not serve; looked into only when it is asked."""
    from monopoly_env.compiler import manifest

    return manifest.why_compiled_anew()


if JIT:
    show_progress(sys.stderr)
    if LINKING.fallback:
        tell_fallback(str(LINKING))
    if NAMED or FOLDERS.shipped:
        tell_on_compiling(why_compiled_anew)
else:
    np.seterr(over="ignore")  # the generator's numbers wrap around, as they do when compiled


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
    find = getattr(callee, "get_call_template", None)
    if find is None:  # a Numba to come that looks callees up in another way: each call's own types
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
    """A function as Python calls it, which compiled code calls in another way."""
    from monopoly_env.compiler.linking import fix_signature, linked

    folders = folders_of(function.__module__, function.__code__.co_filename)
    entry, callee = linked(function, folders, **OPTIONS)
    _call_by(entry, callee)
    if signature:
        fix_signature(entry, *signature)
    return entry


def _plain(function: Any, *signature: Any) -> Any:
    """A function as Numba compiles it, in its module's cache folder.

    Numba's cache folder is a global setting; it is set back at once, so that other packages'
    compiled functions stay where they were.
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
    """Hand a function to Numba."""
    if not JIT:
        return numba.njit(*signature)(function)
    return (_linked if LINKING.kind == ENTRY else _plain)(function, *signature)


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

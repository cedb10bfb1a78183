"""python:FILE:NAME: a bot of one's own in a Python file, without a package around it."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from monopoly_env.agent import Agent, AgentSpec
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.engine.policy import policy_address
from monopoly_env.errors import AgentError, one_line, suggest

SCHEME = "python:"


def resolve(rest: str) -> AgentSpec:
    """The bot of ``python:FILE:NAME``: a class, a function that makes a bot, or a policy.

    A policy, a function under ``@policy``, plays inside the compiled loops. Raises: AgentError.
    """
    path, colon, name = rest.rpartition(":")
    if not colon or not path or not name.isidentifier():
        _fail(rest, "must name a file and what is in it, such as python:my_bot.py:MyBot")
    module = load(Path(path))
    found = getattr(module, name, None)
    full = SCHEME + rest
    about = one_line(f"{name} of {path}")
    if found is None:
        known = [word for word, value in vars(module).items() if _own(value, module)]
        _fail(rest, f"the file has no {name}; {suggest(name, known)}")
    if _is_policy(found):
        return _policy(found, rest, full, about)
    if not callable(found):
        _fail(rest, f"{name} is neither a class, nor a function that makes a bot, nor a policy")
    return AgentSpec(full, about, lambda: _make(found, rest))


def load(path: Path) -> ModuleType:
    """The module of a file; a file is run once a process. Raises: AgentError, one line."""
    if not path.is_file():
        _fail(str(path), "there is no such file")
    whole = path.resolve()
    # The name keeps files with one name apart, also in what is kept on disk of compiled policies.
    name = f"{path.stem}_{hashlib.sha256(str(whole).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        _fail(str(path), "is no Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:  # noqa: BLE001  (whatever a stranger's file raises)
        del sys.modules[name]
        _fail(str(path), f"cannot be run: {type(problem).__name__}: {problem}")
    return module


def _own(value: object, module: ModuleType) -> bool:
    """Whether something was made in the file, not imported into it."""
    return callable(value) and getattr(value, "__module__", None) == module.__name__


def _is_policy(found: object) -> bool:
    """Whether it is a function of game, rules and view."""
    function = getattr(found, "py_func", found)  # beneath what the compiler makes of it
    return inspect.isfunction(function) and len(inspect.signature(function).parameters) == 3


def _policy(found: Any, rest: str, full: str, about: str) -> AgentSpec:
    """A compiled policy as a bot."""
    try:
        policy_address(found)
    except (AttributeError, KeyError, TypeError):
        _fail(rest, "a policy needs @policy of monopoly_env.bots above it")
    return AgentSpec(full, about, lambda: CompiledAgent(found, full), lambda: found)


def _make(maker: Callable[[], Any], rest: str) -> Agent:
    """A bot, if that is what comes out."""
    try:
        bot = maker()
    except (Exception, SystemExit) as problem:  # noqa: BLE001  (a stranger's code)
        _fail(rest, f"cannot be made: {type(problem).__name__}: {problem}")
    for method in ("reset", "decide"):
        if not callable(getattr(bot, method, None)):
            _fail(rest, f"has no method {method}; a bot has reset(seed) and decide(view)")
    made: Agent = bot
    return made


def _fail(rest: str, problem: str) -> NoReturn:
    raise AgentError(one_line(f"{SCHEME}{rest}: {problem}"))

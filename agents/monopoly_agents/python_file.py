"""python:FILE:NAME: a bot in a Python file."""

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
from monopoly_env.errors import AgentError, BotError, in_words, one_line, suggest
from monopoly_env.files import read_bytes
from monopoly_env.interrupts import is_real

SCHEME = "python:"
METHODS = ("reset", "decide")  # required of every bot
MOST_BYTES = 16 << 20  # maximum size of a file


def resolve(target: str) -> AgentSpec:
    """Resolve ``python:FILE:NAME`` to a bot: a class, a factory function, or a compiled policy.

    A policy, a function decorated with ``@policy``, plays inside the compiled loops. Raises:
    AgentError.
    """
    path, colon, name = target.rpartition(":")
    if not colon or not path or not name.isidentifier():
        _fail(target, "must name a file and what is in it, such as python:my_bot.py:MyBot")
    module = load(Path(path))
    value = getattr(module, name, None)
    bot_name, description = SCHEME + target, one_line(f"{name} of {path}")
    if value is None:
        known = [word for word, other in vars(module).items() if _is_own(other, module)]
        _fail(target, f"the file has no {name}; {suggest(name, known)}")
    if _is_policy(value):
        return _policy_spec(value, target, bot_name, description)
    if not callable(value):
        _fail(target, f"{name} is neither a class, nor a function that makes a bot, nor a policy")
    return AgentSpec(bot_name, description, lambda: _make(value, target))


def load(path: Path) -> ModuleType:
    """Import a file as a module, once per process; it may import others in its folder.

    Raises: AgentError, one line.
    """
    if not path.exists():
        _fail(str(path), "there is no such file")
    # rejects anything but a regular file of moderate size
    read_bytes(path, AgentError.at(f"{SCHEME}{path}"), MOST_BYTES)
    whole = path.resolve()
    # The hash keeps files with the same name apart, also in the cache of compiled code.
    name = f"{path.stem}_{hashlib.sha256(str(whole).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        _fail(str(path), "is not a Python file; its name must end in .py")
    if str(whole.parent) not in sys.path:
        sys.path.append(str(whole.parent))  # last, so that it hides no other module
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as problem:
        sys.modules.pop(name, None)
        if is_real(problem):
            raise
        _fail(str(path), f"cannot be run: {in_words(problem)}")
    return module


def _is_own(value: object, module: ModuleType) -> bool:
    """Return whether a class or function was defined in the file rather than imported."""
    return callable(value) and getattr(value, "__module__", None) == module.__name__


def _is_policy(value: object) -> bool:
    """Return whether a value is a function of game, rules and view."""
    function = getattr(value, "py_func", value)  # the Python function behind a compiled one
    return inspect.isfunction(function) and len(inspect.signature(function).parameters) == 3


def _policy_spec(policy: Any, target: str, name: str, description: str) -> AgentSpec:
    """Create the spec of a compiled policy."""
    try:
        policy_address(policy)
    except (AttributeError, KeyError, TypeError):
        _fail(target, "a policy needs @policy of monopoly_env.bots above it")
    return AgentSpec(name, description, lambda: CompiledAgent(policy, name), lambda: policy)


def _make(factory: Callable[[], Any], target: str) -> Agent:
    """Create a bot by a class or function. Raises: AgentError, one line, if that fails."""
    try:
        bot = factory()
        missing = [name for name in METHODS if not callable(getattr(bot, name, None))]
    except BaseException as problem:
        if is_real(problem):
            raise
        what = one_line(f"{SCHEME}{target}: cannot be made: {in_words(problem)}")
        raise BotError(what) from problem
    if missing:
        _fail(target, f"has no method {missing[0]}; a bot has reset(seed) and decide(view)")
    agent: Agent = bot
    return agent


def _fail(target: str, problem: str) -> NoReturn:
    raise AgentError(one_line(f"{SCHEME}{target}: {problem}"))

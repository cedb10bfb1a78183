"""The Agent protocol, and how bots are found by name.

Packages publish bots through the entry-point group ``monopoly_env.agents``. Each entry point names
a function that returns a mapping from names to :class:`AgentSpec`. A name that ends in a colon is
a scheme: the bot ``model:`` handles every name of the form ``model:PATH``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

import numpy.typing as npt

from monopoly_env.engine.policy import Policy
from monopoly_env.errors import AgentError, one_line, show, suggest
from monopoly_env.view import View

GROUP = "monopoly_env.agents"


# The protocol


class Agent(Protocol):
    """A bot that decides for one seat.

    Optional attributes:

    - ``name``: the name shown in tables.
    - ``finish(game)``: called with the result at the end of a game.
    - ``close()``: called when no more games follow.
    - ``faults``: how many answers the bot replaced itself, by kind: ``illegal``, ``timed_out`` and
      ``crashed``.
    - ``on_fault``: a function set by the caller; called with the kind and a description of a fault.
    - ``clone_state() -> bytes`` and ``restore_state(bytes)``: save and restore the bot's memory, so
      that environments can save their state during a game.
    """

    def reset(self, seed: int) -> None:
        """Start a new game. ``seed`` is for the bot's own random numbers.

        The seed is a hash of the game's seed and the bot's seat; it does not reveal the game's
        seed.
        """

    def decide(self, view: View) -> int:
        """Return the id of a legal action."""


@dataclass(frozen=True)
class AgentSpec:
    """A bot that can be created by name.

    ``factory`` creates a bot that plays one game at a time. The factory of a scheme takes the part
    of the name after the colon. ``load_policy`` returns the compiled policy, if the bot has one.
    ``load_weights`` returns the weights of that policy, if they are not built in: a contiguous
    array that the bot's VIEW record points to. A scheme that must read the rest of the name before
    it can describe the bot has ``resolve`` instead, which returns the bot's own AgentSpec.
    """

    name: str
    description: str  # one line
    factory: Callable[..., Agent]
    load_policy: Callable[[], Policy] | None = None
    resolve: Callable[[str], AgentSpec] | None = None
    load_weights: Callable[[], npt.NDArray[Any]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bot by name if its name can find it again, else by its fields."""
        if is_known(self):
            return find_spec, (self.name,)
        return AgentSpec, tuple(getattr(self, field.name) for field in fields(self))

    @property
    def weights(self) -> npt.NDArray[Any] | None:
        """The weights of the compiled policy; None if they are built in."""
        return self.load_weights() if self.load_weights is not None else None

    @property
    def policy(self) -> Policy | None:
        """The compiled policy; None for Python bots."""
        return self.load_policy() if self.load_policy is not None else None


# Finding bots


@lru_cache(maxsize=1)
def agents() -> dict[str, AgentSpec]:
    """Return all bots of all installed packages by name. The first package to claim a name wins."""
    specs: dict[str, AgentSpec] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        for name, spec in _load(entry).items():
            if name in specs:
                _warn(entry, f"bot {name!r} is left out, as another package has that name")
            specs.setdefault(name, spec)
    return specs


def _load(entry: EntryPoint) -> Mapping[str, AgentSpec]:
    """Return the bots of one entry point, or none (with a warning) if its package fails."""
    try:
        specs = entry.load()()
    except Exception as error:  # noqa: BLE001 - third-party code may raise anything
        _warn(entry, f"its bots are left out: {type(error).__name__}: {error}")
        return {}
    if not isinstance(specs, Mapping) or not all(
        isinstance(spec, AgentSpec) for spec in specs.values()
    ):
        _warn(entry, "its bots are left out: it must return a mapping from names to AgentSpec")
        return {}
    return specs


def _warn(entry: EntryPoint, problem: str) -> None:
    warnings.warn(one_line(f"{GROUP} entry point {entry.name}: {problem}"), stacklevel=3)


def find_agent(name: str) -> tuple[AgentSpec, tuple[str, ...]]:
    """Return the bot for a name, and the arguments for its factory (the text after a scheme).

    Raises: AgentError, one line with the closest name, or with all names.
    """
    known = agents()
    if not isinstance(name, str):
        raise AgentError(f"a bot is named by text, not {show(name)}")
    if name in known and not name.endswith(":"):
        return known[name], ()
    scheme, colon, rest = name.partition(":")
    if colon and scheme + colon in known:
        if not rest:
            raise AgentError(f"{name}: the rest is missing; {known[name].description}")
        spec = known[scheme + colon]
        return (spec, (rest,)) if spec.resolve is None else (spec.resolve(rest), ())
    remedy = suggest(name, known)
    names = f"; bots are {', '.join(known)}" if remedy.startswith("did you mean") else ""
    raise AgentError(one_line(f"there is no bot {show(name)}; {remedy}{names}"))


def find_spec(name: str) -> AgentSpec:
    """Return the bot for a name. Raises: AgentError."""
    return find_agent(name)[0]


def is_known(spec: AgentSpec) -> bool:
    """Return whether the bot can be found by its name, directly or through a scheme."""
    known = agents()
    scheme = known.get(spec.name.partition(":")[0] + ":")
    return known.get(spec.name) is spec or (scheme is not None and scheme.resolve is not None)


def make_agent(name: str) -> Agent:
    """Create a bot by name: ``fixed_a``, ``scheme:rest``. Raises: AgentError."""
    spec, rest = find_agent(name)
    return spec.factory(*rest)

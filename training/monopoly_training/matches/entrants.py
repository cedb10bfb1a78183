"""The participants of a line-up: bots loaded by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NoReturn

from monopoly_env.agent import Agent, AgentSpec, find_agent, make_agent
from monopoly_env.engine.policy import Policy
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import AgentError, BotError
from monopoly_training.models.model_agent import ModelAgent, is_model, model_agent

HUMAN, SEARCH = "human", "search:"


@dataclass(frozen=True)
class Entrant:
    """One place in a line-up."""

    name: str
    spec: AgentSpec
    arguments: tuple[str, ...] = ()  # arguments of the spec's factory
    model: ModelAgent | None = None  # a trained policy, which decides in many games at once
    policy: Policy | None = field(default=None, repr=False)  # a compiled policy

    def new_agent(self) -> Agent:
        """Return a bot that plays one game at a time in Python."""
        return self.model.copy() if self.model is not None else self.spec.factory(*self.arguments)

    def at(self, options: TableOptions) -> Entrant:
        """Return the entrant for a table: if the policy does not play there, its fallback bot."""
        if self.model is None or self.model.plays_at(options):
            return self
        spec, arguments = find_agent(self.model.table.fallback)
        return Entrant(self.name, spec, arguments, policy=spec.policy)


def entrants(names: Sequence[str], trust: bool = False) -> list[Entrant]:
    """Load the bots of a line-up. A bot named twice is loaded once.

    Raises: AgentError, one line, for a bot that does not exist or cannot be loaded.
    """
    loaded = {name: entrant(name, trust) for name in dict.fromkeys(names)}
    return [loaded[name] for name in names]


def reload_entrants(names: Sequence[str], trust: bool = False) -> list[Entrant]:
    """Load a line-up in another process, where a bot's file may fail although it ran before.

    Each decision of a bot that fails to load counts as crashed.
    """
    loaded: dict[str, Entrant] = {}
    for name in names:
        try:
            loaded[name] = entrant(name, trust)
        except AgentError as problem:
            loaded[name] = Entrant(name, AgentSpec(name, "", partial(_fail, str(problem))))
    return [loaded[name] for name in names]


def _fail(problem: str) -> NoReturn:
    raise BotError(problem)


def entrant(name: str, trust: bool = False) -> Entrant:
    """Load a bot by name."""
    spec, arguments = find_agent(name)
    if name == HUMAN:
        raise AgentError(f"{HUMAN}: people play at the terminal, with monopoly-env play")
    if is_model(name):
        return Entrant(name, spec, arguments, model_agent(name, trust))
    if trust and name.startswith(SEARCH):
        return Entrant(name, replace(spec, factory=search_trusting), arguments)
    _ = spec.weights  # reject an invalid weights file before anything is written
    return Entrant(name, spec, arguments, policy=spec.policy)


def search_trusting(rest: str) -> Agent:
    """Create the bot of ``search:REST``, whose policy may be a pickle."""
    from monopoly_agents.search.agent import from_budget

    return from_budget(rest, make_trusting)


def make_trusting(name: str) -> Agent:
    """Create a bot by name, also from a pickle."""
    return model_agent(name, trust=True) if is_model(name) else make_agent(name)


def of_model(agent: ModelAgent) -> Entrant:
    """Wrap a policy that is still being trained as an entrant."""
    return Entrant(agent.name, AgentSpec(agent.name, "", lambda: agent), model=agent)

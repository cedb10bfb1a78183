"""The included bots by name, for the entry-point group ``monopoly_env.agents``.

Bots are imported on first use, because importing one compiles it or loads compiled code.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from monopoly_agents.strategist import VETERAN
from monopoly_env.agent import Agent, AgentSpec
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.engine.policy import Policy
from monopoly_env.errors import AgentError

MOST_SEED = 10**9 - 1

# name -> (module with a policy of that name, description)
BOTS: dict[str, tuple[str, str]] = {
    "random": (
        "scripted.random",
        "samples a kind of action, then a legal action of that kind",
    ),
    "fixed_a": (
        "scripted.fixed_policy",
        "fixed policy of Bonjour et al. 2022: values all properties equally",
    ),
    "fixed_b": (
        "scripted.fixed_policy",
        "fixed policy of Bonjour et al. 2022: prefers railroads and dark blue, utilities last",
    ),
    "fixed_c": (
        "scripted.fixed_policy",
        "fixed policy of Bonjour et al. 2022: prefers orange and light blue",
    ),
    "background": (
        "scripted.background",
        "the public baseline agent v3_1 of the GNOME-p3 simulator",
    ),
    "strategist": (
        "strategist.policy",
        "values deeds by expected rents, and deals by both sides' win shares",
    ),
}


def agents() -> dict[str, AgentSpec]:
    """Return the specs of all bots in this package."""
    return {**compiled_bots(), **weighted_bots(), **trader_bots(), **habits_bots(), **python_bots()}


# Compiled policies


def compiled_bots() -> dict[str, AgentSpec]:
    """Return the specs of the bots that are compiled policies."""
    return {
        name: AgentSpec(
            name=name,
            description=description,
            factory=partial(compiled_agent, module, name),
            load_policy=partial(load_policy, module, name),
        )
        for name, (module, description) in BOTS.items()
    }


def load_policy(module: str, name: str) -> Policy:
    """Import a compiled policy."""
    policy: Policy = getattr(import_module(f"monopoly_agents.{module}"), name)
    return policy


def compiled_agent(module: str, name: str) -> CompiledAgent:
    """Create a Python agent that plays by a compiled policy."""
    return CompiledAgent(load_policy(module, name), name)


# The strategist with other weights


def weighted_bots() -> dict[str, AgentSpec]:
    """Return the specs of ``veteran`` and the scheme ``strategist:FILE``."""
    veteran = weighted_strategist(VETERAN)
    by_evolution = "the strategist with evolved weights: configs/tune/veteran.yaml"
    return {
        "veteran": replace(veteran, name="veteran", description=by_evolution),
        "strategist:": AgentSpec(
            "strategist:",
            "the strategist with your own weights: strategist:FILE, from monopoly-env tune",
            lambda file: weighted_strategist(Path(file)).factory(),
            resolve=lambda file: weighted_strategist(Path(file)),
        ),
    }


def weighted_strategist(file: Path) -> AgentSpec:
    """Return the spec of the strategist with the weights of a file, read on first use."""
    name = f"strategist:{file}"
    load_weights = cache(partial(weights_in, file))
    load = partial(load_policy, "strategist.policy", "strategist")
    return AgentSpec(
        name=name,
        description=f"the strategist by the weights of {file.name}",
        factory=lambda: CompiledAgent(load(), name, load_weights()),
        load_policy=load,
        load_weights=load_weights,
    )


def weights_in(file: Path) -> Any:
    """Read a file of weights, as WEIGHTS[1]."""
    from monopoly_agents.strategist.weights import read_weights

    return read_weights(file)


# The trader, and the habits family of opponents


def trader_bots() -> dict[str, AgentSpec]:
    """Return the specs of ``trader`` and ``trader:FILE``."""
    by_chance = "veteran with deals by learned win and acceptance probabilities"
    trader = trader_with()
    return {
        "trader": replace(trader, name="trader", description=by_chance),
        "trader:": AgentSpec(
            "trader:",
            "the trader by a file of your own: trader:FILE, of monopoly-env value fit, acceptance "
            "fit or tune",
            lambda file: trader_with(Path(file)).factory(),
            resolve=lambda file: trader_with(Path(file)),
        ),
    }


def trader_with(file: Path | None = None) -> AgentSpec:
    """Return the spec of the trader with a file's model, read on first use.

    None: the included one.
    """
    name = "trader" if file is None else f"trader:{file}"
    load_weights = cache(partial(trader_weights_with, file))
    load = partial(load_policy, "trader.policy", "trader")
    return AgentSpec(
        name=name,
        description=f"the trader by what {file.name} holds" if file else "",
        factory=lambda: CompiledAgent(load(), name, load_weights()),
        load_policy=load,
        load_weights=load_weights,
    )


def trader_weights_with(file: Path | None) -> Any:
    """Return the trader's parameters with the content of a file, as TRADER[1].

    A .safetensors file holds a value function; a .json file an acceptance model, or weights and
    margins.
    """
    from monopoly_agents.trader.acceptance_file import read_acceptance
    from monopoly_agents.trader.numbers import has_margins, read_numbers, trader_weights
    from monopoly_env.value.weights import load_value

    if file is None:
        return trader_weights()
    if file.suffix == ".json" and has_margins(file):
        return read_numbers(file)
    if file.suffix == ".json":
        return trader_weights(acceptance=read_acceptance(file))
    return trader_weights(load_value(file))


def habits_bots() -> dict[str, AgentSpec]:
    """Return the spec of ``habits:SEED``, a family of opponents with individual ways to trade."""
    return {
        "habits:": AgentSpec(
            "habits:",
            "habits:SEED, a family of opponents that answer offers by list prices",
            lambda seed: habits_by(seed).factory(),
            resolve=habits_by,
        )
    }


def habits_by(seed: str) -> AgentSpec:
    """Return the spec of the family member drawn by a seed."""
    name = f"habits:{seed}"
    if not (seed.isascii() and seed.isdigit() and len(seed) <= len(str(MOST_SEED))):
        AgentError.at(name).fail(f"must have a whole number from 0 to {MOST_SEED}, as habits:7")
    load_weights = cache(partial(habits_weights, int(seed)))
    load = partial(load_policy, "habits.policy", "habits")
    return AgentSpec(
        name=name,
        description="one of a family of opponents that answer offers by list prices",
        factory=lambda: CompiledAgent(load(), name, load_weights()),
        load_policy=load,
        load_weights=load_weights,
    )


def habits_weights(seed: int) -> Any:
    """Return the parameters of the family member drawn by a seed, as HABITS[1]."""
    from numpy.random import default_rng

    from monopoly_agents.habits.weights import draw_habits

    return draw_habits(default_rng(seed))


# Bots that only run in Python


def python_bots() -> dict[str, AgentSpec]:
    """Return the specs of ``search``, ``negotiator``, ``human``, and custom bots."""
    specs = (
        AgentSpec("search", "the trader with rollouts for important decisions", search),
        AgentSpec(
            "search:",
            "search with a budget per decision, search:N rollouts or search:time=SECONDS, and for a "
            "compiled bot or trained policy: search:N:BOT, search:BOT",
            search_with,
        ),
        AgentSpec(
            "negotiator",
            "veteran, who deals by the value, speaks, counters and promises where that is possible",
            negotiator,
        ),
        AgentSpec(
            "negotiator:",
            "negotiator:HONESTY, who means each promise with that chance, from 0 to 1",
            negotiator_by,
        ),
        AgentSpec("human", "you, at this terminal", human),
        AgentSpec("exec:", "a program that communicates by JSON lines: docs/protocol.md", external),
        AgentSpec(
            "python:",
            "a class or a policy in a Python file: python:FILE:NAME",
            from_file,
            resolve=python_file,
        ),
    )
    return {spec.name: spec for spec in specs}


def search() -> Agent:
    """Create the search bot with the default budget."""
    from monopoly_agents.search.agent import SearchAgent

    return SearchAgent()


def search_with(rest: str) -> Agent:
    """Create the bot of ``search:N``, ``search:time=SECONDS``, and either with ``:BOT``."""
    from monopoly_agents.search.agent import from_budget

    return from_budget(rest)


def negotiator() -> Agent:
    """Create the negotiating bot, which keeps its promises."""
    from monopoly_agents.negotiator.agent import NegotiatorAgent

    return NegotiatorAgent()


def negotiator_by(honesty: str) -> Agent:
    """Create the bot of ``negotiator:HONESTY``."""
    from monopoly_agents.negotiator.agent import by_honesty

    return by_honesty(honesty)


def human() -> Agent:
    """Create the human player at the terminal."""
    from monopoly_agents.terminal.human import HumanAgent

    return HumanAgent()


def external(command: str) -> Agent:
    """Create the bot of ``exec:COMMAND``."""
    from monopoly_agents.external.agent import ExternalAgent

    return ExternalAgent(command)


def from_file(target: str) -> Agent:
    """Create the bot of ``python:FILE:NAME``."""
    return python_file(target).factory()


def python_file(target: str) -> AgentSpec:
    """Return the spec of ``python:FILE:NAME``, compiled or not."""
    from monopoly_agents.python_file import resolve

    return resolve(target)

"""The bots of this package by name: what the entry-point group ``monopoly_env.agents`` finds.

Bots are imported when they are first used: importing one compiles it, or loads what was compiled.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from monopoly_agents.base import CompiledAgent
from monopoly_env.agent import AgentSpec
from monopoly_env.engine.policy import Policy

# name: the module that holds a policy of that name, and the bot in a line
BOTS: dict[str, tuple[str, str]] = {
    "random": ("random", "any legal action: a kind of action first, then one of that kind"),
    "fixed_a": ("fixed_policy", "fixed policy of Bonjour et al. 2022: all lots are equal"),
    "fixed_b": (
        "fixed_policy",
        "fixed policy of Bonjour et al. 2022: railroads and dark blue first, utilities last",
    ),
    "fixed_c": (
        "fixed_policy",
        "fixed policy of Bonjour et al. 2022: orange and light blue first",
    ),
    "background": ("background", "the public baseline agent v3_1 of the GNOME-p3 simulator"),
}


def agents() -> dict[str, AgentSpec]:
    """All bots of this package."""
    return {
        name: AgentSpec(
            name=name,
            description=description,
            factory=partial(make, module, name),
            load_policy=partial(load, module, name),
        )
        for name, (module, description) in BOTS.items()
    }


def load(module: str, name: str) -> Policy:
    """Import a compiled policy."""
    found: Policy = getattr(import_module(f"monopoly_agents.{module}"), name)
    return found


def make(module: str, name: str) -> CompiledAgent:
    """A Python agent that asks the compiled policy."""
    return CompiledAgent(load(module, name), name)

"""What the entry-point group ``monopoly_env.agents`` finds in this package: ``model:PATH``."""

from __future__ import annotations

from monopoly_env.agent import Agent, AgentSpec

SCHEME = "model:"


def agents() -> dict[str, AgentSpec]:
    """The scheme under which trained policies are named."""
    description = "a trained policy: the folder of a run, or a .safetensors file with its card"
    return {SCHEME: AgentSpec(SCHEME, description, load)}


def load(path: str) -> Agent:
    """The bot of ``model:PATH``; its packages are imported now, not when bots are listed."""
    from monopoly_training.agents import model_agent

    return model_agent(path)

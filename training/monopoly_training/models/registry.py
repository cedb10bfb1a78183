"""Trained policies for the entry-point group ``monopoly_env.agents``.

``model:PATH`` is any trained policy, ``champion`` the one included in the package.
"""

from __future__ import annotations

from functools import partial

from monopoly_env.agent import Agent, AgentSpec
from monopoly_training.models.names import CHAMPION, SCHEME


def agents() -> dict[str, AgentSpec]:
    """Return the specs of trained policies by name."""
    any_model = "a trained policy: the folder of a run, or a .safetensors file with its card"
    champion = "the included trained policy: configs/train/champion.yaml"
    return {
        CHAMPION: AgentSpec(CHAMPION, champion, partial(load, CHAMPION)),
        SCHEME: AgentSpec(SCHEME, any_model, lambda path: load(SCHEME + path)),
    }


def load(name: str) -> Agent:
    """Load a trained policy by name, importing its packages only now."""
    from monopoly_training.models.model_agent import model_agent

    return model_agent(name)

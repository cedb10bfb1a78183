"""What the entry-point group ``monopoly_env.agents`` finds in this package: trained policies.

``model:PATH`` is any, ``champion`` the one that comes with the package.
"""

from __future__ import annotations

from functools import partial

from monopoly_env.agent import Agent, AgentSpec
from monopoly_training.models.names import CHAMPION, SCHEME


def agents() -> dict[str, AgentSpec]:
    """The names under which trained policies are had."""
    any_model = "a trained policy: the folder of a run, or a .safetensors file with its card"
    champion = "the trained policy of this package: configs/train/champion.yaml"
    return {
        CHAMPION: AgentSpec(CHAMPION, champion, partial(load, CHAMPION)),
        SCHEME: AgentSpec(SCHEME, any_model, lambda path: load(SCHEME + path)),
    }


def load(name: str) -> Agent:
    """A trained policy by name; its packages are imported now, not when bots are listed."""
    from monopoly_training.models.model_agent import model_agent

    return model_agent(name)

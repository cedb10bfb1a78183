"""What a newcomer tries first learns to win: the examples of README and docs, run to their end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.ppo import minimal

from monopoly_env import VectorEnv
from tests.cpu_time import three_minutes_of_two_cores

ROOT = Path(__file__).parents[2]
GAMES = 400
WON = 0.8

pytestmark = [pytest.mark.learning, pytest.mark.slow]


def example(page: str, word: str) -> str:
    """The first Python example of a page in which a word occurs."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return str(next(block for block in blocks if word in block))


def share_won(envs: VectorEnv, act: Callable[[Any, Any], Any]) -> float:
    """The share of games won, of the first that each environment plays."""
    observations, _ = envs.reset(seed=10_000)
    won = np.full(envs.num_envs, np.nan)
    while np.isnan(won).any():
        actions = act(observations, envs.action_masks())
        observations, _, _, _, infos = envs.step(actions)
        if "final_info" in infos:
            ended = infos["_final_info"] & np.isnan(won)
            won[ended] = infos["final_info"]["win"][ended]
    return float(won.mean())


def test_the_readmes_maskable_ppo() -> None:
    names: dict[str, Any] = {}
    with three_minutes_of_two_cores():
        exec(compile(example("README.md", "MaskablePPO"), "README.md", "exec"), names)
    model = names["model"]

    def act(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks)[0]

    assert share_won(VectorEnv(GAMES, preset="basic"), act) >= WON


def test_the_loop_in_one_file() -> None:
    ppo = minimal.make_ppo(minimal.Args(total_timesteps=400_000))
    with three_minutes_of_two_cores():
        ppo.learn(400_000)
    assert np.mean(ppo.wins) >= WON

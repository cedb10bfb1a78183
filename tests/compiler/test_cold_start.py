"""Nothing compiled yet, nowhere to write, and several processes at once: whole games all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from monopoly_env.compiler.jit import JIT

PLAY = """
import hashlib
import numpy as np
from monopoly_env.envs.vector import VectorEnv

env = VectorEnv(4, seats="all", num_players=3, skip_forced=False)
digest = hashlib.sha256(env.reset(seed=5)[0].tobytes())
for key in range(200):
    seen, reward, *_ = env.step(env.sample_actions(key))
    digest.update(seen.tobytes() + reward.tobytes() + env.action_masks().tobytes())
print(digest.hexdigest())
"""
COUNT = """
from numba.core import event

class Listener(event.Listener):
    def on_start(self, event):
        print("compiled", event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
"""


def start(code: str, temporary: Path) -> subprocess.Popen[str]:
    """A fresh Python whose usual folder for compiled code cannot be made."""
    blocked = temporary / "file"
    blocked.write_text("not a folder")
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(blocked), "TMPDIR": str(temporary)}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_processes_that_start_cold_together_without_a_cache_folder(tmp_path: Path) -> None:
    expected = subprocess.run(
        [sys.executable, "-c", PLAY], capture_output=True, text=True, check=True
    ).stdout
    children = [start(PLAY, tmp_path) for _ in range(2)]
    assert [child.communicate()[0] for child in children] == [expected] * 2
    assert list(tmp_path.rglob("*.nbc"))
    later = start(COUNT + PLAY, tmp_path)
    assert later.communicate()[0] == expected  # and nothing was compiled again

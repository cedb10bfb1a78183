"""Checkpoints: one that does not fit is refused."""

from __future__ import annotations

import io

import pytest

pytest.importorskip("sb3_contrib")

import torch
from monopoly_training.runs import train
from monopoly_training.runs.checkpoint import checked_content
from monopoly_training.runs.run_folder import RunError

from monopoly_env.errors import Location
from tests.training.runs.seals import seal


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("key", ["steps", "policy", "pool", "random", "games", "counters"])
def test_a_checkpoint_that_lacks_something_is_refused(key, tmp_path, small_run):
    (tmp_path / "config.yaml").write_bytes((small_run / "config.yaml").read_bytes())
    sealed = checked_content(small_run / "checkpoint.pt", Location("checkpoint", (), RunError))
    state = torch.load(io.BytesIO(sealed), weights_only=True)
    seal({**state, key: None}, tmp_path)
    if key != "steps":
        with pytest.raises(RunError, match="does not fit its config"):
            train.resume(tmp_path)
    del state[key]
    seal(state, tmp_path)
    with pytest.raises(RunError, match=f"does not fit its config.yaml: '{key}' is missing"):
        train.resume(tmp_path)


@pytest.mark.promise("bad_input")
def test_a_checkpoint_of_another_network_is_refused(tmp_path, small_run):
    for name in ("config.yaml", "checkpoint.pt"):
        (tmp_path / name).write_bytes((small_run / name).read_bytes())
    with pytest.raises(RunError, match="does not fit its config"):
        train.resume(tmp_path, changes=("ppo.layers=[8, 8]",))

"""Checkpoints: one that does not fit is refused."""

from __future__ import annotations

import pytest
import yaml

pytest.importorskip("sb3_contrib")

import torch
from monopoly_training.runs import train
from monopoly_training.runs.run_folder import RunError


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("key", ["steps", "policy", "pool", "random", "games", "counters"])
def test_a_checkpoint_that_lacks_something_is_refused(key, tmp_path, small_run):
    (tmp_path / "config.yaml").write_bytes((small_run / "config.yaml").read_bytes())
    state = torch.load(small_run / "checkpoint.pt", weights_only=True)
    torch.save({**state, key: None}, tmp_path / "checkpoint.pt")
    if key != "steps":
        with pytest.raises(RunError, match="does not fit its config"):
            train.resume(tmp_path)
    del state[key]
    torch.save(state, tmp_path / "checkpoint.pt")
    with pytest.raises(RunError, match=f"does not fit its config.yaml: '{key}' is missing"):
        train.resume(tmp_path)


@pytest.mark.promise("bad_input")
def test_a_checkpoint_of_another_network_is_refused(tmp_path, small_run):
    for name in ("config.yaml", "checkpoint.pt"):
        (tmp_path / name).write_bytes((small_run / name).read_bytes())
    config = yaml.safe_load((tmp_path / "config.yaml").read_text())
    config["ppo"]["layers"] = [8, 8]
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    with pytest.raises(RunError, match="does not fit its config"):
        train.resume(tmp_path)

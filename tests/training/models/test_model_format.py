"""docs/model_format.md: its example writes a model that plays, its tables name every tensor and key."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import play_matches
from monopoly_training.matches.schedule import rotated
from monopoly_training.models.card import VERSIONS, TrainedTable
from monopoly_training.models.deed_layout import layout_of
from monopoly_training.models.deed_network import shapes_of
from monopoly_training.models.storage import load_model
from monopoly_training.models.table_filter import Where

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFER_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.envs.options import TableOptions

PAGE = (Path(__file__).parents[3] / "docs" / "model_format.md").read_text(encoding="utf-8")


def test_the_example_writes_a_model_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("safetensors")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(example, "model_format.md", "exec"), names)
    table = TrainedTable.of(load_model(tmp_path / "my_model").card)
    assert table.windows == "own"
    assert table.where == Where(players=(4,), deals=("off",))
    options = TableOptions(rules={"deals": "off"}, windows="own", skip_forced=True)
    results = play_matches(
        entrants(["model:my_model", "random", "random", "random"]), rotated(4, 40, 1), options
    )
    assert not results.faults.any()
    assert 0 < np.mean(results.ranks == 1) < 0.6


def test_every_tensor_of_the_network_of_deeds_is_there_with_its_shape() -> None:
    actions = np.arange(N_ACTIONS)
    layout = layout_of(np.arange(OBSERVATION_SIZE), actions)
    shapes = shapes_of(layout, 6, 10)
    sizes = {
        "W": 6,
        "T": 10,
        "A": N_ACTIONS,
        "F": layout.deed_features,
        "P": len(layout.positions),
        "R": len(layout.others),
        "K": len(layout.deed_kinds),
        "O": layout.other_actions,
        "N": OFFER_SIZE,
    }
    rows = re.findall(r"^\| `([a-z]+(?:\.[a-z]+)?)` \| `(\(.*?\))`", PAGE, re.MULTILINE)
    told = {name: eval(shape, {}, sizes) for name, shape in rows}
    assert told == shapes


def test_every_key_of_a_card_is_there() -> None:
    for key, value in VERSIONS.items():
        assert f"| `{key}` | {value} |" in PAGE
    keys = {"network", "weights_sha256", "tensors", "digest", "table", "sample", "rest"}
    for key in keys | set(TrainedTable.__dataclass_fields__) - {"fallback"}:
        assert f"| `{key}` |" in PAGE

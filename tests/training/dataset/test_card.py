"""The card of a data set says what is in the files beside it, in the form that the Hub reads."""

from __future__ import annotations

import pytest
import yaml
from monopoly_training.dataset.card import CARD, size_class
from monopoly_training.dataset.parts import part_path
from monopoly_training.dataset.reader import info
from monopoly_training.dataset.writer import DatasetSpec, generate
from monopoly_training.matches.workers import WorkOptions

from tests.training.dataset.conftest import make


def head_of(folder):
    _, head, text = (folder / CARD).read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), text


def test_the_head_is_true_of_the_files(small):
    from pyarrow import parquet

    folder, config = small
    head, text = head_of(folder)
    files = sorted(folder.glob(head["configs"][0]["data_files"][0]["path"]))
    rows = sum(parquet.read_metadata(path).num_rows for path in files)
    stored = sum(path.stat().st_size for path in files)
    assert files == [part_path(folder, 0)]
    assert head["dataset_info"]["splits"] == [
        {"name": "train", "num_bytes": stored, "num_examples": rows}
    ]
    assert rows == info(folder)["rows"]
    assert head["size_categories"] == [size_class(rows)] == ["1K<n<10K"]
    schema = parquet.read_schema(files[0])
    told = {one["name"]: one["dtype"] for one in head["dataset_info"]["features"]}
    assert list(told) == schema.names
    for field in schema:
        kind = "binary" if str(field.type).startswith("fixed_size_binary") else str(field.type)
        assert told[field.name] == {"float": "float32"}.get(kind, kind)
    assert head["license"] == "apache-2.0"
    for word in (*config.agents, "max_turns=60", "deals=menu", f"{rows:,} decisions"):
        assert word in text


def test_columns_that_were_left_out_are_not_named(tmp_path):
    make(tmp_path, DatasetSpec(bots=("random",), observations=False), games=3)
    head, text = head_of(tmp_path)
    assert "observation" not in [one["name"] for one in head["dataset_info"]["features"]]
    assert "| `observation` |" not in text
    assert head["pretty_name"] == "Monopoly decisions of random"


def test_what_somebody_wrote_into_it_stays_until_the_data_changes(tmp_path):
    config = make(tmp_path, games=3)
    first = (tmp_path / CARD).read_text(encoding="utf-8")
    (tmp_path / CARD).write_text(first + "Mine.\n", encoding="utf-8")
    generate(config, DatasetSpec(), tmp_path, WorkOptions(resume=True))
    assert (tmp_path / CARD).read_text(encoding="utf-8") == first + "Mine.\n"
    part_path(tmp_path, 0).unlink()
    with pytest.warns(UserWarning, match="is gone; it is generated again"):
        generate(config, DatasetSpec(), tmp_path, WorkOptions(resume=True))
    assert (tmp_path / CARD).read_text(encoding="utf-8") == first


def test_sizes_have_the_names_of_the_hub():
    assert [size_class(n) for n in (0, 999, 1000, 10**6, 10**9)] == [
        "n<1K", "n<1K", "1K<n<10K", "1M<n<10M", "n>1B",
    ]  # fmt: skip

"""Files of weights: what is written is read again, and what does not fit is refused in one line."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from monopoly_env.errors import FileError
from monopoly_env.files import with_digest
from monopoly_env.value.weights import SHIPPED, card_of, load_value, pack, shipped_value


@pytest.fixture
def copied(tmp_path):
    """A copy of the files that ship."""
    for path in (SHIPPED, SHIPPED.with_suffix(".json")):
        shutil.copy(path, tmp_path / path.name)
    return tmp_path / SHIPPED.name


def test_the_same_weights_are_the_same_bytes(copied):
    value = load_value(copied)
    assert value.digest == shipped_value().digest
    assert pack(value.networks) == copied.read_bytes()
    assert not value.networks.flags.writeable


def test_other_libraries_read_the_file(copied):
    numpy = pytest.importorskip("safetensors.numpy")
    tensors = numpy.load(copied.read_bytes())
    for name, array in tensors.items():
        assert np.array_equal(array, shipped_value().networks[name][0])


def refused(path, match):
    with pytest.raises(FileError, match=match) as problem:
        load_value(path)
    assert "\n" not in str(problem.value)
    assert path.stem in str(problem.value)


def test_damage_is_refused(copied):
    data = bytearray(copied.read_bytes())
    data[-5] ^= 1
    copied.write_bytes(data)
    refused(copied, "damaged")
    copied.write_bytes(bytes(data[:1000]))
    refused(copied, "damaged")
    copied.unlink()
    refused(copied, "cannot be read")


def test_cards_that_do_not_fit_are_refused(copied):
    path = copied.with_suffix(".json")
    card = json.loads(path.read_text())
    path.write_text(json.dumps(card | {"made": {}}))
    refused(copied, "digest")
    path.write_text(json.dumps(with_digest(card | {"features_version": 99})))
    refused(copied, "features_version is 99")
    path.write_text("[]")
    refused(copied, "mapping")
    path.unlink()
    refused(copied, "cannot be read")


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "cut off"),
        (b"\xff" * 40, "cut off"),
        ((2).to_bytes(8, "little") + b"[]", "no mapping"),
        ((2).to_bytes(8, "little") + b"{}", "'bias' is missing"),
        ((9).to_bytes(8, "little") + b'{"a": {}}', "'a' is not known"),
        ((3).to_bytes(8, "little") + b"{x}", "JSON"),
    ],
)
def test_what_is_no_file_of_weights_is_refused(tmp_path, data, match):
    path = tmp_path / "own.safetensors"
    path.write_bytes(data)
    path.with_suffix(".json").write_text(json.dumps(card_of(data, {})))
    refused(path, match)


def test_tensors_of_other_shapes_and_numbers_that_are_none_are_refused(tmp_path):
    path = tmp_path / "own.safetensors"
    good = pack(shipped_value().networks)
    networks = shipped_value().networks.copy()
    networks["out"][0, 1, 3] = np.nan
    for data, match in (
        (pack(networks), "out must be finite"),
        (good.replace(b'"F32"', b'"F16"', 1), "must be float32"),
        (good[:-4], "out must have"),
    ):
        path.write_bytes(data)
        path.with_suffix(".json").write_text(json.dumps(card_of(data, {})))
        refused(path, match)

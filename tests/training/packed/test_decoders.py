"""PyTorch and JAX make the same numbers of a packed row as NumPy does."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from monopoly_env.encoding.packed import PACKED_SIZE, DecodePlan
from monopoly_env.encoding.unpacking import unpack
from monopoly_env.envs.vector import VectorEnv

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def rows() -> Any:
    """Rows of games that are well under way, and one of every byte there is."""
    env = VectorEnv(40, observation="packed", seats="all", deals="menu")
    seen, _ = env.reset(seed=2)
    kept = [seen]
    for key in range(150):
        seen = env.step(env.sample_actions(key))[0]
        if key % 30 == 0:
            kept.append(seen)
    return np.concatenate(kept)


def decoder(columns: Any = None) -> Any:
    from monopoly_training.packed.torch_decoder import PackedDecoder

    return PackedDecoder(columns)


def same(found: Any, wanted: Any) -> bool:
    """Whether two arrays of float32 are equal, bit for bit."""
    return bool((np.asarray(found).view(np.uint32) == wanted.view(np.uint32)).all())


@pytest.mark.parametrize(
    "columns", [None, np.array([0, 8, 96, 404, 1012, 1013, 1308]), np.array([95])]
)
def test_torch(rows: Any, columns: Any) -> None:
    wanted = unpack(rows, DecodePlan(columns))
    module = decoder(columns)
    assert module.size == wanted.shape[1]
    data = torch.from_numpy(rows)
    assert same(module(data), wanted)
    assert same(module(data[3]), wanted[3])
    assert same(module(data[:, None]), wanted[:, None])
    assert same(module(data.float()), wanted)  # as Stable-Baselines3 hands them to networks
    assert not list(module.parameters())
    assert module.state_dict() == {}


def test_torch_on_another_device(rows: Any) -> None:
    """Buffers move with the module; shapes are known without numbers."""
    module = decoder().to("meta")
    assert module(torch.from_numpy(rows).to("meta")).shape == (len(rows), 1365)


def test_torch_export(rows: Any) -> None:
    """One graph without Python in it."""
    data = torch.from_numpy(rows[:4])
    exported = torch.export.export(decoder(), (data,))
    assert same(exported.module()(data), unpack(rows[:4]))


@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile needs a C++ compiler")
def test_torch_compile(rows: Any) -> None:
    from monopoly_training.packed.torch_decoder import PackedDecoder

    compiled = torch.compile(PackedDecoder(), fullgraph=True)
    found = compiled(torch.from_numpy(rows)).numpy()
    assert np.array_equal(found.view(np.int32), unpack(rows).view(np.int32))


def test_jax(rows: Any) -> None:
    jax = pytest.importorskip("jax")
    from monopoly_training.packed.jax_decoder import make_decoder

    make: Callable[..., Any] = make_decoder
    assert same(jax.jit(make())(rows), unpack(rows))
    columns = np.array([8, 404, 1012, 1308])
    assert same(make(columns)(rows[:, None]), unpack(rows[:, None], DecodePlan(columns)))


def test_rows_are_as_long_as_documented() -> None:
    assert PACKED_SIZE == 832

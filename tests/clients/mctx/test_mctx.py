"""mctx on the environments: the search keeps to the masks, and its model learns."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("mctx")

import jax

from tests.clients.mctx import muzero

SHORT = {"rules": {"max_turns": 40}}


def begin(games):
    envs = muzero.make_envs(games, **SHORT)
    observations, infos = envs.reset(seed=1)
    return envs, (observations, infos["action_mask"])


def test_the_search_keeps_to_the_masks() -> None:
    envs, seen = begin(8)
    parameters = muzero.make_parameters(envs, jax.random.key(0))
    rows, _, _ = muzero.play(envs, parameters, jax.random.key(1), seen, 24, simulations=8)
    masks, weights = np.asarray(rows.masks), np.asarray(rows.weights)
    actions = np.asarray(rows.actions)
    assert np.take_along_axis(masks, actions[..., None], -1).all()
    assert not weights[~masks].any()
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    assert (masks.sum(-1) > 1).any()


def test_returns_are_discounted_and_end_with_the_games() -> None:
    zeros = np.zeros((3, 1), np.float32)
    rows = muzero.Rows(
        *[zeros] * 4,
        values=np.full((3, 1), 8.0, np.float32),
        rewards=np.array([[1.0], [2.0], [4.0]], np.float32),
        discounts=np.array([[0.5], [0.0], [0.5]], np.float32),
    )
    np.testing.assert_allclose(muzero.targets(rows)[:, 0], [2.0, 2.0, 8.0])


def test_the_model_learns_what_it_plays() -> None:
    losses: list[float] = []
    envs, _ = begin(16)
    muzero.train(envs, 12, simulations=4, steps=16, report=lambda loss, won: losses.append(loss))
    assert np.isfinite(losses).all()
    assert np.mean(losses[-3:]) < np.mean(losses[:3])

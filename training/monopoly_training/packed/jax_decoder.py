"""Decode packed observations to float32 in JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from monopoly_env.encoding.packed import NUMBERS_END, DecodePlan
from monopoly_env.engine.state import Int64s


def make_decoder(columns: Int64s | None = None) -> Callable[[Any], Any]:
    """Return a function from rows uint8[..., 832] to float32[..., n], usable under ``jax.jit``.

    The result is bit-identical to the environment's observation, because numbers are looked up
    rather than computed. ``columns`` selects columns, as in ``env.columns``. Needs JAX, which is
    not a dependency of monopoly-env.
    """
    import jax
    import jax.numpy as jnp

    plan = DecodePlan(None if columns is None else np.asarray(columns, np.int64))
    numbers = jnp.asarray(plan.numbers)
    shift, mask, base = (one.astype(np.int32) for one in (plan.shift, plan.mask, plan.base))

    def decode(rows: Any) -> Any:
        data = jnp.asarray(rows, jnp.uint8)
        words = data[..., :NUMBERS_END].reshape(*data.shape[:-1], NUMBERS_END // 4, 4)
        plain = jax.lax.bitcast_convert_type(words, jnp.float32)[..., plan.floats]
        wide = data.astype(jnp.int32)
        code = wide[..., plan.first] | wide[..., plan.second] << 8
        coded = numbers[(code >> shift & mask) + base]
        return jnp.concatenate([plain, coded], axis=-1)[..., plan.order]

    return decode

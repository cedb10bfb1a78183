"""What learners observe and do, as Gymnasium's spaces."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from monopoly_env.encoding.observation import HIGH, LOW
from monopoly_env.engine.actions import N_ACTIONS

Arrays = npt.NDArray[Any]
Observation = npt.NDArray[np.float32] | dict[str, Arrays]  # flat; or with its mask

FORMS = ("flat", "dict")


def observation_space(form: str) -> spaces.Space[Any]:
    """The space of what a learner observes, in one of the FORMS."""
    observation = spaces.Box(LOW, HIGH, dtype=np.float32)
    if form == "flat":
        return observation
    mask = spaces.Box(0, 1, (N_ACTIONS,), np.int8)
    return spaces.Dict({"observation": observation, "action_mask": mask})

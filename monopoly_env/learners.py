"""Everything needed to write a training loop, in one module.

A learner receives observations of :data:`OBSERVATION_SIZE` numbers and chooses among
:data:`N_ACTIONS` actions; a mask marks the legal ones. docs/your_own_learner.md has a recipe that
learns to win within minutes.

>>> import numpy as np
>>> from monopoly_env import load_edition
>>> from monopoly_env.learners import KIND_OF, KINDS, TEXTS, kind_bias, used_actions, used_columns
>>> edition = load_edition("classic", rules={"deals": "off"})
>>> columns, action_ids = used_columns(4, edition), used_actions(edition)
>>> len(columns), len(action_ids)  # of 1365 and 342: the ones that can occur in this setup
(622, 155)
>>> logits = kind_bias(action_ids)  # of a policy that is uniform over kinds of action
>>> TEXTS[action_ids[np.argmax(logits)]], KINDS[KIND_OF[action_ids[0]]]
('roll', 'roll')
"""

from monopoly_env.encoding.blocks import BLOCKS, OBSERVATION_SIZE, OFFSETS
from monopoly_env.encoding.features import kind_bias, used_actions, used_columns
from monopoly_env.encoding.packed import PACKED_SIZE, DecodePlan
from monopoly_env.encoding.reward import NetWorthShare, Rank, Reward, Win
from monopoly_env.encoding.unpacking import unpack
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, N_ACTIONS, N_KINDS, SIZE, TEXTS

__all__ = [
    "BLOCKS",
    "IDS",
    "KINDS",
    "KIND_OF",
    "N_ACTIONS",
    "N_KINDS",
    "OBSERVATION_SIZE",
    "OFFSETS",
    "PACKED_SIZE",
    "SIZE",
    "TEXTS",
    "DecodePlan",
    "NetWorthShare",
    "Rank",
    "Reward",
    "Win",
    "kind_bias",
    "unpack",
    "used_actions",
    "used_columns",
]

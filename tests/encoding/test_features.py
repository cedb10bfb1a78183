"""The columns and actions that are worth learning at a table."""

from __future__ import annotations

import numpy as np

from monopoly_env.editions import load_edition
from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.features import used_actions, used_columns
from monopoly_env.engine.actions import N_ACTIONS, TEXTS
from monopoly_env.envs.vector import VectorEnv


def test_what_a_network_knows_follows_from_the_rules():
    def known(**rules):
        return {TEXTS[action] for action in used_actions(load_edition(rules=rules))}

    menu, steps, off = (known(deals=form) for form in ("menu", "steps", "off"))
    assert {"propose:1", "accept"} <= menu
    assert "deal:left1" not in menu
    assert {"deal:left1", "accept"} <= steps
    assert "propose:1" not in steps
    assert menu & steps - {"accept", "reject"} == off
    assert "ask_rent" in known(rent_asked=True) - off
    assert used_actions(load_edition("pokemon1999", rules={"power_doubles": True})).size > 200


def test_nothing_that_is_seen_or_legal_is_left_out():
    edition = load_edition(rules={"windows": "own", "deals": "menu"})
    env = VectorEnv(16, opponents=["random"] * 2, windows="own", deals="menu")
    columns, actions = used_columns(3, edition), used_actions(edition)
    first, info = env.reset(seed=0)
    first = first.copy()
    changed, legal = np.zeros(OBSERVATION_SIZE, bool), np.zeros(N_ACTIONS, bool)
    for step in range(400):
        seen, _, _, _, info = env.step(env.sample_actions(step))
        changed |= (seen != first[:1]).any(axis=0)
        legal |= (info["action_mask"] != 0).any(axis=0)
    assert set(np.flatnonzero(changed)) <= set(columns)
    assert set(np.flatnonzero(legal)) <= set(actions)

"""Where columns and actions stand in a network of deeds."""

from __future__ import annotations

import numpy as np
from monopoly_training.models.deed_layout import (
    DEED_GROUPS,
    N_DEEDS,
    action_heads,
    deed_columns,
    layout_of,
)

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, labels
from monopoly_env.engine.actions import N_ACTIONS, TEXTS

LAYOUT = layout_of(np.arange(OBSERVATION_SIZE), np.arange(N_ACTIONS))


def test_every_fact_of_a_deed_is_that_deeds_own():
    names = labels()
    rows = np.array(deed_columns())
    for row in rows:
        blocks = {names[column].split(".")[0] for column in row}
        assert len(blocks) == 1
        lots = [names[column].rsplit(".", 1)[-1] for column in row]
        if blocks & {"group_share", "group_complete", "group_lacking"} or "deal_my" in str(blocks):
            assert len(set(lots)) == DEED_GROUPS.max() + 1
        elif not blocks & {"deal_their_share", "deal_my_share"}:
            assert len(set(lots)) == N_DEEDS


def test_every_column_is_read_and_every_action_has_its_own_number():
    read = np.concatenate([LAYOUT.deeds, LAYOUT.others, LAYOUT.offers])
    assert set(read.tolist()) == set(range(OBSERVATION_SIZE))
    assert len(set(LAYOUT.order.tolist())) == N_ACTIONS
    assert {"build", "sell", "mortgage", "lift", "keep"} <= set(LAYOUT.deed_kinds)


def test_the_heads_of_a_deed_follow_the_deed_and_the_kind():
    actions = [TEXTS.index(text) for text in ("roll", "build:baltic", "sell:baltic", "propose:2")]
    deed_kinds, order, other_actions = action_heads(np.array(actions))
    assert deed_kinds == ("build", "sell")
    assert other_actions == 1
    assert order.tolist() == [0, 1 + 2, 1 + 3, 1 + 2 * N_DEEDS + 1]

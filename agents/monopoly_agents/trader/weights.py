"""The record of what the trader plays by: weights and margins, in two sets, and its two models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from monopoly_agents.strategist.weights import WEIGHTS, Weights
from monopoly_agents.trader.acceptance import ACCEPTANCE, AcceptanceState
from monopoly_env.compiler.pointers import record_at
from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.value.network import NETWORK, NetworkState


class Margins:
    """How much a deal must gain, by win probability (chance) and by the strategist's win share.

    The learned value comes from positions that bots reach and overrates some that they do not; a
    deal that the win share rejects is more often than not such a case. Between two players, one
    side's gain is the other's loss, so separate margins apply where two are left.
    """

    accept: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own chance to accept an offer")
    ]
    accept_share: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own share to accept an offer")
    ]
    gain: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own chance to make an offer")
    ]
    gain_share: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own share to make an offer")
    ]
    least: Annotated[float, Field("f8", (), "a chance", "the least chance that an offer must gain")]
    slow: Annotated[
        float, Field("f8", (), "rounds", "the round from which a game with all deeds owned is slow")
    ]
    slow_share: Annotated[
        float,
        Field("f8", (), "times", "the least factor on one's own share to accept in a slow game"),
    ]
    patience: Annotated[
        float, Field("f8", (), "rounds", "the round after which a game counts as stalled")
    ]
    fade: Annotated[
        float, Field("f8", (), "a round", "how much each stalled round lowers the least factor")
    ]
    even: Annotated[
        float, Field("f8", (), "times", "the least factor on one's own chance in the longest stall")
    ]
    auction: Annotated[
        float,
        Field("f8", (), "of the list price", "the highest expected bid of others for not buying"),
    ]
    bids: Annotated[float, Field("f8", (), "of the list price", "the highest bid of its own")]


MANY, TWO = 0, 1  # the sets of numbers: with more than two players left, and with two


class TraderState:
    """Everything a trader plays by."""

    weights: Annotated[
        Sequence[Weights], Field(WEIGHTS, (2,), "", "with more than two players left, and with two")
    ]
    margins: Annotated[
        Sequence[Margins],
        Field(dtype_of(Margins), (2,), "", "with more than two players left, and with two"),
    ]
    value: Annotated[NetworkState, Field(NETWORK, (), "", "the learned value")]
    acceptance: Annotated[AcceptanceState, Field(ACCEPTANCE, (), "", "the acceptance model")]


TRADER = dtype_of(TraderState)
trader_at: Any = record_at(TRADER)

"""The numbers the trader plays by: the strategist's weights, its models, and its margins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.weights import WEIGHTS, Weights, read_weights
from monopoly_agents.trader.acceptance import ACCEPTANCE, AcceptanceState
from monopoly_agents.trader.acceptance_file import shipped_acceptance
from monopoly_env.compiler.pointers import record_at
from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.value.network import NETWORK, NetworkState
from monopoly_env.value.weights import Value, shipped_value


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


class TraderState:
    """Everything a trader plays by."""

    weights: Annotated[Weights, Field(WEIGHTS, (), "", "for everything but deals")]
    margins: Annotated[
        Sequence[Margins],
        Field(dtype_of(Margins), (2,), "", "with more than two players, and with two"),
    ]
    value: Annotated[NetworkState, Field(NETWORK, (), "", "the learned value")]
    acceptance: Annotated[AcceptanceState, Field(ACCEPTANCE, (), "", "the acceptance model")]


TRADER = dtype_of(TraderState)
trader_at: Any = record_at(TRADER)

MARGINS = {
    "accept": 1.01,
    "accept_share": 1.0,
    "gain": 1.03,
    "gain_share": 0.9,
    "least": 0.001,
    "slow": 20.0,
    "slow_share": 0.9,
    "patience": 40.0,
    "fade": 0.01,
    "even": 0.7,
    "auction": 0.9,
    "bids": 100.0,
}
MARGINS_OF_TWO = {**MARGINS, "gain": 1.05, "gain_share": 1.3, "bids": 1.2}


def trader_weights(value: Value | None = None, acceptance: Any = None) -> Any:
    """Return TRADER[1]: veteran's weights, both models and both sets of margins.

    ``value`` and ``acceptance`` (ACCEPTANCE[1]) default to those shipped with the package.
    Raises: AgentError, FileError, one line.
    """
    record = new_records(1, TRADER)
    record["weights"] = read_weights(VETERAN)
    record["value"] = (value or shipped_value()).networks
    record["acceptance"] = shipped_acceptance() if acceptance is None else acceptance
    for place, margins in enumerate((MARGINS, MARGINS_OF_TWO)):
        for name, number in margins.items():
            record["margins"][name][0, place] = number
    return record

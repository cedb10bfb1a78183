"""What the trader plays by: the strategist's weights, the learned value, and its margins."""

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
    """How much a deal must gain. A chance is one to win, a share the strategist's estimate of it.

    The value was learned from positions that bots come to, and overrates some that they do not.
    A deal that the share dislikes is such a case more often than not. Between two players what one
    gains the other loses: there are margins of their own where two are left.
    """

    accept: Annotated[float, Field("f8", (), "times", "own chance at least, to accept an offer")]
    accept_share: Annotated[float, Field("f8", (), "times", "own share at least, to accept")]
    gain: Annotated[float, Field("f8", (), "times", "own chance at least, to make an offer")]
    gain_share: Annotated[float, Field("f8", (), "times", "own share at least, to make an offer")]
    least: Annotated[float, Field("f8", (), "a chance", "to gain at least, by an offer")]
    slow: Annotated[float, Field("f8", (), "rounds", "after which a game without groups is slow")]
    slow_share: Annotated[float, Field("f8", (), "times", "own share at least, to accept then")]
    patience: Annotated[float, Field("f8", (), "rounds", "after which a game has stalled")]
    fade: Annotated[float, Field("f8", (), "a round", "by which a stall lowers what is asked")]
    even: Annotated[float, Field("f8", (), "times", "own chance at least, in the longest stall")]


class TraderState:
    """What a trader plays by."""

    weights: Annotated[Weights, Field(WEIGHTS, (), "", "of everything but deals")]
    margins: Annotated[
        Sequence[Margins],
        Field(dtype_of(Margins), (2,), "", "of deals: among more players, and among two"),
    ]
    value: Annotated[NetworkState, Field(NETWORK, (), "", "the learned value")]
    acceptance: Annotated[
        AcceptanceState, Field(ACCEPTANCE, (), "", "how likely offers are accepted")
    ]


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
}
MARGINS_OF_TWO = {**MARGINS, "gain": 1.05, "gain_share": 1.3}


def trader_weights(value: Value | None = None, acceptance: Any = None) -> Any:
    """What the trader plays by, as TRADER[1]: veteran's weights, both models, both sets of margins.

    ``value`` and ``acceptance`` (ACCEPTANCE[1]) None: those that come with the package.
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

"""The rents ahead, and the cash that they leave."""

from __future__ import annotations

from typing import Any

from monopoly_agents.strategist.rent_risk import rent_risk, spendable
from monopoly_agents.strategist.weights import STRATEGIST

from monopoly_env.compiler.jit import jit
from tests.agents.positions import Given, seated

ORANGE = ["st_james", "tennessee", "new_york"]


@jit
def ahead(games: Any, rules_: Any, player: int) -> tuple[int, int]:
    """The rent risk ahead of a player, and the cash that it can spend."""
    risk = rent_risk(games[0], rules_[0], STRATEGIST[0], player)
    return risk, spendable(games[0], rules_[0], STRATEGIST[0], player)


def rents_ahead(mine: Given, theirs: Given) -> tuple[int, int]:
    game = seated({"A": mine, "B": theirs})
    return ahead(game.state.reshape(1), game.edition.rules, 0)


def test_rent_risk_grows_with_houses_within_reach_only() -> None:
    houses = {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 3)}
    near, stays_near = rents_ahead({"cash": 500, "at": "jail"}, houses)
    bare, stays_bare = rents_ahead({"cash": 500, "at": "jail"}, {"deeds": ORANGE})
    far, _ = rents_ahead({"cash": 500, "at": "pacific"}, houses)
    assert near > 5 * bare > 0
    assert far < near / 5
    assert stays_near < stays_bare


def test_idle_deeds_cover_rents_ahead() -> None:
    houses = {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 3)}
    _, alone = rents_ahead({"cash": 500, "at": "jail"}, houses)
    _, covered = rents_ahead({"cash": 500, "at": "jail", "deeds": ["boardwalk", "pacific"]}, houses)
    assert covered == alone + 200 + 150

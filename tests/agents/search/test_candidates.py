"""What search tries out."""

from __future__ import annotations

from monopoly_agents.search.agent import workspace_under
from monopoly_agents.search.rollouts import Workspace, own_choice

from monopoly_env.view import View
from tests.agents.positions import Given, bidding, buying, offered, seated, turn_over

ORANGE = ["st_james", "tennessee", "new_york"]


def workspace_for(given: Given, samples: int = 64) -> tuple[Workspace, int]:
    """A workspace for a position in which the trader has made its choice, and the candidates."""
    game = seated(given)
    view = View.of(game)
    workspace = workspace_under(view.edition.rules, samples)
    workspace.games[0] = view.games[0]
    workspace.own_view["mask"][0] = view.mask
    return workspace, own_choice(workspace)


def tried(given: Given) -> list[str]:
    """The candidates as text, the trader's own choice first."""
    workspace, count = workspace_for(given)
    game = seated(given)
    return [game.text(int(action)) for action in workspace.actions[:count]]


def test_tries_what_matters() -> None:
    assert set(tried(buying("new_york", 900))) == {"buy", "auction"}
    offer = offered({"deeds": ["reading"]}, {"cash": 900}, deal_give_cash=260, deal_ask=["reading"])
    assert set(tried(offer)) == {"accept", "reject"}
    inmate = {"A": {"cash": 500, "jail": 1}, "B": {"deeds": ORANGE}}
    assert set(tried(inmate | {"rules": {"deals": "off"}})) == {"roll", "jail_pay"}
    swap = {"A": {"cash": 900, "jail": 1, "deeds": [*ORANGE[:2], "oriental"]}}
    swap["B"] = {"cash": 500, "deeds": ["new_york", "vermont", "connecticut"]}
    assert tried(swap) == ["deal:B"]  # an offer comes first, and is not compared with anything
    building = turn_over({"cash": 900, "deeds": [*ORANGE, "mediterranean", "baltic"]})
    found = tried(building | {"rules": {"deals": "off"}})
    assert found[0].startswith("build:")
    assert "end_turn" in found
    assert len(found) == len(set(found)) == 3


def test_tries_nothing_where_there_is_no_question() -> None:
    assert len(tried(bidding("new_york", 900, 40))) == 1
    assert len(tried({"A": {"cash": 500}})) == 1
    gift = offered({"cash": 500}, {"deeds": ORANGE[:1]}, deal_give=ORANGE[:1], deal_ask_cash=1)
    assert len(tried(gift)) == 1

"""What the tests of bots share: a position in, the bot's action or offer out, both as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from monopoly_env import Game
from monopoly_env.agent import Agent, make_agent
from monopoly_env.engine.phases import Phase
from monopoly_env.position.engine_state import encode
from monopoly_env.view import View

Given = dict[str, Any]  # a position


@dataclass(frozen=True)
class MadeOffer:
    """An offer that was put to somebody. ``cash`` is given, asked for if negative."""

    partner: str
    give: list[str]
    ask: list[str]
    cash: int


def choose(bot: str, given: Given, *played: str) -> str:
    """The action of a bot, by name, in a position, after some actions were played in it."""
    game = seated(given)
    for action in played:
        game.play(action)
    return decide(make_agent(bot), game)


def make_offer(bot: str | Agent, given: Given) -> MadeOffer | None:
    """The offer that a bot makes in its window; None if it does something else first."""
    game = seated(given)
    agent = make_agent(bot) if isinstance(bot, str) else bot
    action = decide(agent, game)
    if action.partition(":")[0] not in ("deal", "propose"):
        return None
    game.play(action)
    while game.phase == Phase.DEAL:
        action = decide(agent, game)
        assert action != "cancel"
        game.play(action)
    assert game.phase == Phase.ANSWER
    state = game.state
    return MadeOffer(
        partner=encode("seat", int(state["partner"])),
        give=encode("squares", int(state["deal_give"])),
        ask=encode("squares", int(state["deal_ask"])),
        cash=int(state["deal_give_cash"]) - int(state["deal_ask_cash"]),
    )


def seated(given: Given) -> Game:
    """A game in a position; of two players, unless it says otherwise."""
    return Game.from_position({"players": 2, **given}, seed=1, journal=False)


def decide(agent: Agent, game: Game) -> str:
    """What an agent does, as text."""
    return game.text(agent.decide(View.of(game)))


# Positions, two players, in which A decides


def waiting(task: str, **details: Any) -> Given:
    """What the engine has in mind where A decides about something after A's throw."""
    return {"agenda": [{"task": "THROWN", "player": "A"}, {"task": task, **details}]}


def buying(space: str, cash: int, *deeds: str) -> Given:
    """A, with these deeds, has come to an unowned property."""
    engine = waiting("BUY", player="A", square=space)
    return {"A": {"cash": cash, "deeds": list(deeds)}, "engine": engine}


def bidding(space: str, cash: int, standing: int, *deeds: str) -> Given:
    """A, with these deeds, may bid against B, whose bid stands."""
    engine = waiting("AUCTION", square=space) | {
        "bid": standing,
        "opening": 1,
        "bidders": ["A", "B"],
        "bidder": "A",
        "lot_square": space,
        "high_bidder": "B" if standing else None,
    }
    return {"A": {"cash": cash, "deeds": list(deeds)}, "engine": engine}


def owing(amount: int, **mine: Any) -> Given:
    """A, without cash unless given, owes the Bank."""
    return {"A": {"cash": 0, **mine}, "engine": waiting("DEBT", player="A", amount=amount)}


def offered(mine: Given, theirs: Given, **deal: Any) -> Given:
    """B has offered A a deal: ``deal_give`` and so on are B's side."""
    engine = waiting("DEAL", player="B", other="A", step=1) | {
        "proposer": "B",
        "partner": "A",
        **deal,
    }
    return {"A": mine, "B": theirs, "engine": engine}


def received(deed: str, cash: int) -> Given:
    """A has received a mortgaged deed."""
    return {"A": {"cash": cash, "deeds": [f"{deed}*"]}, "engine": waiting("DEED", squares=[deed])}


def between(mine: Given, **others: Given) -> Given:
    """Three players; after C's turn B, with ``mine``, may act."""
    engine = {"agenda": [{"task": "BETWEEN", "player": "C", "step": 2, "flag": 1}]}
    return {"players": 3, "turn": "C", "B": mine, **others, "engine": engine}


def turn_over(mine: Given, **others: Given) -> Given:
    """A, after the own throw."""
    return {"A": mine, **others, "engine": {"agenda": [{"task": "END", "player": "A"}]}}

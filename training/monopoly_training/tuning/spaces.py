"""Search spaces: the strategist's weights, or one set of the trader's weights and margins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from monopoly_agents.strategist import search_space as of_strategist
from monopoly_agents.strategist import weights as strategist_weights
from monopoly_agents.strategist.search_space import Vector
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.trader import numbers as of_trader
from monopoly_agents.trader.weights import MANY, TWO

from monopoly_env.agent import find_agent


@dataclass(frozen=True)
class SearchSpace:
    """The tunable parameters of a bot; a record is WEIGHTS[1] or TRADER[1]."""

    bot: str  # BOT:FILE is the bot with the parameters of a file
    dimensions: int
    vary: Callable[[Any, Vector], Any]  # (record, steps) -> the record that many steps away
    by_name: Callable[[Any], dict[str, Any]]  # the content of a parameter file
    read: Callable[[Path], Any]  # reads that file; raises AgentError, one line


SPACES = {
    "strategist": SearchSpace(
        "strategist",
        of_strategist.dimensions(),
        of_strategist.vary,
        lambda record: {"weights": strategist_weights.by_name(record)},
        strategist_weights.read_weights,
    ),
    **{
        name: SearchSpace(
            "trader",
            of_trader.dimensions(),
            partial(of_trader.vary, place=place),
            of_trader.by_name,
            of_trader.read_numbers,
        )
        for name, place in (("trader", MANY), ("trader of two", TWO))
    },
}


def space_of(bot: str, players: int) -> SearchSpace:
    """Return the search space of ``strategist``, ``trader`` or either with a file, BOT:FILE.

    With two players, the trader's numbers for when two are left vary; with more, the others.

    Raises: KeyError for any other bot; ``veteran`` uses the strategist's.
    """
    name = bot.partition(":")[0]
    if name == "trader" and players == 2:
        return SPACES["trader of two"]
    return SPACES["strategist" if name == "veteran" else name]


def start_of(bot: str) -> Any:
    """Return a bot's current parameters, where a search starts."""
    own = find_agent(bot)[0].weights
    return STRATEGIST if own is None else own

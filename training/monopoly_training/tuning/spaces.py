"""Search spaces: the strategist's weights, or the trader's weights and margins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_agents.strategist import search_space as of_strategist
from monopoly_agents.strategist import weights as strategist_weights
from monopoly_agents.strategist.search_space import Vector
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.trader import numbers as of_trader

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
    "trader": SearchSpace(
        "trader",
        of_trader.dimensions(),
        of_trader.vary,
        of_trader.by_name,
        of_trader.read_numbers,
    ),
}


def space_of(bot: str) -> SearchSpace:
    """Return the search space of ``strategist``, ``trader`` or either with a file, BOT:FILE.

    Raises: KeyError for any other bot; ``veteran`` uses the strategist's.
    """
    name = bot.partition(":")[0]
    return SPACES["strategist" if name == "veteran" else name]


def start_of(bot: str) -> Any:
    """Return a bot's current parameters, where a search starts."""
    own = find_agent(bot)[0].weights
    return STRATEGIST if own is None else own

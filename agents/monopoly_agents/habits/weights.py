"""The parameters of a habits bot: the strategist's weights, and how it answers offers."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.search_space import dimensions, vary
from monopoly_agents.strategist.weights import STRATEGIST, WEIGHTS, Weights, read_weights
from monopoly_env.compiler.pointers import record_at
from monopoly_env.compiler.records import Field, dtype_of, new_records

VARIATION = 1.5  # standard deviation of varied weights, in the steps of `tune`
REFUSERS = 0.15  # share of bots that refuse every offer


class Answers:
    """How offers are answered. Worth is in list prices, halved for mortgaged deeds."""

    ratio: Annotated[float, Field("f8", (), "times", "worth received for worth given, at least")]
    complete: Annotated[float, Field("f8", (), "times", "worth of deeds that complete a group")]
    beside: Annotated[float, Field("f8", (), "times", "worth of deeds beside own ones of a group")]
    breaks: Annotated[float, Field("f8", (), "times", "worth of deeds of own complete groups")]
    block: Annotated[
        float, Field("f8", (), "of it", "what completes a group for the other side counts as lost")
    ]
    keep: Annotated[float, Field("f8", (), "$", "that stay in hand after a deal")]
    refuses: Annotated[int, Field("i1", (), "yes/no", "every offer is refused")]


class HabitsState:
    """The parameters of a habits bot."""

    weights: Annotated[Weights, Field(WEIGHTS, (), "", "of all but answers")]
    answers: Annotated[Answers, Field(dtype_of(Answers), (), "", "to offers")]


HABITS = dtype_of(HabitsState)
habits_at: Any = record_at(HABITS)


def draw_habits(rng: np.random.Generator) -> Any:
    """Draw the parameters of a random habits bot, as HABITS[1]."""
    record = new_records(1, HABITS)
    start = read_weights(VETERAN) if rng.random() < 0.5 else STRATEGIST
    record["weights"] = vary(start, VARIATION * rng.standard_normal(dimensions()))
    answers = record["answers"]
    answers["ratio"] = np.exp(0.2 * rng.standard_normal() + 0.05)
    answers["complete"] = rng.uniform(1.2, 4.0)
    answers["beside"] = rng.uniform(1.0, 1.6)
    answers["breaks"] = rng.uniform(2.0, 5.0)
    answers["block"] = rng.choice([0.0, rng.uniform(0.3, 1.0), rng.uniform(1.0, 1.5)])
    answers["keep"] = rng.choice([0.0, rng.uniform(0.0, 300.0)])
    answers["refuses"] = rng.random() < REFUSERS
    return record

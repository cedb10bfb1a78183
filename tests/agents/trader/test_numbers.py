"""The trader's numbers in a file, and how a search varies them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from monopoly_agents.strategist.search_space import dimensions as of_weights
from monopoly_agents.trader.numbers import (
    SETS,
    STEPS,
    by_name,
    dimensions,
    read_numbers,
    vary,
)
from monopoly_agents.trader.weights import MARGINS, Margins, trader_weights

from monopoly_env.agent import find_agent
from monopoly_env.compiler.records import fields
from monopoly_env.errors import AgentError


def test_every_margin_is_varied_and_no_step_is_no_change() -> None:
    start = trader_weights()
    assert set(STEPS) == set(fields(Margins)) == set(MARGINS)
    assert vary(start, np.zeros(dimensions())).tobytes() == start.tobytes()
    numbers = [(place, name) for place in range(len(SETS)) for name in STEPS]
    for k in range(of_weights(), dimensions()):
        steps = np.zeros(dimensions())
        steps[k] = 1.0
        changed = vary(start, steps)
        before, after = (record["margins"][0] for record in (start, changed))
        moved = [
            (place, name) for place, name in numbers if before[name][place] != after[name][place]
        ]
        assert moved == [numbers[k - of_weights()]]
        assert changed["weights"].tobytes() == start["weights"].tobytes()
        assert changed["acceptance"].tobytes() == start["acceptance"].tobytes()


def test_a_margin_never_falls_below_zero() -> None:
    assert vary(trader_weights(), np.full(dimensions(), -1e6))["margins"]["least"].max() == 0.0


def test_a_file_of_numbers_is_a_bot(tmp_path: Path) -> None:
    numbers = by_name(trader_weights())
    numbers["margins_of_two"]["accept"] = 1.25
    path = tmp_path / "own.json"
    path.write_text(json.dumps(numbers))
    found = find_agent(f"trader:{path}")[0].weights
    assert found is not None
    assert found["margins"]["accept"].tolist() == [[MARGINS["accept"], 1.25]]
    assert found["margins"]["gain"][0, 0] == MARGINS["gain"]
    assert found["weights"].tobytes() == trader_weights()["weights"].tobytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"margins_of_two": None}, "margins_of_two: must be a mapping"),
        ({"margins": 5}, "margins: must be a mapping, not 5"),
        ({"margins": {**MARGINS, "acept": 1.0}}, "there is no margin 'acept'"),
        ({"margins": {"accept": 1.0}}, "the margin accept_share is missing"),
        ({"margins": {**MARGINS, "gain": "much"}}, "must be a number, not 'much'"),
        ({"weights": {}}, "the weight deeds is missing"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_one_line(tmp_path: Path, change: object, message: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({**by_name(trader_weights()), **dict(change)}))  # type: ignore[call-overload]
    with pytest.raises(AgentError) as caught:
        read_numbers(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)

"""The trader's numbers in a file, and how a search varies them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from monopoly_agents.strategist.search_space import dimensions as of_weights
from monopoly_agents.trader.numbers import (
    STEPS,
    by_name,
    dimensions,
    read_numbers,
    trader_weights,
    vary,
)
from monopoly_agents.trader.weights import MANY, TWO, Margins

from monopoly_env.agent import find_agent
from monopoly_env.compiler.records import fields
from monopoly_env.errors import AgentError

MARGINS = by_name(trader_weights())["margins"]


@pytest.mark.parametrize("place", [MANY, TWO])
def test_every_margin_of_one_set_is_varied_and_no_step_is_no_change(place: int) -> None:
    start = trader_weights()
    assert set(STEPS) == set(fields(Margins))
    assert vary(start, np.zeros(dimensions()), place).tobytes() == start.tobytes()
    numbers = [(set_, name) for set_ in (MANY, TWO) for name in STEPS]
    for k, name in enumerate(STEPS, of_weights()):
        steps = np.zeros(dimensions())
        steps[k] = 1.0
        changed = vary(start, steps, place)
        before, after = (record["margins"][0] for record in (start, changed))
        moved = [(set_, one) for set_, one in numbers if before[one][set_] != after[one][set_]]
        assert moved == [(place, name)]
        assert changed["weights"].tobytes() == start["weights"].tobytes()
        assert changed["acceptance"].tobytes() == start["acceptance"].tobytes()


@pytest.mark.parametrize("place", [MANY, TWO])
def test_the_weights_of_one_set_are_varied(place: int) -> None:
    start, steps = trader_weights(), np.zeros(dimensions())
    steps[: of_weights()] = 0.5
    changed = vary(start, steps, place)
    other = MANY + TWO - place
    assert changed["weights"][:, other].tobytes() == start["weights"][:, other].tobytes()
    assert changed["weights"]["deeds"][0, place] > start["weights"]["deeds"][0, place]


def test_a_margin_never_falls_below_zero() -> None:
    varied = vary(trader_weights(), np.full(dimensions(), -1e6), TWO)
    assert varied["margins"]["least"][0, TWO] == 0.0


def test_a_file_without_weights_of_two_uses_the_weights_for_both(tmp_path: Path) -> None:
    numbers = by_name(trader_weights())
    del numbers["weights_of_two"]
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps(numbers))
    weights = read_numbers(path)["weights"]
    assert weights[:, TWO].tobytes() == weights[:, MANY].tobytes()
    assert weights[:, MANY].tobytes() == trader_weights()["weights"][:, MANY].tobytes()


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
        ({"weights_of_two": {}}, "weights_of_two: the weight deeds is missing"),
        ({"weights_of_two": 3}, "weights_of_two: must be a mapping, not 3"),
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

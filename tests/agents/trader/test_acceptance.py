"""The acceptance model: what it sees of an offer, its numbers, and its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from monopoly_agents.registry import weights_in
from monopoly_agents.strategist import VETERAN
from monopoly_agents.trader.acceptance import (
    FEATURES,
    N_FEATURES,
    acceptance_probability,
    standing_of,
    write_learned,
    write_offer,
)
from monopoly_agents.trader.acceptance_file import (
    NETWORKS,
    SHIPPED,
    document_of,
    read_acceptance,
    shipped_acceptance,
)
from monopoly_agents.trader.judgment import chances_after, chances_now

from monopoly_env import Game, win_chances
from monopoly_env.agent import find_agent
from monopoly_env.bots.deals import new_deal
from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.errors import AgentError
from monopoly_env.files import with_digest
from monopoly_env.value.weights import shipped_value
from tests.agents.positions import Given, seated

NEW_YORK, ORIENTAL, BOARDWALK = 19, 6, 39
ORANGE = ["st_james", "tennessee", "new_york"]
LIGHT_BLUE = ["oriental", "vermont", "connecticut"]


@jit
def features_of(
    games: Any,
    rules_: Any,
    weights_: Any,
    values: Any,
    give: int,
    ask: int,
    cash: int,
    refusals: int,
    taken: int,
    out: Any,
) -> None:
    """What is known of an offer of seat 0 to seat 1."""
    standing = standing_of(games[0], rules_[0], weights_[0], 0, 1)
    deal = new_deal(0, 1, give, ask, cash)
    write_offer(games[0], rules_[0], weights_[0], standing, deal, refusals, taken, out)
    before = chances_now(games[0], rules_[0], values[0])
    write_learned(deal, before, chances_after(games[0], rules_[0], values[0], deal), out)


@jit
def said(models: Any, features: Any) -> float:
    """The chance of acceptance, by the large network."""
    return acceptance_probability(models[0].large, features)


@jit
def said_by_small(models: Any, features: Any) -> float:
    """The chance of acceptance, by the small network."""
    return acceptance_probability(models[0].small, features)


def known(
    given: Given, give: int, ask: int, cash: int, refusals: int = 0, taken: int = 0
) -> dict[str, float]:
    """What is known of an offer of A to B, by name."""
    game, out = seated(given), np.full(N_FEATURES, np.nan, np.float32)
    games, rules = game.state.reshape(1), game.edition.rules
    weights, networks = weights_in(VETERAN), shipped_value().networks
    features_of(games, rules, weights, networks, give, ask, cash, refusals, taken, out)
    return dict(zip(FEATURES, out.tolist(), strict=True))


def chance(*arguments: Any) -> float:
    """The chance that the shipped model gives an offer of A to B."""
    row = np.array(list(known(*arguments).values()), np.float32)
    return float(said(shipped_acceptance(), row))


BOTH = {
    "A": {"cash": 900, "deeds": [*ORANGE[:2], "oriental"]},
    "B": {"cash": 900, "deeds": [*LIGHT_BLUE[1:], "new_york"]},
}


def test_what_an_offer_does_to_both_sides_is_seen() -> None:
    swap = known(BOTH, bit(ORIENTAL), bit(NEW_YORK), 0, refusals=3, taken=1)
    assert swap["completes_mine"] == swap["completes_theirs"] == swap["completes_both"] == 1
    assert swap["refusals"] == 0.5
    assert swap["refused"] == 1
    assert swap["taken"] == pytest.approx(1 / 3)
    assert swap["deeds_given"] == swap["deeds_asked"] == pytest.approx(1 / 3)
    assert swap["two"] == 1
    assert swap["theirs_a"] == pytest.approx(-swap["mine_a"], abs=1.0)
    assert swap["worth"] == pytest.approx(np.log(140 / 240), abs=1e-6)


def test_the_learned_gain_of_both_sides_is_that_of_the_value() -> None:
    swap = known(BOTH, bit(ORIENTAL), bit(NEW_YORK), 0)
    now = win_chances(Game.from_position({"players": 2, **BOTH}))
    swapped = {
        "A": {"cash": 900, "deeds": ORANGE},
        "B": {"cash": 900, "deeds": LIGHT_BLUE},
    }
    then = win_chances(Game.from_position({"players": 2, **swapped}))
    for seat, side in enumerate(("mine_learned", "theirs_learned")):
        gain = np.log((then[seat] + 0.005) / (now[seat] + 0.005))
        assert swap[side] == pytest.approx(gain, abs=1e-3)


def test_cash_that_is_given_makes_an_offer_worth_more() -> None:
    paid, asked = (known(BOTH, bit(ORIENTAL), bit(NEW_YORK), cash) for cash in (-100, 100))
    assert paid["cash"] == pytest.approx(0.2)
    assert paid["cash_asked"] == 0
    assert asked["cash_asked"] == pytest.approx(1 / 9)
    assert paid["theirs_a"] > asked["theirs_a"]
    assert paid["worth"] > asked["worth"]


def test_nothing_is_left_out_and_all_is_finite() -> None:
    broke = {"A": {"cash": 0, "deeds": ["boardwalk"]}, "B": {"cash": 0, "deeds": ORANGE}}
    for cash in (0, 5000, -5000):
        assert np.isfinite(list(known(broke, bit(BOARDWALK), bit(NEW_YORK), cash).values())).all()


def test_more_cash_is_accepted_more_readily_and_refusals_make_it_less_likely() -> None:
    rest = {"C": {"cash": 900, "deeds": ["reading"]}, "D": {"cash": 900, "deeds": ["baltic"]}}
    four = {"players": 4, **BOTH, **rest}
    poor, fair, rich = (chance(four, 0, bit(NEW_YORK), -cash) for cash in (10, 300, 800))
    assert poor < 0.1 < rich
    assert poor < fair < rich
    assert chance(four, 0, bit(NEW_YORK), -500, 10) < chance(four, 0, bit(NEW_YORK), -500, 0)


@pytest.mark.parametrize(("network", "compiled"), [("large", said), ("small", said_by_small)])
def test_the_compiled_networks_are_those_of_numpy(network: str, compiled: Any) -> None:
    from monopoly_training.acceptance.tasks import chances

    rng = np.random.default_rng(5)
    rows = rng.normal(size=(50, N_FEATURES)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.4] = 0
    found = [compiled(shipped_acceptance(), row) for row in rows]
    assert chances(shipped_acceptance(), rows, network) == pytest.approx(found, abs=1e-5)


# The file


def weights_as_lists() -> dict[str, Any]:
    """The shipped weights, as they stand in the file."""
    weights: dict[str, Any] = json.loads(SHIPPED.read_text())["weights"]
    return weights


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(document_of(weights_as_lists(), {"command": "by hand"})))
    assert read_acceptance(path).tobytes() == shipped_acceptance().tobytes()
    assert find_agent(f"trader:{path}")[0].weights["acceptance"].tobytes() == (
        shipped_acceptance().tobytes()
    )


@pytest.mark.parametrize("network", list(NETWORKS))
@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("level", None),
        ("level", "much"),
        ("level", [1.0]),
        ("out", [1.0]),
        ("first", float("1e39")),
    ],
)
def test_a_weight_that_is_none_is_named(
    tmp_path: Path, name: str, weights: object, network: str
) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(document_of(weights_as_lists(), {})))
    document = json.loads(path.read_text())
    document["weights"][network][name] = weights
    del document["digest"]
    path.write_text(json.dumps(with_digest(document)))
    with pytest.raises(AgentError, match=rf"own\.json.*{network}.{name}.*acceptance fit"):
        read_acceptance(path)


def test_a_damaged_or_foreign_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    text = SHIPPED.read_text()
    document = json.loads(text)
    del document["digest"], document["weights"]["large"]
    without_a_network = json.dumps(with_digest(document))
    changed = text.replace("0.1", "0.2", 1)
    for damaged in (changed, "[]", "{}", text[: len(text) // 2], without_a_network):
        path.write_text(damaged)
        with pytest.raises(AgentError, match=r"own\.json") as caught:
            read_acceptance(path)
        assert "\n" not in str(caught.value)

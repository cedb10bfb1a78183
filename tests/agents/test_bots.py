"""What holds for every bot: legal, blind to what is hidden, the same in Python and compiled."""

from __future__ import annotations

import json
import warnings
from importlib.metadata import EntryPoint

import numpy as np
import pytest
import typer
from monopoly_agents import registry
from monopoly_training.commands.agents import command
from typer.testing import CliRunner

import monopoly_env.agent
from monopoly_env import Game, load_edition
from monopoly_env.agent import Agent, AgentSpec, agents, find_agent, make_agent
from monopoly_env.editions import Edition
from monopoly_env.engine.actions import KINDS, N_ACTIONS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.policy_loop import play_games
from monopoly_env.engine.state import new_games
from monopoly_env.errors import AgentError
from monopoly_env.view import View
from tests.engine.fuzz import SETTINGS

SCRIPTED = ("fixed_a", "fixed_b", "fixed_c", "background")
BOTS = ("random", *SCRIPTED)
STUCK = 30_000  # decisions; games of scripted bots take a few thousand


def play(edition: Edition, names: list[str], seeds: list[int]) -> tuple[object, np.ndarray, int]:
    """Whole compiled games: the last one's record, int64[n, 4] facts, illegal answers."""
    lineup = [find_agent(names[min(seat, len(names) - 1)])[0].policy for seat in range(PLAYERS)]
    games, ranks = new_games(1), np.zeros((len(seeds), PLAYERS), np.int8)
    facts, illegal = np.zeros((len(seeds), 4), np.int64), np.zeros(PLAYERS, np.int64)
    play_games(
        games, edition.rules, new_journals(1, on=False), new_views(1), tuple(lineup), len(names),
        np.array(seeds, np.int64), False, ranks, facts, illegal,
    )  # fmt: skip
    return games, facts, int(illegal.sum())


# --- by name ---


def test_all_bots_are_found_by_name() -> None:
    assert set(BOTS) <= set(agents())
    for name, spec in agents().items():
        assert spec.name == name
        assert spec.description
        assert "\n" not in spec.description


def test_an_unknown_name_is_one_line_with_the_name_that_was_meant() -> None:
    with pytest.raises(AgentError, match=r"did you mean 'fixed_a'.*bots are.*background"):
        make_agent("fixd_a")
    with pytest.raises(AgentError, match=r"use one of .*random"):
        make_agent("xyzzy\n")
    with pytest.raises(AgentError, match="named by text, not 7"):
        make_agent(7)  # type: ignore[arg-type]


def test_a_scheme_takes_the_rest_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def make(rest: str) -> Agent:
        given.append(rest)
        return make_agent("random")

    specs = {**agents(), "echo:": AgentSpec("echo:", "random, whatever it is given", make)}
    monkeypatch.setattr(monopoly_env.agent, "agents", lambda: specs)
    make_agent("echo:a:b")
    assert given == ["a:b"]
    with pytest.raises(AgentError, match="the rest is missing"):
        make_agent("echo:")


@pytest.mark.parametrize("target", ["no_such_module:agents", "builtins:dict", "builtins:int"])
def test_a_package_that_fails_costs_its_own_bots_only(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("theirs", target, monopoly_env.agent.GROUP)
    ours = EntryPoint("ours", "monopoly_agents.registry:agents", monopoly_env.agent.GROUP)
    monkeypatch.setattr(monopoly_env.agent, "entry_points", lambda **_: [broken, ours])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = monopoly_env.agent.agents.__wrapped__()
    assert set(found) == set(registry.agents())
    if target != "builtins:dict":  # it returns an empty mapping: no bots, no fault
        assert "theirs" in str(caught[0].message)
        assert "\n" not in str(caught[0].message)


# --- legal ---


@pytest.mark.parametrize(
    ("edition", "mode", "rules"), SETTINGS, ids=lambda part: str(part).replace(" ", "")
)
def test_never_illegal_and_never_stuck(edition: str, mode: str, rules: dict[str, object]) -> None:
    loaded = load_edition(edition, mode, rules)
    for players in range(2, loaded.max_players + 1):
        names = [SCRIPTED[(seat + players) % len(SCRIPTED)] for seat in range(players)]
        _, facts, illegal = play(loaded, names, [1, 2, 3, 4])
        assert illegal == 0
        assert facts[:, 0].max() < STUCK
        names[players // 2] = "random"
        assert play(loaded, names, [5])[2] == 0


# --- the same game in Python ---


@pytest.mark.parametrize("rules", [{}, {"deals": "menu"}, {"windows": "own"}], ids=str)
def test_python_plays_the_game_that_the_compiled_loop_plays(rules: dict[str, object]) -> None:
    edition = load_edition("classic", "standard", {"max_decisions": 1500, **rules})
    names = ["background", "random", "fixed_b", "fixed_a", "fixed_c"]
    games, _, _ = play(edition, names, [11])
    game = Game(edition, len(names), 11, journal=False)
    bots = [make_agent(name) for name in names]
    for bot in bots:
        bot.reset(11)
    while not game.over:
        game.play(bots[game.actor_seat].decide(View.of(game)))
    assert game == Game.from_record(games, edition)


# --- blind to what is hidden ---


@pytest.mark.parametrize("name", BOTS)
def test_no_decision_changes_with_what_is_hidden(name: str) -> None:
    rules = {"max_decisions": 2000, "houses": 6}
    game = Game("classic", 4, 3, rules=rules, journal=False)
    seeing, blind = make_agent(name), make_agent(name)
    seeing.reset(5)
    blind.reset(5)
    decisions = 0
    while not game.over:
        other = game.copy()
        other.redraw(decisions)
        action = seeing.decide(View.of(game))
        assert blind.decide(View.of(other)) == action
        game.play(action)
        decisions += 1
    assert decisions > 300


def test_a_view_hides_what_nobody_can_see() -> None:
    game = Game("classic", 3, 8)
    view = View.of(game)
    record = view.record
    assert record["rng"] == 0
    for pile in range(2):
        unseen = record["deck"][pile][: record["unseen"][pile]].tolist()
        assert unseen == sorted(unseen)
    assert view.game == game.wiped()


# --- the view ---


def test_a_view_shows_the_decision() -> None:
    game = Game("classic", 4, 7, rules={"deals": "menu"})
    view = View.of(game)
    assert view.seat == game.actor_seat
    assert view.legal_actions == game.legal_actions()
    assert view.mask.tolist() == game.legal_mask().tolist()
    assert view.menu == ()
    assert view.observation.dtype == np.float32


def test_a_view_shows_the_deal_menu() -> None:
    position = {
        "players": 2, "rules": {"deals": "menu"},
        "A": {"deeds": ["kentucky", "indiana"]}, "B": {"deeds": ["illinois"]},
    }  # fmt: skip
    game = Game.from_position(position, seed=1)
    offers = View.of(game).menu
    assert offers
    for offer in offers:
        twin = game.copy()
        assert game.text(offer.action).startswith("propose:")
        twin.play(offer.action)
        state = twin.state
        assert offer.partner == state["partner"]
        assert sum(1 << square for square in offer.give) == state["deal_give"]
        assert sum(1 << square for square in offer.ask) == state["deal_ask"]
        assert offer.cash == state["deal_ask_cash"] - state["deal_give_cash"]


def test_a_view_outlives_the_decision() -> None:
    game = Game("classic", 2, 7)
    view = View.of(game)
    before = view.record["turns"], view.mask.sum()
    for _ in range(20):
        game.play(game.legal_ids()[0])
    assert (view.record["turns"], view.mask.sum()) == before


# --- random ---


def test_random_does_everything_there_is_to_do() -> None:
    done: set[str] = set()
    settings: dict[str, dict[str, object]] = {
        "pokemon_fr2000": {"power_doubles": True, "houses": 8, "deals": "menu"},
        "pokemon1999": {"rent_asked": True, "power_doubles": True, "houses": 4},
    }
    for number, (edition, rules) in enumerate(settings.items()):
        game = Game(edition, 4, number, rules=rules, journal=False)
        bot = make_agent("random")
        bot.reset(number)
        for _ in range(20_000):
            if game.over:
                break
            game.play(bot.decide(View.of(game)))
        done |= {game.text(action).partition(":")[0] for _, action in game.history}
    assert set(KINDS) - done <= {"claim"}  # two complete groups and few houses: rare


def test_random_takes_every_kind_alike() -> None:
    game = Game.from_position({"players": 2, "A": {"deeds": ["kentucky", "reading"]}}, seed=1)
    bot = make_agent("random")
    bot.reset(3)
    counts = np.zeros(N_ACTIONS, np.int64)
    view = View.of(game)
    for _ in range(3000):
        counts[bot.decide(view)] += 1
    taken = {game.text(action): int(counts[action]) for action in np.flatnonzero(counts).tolist()}
    assert set(taken) == {"roll", "mortgage:kentucky", "mortgage:reading", "deal:B"}
    assert abs(taken["roll"] - 1000) < 150
    assert abs(taken["mortgage:kentucky"] - 500) < 120


# --- the command ---


def test_the_command_lists_a_line_a_bot() -> None:
    result = CliRunner().invoke(typer_app(), [])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(agents())
    described = json.loads(CliRunner().invoke(typer_app(), ["--json"]).stdout)
    assert {row["name"]: row["compiled"] for row in described}["random"] is True


def typer_app() -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app

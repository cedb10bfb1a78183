"""human: what a person sees and types, at a terminal and through a pipe."""

from __future__ import annotations

from typing import Any

import pytest
from monopoly_agents.terminal.human import PlayerLeft, TakeBack, match

from monopoly_env.agent import find_agent
from monopoly_env.bots.explain import Choice, choices
from monopoly_env.view import View
from tests.agents.positions import between, buying, seated, turn_over
from tests.agents.terminal.typed import Terminal

OWNER = turn_over({"deeds": ["park_place", "boardwalk", "reading"]})


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("1", "end_turn"),
        ("", "end_turn"),
        ("end_turn", "end_turn"),
        ("end", "end_turn"),
        ("build:boardwalk", "build:boardwalk"),
        ("  build:park_place  ", "build:park_place"),
        ("mortgage:reading", "mortgage:reading"),
        ("mortgage:reading_railroad", "mortgage:reading"),
        ("build:b", "build:boardwalk"),
        ("deal", "deal:B"),
        ("2", "build:park_place"),
    ],
)
def test_an_action_can_be_named_in_many_ways(
    line: str, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Terminal(monkeypatch, line).decide(seated(OWNER)) == action


def test_names_of_the_edition_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    position = {"edition": "kanto2014", **turn_over({"deeds": ["indiana", "oriental"]})}
    assert Terminal(monkeypatch, "mortgage:mr_mime").decide(seated(position)) == "mortgage:indiana"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("build", "Which one: build:park_place, build:boardwalk?"),
        ("0", "There is no number '0'; numbers go to"),
        ("99999999999999999999", "There is no number"),
        ("-1", "there is no such action; help tells what can be typed"),
        ("bild", "there is no such action; did you mean build?"),
        ("build:reading", "'build:reading': it is not a street"),
        ("buy", "'buy': not possible in this phase"),
        ("why build:oriental", "'build:oriental': nobody owns it yet"),
        ("why build:boardwalk", "'build:boardwalk': legal"),
        ("why", "Name an action, such as why build:boardwalk."),
        ("why 👻", "there is no such action"),
        ("build:boardwalk 1", "Numbers stand for themselves"),
        ("help", "the legal actions again"),
        ("?", "the legal actions again"),
        ("h", "the legal actions again"),
        ("list", "end_turn: hand the dice on"),
        ("board", "Boardwalk               dark blue"),
        ("[bold]roll[/bold]", "there is no such action"),
        (":dog:", "there is no such action"),
        ("x" * 10_000, "there is no such action"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_action_is_answered(
    line: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal(monkeypatch, line, "1")
    assert terminal.decide(seated(OWNER)) == "end_turn"
    assert says in terminal.text.replace("\n", " ").replace("  ", " ") or says in terminal.text


def test_nothing_is_taken_for_granted_where_it_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, "", "auction")
    assert terminal.decide(seated(buying("boardwalk", 1000))) == "auction"
    assert "Name an action, or its number." in terminal.text


@pytest.mark.promise("bad_input")
def test_several_actions_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, "deal:B give:reading, ask:oriental offer")
    game = seated({**OWNER, "B": {"deeds": ["oriental"]}})
    done = []
    while game.actor == "A":
        done.append(terminal.decide(game))
        game.play(done[-1])
    assert done == ["deal:B", "give:reading", "ask:oriental", "offer"]
    assert terminal.text.count("A decides") == 1


@pytest.mark.promise("bad_input")
def test_the_rest_of_a_line_is_dropped_when_something_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal(monkeypatch, "deal:B give:oriental offer", "cancel")
    game = seated(OWNER)
    game.play(terminal.decide(game))
    assert terminal.decide(game) == "cancel"
    assert "'give:oriental': nobody owns it yet" in terminal.text


def test_skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, "skip", "auction")
    window = seated(between({"deeds": ["reading"]}))
    assert terminal.decide(window) == "pass"
    assert terminal.decide(window) == "pass"  # without a word
    assert terminal.decide(seated(buying("boardwalk", 500))) == "auction"
    assert terminal.decide(window) == "pass"
    with pytest.raises(PlayerLeft):
        terminal.decide(seated({}))  # one's own turn comes
    with pytest.raises(PlayerLeft):
        terminal.decide(window)


def test_skipping_at_ones_own_turn_begins_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, "skip", "end_turn")
    assert terminal.decide(seated(OWNER)) == "end_turn"
    assert "You will pass in other players' turns." in terminal.text


@pytest.mark.parametrize(
    ("lines", "says"),
    [(["quit"], "left the game"), (["q"], "left the game"), ([], "input has ended")],
)
def test_leaving(lines: list[str], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlayerLeft, match=says):
        Terminal(monkeypatch, *lines).decide(seated(OWNER))


def test_taking_back_is_left_to_whoever_runs_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TakeBack):
        Terminal(monkeypatch, "undo").decide(seated(OWNER))


def test_what_a_word_stands_for() -> None:
    explained = choices(View.of(seated(OWNER)))
    found = match("end_turn", explained)
    assert isinstance(found, Choice)
    assert found.meaning == "hand the dice on"
    assert match("", explained) == ""
    assert match("fly", explained) == ""


def test_found_by_name() -> None:
    spec: Any = find_agent("human")[0]
    assert spec.policy is None
    assert spec.factory().name == "human"

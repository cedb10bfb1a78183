"""human: what a person sees and types, at a terminal and through a pipe."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from monopoly_agents.terminal.human import HumanAgent, PlayerLeft, TakeBack, match
from rich.cells import cell_len
from rich.console import Console

from monopoly_env import Game
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.bots.explain import Choice, choices
from monopoly_env.playing import GameLoop
from monopoly_env.view import View
from tests.agents.positions import asked, between, buying, seated, turn_over

WIDTH = 80
OWNER = turn_over({"deeds": ["park_place", "boardwalk", "reading"]})


class Terminal:
    """A person who types these lines, and what the screen shows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        self.screen = io.StringIO()
        monkeypatch.setattr("sys.stdout", self.screen)  # where input() shows its prompt
        self.human = HumanAgent(
            Console(file=self.screen, width=WIDTH, markup=False, emoji=False, highlight=False)
        )

    def decide(self, game: Game) -> str:
        return game.text(self.human.decide(View.of(game)))

    @property
    def text(self) -> str:
        return self.screen.getvalue()


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
        ("build:reading", "'build:reading': it is not a colour lot"),
        ("buy", "'buy': not a choice of the decision at hand"),
        ("why build:oriental", "'build:oriental': nobody owns it yet"),
        ("why build:boardwalk", "'build:boardwalk': legal"),
        ("why", "Name an action, such as why build:boardwalk."),
        ("why 👻", "there is no such action"),
        ("build:boardwalk 1", "Numbers stand for themselves"),
        ("help", "the legal actions again"),
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


def test_several_actions_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, "deal:B give:reading, ask:oriental offer")
    game = seated({**OWNER, "B": {"deeds": ["oriental"]}})
    done = []
    while game.actor == "A":
        done.append(terminal.decide(game))
        game.play(done[-1])
    assert done == ["deal:B", "give:reading", "ask:oriental", "offer"]
    assert terminal.text.count("A decides") == 1


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


@pytest.mark.parametrize(("lines", "says"), [(["quit"], "left the game"), ([], "input has ended")])
def test_leaving(lines: list[str], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlayerLeft, match=says):
        Terminal(monkeypatch, *lines).decide(seated(OWNER))


def test_taking_back_is_left_to_whoever_runs_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TakeBack):
        Terminal(monkeypatch, "undo").decide(seated(OWNER))


def test_a_decision_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = asked({"cash": 500}, {"deeds": ["reading"]}, deal_give=["reading"], deal_ask_cash=50)
    terminal = Terminal(monkeypatch, "accept")
    terminal.decide(seated(deal))
    assert "A decides (ANSWER): B gives A Reading Railroad for $50" in terminal.text
    terminal = Terminal(monkeypatch, "roll")
    terminal.decide(seated({"A": {"cash": 77, "deeds": ["oriental"]}}))
    assert re.search(r"A car, you +\$77 +\$177 +GO +light blue 1/3", terminal.text)


@pytest.mark.parametrize("edition", ["classic", "pokemon_fr2000", "yugioh2016"])
def test_a_game_fits_eighty_columns_and_tells_everything(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people who type what a bot would do, with a look at the board now and then."""
    game = Game(edition, 3, 3, rules={"max_decisions": 400})
    terminal = Terminal(monkeypatch)
    told: list[str] = []

    class Typist(HumanAgent):
        """Has the lines that it types from a bot."""

        bot = make_agent("background")

        def decide(self, view: View) -> int:
            told.extend(event.text for event in view.events)
            line = view.game.text(self.bot.decide(view))
            monkeypatch.setattr("sys.stdin", io.StringIO(f"board\nlist\n{line}\n"))
            action = super().decide(view)
            assert view.game.text(action) == line
            return action

    typist = Typist(terminal.human.console)
    GameLoop(game, [typist, make_agent("random"), make_agent("fixed_a")], 3).play()
    lines = terminal.text.splitlines()
    assert len(lines) > 1000
    assert max(cell_len(line) for line in lines if "> " not in line) <= WIDTH
    shown = re.sub(r"\s+", " ", terminal.text)
    assert len(told) > 200
    assert all(re.sub(r"\s+", " ", text) in shown for text in told)


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

"""The converter of plain logs: what was noted is played again, and what cannot have been is named."""

from __future__ import annotations

import csv
import json
from itertools import pairwise

import pytest

from examples import csv_to_records
from monopoly_env import Game
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.journal import Event
from monopoly_env.errors import FileError
from monopoly_env.records import read_records
from monopoly_env.replay import replay
from tests.game.random_play import play_randomly

START = {"players": 3, "turn": "B", "edition": "classic", "rules": {"deals": "off"}}


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(csv_to_records.COLUMNS)
        writer.writerows(rows)
    return path


def noted(game, actions, forced):
    """Random play, as somebody would note it; without ``forced`` what leaves no choice is left out."""
    rows = []
    chances = play_randomly(game, actions)
    here = next(chances, None)
    while here is not None:
        actor, legal, count = here.actor, here.legal_actions(), len(here.history)
        before = here.copy()
        here = next(chances, None)
        action = before.text(game.history[count][1])
        came = game.journal()
        dice = [f"{one.square} {one.amount}" for one in came if one.kind is Event.THROW]
        cards = [CARD_IDS[one.square] for one in came if one.kind is Event.CARD]
        if forced or len(legal) > 1 or dice or cards:
            rows.append((actor, action, ";".join(dice), ";".join(cards)))
    return rows


@pytest.mark.parametrize("forced", [True, False])
def test_a_game_that_was_noted_is_played_again(tmp_path, forced) -> None:
    game = Game.from_position(START, seed=5)
    rows = noted(game, 900, forced)
    throws = sum(len(row[2].split(";")) for row in rows if row[2])
    assert throws > csv_to_records.MOST_THROWS  # more than one record is needed
    assert any(row[3] for row in rows)
    moves = write(tmp_path / "moves.csv", rows)
    (tmp_path / "start.yaml").write_text(json.dumps(START))  # JSON is YAML
    csv_to_records.main(
        [str(moves), str(tmp_path / "games.jsonl"), "--position", str(tmp_path / "start.yaml")]
    )
    made = list(read_records(tmp_path / "games.jsonl"))
    assert len(made) > 1
    last = replay(made[-1])
    for name in (
        "cash",
        "owner",
        "level",
        "mortgaged",
        "position",
        "in_jail",
        "card_holder",
        "turns",
    ):
        assert last.state[name].tolist() == game.state[name].tolist(), name
    for one, other in pairwise(made):
        begins = Game.from_position(other["position"]).state
        assert replay(one).state["cash"].tolist() == begins["cash"].tolist()


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (
            [("B", "roll", "2 4", ""), ("A", "buy", "", "")],
            "line 3: A is to play buy, but B decides",
        ),
        ([("B", "build:boardwalk", "", "")], "line 2: build:boardwalk: "),
        ([("B", "roll", "3 9", "")], "line 2: dice: must be throws such as '3 4', not '3 9'"),
        ([("B", "roll", "", "")], "line 2: dice: the action brings 1, and 0 are noted"),
        ([("B", "roll", "2 4", "ch_go")], "line 2: cards: the action brings 0, and 1 are noted"),
        ([("B", "roll", "3 4", "")], "line 2: cards: the action brings 1, and 0 are noted"),
        ([("B", "roll", "3 4", "ch_gone")], "line 2: cards: .'ch_gone'. cannot come"),
    ],
)
def test_what_cannot_have_been_is_one_line(tmp_path, rows, problem) -> None:
    moves = write(tmp_path / "moves.csv", rows)
    out = tmp_path / "games.jsonl"
    with pytest.raises(FileError, match=problem):
        csv_to_records.main([str(moves), str(out), "--players", "3"])
    assert not out.exists()


def test_a_file_without_columns_is_one_line(tmp_path) -> None:
    (tmp_path / "moves.csv").write_text("A,roll\n")
    with pytest.raises(FileError, match="must begin with the names of the columns"):
        list(csv_to_records.read_moves(tmp_path / "moves.csv"))

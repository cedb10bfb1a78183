"""Games on disk: nothing that was done is lost, and what is damaged says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from monopoly_training.common.files import RepairWarning
from monopoly_training.play.setup import Setup
from monopoly_training.play.store import HEADER, MOVES, Line, Store
from monopoly_training.play.table import Table
from monopoly_training.play.tables import Tables
from starlette.testclient import TestClient

from monopoly_env.errors import FileError, InputError

from .conftest import Player, begin


def some_moves(web: TestClient, tables: Tables) -> tuple[Path, Player]:
    """A game with moves, one of them taken back."""
    people = begin(web, tables, "human", "human", seed=3)
    me = people[tables.table(people[0].path.rsplit("/", 1)[1]).game.actor_seat]
    while me.hear()["asked"] is not None:
        me.do(me.news["asked"]["legal"][0][1])
    assert me.post("undo", at=me.news["stamp"]).status_code == 200
    me.hear()
    return tables.folder / me.path.rsplit("/", 1)[1], me


@pytest.mark.promise("resume")
def test_a_server_that_is_killed_has_lost_nothing(web: TestClient, tables: Tables) -> None:
    folder, me = some_moves(web, tables)
    table = tables.table(folder.name)
    before = table.game.state.tobytes(), table.stamp, sorted(table.asks)
    table.store.close()  # its process is gone; nothing else is done at the end
    again = Table(Store(folder))
    assert (again.game.state.tobytes(), again.stamp, sorted(again.asks)) == before
    assert again.course.moments == me.news["moments"]


@pytest.mark.promise("resume")
def test_a_move_that_was_cut_off_was_never_made(web: TestClient, tables: Tables) -> None:
    folder, _ = some_moves(web, tables)
    tables.close()
    path = folder / MOVES
    whole = path.read_bytes()
    path.write_bytes(whole + b'["move", 9, "A ro')
    table = Table(Store(folder))
    before = table.stamp
    with pytest.warns(RepairWarning, match="17 bytes that are not a move; they are cut off"):
        table.store.append(Line("windows", 0, "ask"))
    table.close()
    assert path.read_bytes() == whole + b'["windows", 0, "ask"]\n'
    assert Table(Store(folder)).stamp == before


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"what\n", "moves.jsonl: line 1: is not JSON"),
        (b"{}\n", "moves.jsonl: line 1: is not a move of a game"),
        (b'["jump", 0]\n', "is not a move of a game"),
        (b'["move", 0, "A fly"]\n', "moves.jsonl: move 1: "),
        (b'["move", 0, "H roll"]\n', "move 1: H roll, but "),
    ],
)
def test_moves_that_are_none_are_named(tmp_path: Path, line: bytes, says: str) -> None:
    store = Store.create(tmp_path / "game", Setup(["human", "human"], seed=3).header())
    (tmp_path / "game" / MOVES).write_bytes(line)
    with pytest.raises(FileError, match=r"[^\n]*") as problem:
        Table(store)
    assert says in str(problem.value)


@pytest.mark.promise("bad_input")
def test_a_header_that_was_changed_is_refused(tmp_path: Path) -> None:
    Store.create(tmp_path / "game", Setup(["human", "human"], seed=3).header())
    path = tmp_path / "game" / HEADER
    path.write_text(path.read_text().replace('"seed": 3', '"seed": 4'))
    with pytest.raises(FileError, match="is damaged"):
        Store(tmp_path / "game")


def test_two_servers_do_not_write_one_game(tmp_path: Path) -> None:
    first = Store.create(tmp_path / "game", Setup(["human", "human"], seed=3).header())
    second = Store(tmp_path / "game")
    first.append(Line("windows", 0, "ask"))
    with pytest.raises(FileError, match="another server has this game open"):
        second.append(Line("windows", 1, "ask"))
    first.close()
    second.append(Line("windows", 1, "ask"))
    assert len(second.lines()) == 2
    second.close()


def test_a_move_that_cannot_be_written_is_not_made(
    web: TestClient, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, me = some_moves(web, tables)
    links = tables.header(folder.name).links
    people = [Player(web, f"/game/{folder.name}?seat={key}") for key in links]
    player = next(one for one in people if one.news["asked"])
    table = tables.table(folder.name)
    before = table.game.state.tobytes(), table.store.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    first = player.news["asked"]["legal"][0][1]
    with monkeypatch.context() as patch:
        patch.setattr("monopoly_training.play.store.os.fsync", full)
        answer = player.post("move", at=player.news["stamp"], actions=[first])
    assert answer.json()["error"].endswith("cannot be written: No space left on device")
    assert (table.game.state.tobytes(), table.store.path.read_bytes()) == before
    player.do(first)
    assert me.hear()["stamp"] == player.news["stamp"]


def test_a_list_of_games_says_which_cannot_be_read(tables: Tables) -> None:
    good = tables.new(Setup(["human", "random"], seed=1))
    bad = tables.folder / "bad"
    bad.mkdir()
    (bad / HEADER).write_text("{}")
    rows = {row["name"]: row for row in tables.rows()}
    assert rows[good]["seats"] == ["human", "random"]
    assert "is damaged" in rows["bad"]["problem"]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("name", ["..", "no-such-game", "a/b", "", "é"])
def test_a_game_that_there_is_not(tables: Tables, name: str) -> None:
    with pytest.raises(InputError, match="there is no game"):
        tables.table(name)


def test_a_bot_that_cannot_be_had_leaves_nothing_behind(tables: Tables) -> None:
    with pytest.raises(InputError):
        tables.new(Setup(["human", "no_such_bot"], seed=1))
    assert list(tables.folder.iterdir()) == []

"""Decisions as data: what is written is what the environments show, however it was made."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.common.files import RepairWarning
from monopoly_training.dataset import row_group
from monopoly_training.dataset.parts import part_path
from monopoly_training.dataset.reader import READ, arrow_schema, info, read, schema_table
from monopoly_training.dataset.writer import DatasetSpec, generate
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import Players, play_seating
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.tournament.config import load_tournament_config

from monopoly_env import monopoly_v0
from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.errors import FileError, InputError
from monopoly_env.files import DIGEST, with_digest
from tests.training.dataset.conftest import BASE, make


def everything(folder, **wanted):
    parts = list(read(folder, **wanted))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def test_rows_are_what_the_environment_shows_and_takes(small):
    folder, config = small
    rows = everything(folder)
    for game in (0, 4, 11):
        mine = {name: values[rows["game"] == game] for name, values in rows.items()}
        env = monopoly_v0.raw_env(num_players=3, rules=BASE["rules"], skip_forced=True)
        env.reset(seed=int(mine["seed"][0]))
        for row in range(len(mine["action"])):
            while env.terminations[env.agent_selection]:
                env.step(None)  # who is bankrupt takes his leave
            seat = env.possible_agents.index(env.agent_selection)
            seen = env.observe(env.agent_selection)
            assert seat == mine["seat"][row]
            np.testing.assert_array_equal(seen["observation"], mine["observation"][row])
            np.testing.assert_array_equal(seen["action_mask"], mine["mask"][row])
            env.step(int(mine["action"][row]))
        assert all(env.terminations.values()) or all(env.truncations.values())
        assert mine["seed"][0] == config.seed + game // 3


def test_outcomes_are_those_of_the_games(small):
    folder, config = small
    rows = everything(folder)
    players = Players(entrants(config.agents))
    for game, seating in ((0, (0, 1, 2)), (5, (2, 0, 1))):
        seed = config.seed + game // 3
        ((_, outcome),) = play_seating(players, seating, np.array([seed]), config.options())
        mine = {name: values[rows["game"] == game] for name, values in rows.items()}
        names = np.array(config.agents)[list(seating)]
        np.testing.assert_array_equal(mine["bot"], names[mine["seat"]])
        np.testing.assert_array_equal(mine["rank"], np.array(outcome.ranks)[mine["seat"]])
        assert set(mine["turns"].tolist()) == {outcome.turns}
        assert set(mine["truncated"].tolist()) == {outcome.truncated}
        shares = {s: float(w) for s, w in zip(mine["seat"], mine["worth_share"], strict=True)}
        worth = np.array(outcome.worth) / sum(outcome.worth)
        assert shares == pytest.approx({seat: worth[seat] for seat in shares})
        wins = {s: float(w) for s, w in zip(mine["seat"], mine["win"], strict=True)}
        assert sum(wins.values()) == pytest.approx(1)


def test_the_clock_counts_a_seats_own_throws(small):
    rows = everything(small[0], columns=["game", "seat", "throws", "action"])
    clocks = {}
    for game, seat, throws, action in zip(
        *(rows[name].tolist() for name in ("game", "seat", "throws", "action")), strict=True
    ):
        seen = clocks.get((game, seat), 0)
        assert throws >= seen  # throws that were forced have no rows
        clocks[game, seat] = throws + (action == IDS["roll"])
    assert max(clocks.values()) > 10


def test_forced_decisions_are_kept_if_wanted(small, tmp_path):
    make(tmp_path, DatasetSpec(forced=True), games=3)
    rows, plain = everything(tmp_path), everything(small[0])
    for game in range(3):
        decisions = rows["decision"][rows["game"] == game]
        np.testing.assert_array_equal(decisions, np.arange(len(decisions)))
    free = rows["mask"].sum(axis=1) > 1
    first = plain["game"] < 3
    np.testing.assert_array_equal(rows["action"][free], plain["action"][first])
    np.testing.assert_array_equal(rows["throws"][free], plain["throws"][first])


def test_filters_give_the_rows_they_name(small):
    folder, _ = small
    rows = everything(folder)
    some = everything(folder, bots=["random"], seats=[0, 2], batch_size=100)
    chosen = (rows["bot"] == "random") & np.isin(rows["seat"], [0, 2])
    assert list(some) == list(rows)
    for name, values in some.items():
        np.testing.assert_array_equal(values, rows[name][chosen])
    assert list(everything(folder, columns=["mask", "action"])) == ["action", "mask"]


def test_only_the_decisions_of_named_bots_are_written(small, tmp_path):
    make(tmp_path, DatasetSpec(bots=("background",), observations=False))
    rows = everything(tmp_path)
    assert "observation" not in rows
    plain = everything(small[0], bots=["background"])
    for name, values in rows.items():
        np.testing.assert_array_equal(values, plain[name])


def test_row_groups_of_any_size_hold_the_same(small, tmp_path, monkeypatch):
    from pyarrow import parquet

    monkeypatch.setattr(row_group, "ROWS", 100)
    make(tmp_path)
    for one, other in zip(
        everything(small[0]).values(), everything(tmp_path).values(), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    about = parquet.ParquetFile(part_path(tmp_path, 0)).metadata
    assert about.num_row_groups == -(-about.num_rows // 100) > 3


def test_every_action_is_legal_and_batches_have_their_shapes(small):
    for rows in read(small[0], batch_size=500):
        n = len(rows["action"])
        assert n <= 500
        assert rows["mask"].shape == (n, N_ACTIONS)
        assert rows["mask"].dtype == np.int8
        assert rows["observation"].dtype == np.float32
        assert (rows["mask"][np.arange(n), rows["action"]] == 1).all()
        assert (rows["mask"].sum(axis=1) > 1).all()


@pytest.mark.promise("determinism", "resume")
def test_two_processes_and_a_resumed_run_write_the_same_bytes(tmp_path):
    settings = {"games": 150, "rules": {"max_turns": 20, "deals": "off"}}
    config = load_tournament_config(None, {**BASE, **settings})
    folders = [tmp_path / name for name in ("one", "two", "resumed")]
    generate(config, DatasetSpec(), folders[0])
    generate(config, DatasetSpec(), folders[1], WorkOptions(jobs=2))
    generate(config, DatasetSpec(), folders[2])
    about = json.loads((folders[2] / "dataset.json").read_text())
    assert about["parts"] == 4
    part_path(folders[2], 1).rename(folders[2] / "part-00001.parquet.part")  # as a kill leaves it
    lines = (folders[2] / "parts.jsonl").read_bytes().splitlines(keepends=True)
    (folders[2] / "parts.jsonl").write_bytes(b"".join(lines[:1] + lines[2:]))
    unfinished = with_digest({**about, "complete": False})
    (folders[2] / "dataset.json").write_text(json.dumps(unfinished))
    with pytest.raises(FileError, match="is not finished; generate the rest of it with `resume`"):
        next(read(folders[2]))
    with pytest.raises(FileError, match="already contains a dataset; `resume` continues it"):
        generate(config, DatasetSpec(), folders[2])
    with pytest.raises(FileError, match="was begun with another forced: False, now True"):
        generate(config, DatasetSpec(forced=True), folders[2], WorkOptions(resume=True))
    generate(config, DatasetSpec(), folders[2], WorkOptions(resume=True))
    for number in range(4):
        one, *others = [part_path(folder, number).read_bytes() for folder in folders]
        assert all(one == other for other in others)
    part_path(folders[2], 2).unlink()
    with pytest.warns(RepairWarning, match=r"part-00002.parquet: is gone; it is generated again"):
        generate(config, DatasetSpec(), folders[2], WorkOptions(resume=True))
    assert part_path(folders[2], 2).read_bytes() == part_path(folders[0], 2).read_bytes()
    assert info(folders[2])["rows"] == info(folders[0])["rows"]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("selection", "says"),
    [
        ({"bots": ["fixed_b"]}, "there is no such bot; "),
        ({"seats": [3]}, "there is no seat 3; seats are 0 to 2"),
        ({"columns": ["reward"]}, "columns: reward: there is no such column"),
    ],
)
def test_what_is_not_there_is_one_line(small, selection, says):
    with pytest.raises(InputError, match=re.escape(says)):
        next(read(small[0], **selection))


@pytest.mark.promise("bad_input", "checksums")
def test_a_damaged_part_is_one_line(tmp_path):
    config = make(tmp_path, games=3)
    path = part_path(tmp_path, 0)
    whole = path.read_bytes()
    for damaged, says in (
        (whole[:100], r"part-00000.parquet: is damaged: it has 100 bytes, not .*; delete it"),
        (whole[:99] + bytes([whole[99] ^ 1]) + whole[100:], "is damaged in row group 0, column"),
        (whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], "is damaged in its footer; delete it"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=says):
            next(read(tmp_path))
        with pytest.raises(FileError, match=says):
            generate(config, DatasetSpec(), tmp_path, WorkOptions(resume=True))
    path.unlink()
    with pytest.warns(RepairWarning, match=r"part-00000.parquet: is gone; it is generated again"):
        generate(config, DatasetSpec(), tmp_path, WorkOptions(resume=True))
    assert len(everything(tmp_path)["action"]) == info(tmp_path)["rows"]
    path.unlink()
    with pytest.raises(FileError, match=r"part-00000.parquet: is gone; delete it"):
        next(read(tmp_path))
    (tmp_path / "parts.jsonl").write_text("")
    with pytest.raises(FileError, match=r"parts.jsonl: does not tell of part 0; generate the rest"):
        next(read(tmp_path))
    (tmp_path / "dataset.json").write_text('{"format": 1}')
    with pytest.raises(FileError, match="is not a dataset of format 1"):
        next(read(tmp_path))


def test_a_part_of_which_no_line_tells_is_written_again(tmp_path):
    """As a kill between the part and its line leaves it, or in the middle of the line."""
    config = make(tmp_path, games=3)
    lines = (tmp_path / "parts.jsonl").read_bytes()
    rows = everything(tmp_path)
    for left in (b"", lines[:30]):
        (tmp_path / "parts.jsonl").write_bytes(left)
        part_path(tmp_path, 0).write_bytes(b"anything")
        with pytest.warns(RepairWarning, match="generated again"):
            generate(config, DatasetSpec(), tmp_path, WorkOptions(resume=True))
        assert (tmp_path / "parts.jsonl").read_bytes() == lines
        for name, values in everything(tmp_path).items():
            np.testing.assert_array_equal(values, rows[name])


def test_parts_of_another_data_set_are_not_taken_for_these(tmp_path):
    make(tmp_path, games=3)
    (tmp_path / "dataset.json").unlink()
    make(tmp_path, games=3, seed=90)
    assert set(everything(tmp_path)["seed"]) == {90}


@pytest.mark.promise("bad_input")
def test_a_data_set_without_rows_is_one_line(tmp_path):
    make(tmp_path, games=3)
    line = json.loads((tmp_path / "parts.jsonl").read_text())
    (tmp_path / "parts.jsonl").write_text(json.dumps(with_digest({**line, "rows": 0})) + "\n")
    with pytest.raises(FileError, match="is a data set without rows: no decision was kept"):
        next(read(tmp_path))


@pytest.mark.promise("bad_input")
def test_observations_of_another_version_are_one_line(tmp_path):
    """Without them, the data can be read; it cannot be continued."""
    config = make(tmp_path, games=3)
    path = tmp_path / "dataset.json"
    about = {key: value for key, value in json.loads(path.read_text()).items() if key != DIGEST}
    path.write_text(json.dumps(with_digest({**about, "observation_version": 1})))
    with pytest.raises(
        FileError, match=r"observation_version: 1 is not this version's \d; generate"
    ):
        next(read(tmp_path))
    assert set(everything(tmp_path, columns=["action"])) == {"action"}
    with pytest.raises(FileError, match=r"begun with another observation_version: 1, now \d"):
        generate(config, DatasetSpec(), tmp_path, work=WorkOptions(resume=True))


def test_a_name_that_is_no_utf_8_will_do(tmp_path):
    folder = tmp_path / os.fsdecode(b"\xff")
    make(folder, games=3)
    assert len(everything(folder)["action"]) == info(folder)["rows"]


@pytest.mark.promise("bad_input")
def test_odd_folders_and_options_are_one_line(tmp_path, capsys):
    with pytest.raises(FileError, match=r"cannot be read: No such .*; name the folder of a data"):
        next(read(tmp_path))
    line = ["generate", "--agents", "random,random", "--out", str(tmp_path)]
    assert main(["generate"]) == 2
    assert "name a config, or the bots" in capsys.readouterr().err
    assert main([*line, "--bots", "fixed_a"]) == 2
    assert "--bots: fixed_a: there is no such bot in the line-up" in capsys.readouterr().err
    assert main([*line, "--format", "swiss", "--seats", "2"]) == 2
    assert "--format: swiss pairs by results" in capsys.readouterr().err


def test_the_command_line_writes_a_data_set(tmp_path, capsys):
    line = f"generate --agents random,fixed_a --games 4 --rule deals=off --out {tmp_path} --bots random"
    assert main([*line.split(), "--no-observations", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = everything(tmp_path)
    assert found["rows"] == len(rows["action"])
    assert set(rows["bot"]) == {"random"}


def test_the_page_names_the_columns_that_are_written():
    page = Path(__file__).parents[3] / "docs" / "dataset.md"
    assert schema_table() in page.read_text(encoding="utf-8")
    assert list(READ) == arrow_schema(observations=True).names

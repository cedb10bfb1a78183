"""The leaderboard: one protocol, kept games, a line that adds a bot."""

from __future__ import annotations

import json
import shutil

import pytest
import yaml
from monopoly_training.cli import main
from monopoly_training.leaderboard.config import load_protocol
from monopoly_training.leaderboard.page_data import FILE, read_board
from monopoly_training.reference.leaderboard_page import page_of

from monopoly_env.errors import FileError, InputError

RULES = {"max_turns": 60, "deals": "off"}
PROTOCOL = {
    "bots": ["random", "fixed_a"],
    "tables": {
        "three": {"opponents": ["fixed_b", "random"], "rules": RULES},
        "pokemon duel": {"edition": "pokemon1999", "opponents": ["fixed_b"], "rules": RULES},
    },
    "seeds": 4,
    "seed": 7,
    "anchor": "fixed_b",
}


def write(path, **changes):
    path.write_text(yaml.safe_dump({**PROTOCOL, **changes}, sort_keys=False))
    return str(path)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder of a leaderboard that was never disturbed, and its config."""
    folder = tmp_path_factory.mktemp("leaders")
    config = write(folder / "protocol.yaml")
    assert main(["leaderboard", config, "--out", str(folder / "runs"), "--page", str(folder)]) == 0
    return folder


def ledgers(folder):
    return {
        path.relative_to(folder): path.read_text().splitlines()
        for path in folder.rglob("games.jsonl")
    }


def outcomes(folder):
    """The games of each ledger without the times they took."""
    return {
        name: [
            [row[:5] for row in json.loads(line)["games"]] for line in lines if '"batch"' in line
        ]
        for name, lines in ledgers(folder).items()
    }


def test_every_bot_plays_every_seed_at_every_table_from_every_seat(played):
    board = read_board(played / FILE)
    assert [row["bot"] for row in board["bots"]] == ["fixed_a", "random"]
    for row in board["bots"]:
        assert {name: at["games"] for name, at in row["tables"].items()} == {
            "three": 12,
            "pokemon duel": 8,
        }
        assert row["games"] == 20
    good, bad = board["bots"]
    assert good["elo"] > bad["elo"]
    assert good["elo_ci95"][0] <= good["elo"] <= good["elo_ci95"][1]
    assert good["tables"]["three"]["win_rate"] > bad["tables"]["three"]["win_rate"]
    assert len(ledgers(played / "runs")) == 4


def test_a_line_adds_a_bot_and_only_its_games_are_played(played, tmp_path, capsys):
    runs = tmp_path / "runs"
    shutil.copytree(played / "runs", runs)
    before = ledgers(runs)
    config = write(tmp_path / "protocol.yaml", bots=["random", "fixed_a", "fixed_c"])
    assert main(["leaderboard", config, "--out", str(runs)]) == 2
    assert "was played before; --resume continues" in capsys.readouterr().err
    assert main(["leaderboard", config, "--out", str(runs), "--resume", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {row["bot"] for row in said["bots"]} == {"random", "fixed_a", "fixed_c"}
    after = ledgers(runs)
    assert len(after) == 6
    assert all(after[name] == lines for name, lines in before.items())


def test_a_run_that_was_cut_off_goes_on_to_the_same_games(played, tmp_path, capsys):
    runs = tmp_path / "runs"
    shutil.copytree(played / "runs", runs)
    (cut, whole), *_ = [
        (runs / name, lines) for name, lines in ledgers(runs).items() if "fixed_a" in str(name)
    ]
    cut.write_text("\n".join(whole[:1]) + "\n")
    gone = next(path for path in runs.rglob("games.jsonl") if path != cut)
    shutil.rmtree(gone.parent)
    arguments = ["leaderboard", str(played / "protocol.yaml"), "--out", str(runs), "--resume"]
    assert main([*arguments, "--json", "--jobs", "2"]) == 0
    said = json.loads(capsys.readouterr().out)
    kept = read_board(played / FILE)
    assert said == {key: kept[key] for key in said}
    assert outcomes(runs) == outcomes(played / "runs")


def test_fewer_seeds_and_one_bot(played, tmp_path, capsys):
    config = str(played / "protocol.yaml")
    arguments = ["leaderboard", config, "--seeds", "1", "--out", str(tmp_path / "runs")]
    assert main([*arguments, "--only", "fixed_a"]) == 0
    text = capsys.readouterr().out
    assert "fixed_a" in text
    assert "random" not in text
    assert len(ledgers(tmp_path / "runs")) == 2
    assert main([*arguments, "--only", "fixed_x"]) == 2
    assert "--only: there is no bot 'fixed_x' in the protocol" in capsys.readouterr().err


def test_the_page_says_what_was_played(played, tmp_path):
    (text,) = page_of(played).values()
    assert "| 1 | `fixed_a` |" in text
    assert "4 seeds per setting" in text
    assert "| pokemon duel | pokemon1999 | 2 | `fixed_b` |" in text
    assert page_of(tmp_path) == {}
    (tmp_path / FILE).write_text((played / FILE).read_text().replace('"seeds": 4', '"seeds": 9'))
    with pytest.raises(FileError, match=r"leaderboard\.json: is damaged"):
        page_of(tmp_path)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"anchor": "veteran"}, "anchor: must be one of the opponents, fixed_b, random"),
        ({"bots": ["random", "random"]}, "bots: names 'random' twice"),
        ({"tables": {"t": {"opponents": []}}}, r"tables.t.opponents: must be 1 to 7 bots"),
        ({"tables": {"t": {"oponents": ["random"]}}}, "did you mean 'opponents'"),
        (
            {"tables": {"t": {"opponents": ["random"], "edition": "clasic"}}},
            "did you mean 'classic'",
        ),
        ({"seeds": 0}, "seeds: must be from 1"),
        ({"bots": []}, "needs at least one of `bots`"),
    ],
)
def test_a_protocol_that_does_not_fit_is_refused(changes, problem, tmp_path):
    with pytest.raises(InputError, match=problem):
        load_protocol(write(tmp_path / "protocol.yaml", **changes))


def test_a_bot_that_does_not_exist_is_told_before_any_game(tmp_path, capsys):
    config = write(tmp_path / "protocol.yaml", bots=["random", "randum"])
    assert main(["leaderboard", config, "--out", str(tmp_path / "runs")]) == 2
    assert "there is no bot 'randum'" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_the_protocol_that_comes_along_has_several_editions_and_numbers_of_players():
    protocol = load_protocol()
    assert {table.players for table in protocol.tables.values()} >= {2, 4, 6}
    assert len({table.edition for table in protocol.tables.values()}) > 1
    seeds = [protocol.tournament(name, "random").seed for name in protocol.tables]
    assert len(set(seeds)) == len(seeds)

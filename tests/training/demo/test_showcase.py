"""One game to look at: a record that replays, and a text to read."""

from __future__ import annotations

from pathlib import Path

from monopoly_training.demo.showcase import play_one, write_game
from monopoly_training.matches.entrants import entrants

from monopoly_env.envs.options import TableOptions
from monopoly_env.records import read_records
from monopoly_env.replay import replay


def test_the_game_is_written_anew_each_time(tmp_path: Path) -> None:
    line_up = entrants(["fixed_a", "random"])
    game = play_one(line_up, TableOptions(rules={"max_turns": 20}), 3)
    for _ in range(2):
        record_path, text_path = write_game(game, ["fixed_a", "random"], tmp_path)
    (record,) = read_records(record_path)
    assert replay(record) == game
    assert record["bots"] == ["fixed_a", "random"]
    assert "A roll" in text_path.read_text(encoding="utf-8")

"""Odd values behind options and odd combinations: one line, nothing written, a status that says so.

Each line names what is wrong: an option or a file as it was typed, or the value. What would be
passed over in silence is refused.
"""

from __future__ import annotations

import os
import random
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from monopoly_training.cli import main

from monopoly_env import Game
from monopoly_env.records import write_record

pytestmark = pytest.mark.promise("bad_input")

LINES = """
watch
watch nowhere
watch emptydir
watch g.jsonl
watch fifo
watch dir --port -1
watch dir --port 99999
watch dir --port x
watch runs/t --port 70000
odds
odds nowhere.yaml
odds g.jsonl --moment -1
odds g.jsonl --moment 99999
odds g.jsonl --game 0
odds g.jsonl --game 7
odds pos.yaml --moment 3
odds pos.yaml --game 2
odds badpos.yaml
odds nan.yaml
odds empty.jsonl
odds fifo
odds dir
odds junk
odds pos.yaml --rollouts -1
odds pos.yaml --rollouts 1e3
odds pos.yaml --rollouts 99999999999999999999
odds pos.yaml --rollouts 2000000000
odds pos.yaml --rollouts 10 --policy nobody
odds pos.yaml --rollouts 10 --policy search:10
odds pos.yaml --rollouts 10 --policy veteran,veteran,veteran
odds pos.yaml --rollouts 10 --policy ,
odds pos.yaml --policy veteran,
odds pos.yaml --rollouts 10 --policy ''
odds pos.yaml --rollouts 5 --seed -3
odds pos.yaml --rollouts 5 --seed 99999999999999999999
odds pos.yaml --value nowhere
odds pos.yaml --value bad.safetensors
odds pos.yaml --value dir
odds pos.yaml --value fifo
replay nowhere --review
replay g.jsonl --review --game 9
replay g.jsonl --review --check
replay empty.jsonl --review
replay junk --review
replay emptydir --review
replay g.jsonl --html dir
replay g.jsonl --html ''
replay g.jsonl --html g.jsonl
replay g.jsonl --html nowhere/x.html --size 5
replay g.jsonl --html /dev/full
replay g.jsonl --html fifo
replay g.jsonl --search-values
replay g.jsonl --gif dir
replay g.jsonl --gif g.jsonl
replay g.jsonl --gif x.gif --size 0
replay g.jsonl --gif x.gif --size -5
replay g.jsonl --gif x.gif --size 100000
replay g.jsonl --gif x.gif --theme blue
replay g.jsonl --gif x.gif --from 9999
replay g.jsonl --gif x.gif --from 5 --to 2
replay g.jsonl --gif x.gif --every 0
replay g.jsonl --gif x.gif --fps nan
replay g.jsonl --gif x.gif --fps inf
replay g.jsonl --gif x.gif --fps 0
replay g.jsonl --mp4 x.mp4 --fps nan
replay g.jsonl --gif x.mp4
replay g.jsonl --gif /dev/full
replay g.jsonl --svg -1
replay g.jsonl --svg 99999
replay g.jsonl --svg 3 --size nan
replay g.jsonl --svg 3 --size 0
replay g.jsonl --svg 3 --size 99999999
replay g.jsonl --svg 3 --theme ''
replay g.jsonl --svg 3 --out dir
replay g.jsonl --svg 3 --out /dev/full
replay g.jsonl --svg 3 --out g.jsonl
replay g.jsonl --svg 3 --png 4 --out x
replay g.jsonl --out x.svg
replay g.jsonl --size 300
replay g.jsonl --at 99999
replay g.jsonl --full
replay g.jsonl --luck maybe
replay g.jsonl --pick best
replay g.jsonl --pick longest --game 1
replay g.jsonl --from 3
replay g.jsonl --fps 3
fuzz --decisions 0
fuzz --decisions -5
fuzz --minutes nan
fuzz --minutes=-NaN
bench --seconds nan
fuzz --minutes inf --decisions 1000
fuzz --minutes -1
fuzz --jobs 0
fuzz --resume nowhere
fuzz --resume emptydir
fuzz --resume file
fuzz --resume emptydir --out x
fuzz --resume emptydir --seed 3
fuzz --out file --decisions 10
fuzz --out /dev/full --decisions 10
fuzz --out '' --decisions 10
fuzz --page docs --decisions 10
fuzz --page nowhere --resume emptydir
fuzz --out k --page file --decisions 10
compare
compare random
compare random random
compare random random --against nobody
compare random nobody --against random
compare random fixed_a --against ''
compare random fixed_a --against random --games 0
compare random fixed_a --against random --games -4
compare random fixed_a --against random --sprt 0.5,0.5
compare random fixed_a --against random --sprt nan
compare random fixed_a --against random --sprt 2
compare random fixed_a --against random --sprt ,
compare random fixed_a --against random,random,random,random,random,random,random,random
compare random fixed_a --against random --seed -1
compare random fixed_a --against random --seed 9223372036854775807 --games 8
compare random fixed_a --against random --records some
compare random fixed_a --against random --out file
compare random fixed_a --against random --jobs 99999
tournament --agents random,fixed_a --luck-adjusted x
tournament --agents random,fixed_a --luck-adjusted ''
tournament --agents random,fixed_a --luck-adjusted formula --games 0
tournament --agents random,fixed_a --luck-adjusted formula --games nan
tournament --agents random,fixed_a --luck-adjusted formula --rule max_turns=-1
tournament --agents random --luck-adjusted formula
tournament --agents random,fixed_a --rounds 3 --luck-adjusted formula
tournament --agents random,fixed_a --format swiss --rounds 0
evaluate random --against random --games 0
evaluate random --against random --games 1e9
evaluate random --against random --seats all
evaluate random --against random --luck-adjusted no
evaluate random --against random --seed -1
evaluate random --against random --seed 9223372036854775807 --games 8
evaluate random --against random --edition nope
evaluate random --against random --mode nope
evaluate random --against random --rule nope
evaluate random --against random --rule =3
evaluate random --against random --rule max_turns=nan
evaluate random --against random,
evaluate '' --against random
evaluate model: --against random
evaluate model:nowhere --against random
evaluate trader:nowhere --against random
evaluate trader:bad.safetensors --against random
evaluate search:0 --against random
evaluate search:nan --against random
evaluate search:time=nan --against random
value nonsense
value test --value nowhere
value show --value bad.safetensors
value show --games 5
value test --games 0
value test --games -2
value test --out x
value test --jobs 0
value freeze --games 0 --out z
value freeze --games 1 --out dir
value fit --epochs -1 --out v.safetensors
value fit --games 0 --out v.safetensors
value fit --json --out v.safetensors
value fit --value x --out v.safetensors
""".strip().splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that options can name: good ones, damaged ones, and what is no file."""
    folder = tmp_path_factory.mktemp("odd")
    game = Game(players=2, seed=1, rules={"max_turns": 6})
    chance = random.Random(1)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    write_record(folder / "g.jsonl", game.record())
    (folder / "empty.jsonl").write_text("")
    (folder / "pos.yaml").write_text("players: 2\nturn: A\n")
    (folder / "badpos.yaml").write_text("players: 99\n")
    (folder / "nan.yaml").write_text("players: 2\nA: {cash: .nan}\n")
    (folder / "junk").write_bytes(b"\x93junk" * 100)
    (folder / "bad.safetensors").write_bytes(b"\xff" * 64)
    (folder / "file").write_text("x")
    (folder / "dir").mkdir()
    (folder / "emptydir").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "fifo")
    return folder


def written(folder: Path) -> Iterator[tuple[str, int, int]]:
    """All that is in a folder, with sizes and times."""
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        if not path.is_dir():
            yield str(path), status.st_size, status.st_mtime_ns
        else:
            yield str(path), 0, 0


@pytest.mark.parametrize("line", LINES)
def test_refused_in_one_line_with_nothing_written(
    line: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if ("/dev/full" in line and not Path("/dev/full").exists()) or (
        "fifo" in line and not (folder / "fifo").exists()
    ):
        pytest.skip("not on this system")
    monkeypatch.chdir(folder)
    before = list(written(folder))
    words = shlex.split(line)
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (said,) = err.splitlines()
    assert said.startswith("error: ")
    assert len(said) < 400
    assert list(written(folder)) == before
    named = [part for word in words for part in re.split("[:=.]", word.lstrip("-")) if part]
    assert any(name in said for name in named), said


def test_options_that_go_together_are_taken(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(["replay", "g.jsonl", "--at", "3", "--full"]) == 0
    assert main(["odds", "pos.yaml", "--rollouts", "2", "--seed", "3", "--policy", "fixed_a"]) == 0
    assert main(["odds", "g.jsonl", "--game", "1", "--moment", "3", "--json"]) == 0
    assert main(["value", "show", "--json"]) == 0
    assert "chance" in capsys.readouterr().out

"""The bench: rounds, measures, the file of a run, peers, the command."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from monopoly_training import bench
from monopoly_training.bench import growth
from monopoly_training.bench.anchors import REFERENCE, measure_peers
from monopoly_training.bench.bench_run import BenchRun, read
from monopoly_training.bench.growth import Curve
from monopoly_training.bench.peers import PEERS
from monopoly_training.bench.runner import chosen
from monopoly_training.bench.scaling import most_resident, process_rates, ratios
from monopoly_training.bench.tables import plot_growth
from monopoly_training.bench.timing import ROUNDS, rates, result
from monopoly_training.cli import main

from monopoly_env.errors import FileError, InputError
from monopoly_env.files import with_digest

Capture = pytest.CaptureFixture[str]
SHORT = 0.05


def measured() -> BenchRun:
    """A run without measuring."""
    results = [
        result("engine_mask", [10.0, 30.0, 20.0], "decisions/s", "play", {"phases": {"TURN": 0.5}}),
        result("bytes_per_game", [1080], "bytes", "a game"),
    ]
    curve = Curve("batch_step", "players", "steps", "decisions/s", {2: 100.0, 3: 50.0})
    peers = [{"peer": "A", "steps_per_s": 7}, {"peer": "B", "skipped": "b is not installed"}]
    return BenchRun.here(1.0, results, [curve], peers)


def test_rates_are_work_by_time() -> None:
    looks = itertools.count()  # a clock that goes on by a second whenever somebody looks
    found = rates(lambda: 6, 2.0 * ROUNDS, lambda: float(next(looks)))
    assert found == [3.0] * ROUNDS  # worked in the first of two seconds, seen after the second


def test_a_result_is_the_median_of_its_rounds() -> None:
    assert result("a", [3.0, 1.0, 2.0], "x", "").value == 2.0
    assert result("a", [3.0, 1.0, 2.0], "x", "").rounds == (3.0, 1.0, 2.0)


@pytest.mark.parametrize(
    "name",
    [
        "engine_mask",
        "one_call",
        "games_bots",
        "rollouts",
        "game_copy",
        "batch_step",
        "aec_raw",
        "aec_env",
    ],
)
def test_measures_of_rates(name: str) -> None:
    found = list(bench.run([name], SHORT))
    assert found[0].name == name
    assert all(one.value > 0 and one.rounds for one in found)


def test_a_measure_is_also_named_by_its_figures() -> None:
    assert chosen("start_warm_s,compile_cold_s,batch_step") == ["compile_cold_s", "batch_step"]
    assert chosen("") == list(bench.MEASURES)
    given = {one.name for one in bench.run(["engine_mask", "batch_step"], SHORT)}
    named = {name for name, of in bench.MORE_FIGURES.items() if of in ("engine_mask", "batch_step")}
    assert named | {"engine_mask", "batch_step"} == given


def test_shares_of_phases_are_printed_and_add_up(capsys: Capture) -> None:
    assert main(["bench", "--only", "engine_mask", "--seconds", str(SHORT), "--json", "-"]) == 0
    (first, second) = json.loads(capsys.readouterr().out)["results"]
    assert sum(first["detail"]["phases"].values()) == pytest.approx(1, abs=0.01)
    assert (second["name"], second["value"]) == ("bytes_per_game", 1080)
    assert main(["bench", "--only", "engine_mask", "--seconds", str(SHORT)]) == 0
    assert "engine_mask, phases: TURN" in capsys.readouterr().out


@pytest.mark.slow
def test_two_processes_are_measured_together() -> None:
    found, size = process_rates([1, 2], 0.2)
    assert {count: len(rounds) for count, rounds in found.items()} == {1: ROUNDS, 2: ROUNDS}
    assert all(ratio > 0 for ratio in ratios(found))
    assert size > 10_000_000  # Python alone takes as much


@pytest.mark.slow
def test_learning_is_measured_beside_nothing() -> None:
    pytest.importorskip("sb3_contrib")
    ours, share = bench.run(["ppo_batched"], SHORT)
    assert ours.detail["idle_same_shape"] > 0
    assert 0 < share.value < 2
    (sb3,) = bench.run(["sb3_share"], SHORT)
    assert 0 < sb3.value < 3


@pytest.mark.slow
def test_the_time_of_training_is_split_into_its_parts() -> None:
    pytest.importorskip("sb3_contrib")
    for one in bench.run(["train_deeds"], SHORT):
        assert min(one.detail.values()) > 0
        assert sum(one.detail.values()) == pytest.approx(1e6 / one.value, rel=0.5)


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = measured()
    run.write(tmp_path / "run.json")
    assert read(tmp_path / "run.json") == run


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a bench of format 1"),
        ('{"format": 2}', "is not a bench of format 1"),
        ('{"format": 1, "machine": {}}', "is damaged: it has no digest"),
        (
            json.dumps(with_digest({"format": 1, "machine": {}})),
            "a part is missing or of the wrong kind: 'seconds'",
        ),
    ],
)
def test_files_that_are_no_runs(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(FileError, match=r"run\.json") as problem:
        read(path)
    assert says in str(problem.value)


def test_curves_keep_their_numbers() -> None:
    (curve,) = measured().curves
    assert growth.from_data(json.loads(json.dumps(growth.as_data(curve)))) == curve


def test_growth_is_drawn(tmp_path: Path) -> None:
    plot_growth(measured().curves, tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")


def test_a_curve_of_few_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SIZES", (1, 16))
    curve = growth.steps_by_size(SHORT)
    assert list(curve.points) == [1, 16]
    assert curve.points[16] > curve.points[1]  # a call costs the same for one game and for many


def test_peers_are_measured_or_skipped() -> None:
    found = measure_peers(None, SHORT)
    assert [row["peer"] for row in found] == list(PEERS)
    assert all(("steps_per_s" in row) != ("skipped" in row) for row in found)
    with pytest.raises(InputError, match=r"python: .*nosuch cannot be run"):
        measure_peers(Path("nosuch"), SHORT)
    with pytest.raises(InputError, match=r"python: .* failed"):
        measure_peers(Path("/bin/false"), SHORT)


def test_anchors_name_measures_and_peers() -> None:
    assert set(REFERENCE) <= set(bench.MEASURES)
    here = {anchor.here for row in REFERENCE.values() for anchor in row if anchor.here}
    assert here <= set(PEERS)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--only", "engin_mask"], "--only: engin_mask: there is no such measure; did you mean"),
        (["--only", "import_s", "--compare", "no-such-thing"], "--compare: no-such-thing:"),
        (
            ["--compare", "HEAD", "--growth"],
            "only prints the ratios to a revision; leave out --growth",
        ),
        (["--compare", "HEAD", "--json", "-"], "leave out --json, or name a file"),
        (["--only", "import_s", "--page", "there"], "of all benchmarks; leave out --only"),
        (["--seconds", "0"], "must be at least 0.05"),
    ],
)
def test_errors_are_one_line(arguments: list[str], says: str, capsys: Capture) -> None:
    assert main(["bench", *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("error:") == 1


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="not Linux")
def test_memory_is_that_of_the_process_itself() -> None:
    """Not, at least, that of the process that started it."""
    room = b"\1" * (300 << 20)
    code = "from monopoly_training.bench.scaling import most_resident; print(most_resident())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert most_resident() > len(room)
    assert 10 << 20 < int(done.stdout) < most_resident() - (100 << 20)

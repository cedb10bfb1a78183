"""What a command would take of the memory is worked out, and refused if it is not there."""

from __future__ import annotations

import pytest
from monopoly_training.cli import main
from monopoly_training.common import memory
from monopoly_training.common.memory import available, check_jobs, check_memory, size
from monopoly_training.common.schema import ConfigError

from monopoly_env.errors import InputError

pytestmark = pytest.mark.promise("memory")

GB = 10**9


@pytest.fixture
def free(monkeypatch):
    """Set what is free."""

    def set_free(count):
        monkeypatch.setattr(memory, "available", lambda: count)

    return set_free


def test_somebody_says_what_is_free():
    found = available()
    assert found is None or 0 < found < 1 << 50


@pytest.mark.promise("checksums")
def test_a_limit_of_the_process_counts(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (7 * GB, 7 * GB))
    found = available()
    assert found is not None
    assert found < 7 * GB


@pytest.mark.promise("checksums")
def test_limits_of_control_groups_count(monkeypatch, tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "memory.max").write_text(f"{5 * GB}\n")
    (tmp_path / "a" / "memory.current").write_text(f"{4 * GB}\n")
    (tmp_path / "a" / "memory.stat").write_text(f"anon 1\ninactive_file {GB}\n")
    (inner / "memory.max").write_text("max\n")
    lines = "0::/a/b\n1:cpu:/x\n"
    real = memory.Path.read_text
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(
        memory.Path,
        "read_text",
        lambda path, **more: lines if str(path) == "/proc/self/cgroup" else real(path, **more),
    )
    assert memory.cgroup_limits() == [2 * GB]


@pytest.mark.promise("bad_input")
def test_what_is_not_there_is_refused_in_one_line(free):
    free(10 * GB)
    check_memory("a=1", {"for this": 9 * GB})
    with pytest.raises(InputError) as raised:
        check_memory("a=1", {"for this": 9 * GB, "for that": 2 * GB, "for dust": 5})
    assert str(raised.value) == (
        "a=1: takes 11.0 GB of memory (9.0 GB for this, 2.0 GB for that), and 10.0 GB are free; "
        "lower it"
    )
    with pytest.raises(ConfigError, match=r"^x\.yaml: a=1: takes"):
        check_memory("a=1", {"for this": 90 * GB}, ConfigError.at("x.yaml"))
    free(None)
    check_memory("a=1", {"for this": 10**30})


def test_processes_are_counted_as_far_as_there_is_work(free):
    free(GB)
    check_jobs(1000, 2)
    check_jobs(1, 10**6)
    with pytest.raises(InputError, match=r"^jobs: takes 250\.0 GB of memory \(250\.0 GB for 1000"):
        check_jobs(1000, 10**6)


def test_sizes():
    assert [size(n) for n in (5, 2500, 10**9, 10**12, 10**20)] == [
        "5 bytes", "2.5 KB", "1.0 GB", "1.0 TB", "100,000 PB",
    ]  # fmt: skip


@pytest.mark.promise("checksums")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--set", "ppo.envs=65536", "--set", "ppo.n_steps=65536"], "ppo.n_steps=65536"),
        (["--set", "ppo.network=layers", "--set", f"ppo.layers={[8192] * 99}"], "99 layers"),
        (
            ["--set", "ppo.n_steps=65536", "--set", "ppo.batch_size=10000000"],
            "ppo.batch_size=10000000",
        ),
    ],
)
def test_a_run_that_is_too_large_does_not_begin(words, says, free, capsys, tmp_path):
    pytest.importorskip("sb3_contrib")
    free(20 * GB)
    assert main(["train", "quick", *words, "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert says in said
    assert "of memory" in said
    assert not (tmp_path / "run").exists()


def test_too_many_games_do_not_begin(free, capsys, tmp_path):
    free(GB)
    words = ["--agents", "random,random", "--games", "10000000", "--out", str(tmp_path / "x")]
    assert main(["tournament", *words]) == 2
    assert "error: --games: takes 20.0 GB of memory" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
    assert main(["evaluate", "random", "--against", "random", "--games", "10000000"]) == 2
    assert "error: --games: takes 4.0 GB" in capsys.readouterr().err

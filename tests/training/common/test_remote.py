"""Runs on remote storage: brought here, mirrored there, gone on with from there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("fsspec")

import fsspec
from monopoly_training.cli import main
from monopoly_training.common import remote
from monopoly_training.common.files import write_atomic
from monopoly_training.common.remote import Mirror, fetched, local_folder, name_of, url_of
from monopoly_training.tournament.ledger import FILE

from monopoly_env.errors import FileError


@pytest.fixture(autouse=True)
def memory():
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


def test_urls_are_told_from_paths():
    assert url_of(Path("s3://bucket/a/run")) == "s3://bucket/a/run"
    assert url_of("file:///tmp/run") == url_of(Path("file:///tmp/run")) == "file:///tmp/run"
    for path in ("runs/first", "/tmp/run", "C:/runs/first", "model:runs", "a:b/c"):
        assert url_of(path) is None


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_folder_is_mirrored_in_the_order_of_its_files(tmp_path, kind):
    url = {"memory": "memory://bucket/run", "file": f"file://{tmp_path / 'there'}"}[kind]
    with local_folder(Path(url)) as folder:
        assert name_of(folder / "deep" / "b.json") == f"{url}/deep/b.json"
        write_atomic(folder / "deep" / "b.json", "1")
        write_atomic(folder / "a.json", "2")
    with local_folder(Path(url)) as folder:
        assert (folder / "deep" / "b.json").read_text() == "1"
        write_atomic(folder / "a.json", "3")
        (folder / "deep" / "b.json").unlink()
    system, root = remote.file_system(url)
    assert [Path(path).name for path in system.find(root)] == ["a.json"]
    assert system.cat(f"{root}/a.json") == b"3"


def test_what_a_kill_between_two_files_leaves_there_could_have_been_left_here(
    memory, tmp_path, monkeypatch
):
    """The file that was written first goes first: a ledger never tells of what is not there."""
    mirror = Mirror("memory://bucket/run", tmp_path)
    write_atomic(tmp_path / "z_records", "new")
    write_atomic(tmp_path / "a_ledger", "tells of them")
    put = mirror.system.put_file
    monkeypatch.setattr(mirror.system, "put_file", lambda *paths: (put(*paths), 1 / 0)[0])
    with pytest.raises(
        FileError, match=r"memory://bucket/run: cannot be reached: division by zero"
    ):
        mirror.upload()
    assert [Path(path).name for path in memory.find("/bucket/run")] == ["z_records"]
    monkeypatch.undo()
    mirror.upload()
    assert len(memory.find("/bucket/run")) == 2


def test_uploads_are_rare_but_for_checkpoints(memory, monkeypatch):
    with local_folder(Path("memory://bucket/run")) as folder:
        write_atomic(folder / "one", "1")
        assert memory.find("/bucket/run") == []
        monkeypatch.setattr(remote, "SHARE", float("inf"))
        monkeypatch.setattr(remote, "UPLOAD_EVERY", 0.0)
        remote.checkpointed(folder)
        assert memory.find("/bucket/run") == ["/bucket/run/one"]
        write_atomic(folder / "two", "2")
        remote.written(folder / "two")
        assert len(memory.find("/bucket/run")) == 2


def test_a_tournament_goes_on_from_there(memory, capsys):
    line = ["tournament", "--agents", "random,fixed_a", "--rule", "max_turns=6", "--games", "8"]
    line += ["--json", "--out", "memory://bucket/played"]
    assert main(line) == 0
    first = json.loads(capsys.readouterr().out)
    games = memory.cat("/bucket/played/games.csv")
    ledger = memory.cat(f"/bucket/played/{FILE}")
    memory.rm("/bucket/played", recursive=True)
    memory.pipe(f"/bucket/played/{FILE}", ledger[: ledger.index(b"\n") + 1])  # only begun
    assert main([*line, "--resume"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["standings"] == first["standings"]
    assert memory.cat("/bucket/played/games.csv") == games


def test_a_run_and_its_model_are_read_from_there(memory, capsys):
    pytest.importorskip("sb3_contrib")
    url = "memory://bucket/run"
    assert main(["train", "small", "--set", "steps=128", "--out", url]) == 0
    assert f"the agent is model:{url}" in capsys.readouterr().out
    checkpoint = memory.cat("/bucket/run/checkpoint.pt")
    assert main(["train", "small", "--out", url]) == 2
    assert f"already contains a run; continue it with --resume {url}" in capsys.readouterr().err
    assert main(["train", "--resume", url, "--set", "steps=256"]) == 0
    assert memory.cat("/bucket/run/checkpoint.pt") != checkpoint
    capsys.readouterr()
    line = ["evaluate", f"model:{url}", "--against", "random", "--games", "2", "--json"]
    assert main([*line, "--rule", "max_turns=6"]) == 0
    assert json.loads(capsys.readouterr().out)["agent"] == f"model:{url}"


def test_errors_name_the_url(memory, capsys):
    memory.pipe("/bucket/run/checkpoint.pt", b"something else")
    assert main(["train", "--resume", "memory://bucket/run"]) == 2
    said = capsys.readouterr().err
    assert "error: memory://bucket/run/checkpoint.pt: is not a checkpoint, or is damaged" in said


def test_what_cannot_be_used_is_one_line(capsys):
    assert main(["tune", "small", "--out", "nowhere://bucket/run"]) == 2
    assert (
        "error: nowhere://bucket/run: cannot be used: Protocol not known" in capsys.readouterr().err
    )
    assert main(["tune", "small", "--out", "s3://"]) == 2
    assert (
        "error: s3:: names no folder; give one such as s3://bucket/run" in capsys.readouterr().err
    )
    assert (
        main(["tune", "small", "--out", "ftp://127.0.0.1:1/runs/x"]) == 2
    )  # nothing listens there
    assert "error: ftp://127.0.0.1:1/runs/x: cannot be used: " in capsys.readouterr().err
    with pytest.raises(FileError, match=r"memory://bucket/none: holds no model.safetensors"):
        fetched("memory://bucket/none", ("model.safetensors",))

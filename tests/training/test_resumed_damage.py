"""``--resume`` on runs with damaged files: each is refused by name, or mended with a warning by name."""

from __future__ import annotations

import json
import os
import shutil
import warnings

import pytest
from monopoly_training.cli import main

pytestmark = pytest.mark.promise("checksums")

PLAYED = ["--agents", "random,fixed_a", "--games", "12", "--rule", "max_turns=12"]
BEGIN = {
    "tournament": ["tournament", *PLAYED, "--records", "4"],
    "generate": ["generate", *PLAYED],
    "tune": ["tune", "small"],
    "train": ["train", "small", "--set", "steps=128", "--set", "evaluation.games=4"],
}
NEEDS = {"tournament": "pyarrow", "generate": "pyarrow", "tune": "cma", "train": "sb3_contrib"}


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path):
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])


def cut_short(path):
    path.write_bytes(path.read_bytes()[:7])


def append(path):
    path.write_bytes(path.read_bytes() + b"garbage")


def empty(path):
    path.write_bytes(b"")


def gone(path):
    path.unlink()


def folder(path):
    path.unlink()
    path.mkdir()


def pipe(path):
    path.unlink()
    os.mkfifo(path)


def nowhere(path):
    path.unlink()
    path.symlink_to("nowhere")


def device(path):
    path.unlink()
    path.symlink_to("/dev/zero")


def moved(path):
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


UNREADABLE = [folder, pipe, device]
ALL = [flip, cut, cut_short, append, empty, gone, *UNREADABLE, nowhere]
SOME = [flip, gone, pipe]
TABLE = {
    "tournament": {
        "games.jsonl": ALL,
        "records.jsonl.gz": ALL,
        "results.json": [flip, empty, gone, folder],
        "table.csv": [append, pipe],
        "report.html": [cut],
    },
    "generate": {"dataset.json": ALL, "part-00000.parquet": ALL, "parts.jsonl": ALL},
    "tune": {
        "generations.jsonl": ALL,
        "curve.csv": [flip, cut, folder],
        "weights.json": [flip, empty, pipe],
        "provenance.json": [*SOME, append],
        "config.yaml": SOME,
    },
    "train": {
        "checkpoint.pt": [flip, cut, append, empty, gone, folder, pipe],
        "config.yaml": [cut_short, device],
        "curve.csv": [pipe],
        "model.json": [folder],
    },
}


@pytest.fixture(scope="module", params=list(TABLE))
def run(request, tmp_path_factory):
    """A kind of run, and the folder of a finished one."""
    kind = request.param
    pytest.importorskip(NEEDS[kind])
    whole = tmp_path_factory.mktemp(kind) / "run"
    with pytest.MonkeyPatch.context() as patch:
        report = "monopoly_training.tournament.report"  # without its pictures, which take long
        patch.setattr(f"{report}.draw", lambda *_: [])
        patch.setattr(f"{report}.report_page", lambda *_: "a page\n")
        assert main([*BEGIN[kind], "--out", str(whole)]) == 0
        yield kind, whole


def resume(kind, copy):
    """The exit status of going on with a run."""
    if kind in ("tune", "train"):
        return main([kind, "--resume", str(copy)])
    return main([*BEGIN[kind], "--resume", "--out", str(copy)])


def results(kind, copy):
    """What a run came to, without times."""
    if kind == "tournament":
        return (copy / "games.csv").read_bytes()
    if kind == "generate":
        return (copy / "part-00000.parquet").read_bytes()
    name, key = ("weights.json", "weights") if kind == "tune" else ("model.json", "steps")
    return json.loads((copy / name).read_text())[key]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_every_damage_is_refused_or_mended_by_name(run, tmp_path, capsys):
    kind, whole = run
    for name, damages in TABLE[kind].items():
        for damage in damages:
            copy = tmp_path / "copy"
            shutil.copytree(whole, copy)
            damage(copy / name)
            capsys.readouterr()
            with warnings.catch_warnings():
                warnings.simplefilter("always")  # the command shows each as a line
                status = resume(kind, copy)
            said = capsys.readouterr().err
            case = f"{kind}: {damage.__name__} {name}: {status}, {said}"
            assert name in said, case
            assert "Traceback" not in said, case
            assert status in (0, 2), case
            if status == 0:
                assert results(kind, copy) == results(kind, whole), case
            shutil.rmtree(copy)


def test_a_file_that_was_moved_and_linked_to_is_as_good(run, tmp_path, capsys):
    kind, whole = run
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    moved(copy / next(iter(TABLE[kind])))
    assert resume(kind, copy) == 0
    assert "warning" not in capsys.readouterr().err
    assert results(kind, copy) == results(kind, whole)

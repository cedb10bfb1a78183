"""The page of promises is current, and a promise without a test is an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from monopoly_training.reference import trust_page
from monopoly_training.reference.trust_page import PROMISES, Proof, page_of, proofs

from monopoly_env.errors import FileError

ROOT = Path(__file__).parents[3]


def write(folder: Path, text: str) -> Path:
    """A folder of tests whose one file keeps all promises but for what ``text`` adds."""
    names = ", ".join(map(repr, PROMISES))
    all_kept = f"@pytest.mark.promise({names})\ndef test_all() -> None: ...\n"
    folder.mkdir(exist_ok=True)
    (folder / "test_it.py").write_text(all_kept + text, encoding="utf-8")
    return folder


def test_the_page_is_current() -> None:
    found = page_of(ROOT / "tests", ROOT / "docs")
    assert found == {"trust.md": (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")}, (
        "run `make docs` and look at what changed"
    )


def test_every_link_leads_to_a_file() -> None:
    for tests in proofs(ROOT / "tests").values():
        for proof in tests:
            assert f"def {proof.test}(" in (ROOT / "tests" / proof.file).read_text(encoding="utf-8")


def test_markers_on_functions_and_on_whole_files_are_read(tmp_path: Path) -> None:
    text = """
pytestmark = [pytest.mark.slow, pytest.mark.promise("copies")]

@pytest.mark.parametrize("n", [1])
@pytest.mark.promise("resume", "copies")
def test_both(n): ...

def test_file(): ...
def not_a_test(): ...
"""
    found = proofs(write(tmp_path, text))
    first, both, file = (
        Proof("test_it.py", name) for name in ("test_all", "test_both", "test_file")
    )
    assert found["copies"] == [first, both, file]
    assert found["resume"] == [first, both]
    assert found["limits"] == [first]


def test_a_marker_that_names_no_promise_is_an_error(tmp_path: Path) -> None:
    folder = write(tmp_path, "@pytest.mark.promise('isolaton')\ndef test_b(): ...\n")
    with pytest.raises(ValueError, match=r"tests/test_it.py: test_b: no promise 'isolaton'; prom"):
        proofs(folder)


@pytest.mark.parametrize("name", PROMISES)
def test_a_promise_that_no_test_keeps_is_an_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {other: promise for other, promise in PROMISES.items() if other != name}
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "PROMISES", kept)
        folder = write(tmp_path, "")
    with pytest.raises(ValueError, match=f"no test keeps the promise {name}:"):
        proofs(folder)


def test_runs_under_equal_rules_are_added_up(tmp_path: Path) -> None:
    tests = write(tmp_path / "tests", "")
    assert "Random play" not in page_of(tests, tmp_path)["trust.md"]
    run = {
        "seed": 7, "first": 0, "cases": 20_000, "games": 4_000, "decisions": 4 * 10**8,
        "rules": "aa", "version": "0.1.0", "starts": 3, "began": "2026-01-02",
        "ended": "2026-01-04",
    }  # fmt: skip
    runs = [{**run, "rules": "of earlier"}, run, {**run, "first": 20_000, "games": 0}]
    (tmp_path / trust_page.RUNS_FILE).write_text(json.dumps({"runs": runs}), encoding="utf-8")
    page = page_of(tests, tmp_path)["trust.md"]
    assert "checked 1,200,000,000 decisions and found no error, 800,000,000 of them with" in page
    assert "the newest rules that were checked (source digest `aa`)" in page
    assert "| 400,000,000 | 4,000 | 7 | 0 to 19,999 | `of earlier` |" in page
    assert "| 400,000,000 | not kept | 7 | 20,000 to 39,999 | `aa` |" in page


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"decisions": 1}', "fuzz.json: must hold a list `runs`"),
        ('{"runs": [1]}', "fuzz.json: must hold a list `runs`"),
        ('{"runs": [{"seed": 1}]}', "fuzz.json: run 1: lacks began, cases, decisions"),
    ],
)
def test_runs_that_do_not_fit_are_one_line(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / trust_page.RUNS_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=what):
        page_of(write(tmp_path / "tests", ""), tmp_path)

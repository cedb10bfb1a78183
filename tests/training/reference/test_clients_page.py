"""The pages of clients are current, and quote what is tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from monopoly_training.reference.clients_page import pages_of

ROOT = Path(__file__).parents[3]
LOCK = "gymnasium==1.2.2\nsome_client==1.5\n"
PAGE = "# Some client\n\n<!-- quoted: tests/clients/some/play.py -->\n```python\n```\n\nMore.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The folder of pages of a project with one client."""
    client = tmp_path / "tests" / "clients" / "some"
    client.mkdir(parents=True)
    (tmp_path / "requirements.lock").write_text(LOCK)
    (client / "requirements.in").write_text("# why\n-e .[train]\nSome-Client[extra]>=1\npytest\n")
    (client / "play.py").write_text('"""Play."""\n\nplay()\n')
    (client / "test_it.py").write_text("def test_it_plays_on_two_seats() -> None: ...\n")
    pages = tmp_path / "docs"
    (pages / "clients").mkdir(parents=True)
    (pages / "clients" / "some.md").write_text(PAGE)
    return pages


def written(docs: Path) -> dict[str, str]:
    return pages_of(docs, docs.parent / "tests")


def test_the_pages_are_current() -> None:
    found = pages_of(ROOT / "docs", ROOT / "tests")
    here = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in found}
    assert found == here, "run `make docs` and look at what changed"


def test_every_quote_is_in_a_form_that_is_renewed() -> None:
    for path in (ROOT / "docs" / "clients").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        blocks = re.findall(
            r"^<!-- quoted: (\S+) -->\n```\w*\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL
        )
        assert len(blocks) == text.count("<!-- quoted"), path
        for file, code in blocks:
            assert (ROOT / file).read_text(encoding="utf-8").strip("\n") == code


def test_a_page_quotes_the_file_again_after_it_changed(docs: Path) -> None:
    page = written(docs)["clients/some.md"]
    assert '```python\n"""Play."""\n\nplay()\n```\n\nMore.\n' in page
    (docs / "clients" / "some.md").write_text(page)
    assert written(docs)["clients/some.md"] == page
    (docs.parent / "tests/clients/some/play.py").write_text("play(2)\n")
    assert "```python\nplay(2)\n```\n\nMore.\n" in written(docs)["clients/some.md"]


def test_the_matrix_has_the_versions_of_the_lock_and_the_tests(docs: Path) -> None:
    row = "| [Some client](some.md) | Some-Client {} | 1 | `{}` |"
    assert row.format("1.5", "make test") in written(docs)["clients/README.md"]
    (docs.parent / "tests/clients/some/requirements.lock").write_text("some-client==2.0\n")
    assert row.format("2.0", "make test-clients") in written(docs)["clients/README.md"]


def test_a_library_without_its_dependencies_is_the_one_that_is_named(docs: Path) -> None:
    client = docs.parent / "tests/clients/some"
    (client / "requirements.lock").write_text("some-client==2.0\nnarrow==3.1\n")
    (client / "no-deps.in").write_text("# asks for an old NumPy\nnarrow==3.1\n")
    assert "| [Some client](some.md) | narrow 3.1 |" in written(docs)["clients/README.md"]


def test_what_is_missing_is_named(docs: Path) -> None:
    lock = docs.parent / "tests/clients/some/requirements.lock"
    lock.write_text("other==1\n")
    with pytest.raises(ValueError, match=r"Some-Client is not in .*lock: run `make lock-clients"):
        written(docs)
    lock.unlink()
    (docs.parent / "tests/clients/some/play.py").unlink()
    with pytest.raises(ValueError, match=r"some\.md: quotes tests/clients/some/play\.py"):
        written(docs)
    (docs / "clients" / "some.md").unlink()
    with pytest.raises(ValueError, match=r"docs/clients/some\.md is missing"):
        written(docs)

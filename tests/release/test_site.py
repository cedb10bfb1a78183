"""The site: every page has its place, and its links are checked; the workflow names what there is."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.release.dist import ROOT
from tests.release.site_links import links_of, main

DOCS = ROOT / "docs"


def test_every_page_is_in_the_contents():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([\w/]+)$", index, re.MULTILINE))
    for page in DOCS.glob("*.md"):
        assert page.stem == "index" or page.stem in listed, f"docs/index.md does not name {page}"
    for name in listed - {page.stem for page in DOCS.glob("*.md")}:
        above = ROOT / f"{name.removeprefix('_root/')}.md"
        assert above.exists() if name.startswith("_root/") else (DOCS / f"{name}.md").exists(), name


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("b.html", None),
        ("b.html#here", None),
        ("#top", None),
        ("https://example.org/x", None),
        ("c.html", "a.html: c.html: there is no such file"),
        ("b.html#gone", "a.html: b.html#gone: nothing on that page has this id"),
    ],
)
def test_a_link_that_leads_nowhere_is_named(link, says, tmp_path, capsys):
    links_of.cache_clear()
    (tmp_path / "a.html").write_text(f'<p id="top"><a href="{link}">x</a></p>')
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    assert main(tmp_path) == int(says is not None)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [*([says] if says else []), f"2 pages, {int(says is not None)} broken links"]


def test_the_workflow_names_targets_and_files_that_exist():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    named = [
        target
        for step in steps
        if step.get("run", "").startswith("make ")
        for target in step["run"].split()[1:]
    ]
    assert {"lint", "test", "site", "dist-test", "test-lowest"} <= set(named) <= targets
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_the_comparison_has_the_figures_of_the_bench():
    page = (DOCS / "comparison.md").read_text(encoding="utf-8")
    bench = (DOCS / "bench.md").read_text(encoding="utf-8")
    shown = [int(text.replace(",", "")) for text in re.findall(r"\| ([\d,]{4,}) ", page)]
    for name in ("engine_mask", "one_call", "games_bots", "batch_step", "aec_raw", "aec_env"):
        (text,) = re.findall(rf"^\| `{name}` \| ([\d,]+) \| [\d,]+ to ", bench, re.MULTILINE)
        value = int(text.replace(",", ""))
        near = [figure for figure in shown if abs(figure / value - 1) < 0.15]
        assert near, f"docs/comparison.md is far from docs/bench.md: {name} is {text} there"


def test_the_example_of_the_first_page_runs():
    (example,) = re.findall(
        r"```python\n(.*?)```", (DOCS / "index.md").read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict[str, object] = {}
    exec(compile(example, "index.md", "exec"), names)
    assert names["game"].over

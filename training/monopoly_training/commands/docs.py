"""Regenerate the generated pages of the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.common.console import new_console

CASES = Path("tests/rulebook")
TESTS = Path("tests")


def command(
    out: Annotated[Path, typer.Option(help="Folder of the pages.")] = Path("docs"),
    cases: Annotated[
        Path, typer.Option(help="Rule cases for rules.md; skipped if the folder is missing.")
    ] = CASES,
    tests: Annotated[
        Path, typer.Option(help="Tests for trust.md; skipped if the folder is missing.")
    ] = TESTS,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if a page is out of date.")
    ] = False,
) -> None:
    """Regenerate the documentation pages that are generated from the code."""
    from monopoly_training.reference.pages import is_old, pages, write_pages

    console = new_console(highlight=False, soft_wrap=True)
    written = pages(
        cases if cases.is_dir() else None, out, tests if (tests / "conftest.py").exists() else None
    )
    if check:
        old = [name for name, text in written.items() if is_old(out / name, text)]
        if old:
            console.print(f"not current: {', '.join(old)}; run `monopoly-env docs`")
            raise typer.Exit(1)
        return
    changed = write_pages(out, written)
    console.print(f"wrote {', '.join(str(path) for path in changed)}" if changed else "all current")

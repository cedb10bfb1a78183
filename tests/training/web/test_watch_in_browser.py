"""A run and a tournament watched in a real browser while they grow."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.evaluation.learning_curve import read_curve, write_curve
from monopoly_training.tournament.config import load_tournament_config
from monopoly_training.tournament.ledger import FILE
from monopoly_training.tournament.tournament import play_tournament

PATIENCE = 120_000  # milliseconds, on a machine that does other things too
SIZES = {"laptop": (1280, 800), "phone": (390, 844)}


@contextmanager
def served(folder: Path, tab: Any) -> Iterator[str]:
    """The address of a server of a folder, in a thread."""
    pytest.importorskip("uvicorn", reason="needs the extra web")
    from monopoly_training.serving.server import PageServer
    from monopoly_training.watching.app import watch_app

    with PageServer(watch_app(folder), port=0) as server:
        yield server.address()
        tab.context.close()  # before the server: a page that asks on would complain


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A tab; at the end, nothing was said on its console."""
    said: list[str] = []
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda problem: said.append(str(problem)))
    yield page
    context.close()
    assert said == []


def fits(page: Any) -> bool:
    """Nothing is wider than the window."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


@pytest.mark.parametrize("size", SIZES)
def test_a_curve_grows(small_run: Path, tmp_path: Path, tab: Any, size: str) -> None:
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    points = read_curve(folder)
    write_curve(folder, points[:1])
    tab.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
    with served(folder, tab) as address:
        tab.goto(address)
        tab.get_by_text("0 decisions").first.wait_for()
        assert fits(tab)
        write_curve(folder, points)
        tab.get_by_text("512 decisions").first.wait_for()
        assert "after 512 decisions" in tab.locator(".plot").get_attribute("aria-label")
        with tab.context.expect_page() as opened:
            tab.get_by_role("link", name="Watch game 2 after 512 decisions").click()
        opened.value.wait_for_selector(".board")


def test_standings_grow_and_a_click_opens_a_replay(tmp_path: Path, tab: Any) -> None:
    folder = tmp_path / "cup"
    changes = {"agents": ["fixed_a", "random"], "games": 4, "records": 4}
    play_tournament(load_tournament_config(None, changes), folder)
    path = folder / FILE
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"\n") + 1])  # as it is before the first game is over
    with served(folder, tab) as address:
        tab.goto(address)
        tab.get_by_text("No finished games yet.").wait_for()
        path.write_bytes(whole)
        tab.get_by_text("4 of 4 games, finished").wait_for()
        assert tab.locator(".standings tbody tr").count() == 2
        with tab.context.expect_page() as opened:
            tab.get_by_role("link", name="Watch game 3").click()
        opened.value.wait_for_selector(".board")
        assert "random" in opened.value.title()

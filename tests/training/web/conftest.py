"""Recorded games, their pages, and a browser to open them in."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.review.review import review
from monopoly_training.web.replay_page import replay_page

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.playing import GameLoop

PATIENCE = 120_000  # milliseconds, on a machine that does other things too
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def played(*bots: str, seed: int, **options: Any) -> dict[str, Any]:
    """The record of a game between bots."""
    game = Game(players=len(bots), seed=seed, **options)
    GameLoop(game, [make_agent(bot) for bot in bots]).play()
    return game.record(bots)


@pytest.fixture(scope="session")
def two() -> dict[str, Any]:
    """A game of two with a mark of every kind."""
    return played("strategist", "fixed_a", seed=2)


@pytest.fixture(scope="session")
def learned() -> dict[str, Any]:
    """A game of three with a trained policy."""
    return played("champion", "random", "fixed_b", seed=2)


@pytest.fixture(scope="session")
def page_file(two: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the game of two, on disk."""
    path = tmp_path_factory.mktemp("pages") / "two players.html"
    path.write_text(replay_page(two), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def reviewed_page(
    two: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    """The page of the same game with its review, and the review."""
    path = tmp_path_factory.mktemp("pages") / "reviewed.html"
    found = review(two)
    path.write_text(replay_page(two, review=found), encoding="utf-8")
    return path, found


@pytest.fixture(scope="session")
def page_of_eight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the beginning of a game of eight, with names as long as they get."""
    record = played(*["random"] * 8, seed=3, rules={"max_players": 8, "max_turns": 20})
    record["bots"] = ["model:runs/a_rather_long_name_of_a_run"] * 4
    path = tmp_path_factory.mktemp("pages") / "eight.html"
    path.write_text(replay_page(record), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, without a window."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="tests in a browser need playwright: pip install playwright"
    )
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("tests in a browser need one on the path: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a file in a tab of its own; at the end, nothing was said on the console."""
    contexts, said = [], []

    def open_page(
        path: Path, moment: str = "", size: tuple[int, int] = (1280, 800), **options: Any
    ) -> Any:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, offline=True, **options
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda problem: said.append(f"error: {problem}"))
        page.on("request", lambda request: said.extend(_fetched(request.url)))
        page.goto(path.as_uri() + moment)
        page.wait_for_selector(".board")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


def _fetched(url: str) -> list[str]:
    """What a page must not ask for: anything but itself."""
    return [] if url.startswith(("file:", "data:", "blob:")) else [f"fetched {url}"]

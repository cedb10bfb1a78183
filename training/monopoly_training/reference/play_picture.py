"""Take the screenshot of a browser game in which an offer is being composed."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from monopoly_env.errors import MissingExtra
from monopoly_training.play.app import Site
from monopoly_training.play.setup import Setup, known_bots
from monopoly_training.play.tables import Tables
from monopoly_training.serving.server import PageServer

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = {"width": 1280, "height": 800}
SEATS = ["human", "veteran", "strategist", "trader"]
GIVEN, WANTED = "Reading Railroad", "Illinois Avenue"


def play_picture(position: dict[str, Any]) -> bytes:
    """Return the page as PNG, with the first player composing an offer to the last.

    Raises: MissingExtra without Playwright or Chromium.
    """
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        playwright = import_module("playwright.sync_api")
    except ImportError:
        playwright = None
    if program is None or playwright is None:
        raise MissingExtra(
            "make pictures: needs playwright and a Chromium on the path; install them with: "
            "pip install playwright, apt-get install chromium"
        )
    with TemporaryDirectory() as folder:
        tables = Tables(Path(folder))
        name = tables.new(Setup(SEATS, seed=1, position={**position, "turn": "A"}))
        path = f"/game/{name}"
        (key,) = tables.header(name).links
        with PageServer(Site(tables, known_bots()).app(), port=0) as server:
            try:
                with playwright.sync_playwright() as driver:
                    return _shot(driver, program, server.address(path, seat=key))
            finally:
                tables.close()


def _shot(driver: Any, program: str, address: str) -> bytes:
    browser = driver.chromium.launch(executable_path=program)
    page = browser.new_page(viewport=SIZE, color_scheme="light")
    page.goto(address)
    page.get_by_role("button", name="Make a deal with D").click()
    composer = page.get_by_label("Your offer")
    for deed in (GIVEN, WANTED):
        composer.get_by_role("button", name=deed).click()
    page.locator(".composer .chances").wait_for()
    page.evaluate("document.activeElement.blur()")
    picture: bytes = page.screenshot()
    browser.close()
    return picture

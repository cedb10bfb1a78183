"""The page of a replay in a real browser: scrubbed, linked, filtered, by keys, at three sizes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Opened = Callable[..., Any]
SIZES = {"laptop": (1280, 800), "desktop": (1920, 1080), "phone": (390, 844)}


def moment_of(page: Any) -> int:
    return int(page.locator("#scrubber").input_value())


def goto(page: Any, moment: int) -> None:
    page.evaluate(f"location.hash = 't={moment}'")
    page.wait_for_function(f"document.getElementById('scrubber').value === '{moment}'")


def test_scrubbed_to_its_end_it_says_who_won(
    opened: Opened, page_file: Path, two: dict[str, Any]
) -> None:
    page = opened(page_file)
    assert moment_of(page) == 0
    page.locator("#scrubber").fill(str(len(two["actions"])))
    winner = two["result"]["winners"][0]
    assert page.locator(".decision h2").inner_text().endswith(f"{winner} won the game")
    assert f"{winner} won the game." in page.locator(".choices").inner_text()
    assert page.get_by_role("button", name="Next move").is_disabled()


def test_a_link_leads_to_its_moment_and_the_address_follows(
    opened: Opened, page_file: Path
) -> None:
    page = opened(page_file, "#t=213")
    assert moment_of(page) == 213
    page.get_by_role("button", name="Next move").click()
    page.wait_for_function("location.hash === '#t=214'")
    goto(page, 7)
    page.reload()
    page.wait_for_selector(".board")
    assert moment_of(page) == 7


@pytest.mark.parametrize("link", ["#t=999999", "#t=abc", "#t=-4", "#x=3", "#t="])
def test_an_odd_link_still_opens(opened: Opened, page_file: Path, two: Any, link: str) -> None:
    page = opened(page_file, link)
    assert moment_of(page) in (0, len(two["actions"]))


def test_keys_step_jump_and_play(opened: Opened, page_file: Path, two: dict[str, Any]) -> None:
    page = opened(page_file, "#t=100")
    page.locator("h1").click()
    press = page.keyboard.press
    for key, moment in [("ArrowRight", 101), ("ArrowLeft", 100), ("PageDown", 110), ("Home", 0)]:
        press(key)
        assert moment_of(page) == moment
    press("End")
    assert moment_of(page) == len(two["actions"])
    press("[")
    before = moment_of(page)
    press("[")
    assert moment_of(page) < before < len(two["actions"]) + 1
    press("Shift+ArrowLeft")
    turn = page.locator(".title .muted").inner_text()
    press("ArrowLeft")
    assert page.locator(".title .muted").inner_text() != turn
    press("Home")
    press(" ")
    page.wait_for_function("Number(document.getElementById('scrubber').value) >= 2")
    press(" ")
    assert page.get_by_role("button", name="Play (Space)").count() == 1
    press("?")
    page.locator("dialog").wait_for(state="visible")
    press("Escape")
    page.locator("dialog").wait_for(state="hidden")


def test_keys_in_a_field_write_text(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, "#t=50")
    page.keyboard.press("/")
    page.wait_for_function("document.activeElement.id === 'journal-words'")
    page.keyboard.type("d [ boardwalk?")
    assert page.locator("#journal-words").input_value() == "d [ boardwalk?"
    assert moment_of(page) == 50


def test_the_journal_follows_and_is_filtered(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, "#t=60")
    page.get_by_role("tab", name="Journal").click()
    goto(page, 61)
    rows = page.locator(".journal .row")
    all_rows = page.locator(".hits").inner_text()
    page.get_by_label("Topic").select_option("auction")
    assert page.locator(".hits").inner_text() != all_rows
    assert all(any(word in text for word in ("bids", "auction")) for text in rows.all_inner_texts())
    page.get_by_label("Search the journal").fill("is auctioned")
    first = rows.first
    moment = int(first.locator(".at").inner_text())
    first.click()
    assert moment_of(page) == moment
    page.get_by_label("Search the journal").fill("no such words")
    assert "No entries match" in page.locator(".journal").inner_text()


def test_marks_lead_to_their_moments(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    page.get_by_role("tab", name="Highlights").click()
    page.get_by_label("Kind of mark").select_option("bankrupt")
    row = page.locator(".highlights .row").first
    row.click()
    assert moment_of(page) == int(row.locator(".at").inner_text())
    lane = page.locator(".lane").first
    mark = lane.locator("rect").first
    box = mark.bounding_box()
    page.get_by_role("button", name="To the start").click()
    page.mouse.click(box["x"] + 1, box["y"] + 2)
    assert moment_of(page) > 0


def test_a_decision_says_what_was_legal_and_why_the_rest_was_not(
    opened: Opened, page_file: Path
) -> None:
    page = opened(page_file)
    assert page.locator(".legal .chosen .what").inner_text() == "Throw the dice"
    page.locator(".refused summary").click()
    assert "Not part of this decision" in page.locator(".refused").inner_text()
    page.get_by_label("Find an illegal action").fill("boardwalk")
    text = page.locator(".refused").inner_text()
    assert "Nobody owns it yet" in text
    assert "Park Place" not in text


def test_charts_are_in_sync_and_lead_to_moments(
    opened: Opened, page_file: Path, two: dict[str, Any]
) -> None:
    page = opened(page_file)
    page.get_by_role("tab", name="Charts").click()
    assert page.locator(".chart").count() == 4
    plot = page.locator(".chart .u-over").first
    box = plot.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    assert abs(moment_of(page) - len(two["actions"]) / 2) < len(two["actions"]) / 20
    lines = page.locator(".now-line").evaluate_all("all => all.map(one => one.style.left)")
    assert len(set(lines)) == 1
    page.locator("h1").hover()
    labels = [plot.get_attribute("aria-label") for plot in page.locator(".plot").all()]
    assert labels[0].startswith(f"Win probability at move {moment_of(page)}: A ")
    assert labels[1].startswith(f"Cash at move {moment_of(page)}: A $")


def test_the_bar_of_chances_follows_the_game(
    opened: Opened, page_file: Path, two: dict[str, Any]
) -> None:
    page = opened(page_file)
    bar = page.locator(".odds")
    first = bar.get_attribute("aria-label")
    assert first.startswith("Win probabilities: A ")
    goto(page, len(two["actions"]))
    page.wait_for_function("document.querySelectorAll('.odds span').length === 1")
    assert f"{two['result']['winners'][0]} 100%" in bar.get_attribute("aria-label")


def test_a_review_is_in_the_page(
    opened: Opened, reviewed_page: tuple[Path, dict[str, Any]]
) -> None:
    path, review = reviewed_page
    mark = next(one for one in review["marks"] if one["better"])
    page = opened(path, f"#t={mark['moment']}")
    assert f"Better: {mark['better']}." in page.locator(".review-note").inner_text()
    page.get_by_role("tab", name="Review").click()
    assert page.locator(".review .scores tbody tr").count() >= 2
    rows = page.locator(".review .rows button")
    assert rows.count() == len(review["marks"])
    rows.last.click()
    page.wait_for_function(f"location.hash === '#t={review['marks'][-1]['moment']}'")
    page.get_by_role("tab", name="Journal").click()
    page.get_by_label("Topic").select_option("review")
    assert page.locator(".journal .row").count() > 0
    assert page.locator(".lane-names").get_by_text("Blunders").count() == 1


def test_without_a_review_there_is_no_tab_for_it(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    assert page.get_by_role("tab", name="Review").count() == 0


def test_dark_and_light(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.get_by_role("button", name="Light colors").click()
    light = page.evaluate(paper)
    assert dark != light
    other = opened(page_file, color_scheme="light")
    assert other.evaluate(paper) == light


@pytest.mark.parametrize("size", SIZES)
def test_nothing_lies_outside_at_any_size(
    opened: Opened, page_file: Path, two: dict[str, Any], size: str
) -> None:
    page = opened(page_file, "", SIZES[size])
    for moment in (0, 213, len(two["actions"])):
        goto(page, moment)
        check_edges(page, *SIZES[size], scrolls=size == "phone")


@pytest.mark.parametrize("size", SIZES)
def test_eight_players_have_room(opened: Opened, page_of_eight: Path, size: str) -> None:
    page = opened(page_of_eight, "#t=40", SIZES[size])
    check_edges(page, *SIZES[size], scrolls=size == "phone")
    assert page.locator(".players tbody tr").count() == 8


def test_the_journal_shows_the_moment_from_the_start(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, "#t=300", SIZES["desktop"])
    page.wait_for_selector(".u-over")
    page.wait_for_function(
        """() => { const list = document.querySelector('.journal .rows').getBoundingClientRect();
        const shown = [...document.querySelectorAll('.journal .row:not(.later)')];
        const row = shown[shown.length - 1].getBoundingClientRect();
        return row.top >= list.top && row.bottom <= list.bottom; }"""
    )


def check_edges(page: Any, width: int, height: int, scrolls: bool) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if not scrolls:
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    for selector in (".board", ".players", "#scrubber"):
        box = page.locator(selector).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    edge = page.locator(".players").bounding_box()
    for row in page.locator(".players td").all():
        box = row.bounding_box()
        assert box["x"] + box["width"] <= edge["x"] + edge["width"]
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert page.locator(".players thead th").evaluate_all(wide) == 0  # no heading is cut off


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(opened: Opened, page_file: Path, scheme: str) -> None:
    page = opened(page_file, "#t=213", color_scheme=scheme)
    pairs = [("ink", "paper"), ("ink", "panel"), ("muted", "panel"), ("muted", "paper"),
             ("muted", "board"), ("ink", "turn"), ("muted", "turn"), ("accent", "panel")]  # fmt: skip
    for text, ground in pairs:
        colors = [
            page.evaluate(
                f"getComputedStyle(document.documentElement).getPropertyValue('--{name}')"
            )
            for name in (text, ground)
        ]
        assert contrast(*colors) >= 4.5, (text, ground)


def contrast(one: str, other: str) -> float:
    """The contrast of two colors as WCAG has it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    parts = [int(color.strip()[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_everything_that_can_be_used_has_a_name(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, "#t=213")
    for tab in ("Decision", "Journal", "Charts", "Highlights"):
        page.get_by_role("tab", name=tab).click()
        nameless = page.evaluate(
            """[...document.querySelectorAll('button, input, select, [role=img]')].filter(one =>
            !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).length"""
        )
        assert nameless == 0


def test_headings_skip_no_level_and_what_scrolls_can_be_focused(
    opened: Opened, page_file: Path
) -> None:
    page = opened(page_file, "#t=213")
    for tab in ("Decision", "Journal", "Charts", "Highlights"):
        page.get_by_role("tab", name=tab).click()
        if tab == "Decision":
            page.locator(".refused summary").click()
        levels = page.evaluate(
            "[...document.querySelectorAll('h1, h2, h3, h4')].filter(one => one.checkVisibility())"
            ".map(one => Number(one.tagName[1]))"
        )
        assert levels[0] == 1
        assert all(below <= above + 1 for above, below in pairwise(levels))
        unreachable = page.evaluate(
            """[...document.querySelectorAll('#app *')].filter(one =>
            one.scrollHeight > one.clientHeight + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY)
            && one.tabIndex < 0 && !one.querySelector('button, input, select, a, summary')).length"""
        )
        assert unreachable == 0


def test_tabs_move_by_arrow_keys_without_moving_the_game(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, "#t=30")
    page.get_by_role("tab", name="Decision").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="Journal").get_attribute("aria-selected") == "true"
    assert moment_of(page) == 30


def test_less_motion_is_respected(opened: Opened, page_file: Path) -> None:
    page = opened(page_file, reduced_motion="reduce")
    token = "getComputedStyle(document.querySelector('.token')).transitionDuration"
    assert page.evaluate(token) == "0s"


def test_a_browser_without_decompression_is_told(browser: Any, page_file: Path) -> None:
    page = browser.new_page()
    page.add_init_script("delete globalThis.DecompressionStream")
    page.goto(page_file.as_uri())
    page.wait_for_selector("[role=alert]")
    assert "too old" in page.locator("[role=alert]").inner_text()
    page.close()

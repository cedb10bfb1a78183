"""Games played by clicks in a real browser: whole ones, deals, auctions, debts, and what interrupts."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="games in a browser need the extra web")

from monopoly_training.play.app import Site
from monopoly_training.play.setup import Setup, known_bots
from monopoly_training.play.tables import Tables
from monopoly_training.reference.pictures import MIDDLE
from monopoly_training.serving.server import PageServer

from monopoly_env.records import read_records
from monopoly_env.replay import replay

PATIENCE = 120_000  # milliseconds, on a machine that does other things too
SIZES = {"laptop": (1280, 800), "desktop": (1920, 1080), "phone": (390, 844)}
FIRST = ("roll", "buy", "accept", "end_turn", "pass", "mortgage", "sell", "bankrupt")
PHASE = ".play[data-asked='{}']"
RICH: dict[str, Any] = {**MIDDLE, "turn": "A"}
DEBT: dict[str, Any] = {**RICH, "A": {**MIDDLE["A"], "cash": 740, "at": "jail"}}
RUIN: dict[str, Any] = {
    "players": 2,
    "turn": "A",
    "A": {"cash": 20, "at": "jail", "deeds": ["baltic"]},
    "B": {"deeds": "st_james tennessee new_york".split(), "buildings": dict.fromkeys(
        ("st_james", "tennessee", "new_york"), 5)},
}  # fmt: skip
TO_ORANGE = 4  # a seed whose first throw leads from Jail to an orange lot


class Served:
    """Games of a folder, served."""

    def __init__(self, server: PageServer, tables: Tables) -> None:
        self.home = server.address()
        self.address, self.tables = server.address, tables

    def begin(self, *seats: str, **wishes: Any) -> str:
        """A new game; the address of the page that plays for all its people."""
        name = self.tables.new(Setup(list(seats), **{"seed": 5, "pace": 0, **wishes}))
        return self.address(f"/game/{name}", seat=list(self.tables.header(name).links)[-1])

    def links(self, page: Any) -> list[dict[str, Any]]:
        """The links of the game that a page shows."""
        name = re.search(r"/game/([\w-]+)", page.url)[1]  # type: ignore[index]
        return Site(self.tables, known_bots()).links(name)

    def game(self, page: Any) -> Any:
        """The game that a page shows."""
        return self.tables.table(re.search(r"/game/([\w-]+)", page.url)[1]).game  # type: ignore[index]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    tables = Tables(tmp_path / "games")
    with PageServer(Site(tables, known_bots()).app(), port=0) as server:
        yield Served(server, tables)
        tables.close()


@pytest.fixture
def tab(browser: Any, served: Served) -> Iterator[Callable[..., Any]]:
    """Open an address in a tab; at the end, nothing was said on the console but what is expected.

    Tabs are closed before the server is.
    """
    del served
    contexts, said, expected = [], [], []

    def open_tab(address: str, size: str = "laptop", expect: str = "", **options: Any) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        expected.append(expect)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda problem: said.append(f"error: {problem}"))
        page.goto(address)
        page.locator(".board, .new").first.wait_for()
        return page

    yield open_tab
    for context in contexts:
        context.close()
    assert [line for line in said if not any(one and one in line for one in expected)] == []


def button(page: Any, name: str) -> Any:
    """A button that may be pressed."""
    return page.locator(".desk button:not([aria-disabled=true])", has_text=name).first


def stamp_of(page: Any) -> str:
    return str(page.locator(".play").get_attribute("data-stamp"))


def after(page: Any, act: Callable[[], Any]) -> None:
    """Do something, and wait until the game has gone on."""
    stamp = stamp_of(page)
    act()
    page.locator(f".play:not([data-stamp='{stamp}'])").wait_for()


def click_on(page: Any, kinds: tuple[str, ...] = FIRST) -> None:
    """Press what the first of these kinds is called here."""
    names = {
        "roll": "Throw the dice", "buy": "Buy it", "accept": "Accept", "end_turn": "End the turn",
        "bankrupt": "Declare bankruptcy",
    }  # fmt: skip
    for kind in kinds:
        if kind in ("mortgage", "sell"):
            work = page.locator(".kinds button:not([aria-disabled=true])", has_text=kind.title())
            if work.count():
                if work.first.get_attribute("aria-pressed") != "true":
                    work.first.click()
                after(page, page.locator(".work .lot").first.click)
                return
        elif kind == "pass":
            leave = page.locator(".plain button:not(.main):not([aria-disabled=true])")
            phase = page.locator(".play").get_attribute("data-asked")
            if leave.count() and phase in ("AUCTION", "BETWEEN", "RENT", "CLAIM"):
                after(page, leave.last.click)
                return
        elif button(page, names[kind]).count():
            after(page, button(page, names[kind]).click)
            return
    pick = page.locator(".desk .plain button:not([aria-disabled=true]), .desk .lot:not([disabled])")
    after(page, pick.first.click)


def play_to_the_end(page: Any) -> int:
    """Click until the game is over; how often."""
    clicks = 0
    while True:
        page.locator(".play:not([data-asked='nobody']), .over").first.wait_for()
        if page.locator(".over").count():
            return clicks
        click_on(page)
        clicks += 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "mode", "players", "seed"),
    [
        ("Monopoly", "standard", 2, 1),
        ("Kanto", "short game", 2, 3),
        ("Collector's Edition (US)", "time limit", 4, 2),
        ("Monopoly", "short game", 4, 1),
    ],
)
def test_a_whole_game_by_clicks(
    tab: Any, served: Served, edition: str, mode: str, players: int, seed: int
) -> None:
    page = tab(served.home)
    titles = page.get_by_label("Edition").locator("option").all_inner_texts()
    wanted = next(title for title in titles if edition in title)
    page.get_by_label("Edition").select_option(label=wanted)
    page.get_by_label("Mode").select_option(label=mode)
    page.get_by_label("Players").select_option(str(players))
    for letter in "BCD"[: players - 1]:
        page.get_by_label(f"Who plays {letter}").select_option("fixed_a")
    page.get_by_label("Bot speed").select_option("instant")
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Play").click()
    page.locator(".board").wait_for()
    assert play_to_the_end(page) > 30
    winner = "You" if served.game(page).winners[0] == "A" else "fixed_a"
    assert page.locator(".desk h2").inner_text() == f"{winner} won the game"
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the record").click()
    (record,) = read_records(saved.value.path())
    assert replay(record).over
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Watch the replay").click()
    opened.value.locator("#scrubber").wait_for()
    opened.value.get_by_role("link", name="Play on from here").click()
    opened.value.get_by_role("button", name="Play").click()
    opened.value.locator(".play").wait_for()
    assert served.game(opened.value).players == players


def test_a_deal_is_composed_and_accepted(tab: Any, served: Served) -> None:
    page = tab(served.begin(*["human"] * 4, position=RICH))
    page.get_by_role("button", name="Make a deal with D").click()
    composer = page.get_by_label("Your offer")
    offer = composer.get_by_role("button", name="Make the offer")
    assert offer.get_attribute("aria-disabled") == "true"
    page.locator(".pick[aria-label='Reading Railroad: give it']").click()  # on the board
    composer.get_by_role("button", name="Indiana Avenue").click()
    composer.get_by_role("button", name="Illinois Avenue").click()
    composer.get_by_label("cash of").nth(1).fill("9999")
    page.get_by_text("The other side does not have enough cash").wait_for()
    composer.get_by_label("cash of").nth(1).fill("")
    composer.get_by_label("cash of").nth(0).fill("137")
    assert "0 → 2 of 3" in composer.get_by_label("Effect on groups").inner_text()
    page.locator(".composer .chances").wait_for()
    after(page, offer.click)
    page.locator(PHASE.format("ANSWER")).wait_for()
    assert "2 → 0 of 3" in page.locator(".offered").inner_text()
    after(page, page.get_by_role("button", name="Accept").click)
    game = served.game(page)
    assert (game.owner("reading"), game.owner("indiana"), game.owner("illinois")) == ("D", "A", "A")
    assert game.cash[0] == 642 - 137


def test_an_auction_is_won_and_survives_a_reload(tab: Any, served: Served) -> None:
    page = tab(
        served.begin(
            "human", "human", position={"players": 2, "turn": "A", "A": {"at": "go"}}, seed=3
        )
    )
    after(page, button(page, "Throw the dice").click)
    if page.locator(".play").get_attribute("data-asked") != "BUY":
        pytest.fail(f"the throw leads to {page.locator('.desk h2').inner_text()}")
    after(page, button(page, "Auction it").click)
    after(page, button(page, "Bid $").click)
    page.reload()
    page.locator(PHASE.format("AUCTION")).wait_for()
    standing = served.game(page).state["bid"]
    field = page.get_by_label("Your bid")
    field.fill(str(standing + 57))
    page.get_by_text("Bids rise by fixed steps").wait_for()
    after(page, button(page, f"Bid ${standing + 50}").click)
    winner = 1 - served.game(page).actor_seat
    lot = int(served.game(page).state["lot_square"])
    after(page, button(page, "Leave the auction").click)
    assert served.game(page).state["owner"][lot] == winner
    assert f"pays the Bank ${standing + 50}" in page.locator(".since").inner_text()


def test_lots_are_built_on_by_clicking_the_board(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "fixed_a", "fixed_a", "fixed_a", position=RICH))
    page.locator(".kinds button", has_text="Build").click()
    assert page.locator(".refused-lot").count() == 3  # even building, and an incomplete group
    lot = page.locator(".pick[aria-label^='Build on Vermont Avenue']")
    after(page, lot.click)
    assert served.game(page).state["level"][8] == 3
    page.locator(".pick[aria-label^='Boardwalk']").click()
    card = page.locator(".deed")
    assert "mortgaged" in card.inner_text()
    assert card.locator("button[aria-disabled=true]").first.get_attribute("title")
    after(page, card.locator("button", has_text="Lift the mortgage").click)
    assert not int(served.game(page).state["mortgaged"]) >> 39 & 1


def test_a_debt_is_settled(tab: Any, served: Served) -> None:
    page = tab(
        served.begin("human", "fixed_a", "fixed_a", "fixed_a", position=DEBT, seed=TO_ORANGE)
    )
    after(page, button(page, "Throw the dice").click)
    page.locator(PHASE.format("DEBT")).wait_for()
    told = page.locator(".debt").inner_text()
    assert all(word in told for word in ("Owed", "Cash", "Short by", "Can be raised"))
    give_up = page.locator(".plain button", has_text="Declare bankruptcy")
    assert (
        give_up.get_attribute("title") == "The debt can be met by selling buildings and mortgaging"
    )
    while page.locator(PHASE.format("DEBT")).count():
        click_on(page, ("mortgage", "sell"))
    assert served.game(page).state["out"][0] == 0
    assert "A pays C $" in page.locator(".since").inner_text()


def test_a_bankruptcy_ends_the_game(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "fixed_a", position=RUIN, seed=TO_ORANGE))
    after(page, button(page, "Throw the dice").click)
    page.locator(PHASE.format("DEBT")).wait_for()
    after(page, button(page, "Declare bankruptcy").click)
    assert page.locator(".desk h2").inner_text() == "fixed_a won the game"


def test_two_tabs_of_a_seat_agree(tab: Any, served: Served) -> None:
    address = served.begin("human", "human")
    one, other = tab(address), tab(address)
    for _ in range(3):
        after(one, lambda: click_on(one))
        other.locator(f".play[data-stamp='{stamp_of(one)}']").wait_for()
        assert one.locator(".desk h2").inner_text() == other.locator(".desk h2").inner_text()
        after(other, lambda: click_on(other))
        one.locator(f".play[data-stamp='{stamp_of(other)}']").wait_for()


def test_each_person_has_a_link(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "human"))
    page.get_by_role("tab", name="Links").click()
    links = page.locator(".links a")
    assert links.count() == 3
    seats = [
        tab(links.nth(k).get_attribute("href").join([served.home.rstrip("/"), ""])) for k in (0, 1)
    ]
    asked = [one.locator(".play").get_attribute("data-asked") for one in seats]
    actor = served.game(page).actor_seat
    assert asked[actor] == "TURN"
    assert asked[1 - actor] == "nobody"
    after(seats[actor], button(seats[actor], "Throw the dice").click)
    seats[1 - actor].locator(f".play[data-stamp='{stamp_of(seats[actor])}']").wait_for()


def test_a_hint_is_taken_and_taken_back(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "fixed_a", "fixed_a", "fixed_a", position=RICH))
    page.get_by_label("Bot to ask").select_option("fixed_a")
    page.get_by_role("button", name="Hint from").click()
    page.locator(".told", has_text="because your win probability").wait_for()
    after(page, page.get_by_role("button", name="Do that").click)
    page.locator(".play:not([data-asked='nobody'])").wait_for()
    after(page, page.get_by_role("button", name="Take back").click)
    assert stamp_of(page).startswith("1.")


def test_chances_are_told_by_playing_on_at_a_button(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "fixed_a", position=RUIN))
    page.get_by_role("tab", name="Charts").click()
    page.get_by_role("button", name="Simulate from move 0").click()
    page.get_by_text("200 games by veteran").wait_for()
    told = page.locator(".played .legend b").all_inner_texts()
    assert sum(int(text.rstrip("%")) for text in told) == 100
    assert int(told[1].rstrip("%")) > 90  # B, who has the hotels


def test_keys_are_enough(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "human"))
    button(page, "Throw the dice").focus()
    after(page, lambda: page.keyboard.press("Enter"))
    page.wait_for_function("document.activeElement.closest('.desk') !== null")
    focused = page.evaluate("document.activeElement.innerText")
    assert focused
    after(page, lambda: page.keyboard.press("Enter"))


def serving(folder: Path, *options: str) -> tuple[subprocess.Popen[str], list[str]]:
    """monopoly-env play in a process of its own, and the addresses that it prints."""
    command = [
        sys.executable,
        "-m",
        "monopoly_training",
        "play",
        "--no-browser",
        "--games",
        str(folder),
        *options,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = 2 if "--agents" in options else 1
    return process, [process.stdout.readline().split()[0] for _ in range(lines)]


def test_a_server_that_is_killed_and_begun_again_has_lost_nothing(tab: Any, tmp_path: Path) -> None:
    process, (home, link) = serving(
        tmp_path, "--port", "0", "--agents", "human,fixed_a", "--seed", "5", "--pace", "0"
    )
    try:
        page = tab(link, expect="net::ERR_")
        for _ in range(4):
            page.locator(".play:not([data-asked='nobody'])").wait_for()
            click_on(page)
        page.locator(".play:not([data-asked='nobody'])").wait_for()
        before = stamp_of(page), page.locator(".desk h2").inner_text()
        process.send_signal(signal.SIGKILL)
        process.wait()
        page.locator(".note", has_text="does not answer").wait_for()
        port = re.search(r":(\d+)/", home)[1]  # type: ignore[index]
        process, _ = serving(tmp_path, "--port", port)
        page.locator(".note").wait_for(state="detached")
        assert (stamp_of(page), page.locator(".desk h2").inner_text()) == before
        click_on(page)
        page.locator(".play:not([data-asked='nobody'])").wait_for()
        assert stamp_of(page) != before[0]
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_window(tab: Any, served: Served, size: str, theme: str) -> None:
    addresses = [
        served.home,
        served.begin("human", "veteran", "strategist", "trader", position=RICH),
    ]
    for address in addresses:
        page = tab(address, size, color_scheme=theme)
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        assert page.evaluate("document.documentElement.dataset.theme") == theme
    page.get_by_role("button", name="Make a deal with D").click()
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


def test_the_smallest_edition_has_its_own_board(tab: Any, served: Served) -> None:
    page = tab(served.home)
    page.get_by_label("Edition").select_option("mini")
    assert page.get_by_label("Players").locator("option").all_inner_texts() == ["2"]
    page.get_by_label("Who plays B").select_option("fixed_a")
    page.get_by_label("Bot speed").select_option("instant")
    page.get_by_role("button", name="Play").click()
    page.locator(".play:not([data-asked='nobody'])").wait_for()
    names = page.locator(".pick title").all_text_contents()
    assert sorted(names) == ["Baltic Avenue", "Boardwalk", "Mediterranean Avenue"]
    assert page.locator(".players tbody tr").first.locator(".deeds i").count() == 3


def test_there_is_nothing_to_take_back_before_ones_first_move(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "human", seed=5))
    back = page.get_by_role("button", name="Take back")
    assert back.is_disabled()
    assert page.locator(".since summary").inner_text() == "What happened"
    after(page, button(page, "Throw the dice").click)
    assert back.is_enabled()
    assert page.locator(".since summary").inner_text() == "Since your last decision"
    after(page, back.click)
    assert back.is_disabled()


def test_what_others_decide_is_told_with_their_names(tab: Any, served: Served) -> None:
    page = tab(served.begin("human", "human", position=RUIN, seed=TO_ORANGE))
    (link,) = [one for one in served.links(page) if one["seats"] == [1]]
    other = tab(served.home.rstrip("/") + link["path"])
    other.get_by_text("car is about to throw").wait_for()
    after(page, button(page, "Throw the dice").click)
    page.locator(PHASE.format("DEBT")).wait_for()
    other.get_by_text("car owes B $").wait_for()


def test_buttons_that_can_be_pressed_come_before_grayed_ones(tab: Any, served: Served) -> None:
    jailed = {**RICH, "A": {**MIDDLE["A"], "at": "jail", "jail": 1}}
    page = tab(served.begin("human", "fixed_a", "fixed_a", "fixed_a", position=jailed))
    page.get_by_text("Play a Get Out of Jail Free card").wait_for()
    grayed = (
        page.locator(".plain")
        .first.locator("button")
        .evaluate_all("all => all.map(one => one.getAttribute('aria-disabled') === 'true')")
    )
    assert True in grayed
    assert grayed == sorted(grayed)


def test_a_long_sign_of_money_has_room(tab: Any, served: Served) -> None:
    for size in SIZES:
        page = tab(served.begin("human", "fixed_a", edition="random:train:17"), size)
        page.locator(".players tbody tr").first.wait_for()
        wider = page.locator(".players td").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
        )
        assert wider == []

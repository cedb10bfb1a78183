"""Pictures as SVG: everything of a position is in them, whatever the edition's names are."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import monopoly_env
from monopoly_env import Game
from monopoly_env.editions import Edition, editions, load_edition
from monopoly_env.engine.board import DEEDS, GROUP_IDS, HOTEL, SPACE_IDS, SPACES
from monopoly_env.errors import InputError
from monopoly_env.notation import LETTERS
from monopoly_env.render.board_data import Box, board_data
from monopoly_env.render.fitting import FONTS, LINE, fit, metrics, width_of
from monopoly_env.render.picture import draw
from monopoly_env.render.scene import scene_of
from monopoly_env.render.squares import parts_of, token_grid
from monopoly_env.view import View
from tests.game.random_play import play_randomly

SVG = "{http://www.w3.org/2000/svg}"
RULES = {"max_players": 8, "free_parking_jackpot": True}


def parsed(game: Game, **options: object) -> ET.Element:
    return ET.fromstring(monopoly_env.svg(game, **options))  # type: ignore[arg-type]


def check(game: Game, root: ET.Element) -> None:
    """Owners, buildings, tokens, players, the pot and the decision are drawn."""
    state = game.state
    for square in range(SPACES):
        here = root.findall(f".//*[@data-square='{SPACE_IDS[square]}']")
        assert len(here) == 1
        owner = int(state["owner"][square]) if square in DEEDS else -1
        assert here[0].get("data-owner") == (LETTERS[owner] if owner >= 0 else "")
        level = int(state["level"][square])
        kinds = [part.get("data-building") for part in here[0].findall(".//*[@data-building]")]
        assert kinds == (["hotel"] if level == HOTEL else ["house"] * level)
    tokens = [part.get("data-token") for part in root.findall(".//*[@data-token]")]
    assert sorted(map(str, tokens)) == [hand.player for hand in game.hands() if not hand.out]
    players = [part.get("data-player") for part in root.findall(".//*[@data-player]")]
    assert players == list(LETTERS[: game.players])
    assert len(root.findall(".//*[@data-pot]")) == bool(state["pot"])
    assert root.findall(".//*[@data-decision]")[0].get("data-decision") == (game.actor or "")


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("players", [2, 4, 8])
def test_everything_of_a_position_is_drawn(edition: str, players: int) -> None:
    game = Game(edition, players, seed=players, rules=RULES)
    for number, _ in enumerate(play_randomly(game, 500)):
        if number % 25 == 0 or game.over:
            size = ((800, 800), (400, 400), (1280, 720), (390, 844))[number // 25 % 4]
            check(game, parsed(game, size=size, theme=("light", "dark")[number % 2]))


def test_a_smaller_board_leaves_the_other_squares_blank() -> None:
    game = Game("mini", 2, seed=7)
    root = parsed(game)
    drawn = [
        square
        for square in range(SPACES)
        if root.findall(f".//*[@data-square='{SPACE_IDS[square]}']//{SVG}text")
    ]
    assert drawn == list(game.edition.route)
    board = str(game).splitlines()[1:23]
    named = {game.edition.names.space(square)[:8] for square in game.edition.route}
    assert {name for name in named if any(name in line for line in board)} == named
    assert not any("Oriental"[:8] in line or "Park Pla" in line for line in board)


def test_every_phase_has_its_words() -> None:
    wanted = {"AUCTION", "BUY", "DEBT", "DEAL", "ANSWER", "RENT", "END", "BETWEEN", "TURN"}
    seen: set[str] = set()
    for seed in range(20):
        game = Game("classic", 2 + seed % 2, seed=seed, rules=RULES | {"rent_asked": True})
        for _ in play_randomly(game, 1000):
            if game.phase.name not in seen:
                seen.add(game.phase.name)
                check(game, parsed(game))
                decision = scene_of(game.state.reshape(1), game.edition).decision
                assert decision.headline
                assert decision.actor == game.actor_seat
        if wanted <= seen:
            break
    assert wanted <= seen


def test_a_deal_shows_both_sides() -> None:
    game = Game.from_position(
        {
            "players": 2,
            "turn": "A",
            "A": {"deeds": ["virginia"], "cash": 500},
            "B": {"deeds": ["oriental"]},
        },
        seed=1,
    )
    for action in ("deal:B", "give:virginia", "ask:oriental"):
        game.play(action)
    sides = parsed(game).findall(".//*[@data-gives]")
    assert [(side.get("data-gives"), side.get("data-items")) for side in sides] == [
        ("A", "Virginia Avenue"),
        ("B", "Oriental Avenue"),
    ]


def renamed(edition: Edition, name: str) -> Edition:
    """An edition in which everything has one name."""
    names = replace(
        edition.names,
        spaces=(name,) * SPACES,
        tokens=(name,) * 8,
        decks=(name,) * 2,
        groups=(name,) * 10,
        symbol=name[:3],
        house=name,
        hotel=name,
    )
    return replace(edition, names=names, title=name)


@pytest.mark.parametrize(
    "name",
    [
        "<b>&\"'</b>",
        "]]>",
        "\x00\x07\x1b",
        "\ud800",
        "Ω ж é ß ₽",
        "東京",
        "",
        " ",
        "x" * 300,
        "&amp;",
    ],
)
def test_any_name_is_drawn(name: str) -> None:
    game = Game(renamed(load_edition(), name), 4, seed=1)
    for _ in play_randomly(game, 60):
        pass
    for size in ((800, 800), (400, 400), (1280, 720), (300, 900)):
        text = draw(game.state.reshape(1), game.edition, game.journal(), size=size).svg()
        ET.fromstring(text.encode())
        assert "<b>" not in text


@lru_cache(maxsize=1)
def tricky_names() -> tuple[str, ...]:
    rng = np.random.default_rng(1)
    letters = "abc defghi WWW iiii-Mm."
    made = ["".join(rng.choice(list(letters), rng.integers(1, 60))) for _ in range(200)]
    return tuple(name for id_ in editions() for name in load_edition(id_).names.spaces) + tuple(
        made
    )


def test_names_stay_in_their_boxes() -> None:
    board = board_data()
    detail = board.details["full"]
    for square in range(SPACES):
        if board.edges[square] == "corner":
            continue
        box = parts_of(board, detail, square, square in DEEDS).name
        for name in tricky_names():
            fitted = fit(name, box.w, box.h, detail.name, detail.least)
            assert len(fitted.lines) * fitted.size * LINE <= box.h
            assert all(width_of(line, fitted.size) <= box.w for line in fitted.lines)


def test_all_text_of_built_in_editions_is_whole() -> None:
    for id_ in editions():
        for square, name in enumerate(load_edition(id_).names.spaces):
            board = board_data()
            if board.edges[square] == "corner":
                continue
            box = parts_of(board, board.details["full"], square, square in DEEDS).name
            assert "…" not in "".join(fit(name, box.w, box.h, 12.5, 7).lines), name


def test_parts_of_a_square_lie_inside_it_and_apart() -> None:
    board = board_data()
    for detail in board.details.values():
        for square in range(SPACES):
            if board.edges[square] == "corner":
                continue
            parts = parts_of(board, detail, square, banded=True)
            boxes = [parts.name, parts.tokens, parts.foot, parts.band]
            whole = board.boxes[square]
            for k, box in enumerate(boxes):
                assert box is not None
                assert whole.x <= box.x
                assert whole.y <= box.y
                assert box.x + box.w <= whole.x + whole.w + 0.01
                assert box.y + box.h <= whole.y + whole.h + 0.01
                for other in boxes[k + 1 :]:
                    assert other is not None
                    assert not overlap(box.inset(1), other.inset(1))


def overlap(a: Box, b: Box) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h


@pytest.mark.parametrize("count", range(1, 9))
def test_tokens_fit_side_by_side(count: int) -> None:
    board = board_data()
    for detail in board.details.values():
        for square in (1, 11, 21, 31):
            box = parts_of(board, detail, square, banded=True).tokens
            radius, columns = token_grid(count, box.w, box.h)
            rows = -(-count // columns)
            assert radius >= 6
            assert columns * 2 * radius + (columns - 1) * 2 <= box.w + 0.01
            assert rows * 2 * radius + (rows - 1) * 2 <= box.h + 0.01


def test_board_data_is_whole() -> None:
    board = board_data()
    assert set(board.groups) == set(GROUP_IDS)
    light, dark = board.themes.values()
    assert set(light) == set(dark)
    assert len(board.seats) == len(LETTERS)
    assert len(board.boxes) == SPACES
    assert sum(box.w * box.h for box in board.boxes) == pytest.approx(1000**2 - 740**2, rel=1e-3)


def luminance(color: str) -> float:
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_text_can_be_read_on_its_ground() -> None:
    board = board_data()
    for seat in board.seats:
        assert contrast(seat.fill, seat.ink) >= 4.5, seat
    for theme in board.themes.values():
        for ground in ("board", "square", "panel", "turn", "mortgaged"):
            for ink in ("ink", "muted"):
                assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)


def test_metrics_are_those_of_the_fonts() -> None:
    fonts = pytest.importorskip("fontTools.ttLib", reason="fonttools comes with matplotlib")
    data = json.loads((FONTS / "metrics.json").read_text(encoding="utf-8"))
    for name in ("Regular", "Bold"):
        font = fonts.TTFont(FONTS / f"Inter-{name}.otf")
        widths = {chr(c): font["hmtx"][g][0] for c, g in font.getBestCmap().items()}
        assert data["advances"][name.lower()] == widths
    assert metrics()[0] == pytest.approx(data["capital"] / data["units"])


def test_what_can_be_drawn(tmp_path: Path) -> None:
    game = Game(players=2, seed=7)
    file = tmp_path / "position.yaml"
    file.write_text(game.to_yaml(), encoding="utf-8")
    whole = monopoly_env.svg(game)
    assert game._repr_svg_() == whole
    assert monopoly_env.svg(View.of(game)).count("data-square") == SPACES
    assert monopoly_env.svg(game.position()).count("data-square") == SPACES
    assert monopoly_env.svg(file).count("data-square") == SPACES
    assert monopoly_env.svg(game, highlight=["boardwalk", 3]) != whole
    assert monopoly_env.svg(game, highlight="boardwalk") == monopoly_env.svg(game, highlight=[39])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"size": 10}, "size: must be pixels from 200 to 4096"),
        ({"size": (800,)}, "size: must be pixels"),
        ({"size": "big"}, "size: must be pixels"),
        ({"size": (800, 1e9)}, "size: must be pixels"),
        ({"size": True}, "size: must be pixels"),
        ({"theme": "sepia"}, "theme: must be one of light, dark, not 'sepia'"),
        ({"theme": None}, "theme: must be one of light, dark"),
        ({"highlight": ["bordwalk"]}, "highlight: no space 'bordwalk'; did you mean 'boardwalk'"),
        ({"highlight": [40]}, "highlight: "),
        ({"highlight": 3.5}, "highlight: "),
    ],
)
def test_odd_arguments(options: dict[str, object], says: str) -> None:
    with pytest.raises(InputError) as raised:
        monopoly_env.svg(Game(players=2, seed=7), **options)  # type: ignore[arg-type]
    assert str(raised.value).startswith(says)
    assert "\n" not in str(raised.value)

"""A position as text, with the edition's names."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from monopoly_env import Game
from monopoly_env.render.board_text import map_lines
from tests.game.random_play import play_randomly


@pytest.mark.parametrize("edition", ["classic", "pokemon_fr2000", "yugioh2016"])
def test_print_a_position(edition: str) -> None:
    game = Game(edition, players=4, seed=2, rules={"houses": 4, "rent_asked": True})
    for _ in play_randomly(game, 600):
        lines = str(game).splitlines()
        assert max(map(len, lines)) <= 100
        assert any(line.startswith(f"{game.actor} decides ({game.phase.name})") for line in lines)
    assert game.status() == 0


def test_the_map_shows_owners_buildings_and_tokens() -> None:
    position = {
        "players": 3,
        "turn": "B",
        "A": {"deeds": ["park_place", "boardwalk"], "buildings": {"park_place": 4, "boardwalk": 5}},
        "B": {"deeds": ["reading*"], "at": "boardwalk"},
        "C": {"jail": 1, "at": "jail"},
    }
    lines = str(Game.from_position(position, seed=1)).splitlines()
    assert lines[0].startswith("Monopoly: turn")
    assert lines[1].startswith("Free Par Kentucky")
    park_place = next(k for k, line in enumerate(lines) if line.endswith(" Park Pla"))
    assert lines[park_place + 1].endswith(" A4")
    assert lines[park_place + 5].endswith(" AH @B")
    assert lines[21].startswith("Jail / J")
    assert lines[22].startswith("(C)")
    assert "B*" in lines[22]
    assert lines[22].endswith("@A")


def test_rich_prints_color_only_where_there_is_some(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(players=2, seed=7)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[38;2;" in printed(game, force_terminal=True, color_system="truecolor")
    plain = [line.rstrip() for line in printed(game).splitlines()]
    assert plain == [*str(game).splitlines(), *(f"> {event}" for event in game.journal())]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[38" not in printed(game, force_terminal=True, color_system="truecolor")


def printed(game: Game, **options: object) -> str:
    out = io.StringIO()
    Console(file=out, width=60, **options).print(game, soft_wrap=True)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize("name", ["", "[bold]x[/]", "東京駅" * 9, "x" * 200])
def test_a_map_of_odd_names_is_as_wide_as_others(name: str) -> None:
    game = Game(players=2, seed=7)
    names = replace(game.edition.names, spaces=(name,) * 40)
    edition = replace(game.edition, names=names)
    assert {len(line) <= 98 for line in map_lines(game.state, edition)} == {True}

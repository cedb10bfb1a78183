"""Draw the pictures of README and docs: ``make pictures``."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from monopoly_env import Game, svg
from monopoly_env.agent import make_agent
from monopoly_env.extras import need
from monopoly_env.playing import GameLoop
from monopoly_env.records.record import RECORD
from monopoly_env.render.pixels import to_png
from monopoly_training.reference.play_picture import play_picture
from monopoly_training.tournament.config import load_tournament_config
from monopoly_training.tournament.plots import draw_head_to_head
from monopoly_training.tournament.tournament import play_tournament
from monopoly_training.web.image_export import Look, Span, write_gif

FOLDER = Path("docs/pictures")
COLORS = 128  # palette size of a file; the drawing uses fewer colors plus antialiased edges

MIDDLE: dict[str, Any] = {
    "players": 4,
    "turn": "B",
    "A": {
        "cash": 642,
        "at": "bno",
        "deeds": "oriental vermont connecticut reading bno boardwalk*".split(),
        "buildings": {"oriental": 3, "vermont": 2, "connecticut": 3},
    },
    "B": {
        "cash": 1127,
        "at": "electric",
        "deeds": "virginia st_charles kentucky marvin water".split(),
    },
    "C": {
        "cash": 208,
        "at": "new_york",
        "deeds": "st_james tennessee new_york short_line".split(),
        "buildings": {"st_james": 5, "tennessee": 4, "new_york": 5},
    },
    "D": {
        "cash": 873,
        "jail": 1,
        "at": "jail",
        "deeds": "states indiana illinois park_place* electric".split(),
    },
}
OFFER = "roll deal:D give:kentucky give_cash:100 ask:states ask:illinois offer".split()
BOTS = ("strategist", "fixed_a", "fixed_b", "veteran")
WATCHED_SEED = 35  # a short game between these bots, with many houses
WATCHED = Span(every=22, fps=2.5)  # the whole game in 10 seconds
FILM_SIZE = 560  # pixels; smaller boards have no names
DEALERS = ("trader", "strategist", "veteran", "fixed_b")
DEALING_SEED = 3
TOURNAMENT: dict[str, object] = {
    "agents": ["strategist", "fixed_a", "fixed_b", "fixed_c", "background", "random"],
    "format": "round_robin",
    "seats": 3,
    "games": 400,
    "records": 0,
}
BIDS = "roll auction open raise:50 raise:20 pass raise:10".split()


def played(actions: Sequence[str], seed: int) -> Game:
    """Return the game after some actions."""
    game = Game.from_position(MIDDLE, seed=seed)
    for action in actions:
        game.play(action)
    return game


def write_pictures(folder: Path = FOLDER) -> list[Path]:
    """Draw all pictures. Raises: MissingExtra."""
    folder.mkdir(parents=True, exist_ok=True)
    offer, auction = played(OFFER, seed=7), played(BIDS, seed=17)
    drawings = {
        "board-light": svg(offer),
        "board-dark": svg(offer, theme="dark"),
        "auction": svg(auction, size=(1280, 720)),
    }
    written = []
    for name, drawing in drawings.items():
        path = folder / f"{name}.png"
        path.write_bytes(smaller(to_png(drawing)))
        written.append(path)
    written += [write_deal(folder / "deal.png"), write_head_to_head(folder / "head-to-head.png")]
    play = folder / "play.png"
    play.write_bytes(smaller(play_picture(MIDDLE)))
    return [*written, play, write_film(folder / "replay.gif")]


def write_deal(path: Path) -> Path:
    """Draw the first swap of deeds that the trader proposes and another bot accepts."""
    game = Game(players=len(DEALERS), seed=DEALING_SEED)
    loop = GameLoop(game, [make_agent(bot) for bot in DEALERS])
    before = game.copy()
    while not (loop.step() == "accept" and is_swap_by(before, DEALERS.index("trader"))):
        before = game.copy()
    path.write_bytes(smaller(to_png(svg(before, size=(1280, 720)))))
    return path


def is_swap_by(game: Game, seat: int) -> bool:
    """Return whether the pending offer is from ``seat``, with deeds on both sides."""
    state = game.state
    return bool(state["proposer"] == seat and state["deal_give"] and state["deal_ask"])


def write_head_to_head(path: Path) -> Path:
    """Draw the head-to-head results of a small tournament."""
    with TemporaryDirectory() as folder:
        config = load_tournament_config(None, TOURNAMENT)
        result = play_tournament(config, Path(folder))
        draw_head_to_head(result, path)
    path.write_bytes(smaller(path.read_bytes()))
    return path


def write_film(path: Path) -> Path:
    """Draw the animation of the README."""
    game = Game(players=len(BOTS), seed=WATCHED_SEED)
    GameLoop(game, [make_agent(bot) for bot in BOTS]).play()
    write_gif(game.record(BOTS), RECORD, path, Look(FILM_SIZE), WATCHED, lambda _: None)
    return path


def smaller(png: bytes) -> bytes:
    """Reduce a PNG to a small palette."""
    image = need("make pictures", "PIL.Image").open(BytesIO(png)).convert("RGB")
    out = BytesIO()
    image.quantize(COLORS, dither=0).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    write_pictures()

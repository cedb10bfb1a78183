"""SVG pictures of games, for notebooks, pages and files."""

from __future__ import annotations

from collections.abc import Iterable

from monopoly_env.game import Game
from monopoly_env.position.document import Source
from monopoly_env.render.picture import Size, draw
from monopoly_env.view import View


def svg(
    game: Game | View | Source,
    *,
    highlight: Iterable[str | int] | None = None,
    size: Size = 800,
    theme: str = "light",
) -> str:
    """Return an SVG picture of a position: the board, the players, and the current decision.

    Games display themselves in notebooks. Use this function for files, other sizes and the dark
    theme. The font is Inter, with fallbacks.

    >>> import monopoly_env
    >>> game = monopoly_env.Game(players=2, seed=7)
    >>> picture = monopoly_env.svg(game, highlight=["boardwalk"], size=(1280, 720), theme="dark")
    >>> picture[:73]
    '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox'

    Args:
        game: a :class:`monopoly_env.Game`, a bot's View, or a position (a mapping, or the path of
            a YAML file).
        highlight: spaces to frame, by id or number. None frames the spaces of the current
            decision, an empty list none.
        size: the side of a square picture in pixels, or (width, height). Wide and tall pictures
            show the players next to the board. Below 560 pixels, the squares have no names.
        theme: ``light`` or ``dark``.

    Raises: InputError, one line that names the parameter; PositionError.
    """
    if isinstance(game, View):
        shown, edition, events = game.games, game.edition, tuple(map(str, game.events))
    else:
        if not isinstance(game, Game):
            game = Game.from_position(game)
        shown, edition = game.state.reshape(1), game.edition
        events = tuple(map(str, game.journal()))
    return draw(shown, edition, events, highlight, size, theme).svg()

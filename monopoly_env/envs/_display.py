"""What ``render()`` returns: text, pixels, or None while a window shows the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger

from monopoly_env.envs.checks import RenderModeError, check_word
from monopoly_env.errors import MissingExtra, show
from monopoly_env.extras import need
from monopoly_env.game import Game

MODES = ("ansi", "rgb_array", "human")
FRAMES_PER_SECOND = 5  # one frame per decision
Frame = npt.NDArray[np.uint8]


class Display:
    """Shows games in an environment's render mode: ``ansi``, ``rgb_array``, ``human``, or None.

    The drawing packages are imported with the first frame. Copies and pickles exclude the window.
    """

    def __init__(self, mode: object, size: object, theme: str) -> None:
        if mode is not None and not (isinstance(mode, str) and mode in MODES):
            RenderModeError.at("render_mode").fail(
                f"must be one of {', '.join(MODES)}, or None, not {show(mode)}"
            )
        self.mode = mode
        check_word("render_theme", theme, ("light", "dark"))
        self._theme = theme
        self._window: Any = None
        self._size: Any = size
        self.is_watched = mode == "human"
        if mode in ("rgb_array", "human"):
            self._size = self._check(size)

    def _check(self, size: object) -> tuple[int, int]:
        """Check the size and the needed packages. Raises: InputError, RenderModeError."""
        from monopoly_env.render.picture import check_size

        try:
            for package in ("resvg_py", "PIL.Image", *(("pygame",) if self.is_watched else ())):
                need(f"render_mode {self.mode}", package)
        except MissingExtra as problem:
            raise RenderModeError(str(problem)) from None
        return check_size(size, "render_size")

    def render(self, game: Game) -> str | Frame | None:
        """Return a game as text or pixels; in the mode ``human``, show it and return None."""
        if self.mode is None:
            logger.warn(f"render() gives nothing without a render mode: {', '.join(MODES)}")
            return None
        if self.mode == "ansi":
            return str(game)
        if self.mode == "human":
            self.show(game)
            return None
        return self.frame(game)

    def frame(self, game: Game) -> Frame:
        """Return a picture of a game, uint8[height, width, 3]."""
        from monopoly_env.render.picture import draw
        from monopoly_env.render.pixels import to_pixels

        games = game.state.reshape(1)
        return to_pixels(draw(games, game.edition, size=self._size, theme=self._theme))

    def show(self, game: Game) -> None:
        """Show a game in the window for the duration of a frame."""
        if self._window is None:
            from monopoly_env.render.window import Window

            self._window = Window(FRAMES_PER_SECOND)
        if not self._window.is_closed:
            self._window.show(self.frame(game))

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}

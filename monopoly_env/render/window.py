"""A window that shows frames, using pygame-ce; works headless with SDL_VIDEODRIVER=dummy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.extras import need

CAPTION = "monopoly-env"


class Window:
    """A window that opens with the first frame, and stays closed once a user has closed it."""

    def __init__(self, frames_per_second: float) -> None:
        self.is_closed = False
        self._rate = frames_per_second
        self._pygame: Any = None
        self._screen: Any = None
        self._clock: Any = None

    def show(self, frame: npt.NDArray[np.uint8]) -> None:
        """Show a frame, uint8[height, width, 3], for its duration. Raises: MissingExtra."""
        if self.is_closed:
            return
        height, width, _ = frame.shape
        if self._screen is None:
            self._open(width, height)
        pygame = self._pygame
        surface = pygame.image.frombuffer(frame.tobytes(), (width, height), "RGB")
        self._screen.blit(surface, (0, 0))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        self._clock.tick(self._rate)

    def _open(self, width: int, height: int) -> None:
        pygame = self._pygame = need("render_mode human", "pygame")
        pygame.display.init()
        pygame.display.set_caption(CAPTION)
        self._screen = pygame.display.set_mode((width, height))
        self._clock = pygame.time.Clock()

    def close(self) -> None:
        """Close the window permanently."""
        if self._screen is not None:
            self._pygame.display.quit()
        self._screen = None
        self.is_closed = True

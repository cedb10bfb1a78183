"""Renders pictures to pixels: resvg draws the SVG with the fonts of this package.

A frame is composed of tiles, such as a square or a player's row. Few of them change from one
decision to the next; the others are cached.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.extras import need
from monopoly_env.render.canvas import Picture
from monopoly_env.render.fitting import FONTS

WHAT = "render_mode rgb_array, and human"
KEPT = 600  # cached tiles, about 20 MB at 800 × 800
FONT_FILES = [str(FONTS / name) for name in ("Inter-Regular.otf", "Inter-Bold.otf")]


def to_png(svg: str) -> bytes:
    """Render an SVG document as PNG. Raises: MissingExtra."""
    resvg = need(WHAT, "resvg_py")
    return bytes(resvg.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=FONT_FILES))


@lru_cache(maxsize=KEPT)
def _tile(svg: str) -> Any:
    """Return a tile as a Pillow image with transparency."""
    image = need(WHAT, "PIL.Image")
    return image.open(BytesIO(to_png(svg))).convert("RGBA")


def to_pixels(picture: Picture) -> npt.NDArray[np.uint8]:
    """Render a picture as uint8[height, width, 3]. Raises: MissingExtra."""
    image = need(WHAT, "PIL.Image")
    frame = image.new("RGBA", (picture.width, picture.height))
    for left, top, svg in picture.tile_svgs():
        frame.alpha_composite(_tile(svg), (left, top))
    return np.array(frame.convert("RGB"))

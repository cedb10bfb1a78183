"""Pictures as pixels: SVG drawn by resvg with the fonts of this package, not the machine's.

A frame is put together from tiles, such as a square or a player's row. From one decision to the
next few of them change, and the others are kept.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.errors import MissingExtra
from monopoly_env.render.canvas import Picture
from monopoly_env.render.fitting import FONTS

WHAT = "render_mode rgb_array, and human"
KEPT = 600  # tiles; they take some 20 MB at 800 × 800
FONT_FILES = [str(FONTS / name) for name in ("Inter-Regular.otf", "Inter-Bold.otf")]


def need(package: str, what: str) -> Any:
    """A package of the extra ``render``. Raises: MissingExtra, one line that says what to install."""
    try:
        return import_module(package)
    except ImportError as problem:
        raise MissingExtra(
            f"{what}: needs {package.partition('.')[0]}, which cannot be imported ({problem}); "
            "install it with: pip install 'monopoly-env[render]'"
        ) from None


def to_png(svg: str) -> bytes:
    """An SVG file drawn as PNG. Raises: MissingExtra."""
    resvg = need("resvg_py", WHAT)
    return bytes(resvg.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=FONT_FILES))


@lru_cache(maxsize=KEPT)
def _tile(svg: str) -> Any:
    """A tile as an image of Pillow's, with transparency."""
    image = need("PIL.Image", WHAT)
    return image.open(BytesIO(to_png(svg))).convert("RGBA")


def to_pixels(picture: Picture) -> npt.NDArray[np.uint8]:
    """A picture as uint8[height, width, 3]. Raises: MissingExtra."""
    image = need("PIL.Image", WHAT)
    frame = image.new("RGBA", (picture.width, picture.height))
    for left, top, svg in picture.tile_svgs():
        frame.alpha_composite(_tile(svg), (left, top))
    return np.array(frame.convert("RGB"))

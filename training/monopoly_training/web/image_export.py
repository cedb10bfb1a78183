"""Pictures of a recorded game: one moment as SVG or PNG, many as a GIF or an MP4."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.errors import InputError, Location
from monopoly_env.extras import need, require
from monopoly_env.game import Game
from monopoly_env.pictures import svg
from monopoly_env.render.picture import check_size, check_theme, draw
from monopoly_env.render.pixels import to_pixels, to_png
from monopoly_env.replay import replay_steps
from monopoly_training.common.files import whole_file, write_atomic

MOST_FRAMES = 240  # unless the moves to show are given
COLORS = 128  # in a GIF; the drawing has fewer, plus the blends at edges
SAMPLES = 6  # frames from which its colors are chosen
MOST_PIXELS = 500_000_000  # over all frames of a GIF
LAST = 3.0  # seconds that the last frame stays
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Look:
    """Size and theme of pictures."""

    size: int = 800  # side length in pixels
    theme: str = "light"

    def check(self) -> None:
        """Check the options. Raises: InputError that names the option."""
        check_size(self.size, "--size")
        check_theme(self.theme, "--theme")


@dataclass(frozen=True)
class Span:
    """The moments that a film shows, and its speed."""

    first: int = 0
    last: int | None = None  # None: the end
    every: int | None = None  # None: chosen to show at most MOST_FRAMES
    fps: float = 5.0

    def moments(self, end: int) -> list[int]:
        """Return the moments in order, with the last one.

        Raises: InputError that names the option.
        """
        last = end if self.last is None else self.last
        if not 0 <= last <= end:
            InputError.at("--to").fail(f"must be a move from 0 to {end}, not {last}")
        if not 0 <= self.first <= last:
            InputError.at("--from").fail(f"must be a move from 0 to {last}, not {self.first}")
        every = self.every or max(1, -(-(last - self.first + 1) // MOST_FRAMES))
        shown = list(range(self.first, last + 1, every))
        return shown if shown[-1] == last else [*shown, last]


def game_at(record: Mapping[str, Any], moment: int, location: Location, option: str) -> Game:
    """Return the game after ``moment`` actions.

    Raises: RecordError, InputError naming the option.
    """
    if moment > len(record["actions"]):
        InputError.at(option).fail(
            f"must be a move from 0 to {len(record['actions'])}, not {moment}"
        )
    return next(islice(replay_steps(record, location), moment, None))[0]


def write_svg(game: Game, path: Path, look: Look) -> None:
    """Write one moment as SVG."""
    write_atomic(path, svg(game, size=look.size, theme=look.theme))


def write_png(game: Game, path: Path, look: Look) -> None:
    """Write one moment as PNG. Raises: MissingExtra."""
    require("--png", "resvg_py")
    write_atomic(path, to_png(svg(game, size=look.size, theme=look.theme)))


def frames(
    record: Mapping[str, Any],
    location: Location,
    moments: list[int],
    look: Look,
    log: Callable[[str], None],
) -> Iterator[Pixels]:
    """Yield pictures of some moments, uint8[size, size, 3]. Raises: RecordError, MissingExtra."""
    wanted = iter(moments)
    moment = next(wanted)
    events: list[str] = []  # since the last picture
    for number, (game, _) in enumerate(replay_steps(record, location, check=False)):
        events += [str(event) for event in game.journal()]
        if number == moment:
            log(f"drawing move {moment:,} of {moments[-1]:,}")
            picture = draw(game.state.reshape(1), game.edition, events, None, look.size, look.theme)
            yield to_pixels(picture)
            events = []
            moment = next(wanted, -1)
            if moment < 0:
                return


def write_gif(
    record: Mapping[str, Any],
    location: Location,
    path: Path,
    look: Look,
    span: Span,
    log: Callable[[str], None],
) -> None:
    """Write a looping GIF. Raises: MissingExtra, RecordError, InputError."""
    image = need("--gif", "PIL.Image")
    moments = span.moments(len(record["actions"]))
    _check_memory(len(moments), look.size)
    sample = moments[:: max(1, len(moments) // SAMPLES)]
    palette = _palette(image, list(frames(record, location, sample, look, log)))
    few = [
        image.fromarray(one).quantize(palette=palette, dither=0)
        for one in frames(record, location, moments, look, log)
    ]
    log("packing")
    pace = 1000 / span.fps
    times = [*[pace] * (len(few) - 1), pace + LAST * 1000]
    with whole_file(path) as file:
        few[0].save(
            file,
            "GIF",
            save_all=True,
            append_images=few[1:],
            duration=[round(one) for one in times],
            loop=0,
            optimize=True,
        )


def _check_memory(count: int, size: int) -> None:
    """Raise InputError if the GIF has too many pixels to assemble in memory."""
    if count * size * size > MOST_PIXELS:
        InputError.at("--gif").fail(
            f"{count:,} frames of {size} × {size} pixels are more than it can hold; give a smaller "
            "--size or a larger --every, or write an --mp4"
        )


def _palette(image: Any, pictures: list[Pixels]) -> Any:
    """Return a palette for all frames, chosen from a few of them side by side."""
    return image.fromarray(np.concatenate(pictures, axis=1)).quantize(COLORS, dither=0)


def write_mp4(
    record: Mapping[str, Any],
    location: Location,
    path: Path,
    look: Look,
    span: Span,
    log: Callable[[str], None],
) -> None:
    """Write an MP4 (H.264). Raises: MissingExtra, RecordError, InputError."""
    ffmpeg = need("--mp4", "imageio_ffmpeg")
    side = look.size - look.size % 2  # H.264 needs an even size
    moments = span.moments(len(record["actions"]))
    working = path.with_name(f"{path.name}.part.mp4")
    writer = ffmpeg.write_frames(
        str(working), (side, side), fps=span.fps, macro_block_size=2, ffmpeg_log_level="quiet"
    )
    try:
        writer.send(None)
        pixels: Pixels | None = None
        for pixels in frames(record, location, moments, Look(side, look.theme), log):
            writer.send(np.ascontiguousarray(pixels))
        for _ in range(round(LAST * span.fps)):
            writer.send(np.ascontiguousarray(pixels))
        writer.close()
        working.replace(path)
    except OSError as problem:
        said = str(problem).strip().partition("\n")[0] or type(problem).__name__
        InputError.at(f"--mp4 {path}").fail(f"ffmpeg could not write it: {said}")
    finally:
        working.unlink(missing_ok=True)

"""A recorded game as pictures: one moment as SVG or PNG, many as a GIF or an MP4."""

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

MOST_FRAMES = 240  # unless it is said which moves are shown
COLORS = 128  # of a GIF; the drawing has fewer, and edges between them
SAMPLES = 6  # frames that its colors are chosen from
MOST_PIXELS = 500_000_000  # of all frames of a GIF
LAST = 3.0  # seconds that the end stays
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Look:
    """How pictures look."""

    size: int = 800  # pixels, the side
    theme: str = "light"

    def check(self) -> None:
        """Raises: InputError that names the option."""
        check_size(self.size, "--size")
        check_theme(self.theme, "--theme")


@dataclass(frozen=True)
class Span:
    """Which moments a film shows, and how fast."""

    first: int = 0
    last: int | None = None  # None: the end
    every: int | None = None  # None: so that there are at most MOST_FRAMES
    fps: float = 5.0

    def moments(self, end: int) -> list[int]:
        """The moments in order, the last one always. Raises: InputError that names the option."""
        last = end if self.last is None else self.last
        if not 0 <= last <= end:
            InputError.at("--to").fail(f"must be a move from 0 to {end}, not {last}")
        if not 0 <= self.first <= last:
            InputError.at("--from").fail(f"must be a move from 0 to {last}, not {self.first}")
        every = self.every or max(1, -(-(last - self.first + 1) // MOST_FRAMES))
        shown = list(range(self.first, last + 1, every))
        return shown if shown[-1] == last else [*shown, last]


def game_at(record: Mapping[str, Any], moment: int, location: Location, option: str) -> Game:
    """The game after so many actions. Raises: RecordError, InputError that names the option."""
    if moment > len(record["actions"]):
        InputError.at(option).fail(
            f"must be a move from 0 to {len(record['actions'])}, not {moment}"
        )
    return next(islice(replay_steps(record, location), moment, None))[0]


def write_svg(game: Game, path: Path, look: Look) -> None:
    """One moment as SVG."""
    write_atomic(path, svg(game, size=look.size, theme=look.theme))


def write_png(game: Game, path: Path, look: Look) -> None:
    """One moment as PNG. Raises: MissingExtra."""
    require("--png", "resvg_py")
    write_atomic(path, to_png(svg(game, size=look.size, theme=look.theme)))


def frames(
    record: Mapping[str, Any],
    location: Location,
    moments: list[int],
    look: Look,
    log: Callable[[str], None],
) -> Iterator[Pixels]:
    """The pictures of some moments, uint8[size, size, 3]. Raises: RecordError, MissingExtra."""
    wanted = iter(moments)
    moment = next(wanted)
    events: list[str] = []  # since the picture before
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
    """A film as GIF, which goes on forever. Raises: MissingExtra, RecordError, InputError."""
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
    """Raises: InputError for more pixels than a GIF is put together from in memory."""
    if count * size * size > MOST_PIXELS:
        InputError.at("--gif").fail(
            f"{count:,} frames of {size} × {size} pixels are more than it can hold; give a smaller "
            "--size or a larger --every, or write an --mp4"
        )


def _palette(image: Any, pictures: list[Pixels]) -> Any:
    """The colors of all frames, from a few of them side by side."""
    return image.fromarray(np.concatenate(pictures, axis=1)).quantize(COLORS, dither=0)


def write_mp4(
    record: Mapping[str, Any],
    location: Location,
    path: Path,
    look: Look,
    span: Span,
    log: Callable[[str], None],
) -> None:
    """A film as MP4 (H.264). Raises: MissingExtra, RecordError, InputError."""
    ffmpeg = need("--mp4", "imageio_ffmpeg")
    side = look.size - look.size % 2  # what H.264 can hold
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

"""Show saved games as a page, text, images or a video; list and check them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monopoly_training.cli_options.game import AsJson

if TYPE_CHECKING:
    from monopoly_env.errors import Location
    from monopoly_training.common.progress import Live
    from monopoly_training.web.games import GameSummary
    from monopoly_training.web.image_export import Look, Span


def command(
    file: Annotated[Path, typer.Argument(help="A file of saved games, or a tournament's folder.")],
    game: Annotated[
        int | None, typer.Option(help="Number of the game in the file; 1 by default.", min=1)
    ] = None,
    pick: Annotated[
        str | None, typer.Option(help="Pick a game: shortest, longest, comeback or deal.")
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Only list the games (the default for a folder).")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML page of the game."),
    ] = None,
    search_values: Annotated[
        bool,
        typer.Option(
            "--search-values", help="With --html: recompute the estimates of search bots; slow."
        ),
    ] = False,
    svg: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write an image of the position after N actions.", min=0),
    ] = None,
    png: Annotated[
        int | None, typer.Option(metavar="N", help="The same as PNG (extra render).", min=0)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --svg and --png: file to write; named by the move by default.",
        ),
    ] = None,
    gif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a GIF (extra render).")
    ] = None,
    mp4: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an MP4 video (extra video).")
    ] = None,
    size: Annotated[int, typer.Option(help="Size of images and videos in pixels.")] = 800,
    theme: Annotated[
        str, typer.Option(help="Theme of images and videos: light or dark.")
    ] = "light",
    first: Annotated[int, typer.Option("--from", help="First move of a video.", min=0)] = 0,
    last: Annotated[int | None, typer.Option("--to", help="Last move of a video.", min=0)] = None,
    every: Annotated[int | None, typer.Option(help="Moves per frame of a video.", min=1)] = None,
    fps: Annotated[
        float, typer.Option(help="Frames per second of a video.", min=0.1, max=60)
    ] = 5.0,
    at: Annotated[
        int | None, typer.Option(help="Show only the position after this many actions.", min=0)
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="With --at: print the position as exact YAML.")
    ] = False,
    luck: Annotated[
        str | None,
        typer.Option(help="Show the luck of each roll, by: formula, value or both."),
    ] = None,
    review: Annotated[
        bool,
        typer.Option(
            "--review", help="Rate every decision and its luck; also in the page with --html."
        ),
    ] = False,
    as_json: AsJson = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only replay all games and compare their results.")
    ] = False,
) -> None:
    """Show a saved game as a page, text, images or a video; or check that all games replay.

    The page is a single HTML file with the board, journal, charts, and the legal actions of each
    decision. Without options, the game is printed; for a tournament's folder, its games are listed. A
    review is stored next to the file.
    """
    from monopoly_env.errors import RecordError
    from monopoly_training.cli_options.dependent_options import check_goes_with, check_only
    from monopoly_training.web.games import records_path
    from monopoly_training.web.image_export import Look, Span

    check_goes_with(GOES_WITH)
    path = records_path(file)
    if check:
        check_only("--check", ["check"])
        check_all(path)
        return
    outputs = [value for value in (html, svg, png, gif, mp4, at, luck) if value is not None]
    outputs += [review] if review else []
    check_options(
        {
            "--out": out is not None and svg is None and png is None,
            "--json": as_json and not review,
            "--pick": game is not None and pick is not None,
            "--list": listed and bool(outputs),
        }
    )
    check_not_input(path, html, out, gif, mp4)
    check_kind(html, ".html", ".htm")
    check_kind(gif, ".gif")
    check_kind(mp4, ".mp4")
    check_kind(out, ".svg" if png is None else ".png")
    if listed or (path != file and game is None and pick is None and not outputs):
        list_games(path)
        return
    number = game or 1 if pick is None else picked(path, pick)
    record, here = record_of(path, number), RecordError.at(f"{path}: game {number}")
    look = Look(size, theme)
    look.check()
    reviewed = review_of(path, number, record, here) if review else None
    if html is not None:
        source = f"{path.name}, game {number}"
        write_page(record, here, html, source, search_values, reviewed, quiet=as_json)
    if reviewed is not None:
        print_review(reviewed, list(record.get("bots") or ()), as_json)
    if svg is not None or png is not None:
        write_moment(record, here, (svg, png), out, look, number)
    if gif is not None or mp4 is not None:
        write_films(record, here, (gif, mp4), look, Span(first, last, every, fps))
    if at is not None:
        show_position(record, here, at, full)
    if luck is not None:
        print_luck(record, here, luck)
    if not outputs:
        print_game(record, here)


MISUSED = {
    "--out": "goes with --svg or --png; --html, --gif and --mp4 name files",
    "--json": "prints a review; give --review with it",
    "--pick": "names a game, and so does --game; give one of them",
    "--list": "only lists the games; leave it out, or what is to be written",
}


PICTURES, FILMS = ("svg", "png", "gif", "mp4"), ("gif", "mp4")
GOES_WITH = {  # by parameter name
    "size": PICTURES,
    "theme": PICTURES,
    "first": FILMS,
    "last": FILMS,
    "every": FILMS,
    "fps": FILMS,
    "full": ("at",),
    "search_values": ("html",),
}
KINDS = (".html", ".htm", ".svg", ".png", ".gif", ".mp4")


def check_kind(path: Path | None, *kinds: str) -> None:
    """Check a file name's extension. Raises: InputError if it is that of another kind of output."""
    from monopoly_env.errors import InputError

    if path is not None and path.suffix.lower() in KINDS and path.suffix.lower() not in kinds:
        InputError.at(str(path)).fail(
            f"has the wrong extension; use a name that ends in {kinds[0]}"
        )


def check_options(misused: Mapping[str, bool]) -> None:
    """Raise an InputError for the first misused option."""
    from monopoly_env.errors import InputError

    for option, wrong in misused.items():
        if wrong:
            InputError.at(option).fail(MISUSED[option])


def check_not_input(path: Path, *outputs: Path | None) -> None:
    """Check that no output is the file of saved games. Raises: InputError."""
    from monopoly_env.errors import InputError

    for output in outputs:
        if output is not None and output.exists() and path.exists() and output.samefile(path):
            InputError.at(str(output)).fail("holds the saved games; name another file to write")


def record_of(path: Path, number: int) -> dict[str, Any]:
    """Read a game of a file. Raises: RecordError."""
    from monopoly_env.records import record_at

    return record_at(path, number)


def check_all(path: Path) -> None:
    """Replay all games and compare their results. Raises: RecordError."""
    from monopoly_env.errors import RecordError
    from monopoly_env.records import read_records
    from monopoly_env.replay import replay

    number = 0
    for number, record in enumerate(read_records(path), 1):
        replay(record, RecordError.at(f"{path}: game {number}"))
    if number == 0:
        RecordError.at(path).fail("there is no game in it; name a file of saved games")
    typer.echo(f"{number} game{'s' * (number > 1)} replayed exactly")


def print_game(record: Mapping[str, Any], here: Location) -> None:
    """Print the whole game as text, with what was said beside it."""
    from monopoly_env.negotiation.sentences import sentences_of
    from monopoly_env.replay import replay, transcript

    said: dict[int, list[str]] = {}
    if record.get("negotiation"):
        game = replay(record, here)
        for at, _, _, text in sentences_of(record, game.edition.names, game.players):
            said.setdefault(at, []).append(text)
    first = 1 + len(record.get("bots") or ())  # lines before the position at the start
    for number, line in enumerate(transcript(record, here)):
        typer.echo(line)
        for text in said.get(number - first, ()):
            typer.echo(f"{'':<24} {text}")


def print_luck(record: Mapping[str, Any], here: Location, judge: str) -> None:
    """Print the whole game with the luck of each throw. Raises: InputError for an unknown judge."""
    from monopoly_training.luck.estimator import LuckEstimator
    from monopoly_training.luck.transcript import transcript_with_luck

    for line in transcript_with_luck(record, here, LuckEstimator(judge, "luck")):
        typer.echo(line)


def show_position(record: Mapping[str, Any], here: Location, at: int, full: bool) -> None:
    """Print the position after ``at`` actions. Raises: RecordError."""
    from monopoly_env.replay import replay_steps

    for number, (position, _) in enumerate(replay_steps(record, here)):
        if number == at:
            typer.echo(position.to_yaml() if full else str(position), nl=not full)
            return
    here.fail(f"has {len(record['actions'])} actions; --at {at} is beyond them")


@contextmanager
def progress(what: str) -> Iterator[Live]:
    """Show what is going on while the block runs."""
    from monopoly_training.common.progress import Live

    with Live() as live:
        live.stage(what)
        yield live


def review_of(path: Path, number: int, record: Mapping[str, Any], here: Location) -> dict[str, Any]:
    """Return a game's review, cached beside its file. Raises: RecordError."""
    from monopoly_training.common.progress import Live
    from monopoly_training.review.cache import kept_review

    with Live() as live:
        found, _ = kept_review(path, number, record, here, live)
    return found


def print_review(reviewed: Mapping[str, Any], bots: list[str], as_json: bool) -> None:
    """Print a review as JSON, or as tables with a line for each notable decision."""
    from monopoly_training.common.console import new_console
    from monopoly_training.review.report import legend, lines_of, phase_table, table_of

    if as_json:
        typer.echo(json.dumps(reviewed))
        return
    new_console().print(table_of(reviewed, bots))
    new_console().print(phase_table(reviewed))
    for line in lines_of(reviewed):
        typer.echo(line)
    typer.echo(legend(reviewed))


def write_page(
    record: Mapping[str, Any],
    here: Location,
    path: Path,
    source: str,
    search: bool,
    reviewed: Mapping[str, Any] | None,
    quiet: bool,
) -> None:
    """Write the HTML page; ``quiet`` suppresses the message."""
    from monopoly_env.errors import InputError
    from monopoly_env.files import check_output
    from monopoly_training.common.files import write_atomic
    from monopoly_training.web.replay_page import replay_page

    check_output(path, InputError.at(f"--html {path}"))
    with progress("writing the page"):
        write_atomic(path, replay_page(record, here, source, search, reviewed))
    if not quiet:
        typer.echo(f"written: {path} ({path.stat().st_size / 1e6:.2f} MB); open it in a browser")


def write_moment(
    record: Mapping[str, Any],
    here: Location,
    moments: tuple[int | None, int | None],
    out: Path | None,
    look: Look,
    number: int,
) -> None:
    """Write a picture as SVG, PNG, or both. Raises: InputError, MissingExtra."""
    from monopoly_env.errors import InputError
    from monopoly_env.files import check_output
    from monopoly_training.web.image_export import game_at, write_png, write_svg

    if out is not None and None not in moments:
        InputError.at("--out").fail("names one file; give --svg or --png, not both")
    for kind, write, moment in (("svg", write_svg, moments[0]), ("png", write_png, moments[1])):
        if moment is None:
            continue
        path = out or Path(f"game-{number}-move-{moment}.{kind}")
        check_output(path, InputError.at(f"--{kind} to {path}"))
        write(game_at(record, moment, here, f"--{kind}"), path, look)
        typer.echo(f"written: {path}")


def write_films(
    record: Mapping[str, Any],
    here: Location,
    paths: tuple[Path | None, Path | None],
    look: Look,
    span: Span,
) -> None:
    """Write a video as GIF, MP4, or both. Raises: InputError, MissingExtra."""
    from monopoly_env.errors import InputError
    from monopoly_env.files import check_output
    from monopoly_training.web.image_export import write_gif, write_mp4

    span.moments(len(record["actions"]))  # invalid values are refused before anything is drawn
    for kind, write, path in (("gif", write_gif, paths[0]), ("mp4", write_mp4, paths[1])):
        if path is None:
            continue
        check_output(path, InputError.at(f"--{kind} {path}"))
        with progress("drawing") as live:
            write(record, here, path, look, span, live.stage)
        typer.echo(f"written: {path} ({path.stat().st_size / 1e6:.2f} MB)")


def picked(path: Path, name: str) -> int:
    """Return the number of a notable game. Raises: InputError if there is none of that kind."""
    from monopoly_env.errors import InputError
    from monopoly_training.web.games import PICKS, picks

    if name not in PICKS:
        InputError.at("--pick").fail_unknown(name, "choice", PICKS)
    found = {one.key: one.summary.number for one in picks(load_summaries(path))}
    if name not in found:
        InputError.at("--pick").fail(f"no game of {path} has {PICKS[name]}; --list shows them")
    return found[name]


def load_summaries(path: Path) -> list[GameSummary]:
    """Summarize all games of a file by replaying them. Raises: RecordError if there are none."""
    from monopoly_env.errors import RecordError
    from monopoly_training.web.games import summaries

    with progress("looking through the games"):
        games = summaries(path)
    if not games:
        RecordError.at(path).fail("there is no game in it; name a file of saved games")
    return games


def list_games(path: Path) -> None:
    """Print a table of all games, with the notable ones marked."""
    from rich.table import Table

    from monopoly_training.common.console import new_console
    from monopoly_training.web.games import MOST, PICKS, picks

    games = load_summaries(path)
    table = Table(title=str(path), title_justify="left")
    for name in ("game", "won by", "turns", "decisions", "players"):
        table.add_column(
            name, justify="right" if name in ("game", "turns", "decisions") else "left"
        )
    for one in games:
        bots = ", ".join(one.bots)
        won = " and ".join(one.winners) if one.over else "not over"
        table.add_row(str(one.number), won, f"{one.turns:,}", f"{one.decisions:,}", bots)
    new_console().print(table)
    for found in picks(games):
        typer.echo(f"{PICKS[found.key]}: game {found.summary.number}, {found.text}")
    if len(games) == MOST:
        typer.echo(f"only the first {MOST} games were examined")
    typer.echo(f"to look at one: monopoly-env replay {path} --game 1 --html game.html")

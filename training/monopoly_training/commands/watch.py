"""Watch a training run or a tournament in a browser while it goes on, or after it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="The folder of a run, or of a tournament.")],
    port: Annotated[
        int | None,
        typer.Option(help="Where to serve; 8750, or another if that is taken.", min=0, max=65535),
    ] = None,
    browse: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Show the learning curve of a run, or the standings of a tournament, as they grow.

    It reads what the run writes, and writes nothing: it can be started and ended at any time, and
    looks at a copy of the folder just as well. It serves this machine alone. Needs the extra web.
    """
    import webbrowser

    from monopoly_env.extras import require
    from monopoly_training.watching.progress import kind_of_folder

    kind_of_folder(folder)
    require("watch", "starlette", "uvicorn")
    from monopoly_training.serving.server import PageServer
    from monopoly_training.watching.app import watch_app

    with PageServer(watch_app(folder), port=port) as server:
        typer.echo(f"{server.address()} shows {folder}; Ctrl-C ends it")
        if browse:
            webbrowser.open_new_tab(server.address())
        server.wait()

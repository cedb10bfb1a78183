"""Watch a training run or a tournament in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="Folder of a training run or a tournament.")],
    port: Annotated[
        int | None,
        typer.Option(help="Port; 8750 by default, or another if it is in use.", min=0, max=65535),
    ] = None,
    browse: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Show the learning curve of a run, or the standings of a tournament, live in a browser.

    The command only reads the folder, so you can start and stop it at any time, also on a copy. The
    server answers only this machine. Needs the extra web.
    """
    import webbrowser

    from monopoly_env.extras import require
    from monopoly_training.watching.progress import kind_of_folder

    kind_of_folder(folder)
    require("watch", "starlette", "uvicorn")
    from monopoly_training.serving.server import PageServer
    from monopoly_training.watching.app import watch_app

    with PageServer(watch_app(folder), port=port) as server:
        typer.echo(f"{server.address()} shows {folder}; press Ctrl-C to stop")
        if browse:
            webbrowser.open_new_tab(server.address())
        server.wait()

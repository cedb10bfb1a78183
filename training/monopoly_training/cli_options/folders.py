"""Folders behind options: of this machine, or on remote storage by a URL, such as ``s3://bucket/run``."""

from __future__ import annotations

from pathlib import Path

import typer

from monopoly_training.common.remote import at_hand


def brought_here(context: typer.Context, path: Path | None) -> Path | None:
    """The folder behind an option; of a URL one here, which goes back there when the command ends."""
    if path is None or context.resilient_parsing:
        return path
    folder: Path = context.with_resource(at_hand(path))
    return folder

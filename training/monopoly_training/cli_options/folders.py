"""Folder options, local or on remote storage by a URL, such as ``s3://bucket/run``."""

from __future__ import annotations

from pathlib import Path

import typer

from monopoly_training.common.remote import local_folder


def as_local_folder(context: typer.Context, path: Path | None) -> Path | None:
    """Return a local folder for an option; a URL's is uploaded when the command ends."""
    if path is None or context.resilient_parsing:
        return path
    folder: Path = context.with_resource(local_folder(path))
    return folder

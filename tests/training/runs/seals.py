"""Checkpoints with other contents."""

from __future__ import annotations

import io


def seal(state, folder):
    """Write a checkpoint with its digest."""
    import torch
    from monopoly_training.runs.checkpoint import title_of

    content = io.BytesIO()
    torch.save(state, content)
    data = content.getvalue()
    (folder / "checkpoint.pt").write_bytes(title_of(data) + data)

"""Write a trained policy for other runtimes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.cli_options.game import Trust


def command(
    model: Annotated[str, typer.Argument(help="champion, or model:PATH.")],
    onnx: Annotated[Path, typer.Option("--onnx", help="The ONNX file to write.")],
    trust: Trust = False,
) -> None:
    """Write a trained policy as ONNX: masked logits from observations and masks.

    docs/model_format.md names inputs and output. Needs the extras train and onnx.
    """
    from monopoly_env.errors import AgentError
    from monopoly_training.models.model_agent import is_model, model_agent
    from monopoly_training.models.names import CHAMPION, SCHEME
    from monopoly_training.models.onnx_export import export_onnx

    if not is_model(model):
        raise AgentError(f"{model}: is no trained policy; name {CHAMPION}, or {SCHEME}PATH")
    export_onnx(model_agent(model, trust).model, onnx)
    typer.echo(f"written: {onnx}")

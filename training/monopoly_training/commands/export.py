"""Export a trained policy to ONNX or to model files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monopoly_training.cli_options.game import Trust

if TYPE_CHECKING:
    from monopoly_training.models.model import Model

RLLIB = "rllib:"
ONNX_PACKAGES = ("torch", "onnx", "onnxscript")


def command(
    model: Annotated[
        str, typer.Argument(help="champion, model:PATH, or rllib:CHECKPOINT (extra rllib).")
    ],
    onnx: Annotated[
        Path | None, typer.Option("--onnx", help="Write an ONNX file (extra onnx).")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            help="Write model.safetensors and model.json into this folder (extra train).",
        ),
    ] = None,
    module: Annotated[
        str | None, typer.Option("--module", help="Module of an RLlib checkpoint.")
    ] = None,
    trust: Trust = False,
) -> None:
    """Export a trained policy to ONNX, to a folder for model:FOLDER, or to both.

    docs/model_format.md describes the files. Files of Stable-Baselines3 and RLlib need --trust; the
    exported folder does not.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_training.models.model import add_to_card
    from monopoly_training.models.storage import CARD, WEIGHTS, save_model

    if onnx is None and folder is None:
        InputError.at("export").fail("nothing to write; give --onnx FILE or --folder FOLDER")
    if folder is not None and any((folder / name).exists() for name in (WEIGHTS, CARD)):
        InputError.at("--folder").fail(f"{folder} already contains a model; name another folder")
    if onnx is not None:
        require("--onnx", *ONNX_PACKAGES, extra="onnx")
    policy = found(model, module, trust)
    if folder is not None:
        require("--folder", "safetensors")
    if onnx is not None:
        from monopoly_training.models.onnx_export import export_onnx

        export_onnx(policy, onnx)
        typer.echo(f"written: {onnx}")
    if folder is not None:
        save_model(folder, add_to_card(policy, {"name": folder.resolve().name}))
        typer.echo(f"written: {folder}; play it as model:{folder}")


def found(name: str, module: str | None, trust: bool) -> Model:
    """Load a trained policy by name. Raises: AgentError, one line."""
    from monopoly_env.errors import AgentError
    from monopoly_env.extras import require
    from monopoly_training.models.model_agent import is_model, model_agent
    from monopoly_training.models.names import CHAMPION, SCHEME

    if name.startswith(RLLIB):
        require(name, "ray", "torch", extra="rllib")
        from monopoly_training.rllib.export import load_checkpoint

        return load_checkpoint(name.removeprefix(RLLIB), module, trust)
    if not is_model(name):
        known = f"{CHAMPION}, {SCHEME}PATH or {RLLIB}CHECKPOINT"
        raise AgentError(f"{name}: is not a trained policy; name {known}")
    if module is not None:
        raise AgentError(f"--module: {name} has no modules; leave it out")
    return model_agent(name, trust).model

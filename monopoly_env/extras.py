"""Optional packages: their extras, and errors for missing ones.

The library, the environments, the bots and most commands need the core packages alone. What needs
more asks for it here, before any work is done.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from monopoly_env.errors import MissingExtra

# Which extra of pyproject.toml brings a package, by the name under which it is imported.
EXTRAS: dict[str, str] = {
    "torch": "train",
    "stable_baselines3": "train",
    "sb3_contrib": "train",
    "tensorboard": "train",
    "tqdm": "train",
    "safetensors": "train",
    "cma": "train",
    "pyarrow": "eval",
    "matplotlib": "eval",
    "resvg_py": "render",
    "PIL": "render",
    "pygame": "render",
    "imageio_ffmpeg": "video",
    "starlette": "web",
    "uvicorn": "web",
    "fsspec": "remote",
    "ray": "rllib",
    "onnx": "onnx",
    "onnxscript": "onnx",
    "onnxruntime": "onnx",
    "wandb": "wandb",
    "mlflow": "mlflow",
    "trackio": "trackio",
    "bpe_openai": "tokens",
    "mcp": "mcp",
    "textarena": "textarena",
    "inspect_ai": "inspect",
    "minari": "minari",
    "negmas": "negmas",
    "kaggle_environments": "kaggle",
}


def is_installed(package: str) -> bool:
    """Whether a package can be imported. It is not imported for that."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # a parent is missing, or an import hook refuses it
        return False


def hint(package: str, extra: str | None = None) -> str:
    """The remedy for a missing package: the command that installs its extra, or another ``extra``.

    >>> hint("matplotlib.figure")
    "pip install 'monopoly-env[eval]'"
    """
    return f"pip install 'monopoly-env[{extra or EXTRAS[package.partition('.')[0]]}]'"


def require(what: str, *packages: str, extra: str | None = None) -> None:
    """Check that packages are installed, before ``what`` begins.

    ``extra`` brings all of them, where several extras do. Raises: MissingExtra, one line that says
    what to install.
    """
    for package in packages:
        if not is_installed(package):
            raise MissingExtra(
                f"{what}: needs {package}, which is not installed; install it with: "
                f"{hint(package, extra)}"
            )


def need(what: str, package: str) -> Any:
    """A package of an extra, imported. Raises: MissingExtra, one line that says what to install."""
    require(what, package.partition(".")[0])
    try:
        return import_module(package)
    except ImportError as problem:  # it is there, and broken
        raise MissingExtra(
            f"{what}: needs {package}, which cannot be imported ({problem}); reinstall it with: "
            f"{hint(package)}"
        ) from None

"""Optional packages: the extras that provide them, and clear errors when one is missing.

The library, the environments, the bots and most commands need only the core packages. Features that
need more check for it here, before they do any work.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from monopoly_env.errors import MissingExtra

# The extra in pyproject.toml that provides each package, by import name.
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
    "alembic": "mlflow",
    "sqlalchemy": "mlflow",
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
    """Return whether a package can be imported, without importing it."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # the parent package is missing, or an import hook refuses it
        return False


def hint(package: str, extra: str | None = None) -> str:
    """Return the command that installs a package's extra, or the given ``extra``.

    >>> hint("matplotlib.figure")
    "pip install 'monopoly-env[eval]'"
    """
    return f"pip install 'monopoly-env[{extra or EXTRAS[package.partition('.')[0]]}]'"


def require(what: str, *packages: str, extra: str | None = None) -> None:
    """Check that packages are installed before ``what`` begins.

    ``extra`` names the extra that provides all of them, if several extras do. Raises: MissingExtra,
    one line with the command that installs it.
    """
    for package in packages:
        if not is_installed(package):
            raise MissingExtra(
                f"{what}: needs {package}, which is not installed; install it with: "
                f"{hint(package, extra)}"
            )


def need(what: str, package: str) -> Any:
    """Import and return an optional package. Raises: MissingExtra, with the install command."""
    require(what, package.partition(".")[0])
    try:
        return import_module(package)
    except ImportError as problem:  # installed, but broken
        raise MissingExtra(
            f"{what}: needs {package}, which cannot be imported ({problem}); reinstall it with: "
            f"{hint(package)}"
        ) from None

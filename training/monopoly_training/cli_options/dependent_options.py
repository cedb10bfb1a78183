"""Refuse options that have no effect without others, instead of ignoring them silently."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any

import typer

from monopoly_env.errors import InputError

# typer vendors click or uses the installed one
CLICK = next(base for base in typer.Context.__mro__ if base.__module__.endswith("click.core"))
GLOBALS = import_module(CLICK.__module__.removesuffix("core") + "globals")


def current() -> Any:
    """Return the context of the running command, or None if it was called as a function."""
    return GLOBALS.get_current_context(silent=True)


def given() -> dict[str, str]:
    """Return the options on the command line: spelling by parameter name."""
    context = current()
    if context is None:
        return {}
    return {
        one.name: max(one.opts, key=len)
        for one in context.command.params
        if one.name is not None
        and one.param_type_name == "option"
        and getattr(context.get_parameter_source(one.name), "name", "") == "COMMANDLINE"
    }


def spelled(name: str) -> str:
    """Return an option's spelling, given its parameter name."""
    context = current()
    params = context.command.params if context is not None else []
    return next((max(one.opts, key=len) for one in params if one.name == name), f"--{name}")


def check_goes_with(partners: Mapping[str, Sequence[str]]) -> None:
    """Refuse an option given without any of its companions.

    All options are given by parameter name. Raises: InputError.
    """
    typed = given()
    for name, others in partners.items():
        if name in typed and not any(other in typed for other in others):
            words = [spelled(other) for other in others]
            listed = " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
            InputError.at(typed[name]).fail(f"needs {listed}; add it, or leave this out")


def check_only(what: str, used: Collection[str]) -> None:
    """Refuse options other than ``used`` in combination with ``what``. Raises: InputError."""
    for name, option in given().items():
        if name not in used:
            InputError.at(option).fail(f"has no effect with {what}; leave it out")

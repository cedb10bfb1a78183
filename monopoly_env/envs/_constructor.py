"""Constructors whose parameters come from a dataclass, so that each option is defined once."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from functools import wraps
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    Concatenate,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from gymnasium.utils import EzPickle

from monopoly_env.envs.presets import check_preset_rules, with_preset
from monopoly_env.errors import InputError, suggest

P = ParamSpec("P")
S = TypeVar("S", bound=EzPickle)
Options = TypeVar("Options")
WIDTH = 92  # columns of the generated docstrings


class OptionError(InputError, TypeError):
    """An unknown option. Also a TypeError, as for any unknown Python argument."""


def takes(
    options: Callable[P, Options],
) -> Callable[[Callable[[S, Options], None]], Callable[Concatenate[S, P], None]]:
    """Make a constructor accept the fields of the dataclass ``options`` as its parameters.

    The fields are ``Annotated`` with their meanings. The signature and docstring of the constructor
    are generated from them, an unknown keyword raises a one-line error with a suggestion, and
    EzPickle stores the arguments.
    """

    def decorate(construct: Callable[[S, Options], None]) -> Callable[Concatenate[S, P], None]:
        signature = signature_of(options)

        @wraps(construct)
        def constructor(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            check_names(type(self).__name__, signature, args, kwargs)
            given: Any = [copyable(value) for value in args]
            named: Any = {name: copyable(value) for name, value in kwargs.items()}
            EzPickle.__init__(self, *given, **named)
            unnamed = list(signature.parameters)[: len(args)]
            chosen: Any = with_preset(named, unnamed, list(signature.parameters))
            chosen = {name: copyable(value) for name, value in chosen.items()}
            made: Any = options(*given, **chosen)
            check_preset_rules(
                getattr(made, "edition", None), made.preset, chosen.keys() - named.keys()
            )
            construct(self, made)

        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        shown: Any = constructor
        shown.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])
        shown.__doc__ = describe(options)
        return constructor

    return decorate


def copyable(value: object) -> object:
    """Return a read-only mapping as a dict, which can be copied and pickled."""
    return dict(value) if isinstance(value, MappingProxyType) else value


def check_names(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Refuse unknown options and surplus positional arguments. Raises: OptionError."""
    known = signature.parameters
    for key in kwargs:
        if key not in known:
            # Python's own words, which libraries such as TorchRL look for to leave options out.
            problem = f"{name} got an unexpected keyword argument '{key}'"
            OptionError.at(key).fail(f"{problem}; {suggest(key, known)}")
    first = [key for key, one in known.items() if one.kind is not one.KEYWORD_ONLY]
    if len(args) > len(first):
        OptionError.at(name).fail(
            f"takes {', '.join(first)} without their names, not {len(args)} values; "
            "write the others as name=value"
        )


def signature_of(options: Any) -> inspect.Signature:
    """Return the signature of a dataclass without the annotations' metadata."""
    types = get_type_hints(options)
    made = inspect.signature(options)
    parameters = [one.replace(annotation=types[name]) for name, one in made.parameters.items()]
    return made.replace(parameters=parameters)


def describe(options: Any) -> str:
    """Return the docstring of a constructor: the options of a dataclass with their meanings."""
    lines = ["Make the environment.", "", "Args:"]
    for name in inspect.signature(options).parameters:
        text = f"{name}: {meaning_of(options, name)}"
        lines += textwrap.wrap(
            text, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False
        )
    return "\n".join([*lines, "", "Raises:", "    InputError: one line, with the remedy."])


def meaning_of(options: type, name: str) -> str:
    """Return the meaning of a field; a redeclared field inherits it from its base class."""
    for base in options.__mro__:
        hint = get_type_hints(base, include_extras=True).get(name)
        if get_origin(hint) is Annotated:
            return str(get_args(hint)[1])
    raise TypeError(f"{options.__name__}.{name} does not say what it means")

"""The command line ``monopoly-env``: finds and runs commands, and shows errors in one line."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import io
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Sequence
from functools import lru_cache
from math import isnan
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from monopoly_env.errors import InputError, one_line
from monopoly_env.extras import EXTRAS, hint
from monopoly_training import commands
from monopoly_training.common import stopping
from monopoly_training.common.remote import in_urls
from monopoly_training.common.streams import drop_output, folder_is_gone, output_failed

NAME = "monopoly-env"
MISUSED = 2  # exit status for invalid input
INTERRUPTED = 130

# Set before numpy or torch is imported: for networks of this size, one thread is faster than many,
# especially when other programs are running.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# typer vendors click or uses the installed one; this is the base class of its usage errors.
CLICK_ERROR: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


# --- finding commands ---


@lru_cache(maxsize=1)
def command_names() -> tuple[str, ...]:
    """Return the names of all commands, from the modules of the package ``commands``."""
    modules = pkgutil.iter_modules(commands.__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in modules))


def _module(name: str) -> str:
    return f"{commands.__name__}.{name.replace('-', '_')}"


def short_help(name: str) -> str:
    """Return the first line of a command's docstring, without importing the command."""
    spec = importlib.util.find_spec(_module(name))
    source = getattr(spec.loader, "get_source", None) if spec else None
    docstring = ast.get_docstring(ast.parse(source(_module(name)) or "")) if source else None
    return (docstring or "").partition("\n")[0]


def load_command(name: str) -> Any:
    """Return a command for click, from the function ``command`` of its module."""
    app = typer.Typer(add_completion=False)
    function = importlib.import_module(_module(name)).command
    app.command(name, help=unwrapped(inspect.getdoc(function) or ""))(function)
    return typer.main.get_command(app)


def unwrapped(text: str) -> str:
    """Join each paragraph into one line, so that terminals of any width can wrap it."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


class LazyCommand(TyperCommand):
    """An entry in the list of commands; the command is imported only when it is run."""

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        """Delegate to the command itself."""
        command = load_command(str(self.name))
        context = command.make_context(info_name, args, *rest, **extra)
        for parameter in command.params:
            value = context.params.get(parameter.name)
            if isinstance(value, float) and isnan(value):  # in older versions it is in any range
                InputError.at(parameter.opts[0]).fail("must be a number, not 'nan'")
        return context


class Commands(TyperGroup):
    """The group of all commands, none of which is imported to list them."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (click passes it)
        """Return all names."""
        return list(command_names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 (click passes it)
        """Return a command, or None if there is none of that name."""
        if cmd_name not in command_names():
            return None
        return LazyCommand(cmd_name, callback=lambda: None, help=short_help(cmd_name))


app = typer.Typer(cls=Commands, add_completion=False)


def _print_version(asked_for: bool) -> None:
    if asked_for:
        from monopoly_env import version

        typer.echo(version)
        raise typer.Exit


@app.callback()
def _top(
    _version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Monopoly for reinforcement learning: play, train and evaluate agents, check rules."""


# --- running ---


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status.

    Expected errors are one line on standard error.
    """
    show_any_text()
    show_warnings()
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    stopping.begin(words)
    with stopping.handled():
        return _main(words)


def _main(words: Sequence[str]) -> int:
    """Run a command line with signals already handled."""
    group = typer.main.get_command(app)
    try:
        refuse_empty(words)
        result = group.main(list(words), prog_name=NAME, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        status = result if isinstance(result, int) else 0
        # Some versions of typer swallow the interrupt and return its status.
        return _interrupted() if status == INTERRUPTED else status
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except SystemExit as end:  # raised by click and rich on a closed pipe
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        drop_output()
        return 0
    except CLICK_ERROR as problem:
        return _print_error(f"{_usage(problem, words)}; see {NAME} {_help_of(words)}--help")
    except (ValueError, OSError, MemoryError, ModuleNotFoundError) as problem:
        if isinstance(problem, OSError) and output_failed(problem):
            return _without_output(problem)
        text = expected(problem)
        if text is None:
            raise
        return _print_error(in_options(text, words[0]))


def _interrupted() -> int:
    """Print that the command was interrupted and how to resume."""
    typer.echo(stopping.message(), nl=False, err=True)
    return stopping.status()


def _without_output(problem: OSError) -> int:
    """Report failing output, unless the reader, such as `head`, closed the pipe."""
    drop_output()
    if isinstance(problem, BrokenPipeError):
        return 0
    return _print_error(f"standard output cannot be written: {problem.strerror or problem}")


def show_any_text() -> None:
    """Print ``?`` for characters that the terminal's encoding lacks, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def show_warnings() -> None:
    """Show this project's warnings as one line, without the code location."""
    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if category.__module__.startswith("monopoly_"):
            typer.echo(f"warning: {in_urls(one_line(str(message)))}", err=True)
        else:
            usual(message, category, *place, **more)

    warnings.showwarning = show


def refuse_empty(words: Sequence[str]) -> None:
    """Raise an error for an empty argument, which as a path would mean the current folder."""
    for before, word in zip(["argument", *words], words, strict=False):
        option, equals, value = word.partition("=")
        if not word or (word.startswith("--") and equals and not value):
            InputError.at(option or before).fail("must not be empty; give a value, or leave it out")


def _print_error(text: str, status: int = MISUSED) -> int:
    typer.echo(f"error: {in_urls(' '.join(text.split()))}", err=True)
    return status


PLAIN_WORDS = {  # pydantic-style messages, and our wording
    "Value error, ": "",
    "Input should be ": "must be ",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    ", unable to parse string as an integer": "",
    ", unable to parse string as a number": "",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
}


def _usage(problem: Any, words: Sequence[str]) -> str:
    """Rephrase click's message about a wrong option or argument."""
    param: Any = getattr(problem, "param", None)
    text: str = problem.message.rstrip(".")
    if text and getattr(param, "param_type_name", "") == "option":
        text = re.sub(r"^\S+ is not in the range ", "must be in the range ", text)  # older typer
        for theirs, ours in PLAIN_WORDS.items():
            text = text.replace(theirs, ours)
        given = _given(param.opts, words)
        if given is not None and given not in text.replace("'", " ").split():
            text += f", not {given!r}"
        return f"{param.opts[0]}: {text}"
    text = problem.format_message()
    # "no such option '--fast'" in some versions, "No such option: --fast" in others
    text = re.sub("^no such option '(.*?)'", r"no such option: \1", text[:1].lower() + text[1:])
    return text.rstrip(".")


def _given(options: Sequence[str], words: Sequence[str]) -> str | None:
    """Return the last value given for an option, under any of its names."""
    found = None
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in options:
            found = value if equals else after
    return found


def _help_of(words: Sequence[str]) -> str:
    return f"{words[0]} " if words[0] in command_names() else ""


def in_options(text: str, command: str) -> str:
    """Replace parameter names in a library function's error by the command's options.

    The offending parameter comes first, before a colon; others are in backquotes.

    >>> in_options("jobs: a process has died; `resume` continues", "tournament")
    '--jobs: a process has died; --resume continues'
    """
    options = options_of(command) if command in command_names() else {}
    where, colon, problem = text.partition(": ")
    text = options.get(where, where) + colon + problem
    return re.sub(r"`(\w+)`", lambda match: options.get(match[1], match[0]), text)


def options_of(command: str) -> dict[str, str]:
    """Return a command's options by parameter name and by option name."""
    options = {}
    for param in load_command(command).params:
        if param.param_type_name == "option":
            option = param.opts[0]
            options[option.lstrip("-").replace("-", "_")] = option
            options[param.name] = option
    return options


def expected(problem: Exception) -> str | None:
    """Return the one-line message of an error that a user can cause; None for a bug."""
    if isinstance(problem, ModuleNotFoundError):
        package = (problem.name or "").partition(".")[0]
        if package not in EXTRAS:
            return None
        return f"this needs {package}, which is not installed; install it with: {hint(package)}"
    if isinstance(problem, FileExistsError):
        return f"{problem.filename}: is a file, and a folder is needed there; name another"
    if isinstance(problem, FileNotFoundError) and folder_is_gone():
        return "the working folder has been removed; change to one that is there"
    if isinstance(problem, MemoryError):
        return "the memory is used up; fewer games at a time, processes or weights take less"
    if isinstance(problem, OSError):
        where = f": {problem.filename}" if problem.filename else ""
        return f"{problem.strerror or problem}{where}"
    ours = type(problem).__module__.startswith("monopoly_")
    return str(problem) if ours else None

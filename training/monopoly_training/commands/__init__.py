"""The commands of ``monopoly-env``: one module each, imported only when it is run.

The module's name is the command's (with ``_`` for ``-``), the first line of its docstring is the
help in the list of commands, and its function ``command`` is the typer command. Expected errors are
ValueErrors of this project's classes; the command line shows them in one line.
"""

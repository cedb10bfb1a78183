"""The commands of ``monopoly-env``: one module each, imported when it is run.

A module's name is the command's (``_`` reads ``-``), the first line of its docstring is the line
in the list of commands, and its function ``command`` is the command as typer takes it. Expected
errors are ValueErrors of this project's classes; the command line shows them in one line.
"""

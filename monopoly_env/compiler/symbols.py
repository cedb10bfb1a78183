"""Names compiled functions alike in every process, so that processes can share their code.

Numba numbers functions in the order in which a process compiles them, and the number is part of the
symbol by which callers refer to a function. Code from two processes would not fit together.
"""

from __future__ import annotations

import hashlib
from typing import Any

from monopoly_env.compiler.code_files import place_of

_named: dict[str, Any] = {}  # the functions that this process has named


def name_alike(identity: Any) -> None:
    """Replace the number in Numba's identity of a function by a digest of what is compiled.

    The digest covers the sources that can affect the function, its name and its line. Functions
    that the digest does not distinguish, such as closures made by the same line, get a number as
    well.
    """
    from monopoly_env.compiler.cache import folder_of  # imports this module indirectly

    function = identity.func
    folder = folder_of(function.__module__, identity.filename).name
    parts = (folder, function.__module__, identity.func_qualname, place_of(function))
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
    number, found = 0, name
    while _named.setdefault(found, function) is not function:
        number += 1
        found = f"{name}_{number}"
    identity.unique_id = found
    identity.unique_name = f"{identity.func_qualname}${found}"

"""Read-only mappings and lists, which games and bots can share."""

from __future__ import annotations

from typing import Any, NoReturn


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    kind = "dict" if isinstance(self, dict) else "list"
    raise TypeError(f"games and bots share this, it cannot be changed; change a copy: {kind}(…)")


class FrozenDict(dict[str, Any]):
    """A read-only mapping."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> FrozenDict:
        return self


class FrozenList(list[Any]):
    """A read-only list."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)

    def __copy__(self) -> FrozenList:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> FrozenList:
        return self


def frozen(value: Any) -> Any:
    """Return a copy in which all mappings and lists are read-only, recursively."""
    if isinstance(value, dict):
        return FrozenDict({key: frozen(item) for key, item in value.items()})
    return FrozenList(map(frozen, value)) if isinstance(value, list) else value


def thawed(value: Any) -> Any:
    """Return a copy with ordinary dicts and lists, recursively."""
    if isinstance(value, dict):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, list) else value

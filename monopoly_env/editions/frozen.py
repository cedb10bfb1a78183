"""Mappings and lists that cannot be changed, to be shared with whoever plays."""

from __future__ import annotations

from typing import Any, NoReturn


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    kind = "dict" if isinstance(self, dict) else "list"
    raise TypeError(f"games and bots share this, it cannot be changed; change a copy: {kind}(…)")


class FrozenDict(dict[str, Any]):
    """A mapping that cannot be changed."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> FrozenDict:
        return self


class FrozenList(list[Any]):
    """A list that cannot be changed."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)

    def __copy__(self) -> FrozenList:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> FrozenList:
        return self


def frozen(value: Any) -> Any:
    """Return the same with mappings and lists that cannot be changed, all the way down."""
    if isinstance(value, dict):
        return FrozenDict({key: frozen(item) for key, item in value.items()})
    return FrozenList(map(frozen, value)) if isinstance(value, list) else value


def thawed(value: Any) -> Any:
    """Return the same in plain dictionaries and lists of one's own."""
    if isinstance(value, dict):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, list) else value

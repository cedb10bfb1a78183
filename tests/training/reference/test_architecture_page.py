"""The drawing of the rooms says what is so, and a circle of imports is named."""

from __future__ import annotations

import grimp
import pytest
from monopoly_training.reference.architecture_page import (
    PACKAGES,
    architecture_page,
    direct,
    drawing,
    height,
    read_package,
)


@pytest.mark.parametrize("package", PACKAGES)
def test_rooms_import_what_another_reader_of_the_sources_finds(package: str) -> None:
    graph = grimp.build_graph(*PACKAGES)
    _, imports = read_package(package)
    expected: dict[str, set[str]] = {}
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            one, two = module.split("."), other.split(".")
            if one[0] == two[0] == package and len(one) > 1 and len(two) > 1 and one[1] != two[1]:
                expected.setdefault(one[1], set()).add(two[1])
    assert {room: others for room, others in imports.items() if others} == expected


def test_a_drawing_leaves_out_what_follows() -> None:
    imports = {"roof": {"wall", "floor"}, "wall": {"floor"}, "floor": set(), "shed": set()}
    assert direct(imports) == {"roof": {"wall"}, "wall": {"floor"}, "floor": set(), "shed": set()}
    assert drawing(imports) == "  roof --> wall\n  wall --> floor\n  floor\n  shed\n"
    assert [height(room, imports) for room in imports] == [2, 1, 0, 0]


def test_a_circle_of_imports_is_named() -> None:
    with pytest.raises(ValueError, match="import each other: hen -> egg -> hen"):
        height("hen", {"hen": {"egg"}, "egg": {"hen"}})


def test_every_room_says_what_it_is_for() -> None:
    assert "|  |" not in architecture_page().replace(" |  |\n", "")
    for package in PACKAGES:
        rooms, _ = read_package(package)
        assert all(rooms.values()), rooms

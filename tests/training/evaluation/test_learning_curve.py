"""Learning curves on disk."""

from __future__ import annotations

import pytest
from monopoly_training.cli import main
from monopoly_training.evaluation.learning_curve import Point, read_curve, write_curve

from monopoly_env.errors import FileError


@pytest.mark.promise("bad_input")
def test_a_curve_that_is_no_text_is_one_line(tmp_path):
    (tmp_path / "curve.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match=r"curve.csv: is not UTF-8 text"):
        read_curve(tmp_path)


def points(count):
    return [Point(k, 0.5, "random", 4, 0.5, 0.25, 0.75, 1.5, 0.0, 20.0) for k in range(count)]


def test_a_curve_comes_back_as_it_was_written(tmp_path):
    write_curve(tmp_path, points(3))
    assert read_curve(tmp_path) == points(3)


@pytest.mark.promise("checksums")
def test_an_end_of_a_line_that_is_another_letter_is_damage(tmp_path):
    write_curve(tmp_path, points(3))
    path = tmp_path / "curve.csv"
    for letter in ("\x0b", "\x0c", "\x1c", "\u2028", "\x85"):
        path.write_bytes(path.read_bytes().replace(b"\n", letter.encode(), 1))
        with pytest.raises(FileError, match=r"curve.csv: "):
            read_curve(tmp_path)
        write_curve(tmp_path, points(3))


@pytest.mark.promise("bad_input", "checksums")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda _: [], "its first line must be steps,seconds"),
        (lambda lines: lines[:1], "has no rows: it was cut off, or nothing has been evaluated"),
        (lambda lines: lines[:-1], "row 1: is damaged, or others are missing"),
        (lambda lines: lines[1:], "is not a learning curve"),
        (lambda lines: [*lines[:-1], lines[-1].replace("0.5", "0.6", 1)], "row 3: is damaged"),
        (lambda lines: [lines[0], *lines[:0:-1]], "row 1: is damaged"),
        (lambda lines: [*lines[:-1], lines[-1][:-40]], "row 3: is not a row of a learning curve"),
        (lambda lines: [line.rpartition(",")[0] for line in lines], "is not a learning curve"),
    ],
)
def test_a_damaged_curve_is_one_line(tmp_path, capsys, change, says):
    write_curve(tmp_path, points(3))
    path = tmp_path / "curve.csv"
    lines = change(path.read_text().splitlines())
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(FileError, match=says):
        read_curve(tmp_path)
    assert main(["plot", str(tmp_path), "--out", str(tmp_path / "x.png")]) == 2
    assert capsys.readouterr().err.startswith(f"error: {path}: ")
    assert not (tmp_path / "x.png").exists()

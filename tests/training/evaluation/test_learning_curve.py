"""Learning curves on disk."""

from __future__ import annotations

import pytest
from monopoly_training.evaluation.learning_curve import read_curve

from monopoly_env.errors import FileError


@pytest.mark.promise("bad_input")
def test_a_curve_that_is_no_text_is_one_line(tmp_path):
    (tmp_path / "curve.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match=r"curve.csv: is no table of text"):
        read_curve(tmp_path)

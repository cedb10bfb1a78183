"""Plain HTML: everything is escaped."""

from __future__ import annotations

from monopoly_training.tournament import html


def test_every_text_is_escaped() -> None:
    odd = '<a & "b">'
    parts = [
        html.heading(odd), html.paragraph(odd), html.code(odd), html.table(odd, [odd], [[odd, odd]])
    ]  # fmt: skip
    page = html.page(odd, parts)
    assert "<a &" not in page
    assert page.count("&lt;a &amp; &quot;b&quot;&gt;") == 8


def test_the_first_column_of_a_table_names_its_rows() -> None:
    table = html.table("t", ["bot", "won"], [["random", "1"]])
    assert '<th scope="row">random</th><td>1</td>' in table

"""Forms and their standing order."""

from __future__ import annotations

import pytest

from tallytale.problems.equations import parse
from tallytale.problems.forms import arrange, form
from tallytale.problems.solving import equivalent


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + y = 27; 2x + 4y = 86", "x+y=n; ax+by=m"),
        ("86 = 4r + 2c; r + c = 27", "x+y=n; ax+by=m"),
        ("x - y = 6; 8y - 4x = 64", "x-y=n; ay-bx=m"),
        ("x = 2y; 4x + 6y = 56", "x=ay; bx+cy=n"),
        ("x = y; 2x + 4y = 48", "x=y; ax+by=n"),
        ("x = 3y + 5; x + y = 121", "x+y=n; x=ay+m"),
        ("x + y = 192/16; 22x + 14y = 192", "x+y=n/m; ax+by=p"),
        ("x + y = 5*12; x - y = 14", "x-y=n; x+y=m*p"),
        ("2x/3y = 4 + 1; x = y", "x=y; ax/(by)=n+m"),
        ("x + 5 = 2(y + 5); x = y + 20", "x=y+n; x+m=a(y+p)"),
        ("(x + y)/2 = 15; x - y = 4", "x-y=n; (x+y)/a=m"),
        ("3x + 18 = 135", "ax+n=m"),
    ],
)
def test_the_form_is_the_shape_without_numbers(text: str, expected: str) -> None:
    assert form(parse(text)) == expected


@pytest.mark.parametrize("text", ["86 = 4y + 2x; y + x = 27", "x - 8 = y + 8; x + y = 76", "y = x - 4; 3*5 = x + y"])
def test_arranging_changes_nothing_but_the_order(text: str) -> None:
    assert equivalent(parse(text), arrange(parse(text)))
    assert arrange(arrange(parse(text))) == arrange(parse(text))

"""Forms, their standing order, and random systems."""

from __future__ import annotations

import pytest

from tallytale.errors import EquationError
from tallytale.problems.equations import parse
from tallytale.problems.forms import DIFFICULTIES, FORMS, SystemOptions, arrange, form, random_systems
from tallytale.problems.solving import equivalent, fingerprint, solve


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


ALL_FORMS = [
    (unknowns, level, text) for unknowns, levels in FORMS.items() for level in levels for text in levels[level]
]


@pytest.mark.parametrize(("unknowns", "difficulty", "text"), ALL_FORMS)
def test_every_listed_form_yields_systems_of_that_form(unknowns: int, difficulty: str, text: str) -> None:
    options = SystemOptions(unknowns=unknowns, difficulty=difficulty, form=text)  # type: ignore[arg-type]
    systems = random_systems(5, options, seed=3)
    assert len({form(system) for system in systems}) == 1
    assert all(len(system.unknowns) == unknowns for system in systems)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("unknowns", [1, 2, 3])
def test_random_systems_are_whole_positive_different_and_have_distinct_numbers(unknowns: int, difficulty: str) -> None:
    options = SystemOptions(unknowns=unknowns, difficulty=difficulty)  # type: ignore[arg-type]
    systems = random_systems(100, options, seed=5)
    assert len({fingerprint(system) if unknowns > 1 else str(system) for system in systems}) == 100
    for system in systems:
        solution = solve(system)
        assert solution.whole
        assert solution.positive
        assert parse(str(system)) == system


def test_the_seed_decides_and_systems_to_avoid_are_avoided() -> None:
    options = SystemOptions(difficulty="medium")
    first = random_systems(20, options, seed=1)
    assert random_systems(20, options, seed=1) == first
    assert random_systems(20, options, seed=2) != first
    others = random_systems(20, options, seed=1, avoid=first)
    assert not {fingerprint(system) for system in others} & {fingerprint(system) for system in first}


def test_the_range_of_solutions_is_kept() -> None:
    for system in random_systems(50, SystemOptions(low=7, high=9, difficulty="medium"), seed=1):
        assert all(7 <= value <= 9 for value in solve(system).values.values())


@pytest.mark.parametrize(
    "options",
    [
        SystemOptions(unknowns=4),
        SystemOptions(low=9, high=3),
        SystemOptions(low=0),
        SystemOptions(low=5, high=5),
        SystemOptions(difficulty="impossible"),  # type: ignore[arg-type]
        SystemOptions(form="x + = n"),
    ],
)
def test_impossible_wishes_are_refused(options: SystemOptions) -> None:
    with pytest.raises(EquationError):
        random_systems(50, options, seed=1)

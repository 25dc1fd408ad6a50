"""Exact solutions and equivalence."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

from tallytale.errors import EquationError
from tallytale.problems.equations import parse
from tallytale.problems.solving import equivalent, fingerprint, solve


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x + y = 27; 2x + 4y = 86", {"x": 11, "y": 16}),
        ("x = 2y; x + y = 12", {"x": 8, "y": 4}),
        ("3x + 18 = 135", {"x": 39}),
        ("x + y + z = 6; x - y = 1; z = 3", {"x": 2, "y": 1, "z": 3}),
        ("(x + y)/2 = 5; x - y = 4", {"x": 7, "y": 3}),
        ("2x/(3y) = 4; x + y = 14", {"x": 12, "y": 2}),
        ("x + y = 192/16; 22x + 14y = 192", {"x": 3, "y": 9}),
        ("15%x + 30%y = 20%*12; x + y = 12", {"x": 8, "y": 4}),
        ("x*y = 25; x + y = 10", {"x": 5, "y": 5}),
        ("0.5x = 1/3", {"x": Fraction(2, 3)}),
    ],
)
def test_one_solution(text: str, values: dict[str, Fraction]) -> None:
    solution = solve(parse(text))
    assert solution.kind == "unique"
    assert solution.values == values


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x + y = 3; x + y = 4", "none"),
        ("x + y = 3; 2x + 2y = 6", "many"),
        ("x + y = 3", "many"),
        ("x = 1; x = 2", "none"),
        ("x + y = 3; x - y = 1; x = 2", "unique"),
        ("x/y = 2; y = 0", "none"),
        ("x*y = 24; x + y = 10", "many"),
        ("x*y = 26; x + y = 10", "none"),
        ("x*y = 23; x + y = 10", "many"),
    ],
)
def test_none_or_many(text: str, kind: str) -> None:
    assert solve(parse(text)).kind == kind


def test_whole_and_positive() -> None:
    assert solve(parse("x + y = 5; x - y = 1")).whole
    assert not solve(parse("x + y = 5; x - y = 2")).whole
    assert solve(parse("x + y = 5; x - y = 1")).positive
    assert not solve(parse("x + y = 5; x - y = 7")).positive
    assert not solve(parse("x + y = 5; x - y = 5")).positive


@pytest.mark.parametrize("text", ["x/0 = 3", "x/(y - y) = 3; y = 1", "x*x*x = 8", "x*y = 6; x*x = 4"])
def test_what_cannot_be_solved_says_so(text: str) -> None:
    with pytest.raises(EquationError):
        solve(parse(text))


def test_solving_agrees_with_sympy_on_10000_random_systems() -> None:
    chance = random.Random(7)
    for _ in range(10_000):
        names = "xyz"[: chance.randint(1, 3)]
        equations = []
        for _ in range(len(names) if chance.random() < 0.9 else chance.randint(1, 3)):
            terms = " + ".join(f"{chance.choice([1, 2, 3, 5, 0.5, 0.25])}*{name}" for name in names)
            less = f"{chance.choice(names)}*{chance.randint(0, 3)}"
            equations.append(f"{terms} - {less} = {chance.randint(0, 9)}/{chance.randint(1, 4)}")
        system = parse("; ".join(equations))
        ours = solve(system)
        symbols = [sympy.Symbol(name) for name in system.unknowns]
        left, right = zip(*(sides.split("=") for sides in equations), strict=True)
        matrix, vector = sympy.linear_eq_to_matrix(
            [
                sympy.nsimplify(sympy.sympify(one) - sympy.sympify(other))
                for one, other in zip(left, right, strict=True)
            ],
            symbols,
        )
        theirs = sympy.linsolve((matrix, vector), symbols)
        if theirs == sympy.EmptySet:
            assert ours.kind == "none", equations
            continue
        (values,) = theirs
        if any(value.free_symbols for value in values):
            assert ours.kind == "many", equations
        else:
            assert ours.kind == "unique", equations
            assert list(ours.values.values()) == [Fraction(int(value.p), int(value.q)) for value in values], equations


@pytest.mark.parametrize(
    "other",
    ["2x + 4y = 86; x + y = 27", "a + b = 27; 43 = a + 2b", "y + x = 27; 4x + 2y = 86", "p = 27 - q; 4p + 8q = 172"],
)
def test_order_scaling_and_names_do_not_matter(other: str) -> None:
    assert equivalent(parse("x + y = 27; 2x + 4y = 86"), parse(other))


@pytest.mark.parametrize(
    "other", ["x = 11; y = 16", "x + y = 27; 3x + 4y = 97", "x + y = 27", "x - y = 27; 2x + 4y = 86"]
)
def test_a_common_solution_is_not_enough(other: str) -> None:
    assert not equivalent(parse("x + y = 27; 2x + 4y = 86"), parse(other))


def test_a_fingerprint_can_be_kept_in_a_set() -> None:
    assert len({fingerprint(parse("x + y = 3; x = 2y")), fingerprint(parse("b = 2a; a + b = 3"))}) == 1

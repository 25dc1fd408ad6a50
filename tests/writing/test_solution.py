"""Worked steps and answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest

from tallytale.errors import EquationError
from tallytale.problems.equations import parse
from tallytale.problems.solving import solve
from tallytale.problems.systems import DIFFICULTIES, SystemOptions, random_systems
from tallytale.writing.solution import answer, steps


def test_an_unknown_that_stands_alone_is_substituted() -> None:
    assert steps(parse("x = 2y; x + y = 12")) == [
        "Put x = 2y into x + y = 12: 2y + y = 12. This gives 3y = 12, so y = 4.",
        "Then x = 2 · 4 = 8.",
    ]


def test_factors_are_made_equal_where_none_is_1() -> None:
    assert steps(parse("2x + 3y = 59; 5x + 4y = 116")) == [
        "Multiply 2x + 3y = 59 by 5: 10x + 15y = 295.",
        "Multiply 5x + 4y = 116 by 2: 10x + 8y = 232.",
        "Subtract one equation from the other: x drops out. This gives 7y = 63, so y = 9.",
        "Put y = 9 into 2x + 3y = 59: x = 16.",
    ]


def test_parentheses_and_quotients_are_cleared_first() -> None:
    assert steps(parse("(x + y)/2 = 15; x = y + 4"))[0] == "(x + y)/2 = 15 means x + y = 30."


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("unknowns", [1, 2, 3])
def test_steps_arrive_at_the_solution_and_every_equation_in_them_is_true(unknowns: int, difficulty: str) -> None:
    options = SystemOptions(unknowns=unknowns, difficulty=difficulty)  # type: ignore[arg-type]
    for system in random_systems(60, options, seed=2):
        values = solve(system).values
        lines = steps(system)
        for name, value in values.items():
            assert any(re.search(rf"\b{name} = (?:.* = )?{value}\.$", line) for line in lines), (system, lines)
        for line in lines:
            for left, right in _equations(line):
                assert _value(left, values) == pytest.approx(_value(right, values)), (system, line)


def _equations(line: str) -> list[tuple[str, str]]:
    """Equations within a step: pieces between words that hold an equals sign."""
    pieces = re.split(r"[A-Za-z]{2,}|[:.](?=\s|$)|, so ", line)
    sides = [piece.strip(" ,").split("=") for piece in pieces if "=" in piece]
    return [(parts[place], parts[place + 1]) for parts in sides for place in range(len(parts) - 1)]


def _value(text: str, values: Mapping[str, Fraction]) -> float:
    plain = re.sub(r"(\d|\))\s*(?=[xyz(])", r"\1*", text.replace("·", "*"))
    return float(eval(plain, {}, dict(values)))  # a test's own arithmetic on our own output


def test_a_system_without_one_solution_has_no_steps() -> None:
    with pytest.raises(EquationError):
        steps(parse("x + y = 3; 2x + 2y = 6"))


@pytest.mark.parametrize(
    ("asks", "unit", "expected"),
    [
        (("x", "y"), "", "11 geese and 16 oxen"),
        (("y",), "", "16 oxen"),
        (("x + y",), "", "27"),
        (("x",), "dollar", "11 dollars"),
        (("x", "y"), "dollar", "goose: 11 dollars and ox: 16 dollars"),
    ],
)
def test_answers_in_words(asks: tuple[str, ...], unit: str, expected: str) -> None:
    system = parse("x + y = 27; 2x + 4y = 86")
    assert answer(system, asks, {"x": "goose", "y": "ox"}, unit) == expected

"""Exact solutions of a system, and when two systems are the same, with nothing but fractions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Literal

from tallytale.errors import EquationError
from tallytale.problems.equations import Binary, Equation, Negative, Node, Number, System, Unknown

Monomial = tuple[str, ...]  # sorted names of unknowns: () is the constant, ("x", "y") is xy
Polynomial = dict[Monomial, Fraction]
Row = tuple[tuple[Monomial, Fraction], ...]

MAX_DEGREE = 2
ZERO, MINUS = Fraction(0), Fraction(-1)
ONE: Polynomial = {(): Fraction(1)}


@dataclass(frozen=True)
class Solution:
    """All solutions of a system: exactly one (`values`), none or many."""

    kind: Literal["unique", "none", "many"]
    values: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        return self.kind == "unique" and all(value.denominator == 1 for value in self.values.values())

    @property
    def positive(self) -> bool:
        return self.kind == "unique" and all(value > 0 for value in self.values.values())


def solve(system: System) -> Solution:
    """Solve exactly. Quotients of unknowns are cleared (`2x/(3y) = 4`); one product of two unknowns is possible.

    >>> from tallytale.problems.equations import parse
    >>> {name: int(value) for name, value in solve(parse("x + y = 27; 2x + 4y = 86")).values.items()}
    {'x': 11, 'y': 16}
    """
    cleared = [clear(equation) for equation in system.equations]
    polynomials = [polynomial for polynomial, _ in cleared]
    divisors = [divisor for _, divisor in cleared if divisor != ONE]
    linear = [polynomial for polynomial in polynomials if degree(polynomial) <= 1]
    curved = [polynomial for polynomial in polynomials if degree(polynomial) > 1]
    unknowns = system.unknowns
    solution = solve_linear(linear, unknowns)
    if curved:
        solution = _solve_curved(solution, linear, curved, unknowns)
    if solution.kind == "unique" and any(evaluate(divisor, solution.values) == 0 for divisor in divisors):
        return Solution("none")
    return solution


def solve_linear(polynomials: Iterable[Polynomial], unknowns: Sequence[str]) -> Solution:
    """Gauss-Jordan elimination."""
    rows = _rows(polynomials, unknowns)
    pivots = reduce_rows(rows, len(unknowns))
    if any(row[-1] != 0 and not any(row[:-1]) for row in rows):
        return Solution("none")
    if len(pivots) < len(unknowns):
        return Solution("many")
    values = {unknowns[column]: Fraction(rows[row][-1], rows[row][column]) for row, column in enumerate(pivots)}
    return Solution("unique", values)


def _rows(polynomials: Iterable[Polynomial], unknowns: Sequence[str]) -> list[list[int]]:
    """Factors of the unknowns and the right side, multiplied until all are whole."""
    rows: list[list[int]] = []
    for polynomial in polynomials:
        row = [*(polynomial.get((name,), ZERO) for name in unknowns), -polynomial.get((), ZERO)]
        times = math.lcm(*(value.denominator for value in row))
        rows.append([value.numerator * (times // value.denominator) for value in row])
    return rows


def reduce_rows(rows: list[list[int]], columns: int) -> list[int]:
    """Clear each pivot's column in all other rows, in place and without fractions; the pivots' columns."""
    pivots: list[int] = []
    for column in range(columns):
        top = len(pivots)
        chosen = next((index for index in range(top, len(rows)) if rows[index][column] != 0), None)
        if chosen is None:
            continue
        rows[top], rows[chosen] = rows[chosen], rows[top]
        pivot = rows[top]
        lead = pivot[column]
        for index, row in enumerate(rows):
            if index != top and row[column] != 0:
                factor = row[column]
                rows[index] = [value * lead - factor * above for value, above in zip(row, pivot, strict=True)]
        pivots.append(column)
    return pivots


def _solve_curved(
    solution: Solution, linear: list[Polynomial], curved: list[Polynomial], unknowns: Sequence[str]
) -> Solution:
    """A product of unknowns beside linear equations that leave one of them free: a quadratic in that one."""
    if solution.kind == "none":
        return solution
    if solution.kind == "unique":
        holds = all(evaluate(polynomial, solution.values) == 0 for polynomial in curved)
        return solution if holds else Solution("none")
    rows = _rows(linear, unknowns)
    pivots = reduce_rows(rows, len(unknowns))
    free = [index for index in range(len(unknowns)) if index not in pivots]
    if len(free) != 1 or len(curved) != 1:
        raise EquationError("unknowns are multiplied with each other; only one such equation can be solved")
    name = unknowns[free[0]]
    line: dict[str, Polynomial] = {name: {(name,): Fraction(1)}}  # every unknown in terms of the free one
    for row, column in zip(rows, pivots, strict=False):
        line[unknowns[column]] = clean(
            {(): Fraction(row[-1], row[column]), (name,): Fraction(-row[free[0]], row[column])}
        )
    quadratic: Polynomial = {}
    for monomial, factor in curved[0].items():
        term: Polynomial = {(): factor}
        for part in monomial:
            term = multiply(term, line[part])
        quadratic = add(quadratic, term)
    roots = _roots(*(quadratic.get((name,) * power, ZERO) for power in (2, 1, 0)))
    if roots is None:
        return Solution("many")
    solutions = [{key: evaluate(line[key], {name: root}) for key in unknowns} for root in roots]
    return Solution("unique", solutions[0]) if len(solutions) == 1 else Solution("many" if solutions else "none")


def _roots(a: Fraction, b: Fraction, c: Fraction) -> list[Fraction] | None:
    """The real roots of ax² + bx + c; None where they cannot be listed (irrational, or everything is one)."""
    if a == 0:
        if b == 0:
            return None if c == 0 else []
        return [-c / b]
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    root = Fraction(math.isqrt(discriminant.numerator), math.isqrt(discriminant.denominator))
    if root * root != discriminant:
        return None
    return sorted({(-b - root) / (2 * a), (-b + root) / (2 * a)})


# --- polynomials -------------------------------------------------------------------------------


def clear(equation: Equation) -> tuple[Polynomial, Polynomial]:
    """Left minus right as one polynomial that must be zero, and the product of all divisors, which must not."""
    (left, under_left), (right, under_right) = quotient(equation.left), quotient(equation.right)
    difference = add(multiply(left, under_right), multiply(right, under_left), times=MINUS)
    return difference, multiply(under_left, under_right)


def quotient(node: Node) -> tuple[Polynomial, Polynomial]:
    """A tree as one polynomial over another; a constant divisor is divided out at once."""
    match node:
        case Number(number):
            return clean({(): number}), ONE
        case Unknown(name):
            return {(name,): Fraction(1)}, ONE
        case Negative(inner):
            over, under = quotient(inner)
            return scale(over, MINUS), under
        case Binary(sign, first, second):
            (left, under_left), (right, under_right) = quotient(first), quotient(second)
            if sign in "+-":
                times = ONE[()] if sign == "+" else MINUS
                total = add(multiply(left, under_right), multiply(right, under_left), times=times)
                return total, multiply(under_left, under_right)
            if sign == "*":
                return multiply(left, right), multiply(under_left, under_right)
            if not right:
                raise EquationError("an equation divides by zero")
            if right.keys() == {()} and under_right == ONE:
                return scale(left, 1 / right[()]), under_left
            return multiply(left, under_right), multiply(under_left, right)


def add(left: Polynomial, right: Polynomial, *, times: Fraction = Fraction(1)) -> Polynomial:
    total = dict(left)
    for monomial, factor in right.items():
        total[monomial] = total.get(monomial, ZERO) + times * factor
    return clean(total)


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    if left == ONE or right == ONE:
        return right if left == ONE else left
    product: Polynomial = {}
    for first, factor in left.items():
        for second, other in right.items():
            monomial = tuple(sorted(first + second))
            if len(monomial) > MAX_DEGREE:
                raise EquationError(f"unknowns are multiplied to the power {len(monomial)}; this cannot be solved here")
            product[monomial] = product.get(monomial, ZERO) + factor * other
    return clean(product)


def scale(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    return clean({monomial: factor * value for monomial, value in polynomial.items()})


def clean(polynomial: Polynomial) -> Polynomial:
    return {monomial: value for monomial, value in polynomial.items() if value != 0}


def degree(polynomial: Polynomial) -> int:
    return max(map(len, polynomial), default=0)


def evaluate(polynomial: Polynomial, known: Mapping[str, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, factor in polynomial.items():
        total += factor * math.prod((known[name] for name in monomial), start=Fraction(1))
    return total


# --- equivalence -------------------------------------------------------------------------------


def fingerprint(system: System) -> tuple[Row, ...]:
    """Equal for two systems just when they are the same up to order, scaling and the unknowns' names."""
    polynomials = [clear(equation)[0] for equation in system.equations]
    names = system.unknowns
    places = [dict(zip(names, order, strict=True)) for order in permutations(_ALPHABET[: len(names)])]
    return min(tuple(sorted(_scaled(polynomial, renamed) for polynomial in polynomials)) for renamed in places)


def equivalent(first: System, second: System) -> bool:
    """Whether both say the same up to order, scaling and names; a common solution alone is not enough."""
    return fingerprint(first) == fingerprint(second)


def _scaled(polynomial: Polynomial, renamed: Mapping[str, str]) -> Row:
    row = sorted((tuple(sorted(renamed[name] for name in monomial)), value) for monomial, value in polynomial.items())
    lead = row[-1][1] if row else ONE[()]
    return tuple((monomial, value / lead) for monomial, value in row)


_ALPHABET = "xyz"

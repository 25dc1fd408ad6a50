"""Random systems with one solution each, whole and positive: by number of unknowns, form, difficulty and range."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from tallytale.errors import EquationError
from tallytale.problems.equations import (
    Binary,
    Equation,
    Negative,
    Node,
    Number,
    System,
    Unknown,
    leaves,
    parse_shapes,
    with_leaves,
)
from tallytale.problems.forms import FACTORS, arrange
from tallytale.problems.solving import clear, degree, evaluate, fingerprint, solve

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

FORMS: Mapping[int, Mapping[Difficulty, Sequence[str]]] = {
    1: {
        "easy": ("x + n = m", "ax = n", "x - n = m"),
        "medium": ("ax + n = m", "ax - n = m", "x/a + n = m", "a(x + n) = m"),
        "hard": ("ax + n = bx + m", "ax - n = bx + m", "a(x + n) = bx + m", "x/a + x/b = n"),
    },
    2: {
        "easy": ("x + y = n; x - y = m", "x + y = n; x = ay", "x = y + n; x + y = m", "x = y; ax + by = n"),
        "medium": (
            "x + y = n; ax + by = m",
            "x - y = n; ax + by = m",
            "y - x = n; ax + by = m",
            "x = ay; bx + cy = n",
            "x = ay + n; x + y = m",
            "x + y = n; ax - by = m",
            "x + y = n; by - ax = m",
            "x + y = n; ax = by",
            "x + y = nm; x - y = p",
            "x + y = n + m; ax + by = p",
        ),
        "hard": (
            "ax + by = n; cx + dy = m",
            "ax + by = n; cx - dy = m",
            "x + y = n/m; ax + by = p",
            "x = ay + n; bx + cy = m",
            "x = ay - n; bx + cy = m",
            "x - y = n; ax - by = m",
            "ax + by = nm; x + y = p",
            "x + n = a(y + n); x + y = m",
            "x - n = a(y - n); x + y = m",
            "a(x + y) = n; x = y + m",
        ),
    },
    3: {
        "easy": ("x + y + z = n; x = y + m; z = y + p", "x + y + z = n; x = ay; z = by"),
        "medium": ("x + y + z = n; x + y = m; y + z = p", "x + y + z = n; ax + by + cz = m; x = y + p"),
        "hard": (
            "x + y + z = n; ax + by + cz = m; x = dy",
            "ax + by + cz = n; x + y + z = m; x + y = z + p",
        ),
    },
}
FACTOR_SIZES: Mapping[Difficulty, int] = {"easy": 6, "medium": 12, "hard": 30}
SOLUTION_SIZES: Mapping[Difficulty, tuple[int, int]] = {"easy": (2, 20), "medium": (3, 60), "hard": (5, 150)}
TRIES = 2000  # attempts at one system before a form or range is called impossible


@dataclass(frozen=True, kw_only=True)
class SystemOptions:
    """What random systems are wanted."""

    unknowns: int = 2
    difficulty: Difficulty = "easy"
    form: str = ""  # a form of your own, such as "x + y = n; ax + by = m"; empty for any of the difficulty's
    low: int | None = None  # smallest value of an unknown
    high: int | None = None  # largest value of an unknown


def random_systems(count: int, options: SystemOptions, *, seed: int, avoid: Collection[System] = ()) -> list[System]:
    """`count` different systems with one solution each, whole and positive, none equivalent to one of `avoid`."""
    if options.unknowns not in FORMS:
        raise EquationError(f"{options.unknowns} unknowns; choose 1, 2 or 3")
    if options.difficulty not in DIFFICULTIES:
        raise EquationError(f"unknown difficulty '{options.difficulty}'; choose {', '.join(DIFFICULTIES)}")
    chance = random.Random(seed)
    shapes = [options.form] if options.form else FORMS[options.unknowns][options.difficulty]
    seen = {_identity(system) for system in avoid}
    systems: list[System] = []
    failures = 0
    while len(systems) < count:
        system = _random_system(chance.choice(shapes), options, chance)
        if system is None or _identity(system) in seen:
            failures += 1
            if failures > TRIES:
                raise EquationError(
                    f"only {len(systems)} different systems of this kind were found; widen the range or the form"
                )
            continue
        failures = 0
        seen.add(_identity(system))
        systems.append(system)
    return systems


def _identity(system: System) -> object:
    """Systems that count as one. With one unknown, scaling would make all with the same solution one."""
    return fingerprint(system) if len(system.unknowns) > 1 else str(arrange(system))


def _random_system(text: str, options: SystemOptions, chance: random.Random) -> System | None:
    """One attempt: draw unknowns and all letters but the last constant of each equation, which then follows."""
    low, high = SOLUTION_SIZES[options.difficulty]
    low = low if options.low is None else options.low
    high = max(low, high) if options.high is None else options.high
    if low < 1 or high < low:
        raise EquationError(f"solutions from {low} to {high}; the range must start at 1 or more and not be empty")
    known: dict[str, Fraction] = {name: Fraction(chance.randint(low, high)) for name in "xyz"}
    equations = parse_shapes(text)
    for equation in sorted(equations, key=_has_letters):  # x = y and the like settle an unknown before all else
        letters = list(dict.fromkeys(leaf.name for leaf in leaves(equation) if isinstance(leaf, Unknown)))
        fresh = [letter for letter in letters if letter not in known]
        derived = _derivable(equation, fresh) if fresh else letters[0]
        for letter in fresh:
            if letter != derived:
                known[letter] = Fraction(chance.randint(2, _size(letter, options.difficulty, high)))
        if derived:
            value = _follow(equation, derived, known)
            if value is None or (fresh and not _fair(value, derived, options.difficulty)):
                return None
            known[derived] = value
    system = _with_numbers(System(tuple(equations)), known)
    if system is None or any(value > high for value in _taken_away(system)):
        return None
    solution = solve(system)
    return system if solution.whole and all(low <= value <= high for value in solution.values.values()) else None


def _has_letters(equation: Equation) -> bool:
    return any(isinstance(leaf, Unknown) and leaf.name not in "xyz" for leaf in leaves(equation))


def _fair(value: Fraction, letter: str, difficulty: Difficulty) -> bool:
    """Whether a derived number may stand in a problem: whole, more than 1, and not large where it multiplies."""
    if value.denominator != 1 or value < 2:
        return False
    return letter[0] not in FACTORS or value <= FACTOR_SIZES[difficulty]


def _size(letter: str, difficulty: Difficulty, high: int) -> int:
    return FACTOR_SIZES[difficulty] if letter[0] in FACTORS else max(2, min(high, 3 * FACTOR_SIZES[difficulty]))


def _derivable(equation: Equation, fresh: Sequence[str]) -> str | None:
    """The letter that the others determine: the last constant, or else the last factor, that stands there once.

    A divisor is drawn rather than derived, since few would come out whole.
    """
    divisors = set(_divisors(equation))
    names = [leaf.name for leaf in leaves(equation) if isinstance(leaf, Unknown)]
    once = [name for name in fresh if names.count(name) == 1 and name not in divisors]
    constants = [name for name in once if name[0] not in FACTORS]
    candidates = constants or once
    return candidates[-1] if candidates else None


def _divisors(tree: Node | Equation) -> Iterator[str]:
    match tree:
        case Binary(sign, left, right):
            yield from _divisors(left)
            yield from _divisors(right)
            if sign == "/" and isinstance(right, Unknown):
                yield right.name
        case Equation(left, right):
            yield from _divisors(left)
            yield from _divisors(right)


def _follow(equation: Equation, letter: str, known: Mapping[str, Fraction]) -> Fraction | None:
    """The value of `letter` that makes the equation true; the equation may be curved but is linear in `letter`."""
    others = {name: value for name, value in known.items() if name != letter}
    polynomial, divisor = clear(Equation(_substitute(equation.left, others), _substitute(equation.right, others)))
    slope = polynomial.get((letter,), Fraction(0))
    if degree(polynomial) != 1 or slope == 0:
        return None
    value = -polynomial.get((), Fraction(0)) / slope
    return value if evaluate(divisor, {letter: value}) != 0 else None


def _substitute(node: Node, known: Mapping[str, Fraction]) -> Node:
    def value(leaf: Number | Unknown) -> Node:
        return Number(known[leaf.name]) if isinstance(leaf, Unknown) and leaf.name in known else leaf

    return with_leaves(node, value)


def _with_numbers(shapes: System, known: Mapping[str, Fraction]) -> System | None:
    """The system with its numbers in place, if no two letters share a number."""
    letters = {name: value for name, value in known.items() if name not in "xyz"}
    present = {leaf.name for leaf in leaves(shapes) if isinstance(leaf, Unknown)}
    used = [letters[name] for name in letters if name in present]
    if len(set(used)) < len(used):
        return None
    return System(
        tuple(
            Equation(_substitute(equation.left, letters), _substitute(equation.right, letters))
            for equation in shapes.equations
        )
    )


def _taken_away(tree: Node | Equation | System) -> Iterator[Fraction]:
    """Numbers that stand alone behind a minus sign."""
    match tree:
        case System(equations):
            for equation in equations:
                yield from _taken_away(equation)
        case Binary("-", left, Number(value)):
            yield value
            yield from _taken_away(left)
        case Binary(_, left, right) | Equation(left, right):
            yield from _taken_away(left)
            yield from _taken_away(right)
        case Negative(inner):
            yield from _taken_away(inner)

"""Answers in words and worked steps, as a teacher writes them on the board.

An unknown that stands alone or has the factor 1 is substituted; where there is none, equal factors are made and one
unknown is eliminated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallytale.errors import EquationError
from tallytale.problems.english import digits, plural
from tallytale.problems.equations import System, parse_shapes
from tallytale.problems.solving import Polynomial, add, clear, degree, evaluate, scale, solve, solve_linear


@dataclass(frozen=True, slots=True)
class Line:
    """An equation (`terms` must be zero) and how it is written."""

    terms: Polynomial
    text: str

    @classmethod
    def of(cls, terms: Polynomial) -> Line:
        unknown = [value for key, value in sorted(terms.items()) if key]
        if unknown and unknown[0] < 0:
            terms = scale(terms, Fraction(-1))
        return cls(terms, _equation(terms))


def steps(system: System) -> list[str]:
    """Worked steps from the equations to the unknowns' values.

    >>> from tallytale.problems.equations import parse
    >>> for step in steps(parse("x + y = 27; 2x + 4y = 86")):
    ...     print(step)
    From x + y = 27: x = 27 - y.
    Put this into 2x + 4y = 86: 2(27 - y) + 4y = 86. This gives 2y = 32, so y = 16.
    Then x = 27 - 16 = 11.
    """
    lines = [Line(clear(equation)[0], str(equation)) for equation in system.equations]
    if any(degree(line.terms) > 1 for line in lines) or solve(system).kind != "unique":
        raise EquationError("worked steps need linear equations with exactly one solution")
    tidied = [_tidied(line) for line in lines]
    first = [f"{old.text} means {new.text}." for old, new in zip(lines, tidied, strict=True) if old is not new]
    return [*first, *_worked(tidied)]


def _tidied(line: Line) -> Line:
    """An equation with parentheses, quotients or percentages in whole numbers without them."""
    if not any(sign in line.text for sign in "(/%*"):
        return line
    whole = math.lcm(*(value.denominator for value in line.terms.values()))
    plain = Line.of(scale(line.terms, Fraction(whole)))
    return line if plain.text == line.text else plain


def _worked(lines: list[Line]) -> Iterator[str]:
    if len(lines) == 1:
        terms = lines[0].terms
        name = _unknowns(terms)[0]
        written = _equation(terms)
        if written not in (lines[0].text, f"{name} = {_number(-terms.get((), Fraction(0)))}"):
            yield f"{lines[0].text} gives {written}."
        yield f"So {name} = {_number(-terms.get((), Fraction(0)) / terms[(name,)])}."
        return
    chosen, name = _easiest(lines)
    others = [line for line in lines if line is not chosen]
    if abs(chosen.terms[(name,)]) == 1:
        yield from _by_substitution(chosen, name, others)
    else:
        yield from _by_elimination(chosen, name, others)


def _easiest(lines: Sequence[Line]) -> tuple[Line, str]:
    """The equation and the unknown to get rid of: factor 1 if there is one, few terms, then small common factors."""

    def cost(choice: tuple[Line, str]) -> tuple[int, int, int]:
        line, name = choice
        factor = line.terms[(name,)]
        alone = line.text.startswith(f"{name} = ")
        others = [other.terms[(name,)] for other in lines if other is not line and (name,) in other.terms]
        common = max((_common(factor, other) for other in others), default=1)
        return (0 if alone else 1 if abs(factor) == 1 else 2, len(line.terms), common)

    return min(((line, name) for line in lines for name in _unknowns(line.terms)), key=cost)


def _by_substitution(chosen: Line, name: str, others: Sequence[Line]) -> Iterator[str]:
    rest = {key: value for key, value in chosen.terms.items() if key != (name,)}
    expression = scale(rest, -1 / chosen.terms[(name,)])
    said = f"{name} = {_sum(expression)}"
    if chosen.text != said:
        yield f"From {chosen.text}: {said}."
        said = "this"
    reduced: list[Line] = []
    for line in others:
        factor = line.terms.get((name,), Fraction(0))
        if factor == 0:
            reduced.append(line)
            continue
        kept = {key: value for key, value in line.terms.items() if key != (name,)}
        result = Line.of(add(kept, scale(expression, factor)))
        yield f"Put {said} into {line.text}: {_replaced(kept, factor, expression)}. {_gives(result)}"
        reduced.append(result)
    yield from _rest(reduced)
    known = _values(reduced)
    yield f"Then {name} = {_filled(expression, known)}{_number(evaluate(expression, known))}."


def _by_elimination(chosen: Line, name: str, others: Sequence[Line]) -> Iterator[str]:
    reduced: list[Line] = []
    for line in others:
        if (name,) not in line.terms:
            reduced.append(line)
            continue
        mine, theirs = chosen.terms[(name,)], line.terms[(name,)]
        common = _common(mine, theirs)
        scaled = []
        for each, factor in ((chosen, mine), (line, theirs)):
            times = common / abs(factor)
            scaled.append(scale(each.terms, times))
            if times != 1:
                yield f"Multiply {each.text} by {_number(times)}: {_equation(scaled[-1])}."
        subtract = (mine > 0) == (theirs > 0)
        result = Line.of(add(scaled[0], scaled[1], times=Fraction(-1 if subtract else 1)))
        how = "Subtract one equation from the other" if subtract else "Add the two equations"
        yield f"{how}: {name} drops out. {_gives(result)}"
        reduced.append(result)
    yield from _rest(reduced)
    known = _values(reduced)
    rest = {key: value for key, value in chosen.terms.items() if key != (name,)}
    value = -evaluate(rest, known) / chosen.terms[(name,)]
    given = " and ".join(f"{key} = {_number(known[key])}" for key in known if (key,) in rest)
    yield f"Put {given} into {chosen.text}: {name} = {_number(value)}." if given else f"So {name} = {_number(value)}."


def _rest(reduced: list[Line]) -> Iterator[str]:
    """What remains to be worked out; a single equation has been solved in the step that made it."""
    if len(reduced) > 1:
        yield from _worked(reduced)


def _values(lines: Sequence[Line]) -> dict[str, Fraction]:
    names = list(dict.fromkeys(name for line in lines for name in _unknowns(line.terms)))
    return dict(solve_linear([line.terms for line in lines], names).values)


def _gives(line: Line) -> str:
    names = _unknowns(line.terms)
    if len(names) != 1:
        return f"This gives {line.text}."
    value = f"{names[0]} = {_number(-line.terms.get((), Fraction(0)) / line.terms[(names[0],)])}"
    return f"So {value}." if line.text == value else f"This gives {line.text}, so {value}."


# --- writing -----------------------------------------------------------------------------------


def _unknowns(terms: Polynomial) -> list[str]:
    return sorted(key[0] for key in terms if key)


def _common(first: Fraction, second: Fraction) -> int:
    """The least common multiple of two factors; fractions are taken as they are."""
    if first.denominator == second.denominator == 1:
        return math.lcm(first.numerator, second.numerator)
    return abs((first * second).numerator)


def _equation(terms: Polynomial) -> str:
    """Unknowns left, the constant right."""
    left = {key: value for key, value in terms.items() if key}
    return f"{_sum(left)} = {_number(-terms.get((), Fraction(0)))}"


def _sum(terms: Polynomial) -> str:
    """Terms with a plus sign before those with a minus sign: 27 - y rather than -y + 27."""
    ordered = sorted(terms.items(), key=lambda item: (item[1] < 0, not item[0], item[0]))
    text = ""
    for key, value in ordered:
        sign = (" - " if value < 0 else " + ") if text else ("-" if value < 0 else "")
        text += sign + (_factor(abs(value)) + key[0] if key else _number(abs(value)))
    return text or "0"


def _replaced(kept: Polynomial, factor: Fraction, expression: Polynomial) -> str:
    """An equation in which an unknown has been replaced by an expression."""
    others = {key: value for key, value in kept.items() if key}
    inner = _sum(expression)
    bare = len(expression) == 1 and (abs(factor) == 1 or inner.isalpha())
    replaced = _factor(abs(factor)) + (inner if bare else f"({inner})")
    if factor > 0:
        more = _sum(others) if others else ""
        joint = f" - {more[1:]}" if more.startswith("-") else f" + {more}" if more else ""
        left = replaced + joint
    else:
        left = f"{_sum(others)} - {replaced}" if others else f"-{replaced}"
    return f"{left} = {_number(-kept.get((), Fraction(0)))}"


def _filled(expression: Polynomial, known: Mapping[str, Fraction]) -> str:
    """The expression with numbers for its unknowns, and an equals sign; nothing if there is nothing to work out."""
    if not _unknowns(expression) or (len(expression) == 1 and 1 in expression.values()):
        return ""
    ordered = sorted(expression.items(), key=lambda item: (item[1] < 0, not item[0], item[0]))
    text = ""
    for key, value in ordered:
        sign = (" - " if value < 0 else " + ") if text else ("-" if value < 0 else "")
        number = _number(abs(value)) if not key else _number(known[key[0]])
        text += sign + (f"{_number(abs(value))} · {number}" if key and abs(value) != 1 else number)
    return text + " = "


def _factor(value: Fraction) -> str:
    return "" if value == 1 else _number(value)


def _number(value: Fraction) -> str:
    """Whole numbers and short decimals in digits, other fractions as fractions."""
    if value.denominator in (1, 2, 4, 5, 8, 10, 20, 25, 50, 100):
        return digits(value)
    return f"({value.numerator}/{value.denominator})"


# --- answers -----------------------------------------------------------------------------------


def answer(system: System, asks: Sequence[str], entities: Mapping[str, str], unit: str) -> str:
    """What is asked for, in words: `11 chickens and 16 rabbits`."""
    values = solve(system).values
    parts: list[str] = []
    for ask in asks:
        polynomial, _ = clear(parse_shapes(f"{ask} = 0")[0])
        value = evaluate(polynomial, values)
        name = ask.strip()
        if unit:
            amount = _counted(value, unit)
            parts.append(f"{entities[name]}: {amount}" if name in entities and len(asks) > 1 else amount)
        else:
            parts.append(_counted(value, entities[name]) if name in entities else f"{digits(value)}")
    return " and ".join(parts) if len(parts) < 3 else ", ".join(parts[:-1]) + f" and {parts[-1]}"


def _counted(value: Fraction, noun: str) -> str:
    return f"{digits(value)} {noun if value == 1 else plural(noun)}"

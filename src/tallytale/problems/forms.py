"""The form of a system: its shape with the numbers taken out, such as `x + y = n; ax + by = m`.

Two systems of one form can be told by the same story with other numbers. `arrange` puts equations and terms into a
standing order first, so that `86 = 4y + 2x` and `2x + 4y = 86` have one form and their numbers stand in the same slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tallytale.problems.equations import (
    Binary,
    Equation,
    Negative,
    Node,
    Number,
    System,
    Unknown,
    leaves,
    with_leaves,
    written,
)

FACTORS = "abcdefgh"  # letters of numbers that multiply or divide an unknown
CONSTANTS = "nmpqrstuvw"  # letters of all other numbers


# --- the standing order ------------------------------------------------------------------------


def arrange(system: System) -> System:
    """Unknowns before constants, shorter equations first: the order in which slots are counted.

    >>> from tallytale.problems.equations import parse
    >>> str(arrange(parse("86 = 4y + 2x; y + x = 27")))
    'x + y = 27; 2x + 4y = 86'
    """
    return System(tuple(arrange_equation(system.equations[place]) for place in arrangement(system)))


def arrangement(system: System) -> list[int]:
    """Where each equation of the arranged system stood before."""
    shapes = [shape(arrange_equation(equation)) for equation in system.equations]
    return sorted(range(len(shapes)), key=lambda place: (len(shapes[place]), shapes[place]))


def arrange_equation(equation: Equation) -> Equation:
    left, right = _arrange_sum(equation.left), _arrange_sum(equation.right)
    return Equation(right, left) if not _names(left) and _names(right) else Equation(left, right)


def _arrange_sum(node: Node) -> Node:
    """Terms of a sum without minus signs in the order of their unknowns, constants last."""
    terms = list(_added(node))
    if len(terms) < 2 or any(isinstance(term, Negative) for term in terms):
        return node
    ordered = sorted(terms, key=lambda term: _names(term) or "~")
    total = ordered[0]
    for term in ordered[1:]:
        total = Binary("+", total, term)
    return total


def _added(node: Node) -> Iterator[Node]:
    match node:
        case Binary("+", left, right):
            yield from _added(left)
            yield right
        case _:
            yield node


def _names(node: Node) -> str:
    return "".join(sorted({leaf.name for leaf in leaves(node) if isinstance(leaf, Unknown)}))


def shape(equation: Equation) -> str:
    """The equation with every number as `#`."""
    return "=".join(_shape(side).replace(" ", "") for side in (equation.left, equation.right))


def _shape(node: Node) -> str:
    return written(_with_letters(node, iter(lambda: "#", None), iter(lambda: "#", None), factor=False))


# --- forms -------------------------------------------------------------------------------------


def form(system: System) -> str:
    """The form in letters: factors a, b, c …, other numbers n, m, p …; unknowns x, y, z in alphabetical order.

    >>> from tallytale.problems.equations import parse
    >>> form(parse("27 = c + r; 2c + 4r = 86"))
    'x+y=n; ax+by=m'
    """
    named = arrange(renamed(system, dict(zip(system.unknowns, "xyz", strict=False))))
    factors, constants = _letters(FACTORS), _letters(CONSTANTS)
    sides = [
        [_with_letters(side, factors, constants, factor=False) for side in (equation.left, equation.right)]
        for equation in named.equations
    ]
    return "; ".join(f"{_tight(left)}={_tight(right)}" for left, right in sides)


def _tight(node: Node) -> str:
    """Written without spaces, and without the star where two letters meet: ax+by."""
    text = written(node).replace(" ", "")
    characters = [
        character
        for place, character in enumerate(text)
        if not (character == "*" and text[place + 1] in "xyz(" and text[place - 1].isalpha())
    ]
    return "".join(characters)


def _letters(alphabet: str) -> Iterator[str]:
    yield from alphabet
    count = 1
    while True:
        yield from (f"{letter}_{count}" for letter in alphabet)
        count += 1


def _with_letters(node: Node, factors: Iterator[str], constants: Iterator[str], *, factor: bool) -> Node:
    match node:
        case Number():
            return Unknown(next(factors if factor else constants))
        case Unknown():
            return node
        case Negative(inner):
            return Negative(_with_letters(inner, factors, constants, factor=factor))
        case Binary(sign, left, right):
            scaled = sign in "*/"
            return Binary(
                sign,
                _with_letters(left, factors, constants, factor=factor or (scaled and bool(_names(right)))),
                _with_letters(right, factors, constants, factor=factor or (scaled and bool(_names(left)))),
            )


def renamed(system: System, names: Mapping[str, str]) -> System:
    """The same system with other names for its unknowns."""

    def rename(leaf: Number | Unknown) -> Node:
        return Unknown(names.get(leaf.name, leaf.name)) if isinstance(leaf, Unknown) else leaf

    return System(
        tuple(
            Equation(with_leaves(equation.left, rename), with_leaves(equation.right, rename))
            for equation in system.equations
        )
    )

"""Equations: text to tree and back. The grammar is data (`equations.lark`); nothing is ever evaluated as code."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, v_args

from tallytale.errors import EquationError

MAX_LENGTH = 400  # characters of one system
MAX_DIGITS = 12  # digits of one number
MAX_NESTING = 20  # parentheses within parentheses
MAX_UNKNOWNS = 3

Sign = Literal["+", "-", "*", "/"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: a terminating decimal, or a percentage (`15%` has the value 0.15)."""

    value: Fraction
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    name: str


@dataclass(frozen=True, slots=True)
class Negative:
    inner: Node


@dataclass(frozen=True, slots=True)
class Binary:
    sign: Sign
    left: Node
    right: Node


Node = Number | Unknown | Negative | Binary


@dataclass(frozen=True, slots=True)
class Equation:
    left: Node
    right: Node

    def __str__(self) -> str:
        return f"{written(self.left)} = {written(self.right)}"


@dataclass(frozen=True, slots=True)
class System:
    """One or more equations in one to three unknowns."""

    equations: tuple[Equation, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.equations))

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The unknowns' names in alphabetical order."""
        return tuple(sorted({leaf.name for leaf in leaves(self) if isinstance(leaf, Unknown)}))

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers in reading order, one for each place where one is written."""
        return tuple(leaf for leaf in leaves(self) if isinstance(leaf, Number))


def leaves(tree: Node | Equation | System) -> Iterator[Number | Unknown]:
    """Numbers and unknowns in reading order."""
    match tree:
        case Number() | Unknown():
            yield tree
        case Negative(inner):
            yield from leaves(inner)
        case Binary(_, left, right) | Equation(left, right):
            yield from leaves(left)
            yield from leaves(right)
        case System(equations):
            for equation in equations:
                yield from leaves(equation)


def with_leaves(node: Node, leaf: Callable[[Number | Unknown], Node]) -> Node:
    """The tree with each number and unknown replaced by what `leaf` makes of it, in reading order."""
    match node:
        case Negative(inner):
            return Negative(with_leaves(inner, leaf))
        case Binary(sign, left, right):
            first = with_leaves(left, leaf)
            return Binary(sign, first, with_leaves(right, leaf))
        case Number() | Unknown():
            return leaf(node)


# --- tree to text ------------------------------------------------------------------------------

SUM, TERM, FACTOR, PRODUCT, ATOM = range(5)  # the grammar's rules, loosest first


def written(node: Node) -> str:
    """The tree as text that parses back to the same tree."""
    return _written(node)[0]


def _written(node: Node) -> tuple[str, int]:
    """Text, and the grammar rule that reads it."""
    match node:
        case Number(number, percent):
            return (decimal(number * 100) + "%" if percent else decimal(number)), ATOM
        case Unknown(name):
            return name, ATOM
        case Negative(inner):
            return "-" + _operand(inner, FACTOR), FACTOR
        case Binary("*", Number(factor, False), Unknown(name)):
            return decimal(factor) + name, PRODUCT
        case Binary("+" | "-" as sign, left, right):
            return f"{_operand(left, SUM)} {sign} {_operand(right, TERM)}", SUM
        case Binary("*", left, right):
            return f"{_operand(left, TERM)}*{_operand(right, FACTOR)}", TERM
        case Binary(_, left, right):  # 1/2x would be read as half of x, so the divisor 2x goes into parentheses
            return f"{_operand(left, TERM)}/{_operand(right, ATOM)}", TERM


def _operand(node: Node, loosest: int) -> str:
    text, rule = _written(node)
    return text if rule >= loosest else f"({text})"


def decimal(value: Fraction) -> str:
    """A terminating decimal in digits: 2.5, 40, 0.125.

    >>> decimal(Fraction(5, 2)), decimal(Fraction(40)), decimal(Fraction(-1, 8))
    ('2.5', '40', '-0.125')
    """
    if value.denominator == 1:
        return str(value.numerator)
    places = 0
    while value.denominator > 1:
        value *= 10
        places += 1
        if places > 2 * MAX_DIGITS:
            raise EquationError("a number that is no terminating decimal must be written as a fraction, like 1/3")
    digits = str(abs(value.numerator)).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + digits[:-places] + "." + digits[-places:]


# --- text to tree ------------------------------------------------------------------------------

# Typographic and full-width signs, one character for one, so that a caret stays in its place.
PLAIN = str.maketrans(
    {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
    | dict.fromkeys("×·⋅∙•∗＊✕✖", "*")
    | dict.fromkeys("÷∕⁄／", "/")
    | dict.fromkeys("−–—‐‑‒﹣－", "-")
    | dict.fromkeys("；﹔", ";")
    | dict.fromkeys("，、﹐", ",")
    | dict.fromkeys("。．", ".")
    | {"﹢": "+", "﹦": "=", "﹪": "%", "（": "(", "）": ")"}
)

OPERAND = {"NUMBER", "UNKNOWN", "OPEN"}


def parse(text: str) -> System:
    """Read a system; an `EquationError` points at the first place that cannot be read.

    >>> str(parse("x + y = 27, 2x + 4y = 86"))
    'x + y = 27; 2x + 4y = 86'
    """
    system = System(tuple(parse_shapes(text)))
    names = system.unknowns
    if not names:
        raise EquationError("there is no unknown; write one as a letter, like x + 3 = 8", text=text)
    if len(names) > MAX_UNKNOWNS:
        raise EquationError(f"{len(names)} unknowns ({', '.join(names)}); at most {MAX_UNKNOWNS} are possible")
    return system


def parse_shapes(text: str) -> Sequence[Equation]:
    """Read equations with any number of letters, as in the shape `x + y = n; ax + by = m`."""
    if not text.strip():
        raise EquationError("no equations; write some, like x + y = 27; 2x + 4y = 86")
    if len(text) > MAX_LENGTH:
        raise EquationError(f"{len(text):,} characters; a system has at most {MAX_LENGTH}")
    plain = text.translate(PLAIN)
    _check_nesting(plain)
    try:
        return _parser().parse(plain)  # type: ignore[return-value]  # the transformer returns equations
    except UnexpectedInput as unexpected:
        raise _explained(unexpected, text, plain) from None
    except EquationError as unplaced:
        raise EquationError(unplaced.message, text=text, position=unplaced.position) from None


def _check_nesting(plain: str) -> None:
    depth = 0
    for position, character in enumerate(plain):
        depth += (character in "([{") - (character in ")]}")
        if depth > MAX_NESTING:
            message = f"parentheses are nested more than {MAX_NESTING} deep"
            raise EquationError(message, text=plain, position=position)


def _explained(unexpected: UnexpectedInput, text: str, plain: str) -> EquationError:
    """What was expected, in words, at the place where reading stopped."""
    position = unexpected.pos_in_stream
    if isinstance(unexpected, UnexpectedToken):
        expected = set(unexpected.accepts or unexpected.expected)
        ended = unexpected.token.type == "$END"
    else:
        expected = set(unexpected.allowed or ()) if isinstance(unexpected, UnexpectedCharacters) else set()
        ended = False
    if position is None or ended:
        position = len(plain.rstrip())
    before = plain[:position].rstrip()
    after = f" after '{before[-1]}'" if before and before[-1] not in ";,\n\\" else ""
    if not ended and isinstance(unexpected, UnexpectedCharacters):
        message = f"'{text[position]}' cannot stand in an equation; use letters, numbers, + - * / = and parentheses"
    elif expected.issuperset(OPERAND):
        message = f"expected a number, a letter or '('{after}"
    elif "OPEN" in expected and len(expected) == 1:
        message = f"expected '{{'{after}"
    elif "CLOSE" in expected:
        message = f"expected ')' or an operator{after}"
    elif "EQUALS" in expected:
        message = f"expected '=' or an operator{after}"
    else:
        message = f"expected an operator, ';' or the end{after}"
    return EquationError(message, text=text, position=position)


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = files("tallytale.problems").joinpath("equations.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=_Tree(), maybe_placeholders=False)


@v_args(inline=True)
class _Tree(Transformer[Token, Any]):
    """Grammar rules to values."""

    @v_args(inline=False)
    def start(self, children: list[Any]) -> list[Equation]:
        return [child for child in children if isinstance(child, Equation)]

    def equation(self, left: Node, _: Token, right: Node) -> Equation:
        return Equation(left, right)

    def binary(self, left: Node, sign: Token, right: Node) -> Node:
        return Binary(SIGNS[str(sign)], left, right)

    def implicit(self, left: Node, right: Node) -> Node:
        return Binary("*", left, right)

    def negative(self, _: Token, inner: Node) -> Node:
        return Negative(inner)

    def positive(self, _: Token, inner: Node) -> Node:
        return inner

    def group(self, _: Token, inner: Node, __: Token) -> Node:
        return inner

    def fraction(self, *parts: Any) -> Node:
        return Binary("/", parts[2], parts[5])

    def unknown(self, token: Token) -> Node:
        subscript = "".join(character for character in unicodedata.normalize("NFKC", token) if character.isdigit())
        return Unknown(f"{token[0]}_{subscript}" if subscript else str(token))

    def number(self, token: Token) -> Node:
        return Number(_value(token, str(token)))

    def percent(self, token: Token) -> Node:
        return Number(_value(token, token.rstrip("%").rstrip("\\").rstrip()) / 100, percent=True)

    def coefficient(self, token: Token) -> Node:
        over, under = token.split("/")
        return Binary("/", Number(_value(token, over.strip())), Number(_value(token, under.strip())))


SIGNS: dict[str, Sign] = {"+": "+", "-": "-", "*": "*", "\\cdot": "*", "\\times": "*", "/": "/", "\\div": "/"}


def _value(token: Token, digits: str) -> Fraction:
    if sum(character.isdigit() for character in digits) > MAX_DIGITS:
        raise EquationError(f"a number has at most {MAX_DIGITS} digits", position=token.start_pos)
    if len(digits) == 1 and not digits.isascii():
        return Fraction(unicodedata.numeric(digits)).limit_denominator(1000)
    return Fraction(digits.replace(",", ""))

"""Equations as a labelled graph (paper, section 3.1.1 and appendix A.1).

Every equation is read as `unknown terms = constants`. A factor hangs on its unknown (`x —Mul→ 2`), each term points at
the result (`2 —Add to res→ 86`), and constants that must be worked out first meet in a dummy node
(`192 —Dividend to dummy→ dummy1 ←Divisor to dummy— 16`). Built from the tree, so any number of unknowns will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from tallytale.problems.equations import Binary, Equation, Negative, Node, Number, System, Unknown, leaves, with_leaves
from tallytale.problems.graph import Edge, Graph

ZERO = "0"  # the result of an equation such as x = 2y, which is read as x - 2y = 0
RESULT, DUMMY = "to res", "to dummy"
PARTS = {"*": ("Multiplicand", "Multiplier"), "/": ("Dividend", "Divisor")}


def slot(number: int) -> str:
    """The name of the number that stands at this place of the system, counted from 0."""
    return f"n{number + 1}"


def symbolic_graph(system: System) -> Graph:
    """The labelled graph of a system. Nodes: the unknowns' names, `n1`, `n2` … for numbers in reading order, dummies.

    >>> from tallytale.problems.equations import parse
    >>> for edge in symbolic_graph(parse("2x + y = 86")).edges:
    ...     print(edge.source, edge.relation, edge.target)
    x Mul n1
    n1 Add to res n2
    y Add to res n2
    """
    slots = map(slot, count())
    builder = _Builder(frozenset(system.unknowns))
    for place, equation in enumerate(system.equations, start=1):
        builder.add(Equation(_named(equation.left, slots), _named(equation.right, slots)), scope=str(place))
    return Graph.of(builder.edges)


def _named(node: Node, slots: Iterator[str]) -> Node:
    """The tree with every number replaced by a leaf that bears its slot's name."""
    return with_leaves(node, lambda leaf: Unknown(next(slots)) if isinstance(leaf, Number) else leaf)


@dataclass(frozen=True, slots=True)
class _Term:
    node: Node
    positive: bool


@dataclass
class _Builder:
    """Collects the edges of one equation after the other."""

    unknowns: frozenset[str]
    edges: list[Edge] = field(default_factory=list)
    dummies: int = 0

    def add(self, equation: Equation, *, scope: str) -> None:
        terms, constants = self._standard(equation)
        result = self._combined(constants, scope) if constants else ZERO
        match terms:
            case [_Term(Binary("*" | "/" as sign, first, second), True)] if self._known(first) == self._known(second):
                self._operate(sign, first, second, result, RESULT, scope)  # ax/by = m: both parts meet in the result
            case _:
                self._sum(terms, result, RESULT, scope)

    def _standard(self, equation: Equation) -> tuple[list[_Term], list[_Term]]:
        """Terms with unknowns, all brought to the left, and constants, all brought to the right."""
        terms = list(_terms(equation.left, positive=True))
        moved = list(_terms(equation.right, positive=True))
        unknown = [term for term in terms if not self._known(term.node)]
        unknown += [_flipped(term) for term in moved if not self._known(term.node)]
        constant = [term for term in moved if self._known(term.node)]
        constant += [_flipped(term) for term in terms if self._known(term.node)]
        if not any(term.positive for term in constant or unknown):  # -x = -5 says x = 5
            unknown, constant = [_flipped(term) for term in unknown], [_flipped(term) for term in constant]
        return unknown, constant

    def _known(self, node: Node) -> bool:
        """Whether the tree is a constant."""
        return not any(isinstance(leaf, Unknown) and leaf.name in self.unknowns for leaf in leaves(node))

    def _combined(self, terms: list[_Term], scope: str) -> str:
        """The node in which a sum of several terms meets."""
        if len(terms) == 1 and terms[0].positive:
            return self._handle(terms[0].node, scope)
        dummy = self._dummy()
        self._sum(terms, dummy, DUMMY, scope)
        return dummy

    def _handle(self, node: Node, scope: str) -> str:
        """The node that stands for a tree: a leaf, the factor of a product with an unknown, or a dummy."""
        match node:
            case Unknown(name):
                return name
            case Binary("*", Unknown(factor), other) if factor not in self.unknowns and not self._known(other):
                return self._scaled(other, "Mul", factor, scope)
            case Binary("*", other, Unknown(factor)) if factor not in self.unknowns and not self._known(other):
                return self._scaled(other, "Mul", factor, scope)
            case Binary("/", other, Unknown(divisor)) if divisor not in self.unknowns and not self._known(other):
                return self._scaled(other, "Div", divisor, scope)
            case Binary("*" | "/" as sign, first, second):
                dummy = self._dummy()
                self._operate(sign, first, second, dummy, DUMMY, scope)
                return dummy
            case _:
                return self._combined(list(_terms(node, positive=True)), scope)

    def _scaled(self, node: Node, relation: str, number: str, scope: str) -> str:
        whole = self._handle(node, scope)
        self.edges.append(Edge(whole, relation, number, scope=whole))
        return number

    def _operate(self, sign: str, first: Node, second: Node, target: str, end: str, scope: str) -> None:
        for part, node in zip(PARTS[sign], (first, second), strict=True):
            self.edges.append(Edge(self._handle(node, scope), f"{part} {end}", target, scope=scope))

    def _sum(self, terms: list[_Term], target: str, end: str, scope: str) -> None:
        subtracted = not all(term.positive for term in terms)
        for term in terms:
            part = ("Minuend" if term.positive else "Subtrahend") if subtracted else "Add"
            self.edges.append(Edge(self._handle(term.node, scope), f"{part} {end}", target, scope=scope))

    def _dummy(self) -> str:
        self.dummies += 1
        return f"dummy{self.dummies}"


def _terms(node: Node, *, positive: bool) -> Iterator[_Term]:
    """The terms of a sum with their signs."""
    match node:
        case Binary("+" | "-" as sign, left, right):
            yield from _terms(left, positive=positive)
            yield from _terms(right, positive=positive == (sign == "+"))
        case Negative(inner):
            yield from _terms(inner, positive=not positive)
        case _:
            yield _Term(node, positive)


def _flipped(term: _Term) -> _Term:
    return _Term(term.node, not term.positive)

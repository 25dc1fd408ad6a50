"""Which stories fit a system: entities and facts that suit its numbers, and the graph of them that an encoder reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from tallytale.problems.equations import System, Unknown
from tallytale.problems.graph import Edge, Graph
from tallytale.problems.knowledge import BELONGS, COUNTED, QUANTITIES, Fact, Topic
from tallytale.problems.solving import Polynomial, clear, degree, solve

COUNT_MARGIN = 3  # a story may hold so many times more of a thing than its usual range says
RATE = re.compile(r" (?:an?|per) ")  # kilometers an hour cannot be added up over several things


@dataclass(frozen=True, slots=True)
class Fit:
    """A way to tell a system in a topic: who the unknowns are and what each equation counts or measures.

    `unit` is empty where the unknowns are how many there are, and names the measure where they are an amount of one
    (a price, a weight).
    """

    entities: Mapping[str, str]
    measures: tuple[str, ...]
    unit: str = ""
    known: int = 0  # how many factors are common knowledge, like legs


# --- which stories fit a system ----------------------------------------------------------------


def fits(system: System, topic: Topic, entities: Mapping[str, str] | None = None) -> Iterator[Fit]:
    """Ways to tell `system` in `topic`, some entities perhaps given; common knowledge (legs, wheels) before ranges."""
    given = dict(entities or {})
    unknowns = system.unknowns
    solution = solve(system)
    rows = [clear(equation)[0] for equation in system.equations]
    if not solution.positive or any(degree(row) > 1 for row in rows):
        return
    alone = [_stands_alone(system, number) for number in range(len(rows))]
    found: list[Fit] = []
    for chosen in permutations(topic.entities, len(unknowns)):
        named = dict(zip(unknowns, chosen, strict=True))
        if any(named[name] != entity for name, entity in given.items() if name in named):
            continue
        facts = {name: topic.about_entity(entity) for name, entity in named.items()}
        found.extend(_count_fits(named, facts, rows, alone, solution.values))
        found.extend(_amount_fits(named, facts, rows, solution.values))
    yield from sorted(found, key=lambda fit: -fit.known)


def _stands_alone(system: System, number: int) -> bool:
    """Whether an equation has a bare unknown on one side: x = 2y + 3 compares counts, it weighs nothing."""
    equation = system.equations[number]
    return isinstance(equation.left, Unknown) or isinstance(equation.right, Unknown)


def _count_fits(
    named: Mapping[str, str],
    facts: Mapping[str, Sequence[Fact]],
    rows: Sequence[Polynomial],
    alone: Sequence[bool],
    values: Mapping[str, Fraction],
) -> Iterator[Fit]:
    """The unknowns are how many there are of each."""
    counted = _shared(facts, {name: values[name] for name in named}, relations=(COUNTED,), margin=COUNT_MARGIN)
    if not counted:
        return
    measures: list[str] = []
    known = 0
    for row, bare in zip(rows, alone, strict=True):
        factors = {name: abs(row.get((name,), Fraction(0))) for name in named}
        if bare or all(factor in (0, 1) for factor in factors.values()):
            measures.append(counted[0].thing)
            continue
        present = {name: factor for name, factor in factors.items() if factor}
        weights = _shared({name: facts[name] for name in present}, present, relations=QUANTITIES)
        fresh = [fact for fact in weights if fact.thing not in measures and not RATE.search(fact.thing)]
        if not fresh:
            return
        measures.append(fresh[0].thing)
        known += fresh[0].amount.exact
    yield Fit(dict(named), tuple(measures), known=known)


def _amount_fits(
    named: Mapping[str, str],
    facts: Mapping[str, Sequence[Fact]],
    rows: Sequence[Polynomial],
    values: Mapping[str, Fraction],
) -> Iterator[Fit]:
    """The unknowns are an amount of one of each, say its price, and the factors are how many are taken."""
    for fact in _shared(facts, values, relations=QUANTITIES):
        if not fact.amount.exact:
            yield Fit(dict(named), (fact.thing,) * len(rows), unit=fact.thing)


def _shared(
    facts: Mapping[str, Sequence[Fact]],
    values: Mapping[str, Fraction],
    *,
    relations: Sequence[str],
    margin: int = 1,
) -> list[Fact]:
    """Facts of the first entity that all have in common, each allowing its own value; exact ones first."""
    first, *others = facts
    fitting = [
        fact
        for fact in facts[first]
        if fact.relation in relations
        and _allows(fact, values[first], margin)
        and all(
            any(
                (other.relation, other.thing) == (fact.relation, fact.thing) and _allows(other, values[name], margin)
                for other in facts[name]
            )
            for name in others
        )
    ]
    return sorted(fitting, key=lambda fact: not fact.amount.exact)


def _allows(fact: Fact, value: Fraction, margin: int) -> bool:
    return value in fact.amount if margin == 1 else 1 <= value <= fact.amount.high * margin


# --- the graph that the encoder reads ----------------------------------------------------------

SCENE = 3  # places, people and actions of the topic in the graph, of each
CONTEXT = 3  # further facts of each entity


def subgraph(topic: Topic, entities: Mapping[str, str], system: System, fit: Fit | None = None) -> Graph:
    """The commonsense graph for a request.

    Unknowns and measures are slots (`x`, `m1`) that carry their words as neighbours; the topic brings its scene. With a
    `fit`, each entity is tied to what the equations count or measure of it.
    """
    edges: list[Edge] = []
    measures = dict.fromkeys(fit.measures if fit else ())
    slots = {measure: f"m{number}" for number, measure in enumerate(measures, start=1)}
    for measure, name in slots.items():
        edges.append(Edge(name, "named", measure))
    for unknown in system.unknowns:
        entity = entities.get(unknown)
        if entity is None:
            continue
        edges += [Edge(unknown, "named", entity), Edge(unknown, BELONGS, topic.name)]
        facts = topic.about_entity(entity)
        needed = [fact for fact in facts if fact.thing in slots]
        context = [fact for fact in facts if fact.thing not in slots and fact.relation != COUNTED][:CONTEXT]
        edges += [Edge(unknown, fact.relation, slots[fact.thing]) for fact in needed]
        edges += [Edge(unknown, fact.relation, fact.thing) for fact in context]
    for relation, words in (("place", topic.places), ("person", topic.people), ("action", topic.actions)):
        edges += [Edge(topic.name, relation, word) for word in words[:SCENE]]
    return Graph.of(edges)

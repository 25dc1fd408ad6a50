"""The template method (paper, appendix A.4): find a problem of the same form, and refill it.

Where the paper finds nothing for a topic, this one goes on to the nearest topics, so that unseen systems work as well.
Only refills that keep the story true are made: a number that the text leaves to common knowledge stays what it was, a
fact of the knowledge graph is never contradicted, and sizes stay near those of the story.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations, zip_longest

from tallytale.errors import SlotError
from tallytale.problems.corpus import Problem, first_names, slot_numbers
from tallytale.problems.english import plural
from tallytale.problems.english_slots import ENGLISH
from tallytale.problems.equations import System, parse_shapes
from tallytale.problems.forms import arrange, form, renamed
from tallytale.problems.knowledge import COUNTED, Knowledge
from tallytale.problems.slots import Values, refill, slots_of
from tallytale.problems.solving import clear, evaluate, solve
from tallytale.writing.request import Request

STRETCH = 3  # a number may grow or shrink so many times against the story it is refilled into
ENOUGH = 12  # drafts looked at for each problem asked for, where any topic will do


@dataclass(frozen=True)
class Draft:
    """A text for a request, before it is read back."""

    text: str
    topic: str
    entities: Mapping[str, str]  # by the request's unknowns
    asks: tuple[str, ...]
    unit: str
    model: str  # where it comes from: the id of the problem that was refilled
    score: float


@dataclass
class TemplateMethod:
    """Problems of a corpus, found by form."""

    problems: Sequence[Problem]
    knowledge: Knowledge
    by_form: dict[str, list[Problem]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for problem in self.problems:
            self.by_form.setdefault(problem.form or form(problem.system), []).append(problem)

    def drafts(self, request: Request) -> list[Draft]:
        """All refills that fit, the best first; drafts of equal worth in an order that the seed decides."""
        chance = random.Random(request.seed)
        unknowns = request.system.unknowns
        parts = [dict(zip(unknowns, names, strict=True)) for names in permutations("xyz"[: len(unknowns)])]
        enough = ENOUGH * request.n if request.topic is None else None  # without a topic there are always very many
        found = list(islice(self._interleaved(request, parts, chance), enough))
        found.sort(key=lambda draft: -round(draft.score, 1))
        return list({draft.model: draft for draft in reversed(found)}.values())[::-1]

    def _interleaved(
        self, request: Request, parts: Sequence[Mapping[str, str]], chance: random.Random
    ) -> Iterator[Draft]:
        """Drafts in random order, whichever parts the unknowns play in them."""
        streams = [self._fitting(request, names, chance) for names in parts]
        for group in zip_longest(*streams):
            yield from (draft for draft in group if draft is not None)

    def _fitting(self, request: Request, names: Mapping[str, str], chance: random.Random) -> Iterator[Draft]:
        """Drafts in which the request's unknowns play the parts `names` of the stored problems."""
        system = arrange(renamed(request.system, names))
        given = {names[unknown]: entity for unknown, entity in request.entities.items()}
        stored = self.by_form.get(form(system), [])
        for problem in chance.sample(stored, len(stored)):
            nearness = self._nearness(problem, request)
            entities = given | {part: word for part, word in problem.entities.items() if part not in given}
            if nearness == 0 or not self._true(problem, system, entities):
                continue
            try:
                text = refill(problem.template, self._values(problem, system, entities, chance), ENGLISH)
            except SlotError:
                continue
            parts = {part: unknown for unknown, part in names.items()}
            kept = sum(entities[part] == problem.entities[part] for part in entities) / len(entities)
            yield Draft(
                text=text,
                topic=problem.topic,
                entities={parts[part]: entity for part, entity in entities.items()},
                asks=tuple(_renamed_ask(ask, parts) for ask in problem.asks),
                unit=problem.unit,
                model=problem.id,
                score=nearness + kept - _stretch(problem, system),
            )

    def _nearness(self, problem: Problem, request: Request) -> float:
        """How well the problem's topic suits the request: 2 for its own, 1 for a near one, 0 for none."""
        if request.topic is None:
            held = set(request.entities.values()) <= set(self.knowledge.topics[problem.topic].entities)
            return 2.0 if held else 1.0
        if problem.topic == request.topic:
            return 2.0
        return 1.0 if problem.topic in self.knowledge.topics[request.topic].near else 0.0

    def _true(self, problem: Problem, system: System, entities: Mapping[str, str]) -> bool:
        """Whether the story stays true with these numbers and entities."""
        old, new = problem.values, slot_numbers(system)
        if any(not _near(value, old.numbers[slot]) for slot, value in new.items()):
            return False
        stated = set(slots_of(problem.template))
        ties = {slot: first for slot, first in old.ties().items() if slot in new}
        for slot, value in new.items():
            if slot in ties and value != new[ties[slot]]:
                return False
            if ties.get(slot, slot) not in stated and value != old.numbers[slot]:
                return False
        if not _same_order(problem, system) or not _askable(problem, system):
            return False
        swapped = {part for part, entity in entities.items() if entity != problem.entities[part]}
        if any(not _replaceable(problem, part) for part in swapped):
            return False
        return self._facts_hold(problem, system, entities, swapped)

    def _facts_hold(self, problem: Problem, system: System, entities: Mapping[str, str], swapped: set[str]) -> bool:
        """No factor contradicts what is known of its entity; a new entity must be known to have what is measured."""
        measures = [problem.values.words[f"m{place}"] for place in range(1, len(system.equations) + 1)]
        for equation, measure in zip(system.equations, measures, strict=True):
            terms, _ = clear(equation)
            factors = {part: abs(terms.get((part,), Fraction(0))) for part in entities}
            if problem.unit or set(factors.values()) <= {Fraction(0), Fraction(1)}:
                continue
            for part, factor in factors.items():
                facts = [
                    f for f in self.knowledge.facts(entities[part]) if f.thing == measure and f.relation != COUNTED
                ]
                if any(fact.amount.exact and factor not in fact.amount for fact in facts):
                    return False
                if part in swapped and facts and not any(factor in fact.amount for fact in facts):
                    return False
                if part in swapped and not facts and self.knowledge.facts(entities[part]):
                    return False
        return True

    def _values(self, problem: Problem, system: System, entities: Mapping[str, str], chance: random.Random) -> Values:
        words = dict(problem.values.words) | dict(entities)
        named = [slot for slot in words if slot[0] == "p"]
        taken = set(entities.values())
        fresh = chance.sample(sorted(first_names() - taken - set(problem.people)), len(named))
        for slot, name in zip(named, fresh, strict=True):
            if problem.values.words[slot] not in problem.entities.values():
                words[slot] = name
        places = self.knowledge.topics[problem.topic].places
        located = [slot for slot in words if slot[0] == "l"]
        if places and len(located) <= len(places):
            for slot, place in zip(located, chance.sample(places, len(located)), strict=True):
                words[slot] = place
        return Values(numbers=slot_numbers(system), words=words)


def _near(new: Fraction, old: Fraction) -> bool:
    """Whether a number may take another's place in a story: about its size, and 1 only for 1."""
    return (new == 1) == (old == 1) and old <= STRETCH * new and new <= STRETCH * old


def _same_order(problem: Problem, system: System) -> bool:
    """Whether what was larger is larger still: a small popcorn does not cost more than a large one."""
    compared = list(zip(_factors(problem.system), _factors(system), strict=True))
    if problem.unit:
        compared.append((list(problem.solution.values.values()), list(solve(system).values.values())))
    return all(_ranks(old) == _ranks(new) for old, new in compared)


def _factors(system: System) -> list[list[Fraction]]:
    """The sizes of the unknowns' factors in each equation, in the order of the unknowns."""
    rows = [clear(equation)[0] for equation in system.equations]
    return [[abs(row.get((name,), Fraction(0))) for name in system.unknowns] for row in rows]


def _ranks(values: Sequence[Fraction]) -> list[int]:
    return [sorted(set(values)).index(value) for value in values]


def _askable(problem: Problem, system: System) -> bool:
    """Whether the answers are positive: `how many more` must not turn out to be fewer."""
    values = solve(system).values
    return all(evaluate(clear(parse_shapes(f"{ask} = 0")[0])[0], values) > 0 for ask in problem.asks)


def _replaceable(problem: Problem, part: str) -> bool:
    """Whether another entity can take the part: the text must not speak of the old one outside its slots."""
    outside = set(re.findall(r"[a-z]+", re.sub(r"\[[^\]]*\]", " ", problem.template).lower()))
    words = [word for word in problem.entities[part].lower().split() if len(word) > 2]
    mentioned = any(slot == part for slot in slots_of(problem.template))
    return mentioned and not any(form in outside for word in words for form in (word, plural(word)))


def _stretch(problem: Problem, system: System) -> float:
    """How far solution and numbers are from the story's own, from 0 (the same) upward."""
    old = [*problem.values.numbers.values(), *problem.solution.values.values()]
    new = [*slot_numbers(system).values(), *solve(system).values.values()]
    ratios = [float(max(a, b) / min(a, b)) for a, b in zip(old, new, strict=True)]
    return sum(min(ratio, 10.0) - 1 for ratio in ratios) / (4 * len(ratios))


def _renamed_ask(ask: str, parts: Mapping[str, str]) -> str:
    return re.sub(r"[xyz]", lambda found: parts[found[0]], ask)

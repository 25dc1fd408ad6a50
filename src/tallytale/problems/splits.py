"""Splits of a corpus: a plain random one, and one without leaks.

In the leak-free split no system, no pair of form and entities, and no near-duplicate text is shared between its parts:
what a model has seen in training tells it nothing about the test but the language.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from tallytale.problems.corpus import Problem
from tallytale.problems.english import NUMBER_WORDS
from tallytale.problems.forms import form
from tallytale.problems.solving import fingerprint

PARTS = ("train", "dev", "test")
SHARES = (0.8, 0.1, 0.1)
RUN = 5  # words of a run that near-duplicates share
ALIKE = 0.5  # share of common runs from which two texts are near-duplicates


def freeze(problems: Sequence[Problem], *, seed: int) -> list[Problem]:
    """The same problems with form and both splits filled in."""
    single = [[place] for place in range(len(problems))]
    plain = _dealt(single, len(problems), random.Random(seed))
    leakfree = _dealt(_groups(problems), len(problems), random.Random(seed))
    return [
        replace(problem, form=form(problem.system), split=part, leakfree=other)
        for problem, part, other in zip(problems, plain, leakfree, strict=True)
    ]


def leaks(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Pairs of problems in different parts of the leak-free split that must not be apart."""
    return [
        (problems[first].id, problems[second].id)
        for first, second in _links(problems)
        if problems[first].leakfree != problems[second].leakfree
    ]


def _dealt(groups: Sequence[Sequence[int]], count: int, chance: random.Random) -> list[str]:
    """Groups dealt out whole: each goes, in random order, to the part that lacks most of its share."""
    order = list(groups)
    chance.shuffle(order)
    order.sort(key=len, reverse=True)
    lacking = [share * count for share in SHARES]
    parts = [""] * count
    for group in order:
        chosen = chance.choices(range(len(PARTS)), weights=[max(rest, 0.0) for rest in lacking])[0]
        lacking[chosen] -= len(group)
        for place in group:
            parts[place] = PARTS[chosen]
    return parts


def _groups(problems: Sequence[Problem]) -> list[list[int]]:
    """Problems that must stay together: the connected parts of the links (union-find)."""
    parent = list(range(len(problems)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for first, second in _links(problems):
        parent[root(first)] = root(second)
    groups: dict[int, list[int]] = defaultdict(list)
    for place in range(len(problems)):
        groups[root(place)].append(place)
    return list(groups.values())


def _links(problems: Sequence[Problem]) -> Iterator[tuple[int, int]]:
    """Pairs that share a system, a form with the same entities, or most of their words."""
    first: dict[Hashable, int] = {}
    for place, problem in enumerate(problems):
        keys: tuple[Hashable, ...] = (
            ("system", fingerprint(problem.system)),
            ("pair", form(problem.system), frozenset(problem.entities.values())),
        )
        for key in keys:
            if first.setdefault(key, place) != place:
                yield first[key], place
    yield from _near_duplicates([problem.text for problem in problems])


def _near_duplicates(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    runs = [_runs(text) for text in texts]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, each in enumerate(runs):
        shared: dict[int, int] = defaultdict(int)
        for run in each:
            for other in holders[run]:
                shared[other] += 1
            holders[run].append(place)
        for other, common in shared.items():
            if common > ALIKE * (len(each) + len(runs[other]) - common):
                yield other, place


def _runs(text: str) -> set[tuple[str, ...]]:
    """Runs of words with numbers masked."""
    words = [
        "#" if word[0].isdigit() or word in NUMBER_WORDS else word for word in re.findall(r"[a-z']+|\d+", text.lower())
    ]
    return set(zip(*(words[start:] for start in range(RUN)), strict=False)) or {tuple(words)}

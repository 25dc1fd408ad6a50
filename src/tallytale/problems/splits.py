"""Splits of a corpus: a plain random one, and one without leaks.

In the leak-free split no system, no pair of form and entities, and no near-duplicate text is shared between its parts:
what a model has seen in training tells it nothing about the test but the language.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from tallytale.problems.corpus import Problem
from tallytale.problems.english import NUMBER_WORDS
from tallytale.problems.forms import form
from tallytale.problems.solving import fingerprint

PARTS = ("train", "dev", "test")
SHARES = (0.8, 0.1, 0.1)
RUN = 5  # words of a run that near-duplicates share
ALIKE = 0.5  # share of common runs from which two texts are near-duplicates


@dataclass(frozen=True, slots=True)
class Traits:
    """What ties a problem to others: keys that it shares with them, and the runs of words of its text."""

    keys: tuple[Hashable, ...]
    runs: frozenset[tuple[str, ...]]


def freeze(problems: Sequence[Problem], *, seed: int) -> list[Problem]:
    """The same problems with form and both splits filled in."""
    plain = deal([[place] for place in range(len(problems))], seed=seed)
    leakfree = deal(groups([traits(problem) for problem in problems]), seed=seed)
    return [
        replace(problem, form=form(problem.system), split=part, leakfree=other)
        for problem, part, other in zip(problems, plain, leakfree, strict=True)
    ]


def leaks(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Pairs of problems in different parts of the leak-free split that must not be apart."""
    return [
        (problems[first].id, problems[second].id)
        for first, second in links([traits(problem) for problem in problems])
        if problems[first].leakfree != problems[second].leakfree
    ]


def traits(problem: Problem) -> Traits:
    words = re.findall(r"[a-z']+|\d+", problem.text.lower())
    masked = ["#" if word[0].isdigit() or word in NUMBER_WORDS else word for word in words]
    return Traits(
        (
            ("system", fingerprint(problem.system)),
            ("pair", form(problem.system), frozenset(problem.entities.values())),
        ),
        runs(masked),
    )


def runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """All runs of `RUN` words; a shorter text is one run."""
    return frozenset(zip(*(words[start:] for start in range(RUN)), strict=False)) or frozenset({tuple(words)})


def deal(groups: Sequence[Sequence[int]], *, seed: int) -> list[str]:
    """Groups dealt out whole, large ones first, to parts drawn by how much of its share each still lacks."""
    chance = random.Random(seed)
    order = list(groups)
    chance.shuffle(order)
    order.sort(key=len, reverse=True)
    count = sum(map(len, groups))
    lacking = [share * count for share in SHARES]
    parts = [""] * count
    for group in order:
        open_parts = [part for part, rest in enumerate(lacking) if rest >= len(group)] or [0]
        chosen = chance.choices(open_parts, weights=[max(lacking[part], 1.0) for part in open_parts])[0]
        lacking[chosen] -= len(group)
        for place in group:
            parts[place] = PARTS[chosen]
    return parts


def groups(all_traits: Sequence[Traits]) -> list[list[int]]:
    """Problems that must stay together: the connected parts of the links (union-find)."""
    parent = list(range(len(all_traits)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for first, second in links(all_traits):
        parent[root(first)] = root(second)
    found: dict[int, list[int]] = defaultdict(list)
    for place in range(len(all_traits)):
        found[root(place)].append(place)
    return list(found.values())


def links(all_traits: Sequence[Traits]) -> Iterator[tuple[int, int]]:
    """Pairs that share a key or most of their words."""
    first: dict[Hashable, int] = {}
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, each in enumerate(all_traits):
        for key in each.keys:
            if first.setdefault(key, place) != place:
                yield first[key], place
        shared: dict[int, int] = defaultdict(int)
        for run in each.runs:
            for other in holders[run]:
                shared[other] += 1
            holders[run].append(place)
        for other, common in shared.items():
            if common > ALIKE * (len(each.runs) + len(all_traits[other].runs) - common):
                yield other, place

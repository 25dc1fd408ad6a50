"""Commonsense knowledge: topics, the entities in them, and what is true of one of each.

A topic is a TSV file of short sentences (`chicken  has  leg  2`, `canoe  holds  person  1 to 3`). The columns are
subject, relation, object and amount; `docs/knowledge.md` says what may stand in them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from tallytale.errors import KnowledgeError

BELONGS = "is a"
COUNTED = "counted as"
PART = "has"
QUANTITIES = (
    PART,
    "is worth",
    "costs",
    "earns",
    "weighs",
    "holds",
    "needs",
    "makes",
    "eats",
    "takes",
    "scores",
    "measures",
    "travels",
    "burns",
)
OF_TOPICS = ("place", "person", "action", "near")
RELATIONS = (BELONGS, COUNTED, *QUANTITIES, *OF_TOPICS)

NEARBY = 3  # how many topics are proposed for one that is not known


@dataclass(frozen=True, slots=True)
class Amount:
    """How much or how many of something one thing has: exactly, or within a range."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def __contains__(self, value: Fraction | int) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return _short(self.low) if self.exact else f"{_short(self.low)} to {_short(self.high)}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One line about an entity, such as chicken, has, leg, 2."""

    entity: str
    relation: str
    thing: str
    amount: Amount


@dataclass(frozen=True)
class Topic:
    name: str
    about: str
    entities: tuple[str, ...]
    facts: tuple[Fact, ...]
    places: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    _by_entity: dict[str, tuple[Fact, ...]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for entity in self.entities:
            self._by_entity[entity] = tuple(fact for fact in self.facts if fact.entity == entity)

    def about_entity(self, entity: str) -> tuple[Fact, ...]:
        return self._by_entity.get(entity, ())

    def mentions(self, stem: str) -> int:
        """How many of the topic's words begin with `stem`; its name and entities count more."""
        scene = " ".join((self.about, *self.places, *self.people, *self.actions)).split()
        named = " ".join((self.name, *self.entities)).split()
        return sum(word.startswith(stem) for word in scene) + 2 * sum(word.startswith(stem) for word in named)


@dataclass(frozen=True)
class Knowledge:
    topics: Mapping[str, Topic]

    def topic(self, name: str) -> Topic:
        """The topic of this name; one that is not known is answered with the nearest ones."""
        found = self.topics.get(name.strip().lower().replace("-", " "))
        if found is None:
            raise KnowledgeError(f"unknown topic '{name}'; near it: {', '.join(self.nearest(name))}")
        return found

    def nearest(self, name: str) -> list[str]:
        """Known topics for a word that is none: those that speak of it, most often first, then those spelled alike."""
        word = name.strip().lower()
        stem = word.removesuffix("s")
        alike = difflib.get_close_matches(word, self.topics, n=NEARBY, cutoff=0.7)
        told = {topic.name: topic.mentions(stem) for topic in self.topics.values()} if len(stem) > 2 else {}
        speaking = sorted((topic for topic, count in told.items() if count), key=lambda topic: -told[topic])
        others = difflib.get_close_matches(word, self.topics, n=NEARBY, cutoff=0.0)
        return list(dict.fromkeys([*alike, *speaking, *others]))[:NEARBY]

    def facts(self, entity: str, topic: str | None = None) -> tuple[Fact, ...]:
        """What is known of an entity, in one topic or in all."""
        if topic is not None:
            return self.topic(topic).about_entity(entity)
        return tuple(fact for known in self.topics.values() for fact in known.about_entity(entity))

    def clash(self, entity: str, thing: str, value: Fraction) -> Fact | None:
        """The exact fact that speaks against `value`: a chicken has 2 legs, not 3."""
        exact = [f for f in self.facts(entity) if f.relation in QUANTITIES and f.thing == thing and f.amount.exact]
        return next((fact for fact in exact if value not in fact.amount), None)


# --- reading and checking the files ------------------------------------------------------------


@lru_cache(maxsize=4)
def load(folder: Path | None = None) -> Knowledge:
    """All topics of a folder of TSV files; without one, those that ship with the package."""
    root: Traversable = folder or files("tallytale").joinpath("assets", "knowledge", "en")
    if not root.is_dir():
        raise KnowledgeError(f"{root} is not a folder of knowledge files")
    paths = sorted((path for path in root.iterdir() if path.name.endswith(".tsv")), key=lambda path: path.name)
    topics = [read_topic(path.name, path.read_text(encoding="utf-8")) for path in paths]
    if not topics:
        raise KnowledgeError(f"{root} holds no .tsv file")
    return Knowledge({topic.name: topic for topic in topics})


def read_topic(filename: str, text: str) -> Topic:
    """One topic's file; an error names the file and the line."""
    name = filename.removesuffix(".tsv").replace("-", " ")
    about = ""
    entities: list[str] = []
    facts: list[Fact] = []
    scene: dict[str, list[str]] = {relation: [] for relation in OF_TOPICS}
    seen: set[tuple[str, str, str]] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            about = about or line.lstrip("# ").partition(":")[2].strip()
            continue
        if not line.strip():
            continue
        where = f"{filename}, line {number}"
        subject, relation, thing, amount = _cells(line, where)
        if (subject, relation, thing) in seen:
            raise KnowledgeError(f"{where}: '{subject} {relation} {thing}' stands there twice; remove one")
        seen.add((subject, relation, thing))
        if relation in OF_TOPICS:
            if subject != name:
                raise KnowledgeError(f"{where}: '{relation}' belongs to the topic '{name}', not to '{subject}'")
            scene[relation].append(thing)
        elif relation == BELONGS:
            if thing != name:
                raise KnowledgeError(f"{where}: this file is about '{name}'; '{subject}' is said to be a '{thing}'")
            entities.append(subject)
        else:
            facts.append(Fact(subject, relation, thing, _amount(amount, where)))
    strangers = sorted({fact.entity for fact in facts} - set(entities))
    if strangers:
        raise KnowledgeError(
            f"{filename}: '{strangers[0]}' has facts but no line '{strangers[0]}	{BELONGS}	{name}'"
        )
    return Topic(
        name,
        about,
        tuple(entities),
        tuple(facts),
        places=tuple(scene["place"]),
        people=tuple(scene["person"]),
        actions=tuple(scene["action"]),
        near=tuple(scene["near"]),
    )


def _cells(line: str, where: str) -> tuple[str, str, str, str]:
    cells = [cell.strip() for cell in line.split("\t")]
    if not 3 <= len(cells) <= 4:
        raise KnowledgeError(
            f"{where}: {len(cells)} columns; write subject, relation, object, amount with tabs between"
        )
    subject, relation, thing, amount = (*cells, "")[:4]
    if not subject or not thing:
        raise KnowledgeError(f"{where}: the {'object' if subject else 'subject'} is missing")
    if relation not in RELATIONS:
        close = difflib.get_close_matches(relation, RELATIONS, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"choose one of {', '.join(RELATIONS)}"
        raise KnowledgeError(f"{where}: unknown relation '{relation}'; {hint}")
    return subject, relation, thing, amount


def _amount(text: str, where: str) -> Amount:
    low, _, high = text.partition(" to ")
    try:
        bounds = Amount(Fraction(low), Fraction(high or low))
    except ValueError:
        raise KnowledgeError(f"{where}: amount '{text}'; write a number or a range such as 5 to 200") from None
    if bounds.low > bounds.high or bounds.low < 0:
        raise KnowledgeError(f"{where}: the range '{text}' is empty or negative")
    return bounds


def _short(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"

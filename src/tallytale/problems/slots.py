"""Text with slots: `A [x] has [n2] [m2:s].` Delexicalise a problem's text, refill it with other values.

A token names a slot and, after a colon, how it is written there: `[x:s]` is the plural of x's entity, `[n3:times]` is
`twice` or `three times`. A piece of text becomes a token only if refilling gives that piece back, so that
`refill(delexicalise(text)) == text` holds for whatever a person has written.

Slots: `n1` … the numbers in reading order, `x` `y` `z` the unknowns' entities, `m1` … what each equation counts or
measures, `p1` … people's names, `l1` … places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from tallytale.errors import SlotError

TOKEN = re.compile(r"\[([a-z]\d*)((?::[a-z]+)*)\]")


@dataclass(frozen=True, slots=True)
class Values:
    """What fills the slots: numbers by `n1` …, words (in the singular) by all other names."""

    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def slot_of(self, value: Fraction) -> str | None:
        """The first slot that holds this number."""
        return next((slot for slot, number in self.numbers.items() if number == value), None)

    def ties(self) -> dict[str, str]:
        """Slots that hold what an earlier slot holds, and that earlier one: a text cannot tell the two apart."""
        first: dict[object, str] = {}
        tied: dict[str, str] = {}
        for name, value in (*self.numbers.items(), *self.words.items()):
            if first.setdefault(value, name) != name:
                tied[name] = first[value]
        return tied


@dataclass(frozen=True, slots=True)
class Mention:
    """A piece of text that stands for a slot, written in some style."""

    start: int
    end: int
    slot: str
    style: tuple[str, ...] = ()

    @property
    def token(self) -> str:
        return "[" + ":".join((self.slot, *self.style)) + "]"


class Language(Protocol):
    """What a language adds: where slots are mentioned, and how they are written."""

    def mentions(self, text: str, values: Values) -> Iterable[Mention]:
        """Pieces that may stand for slots, the surest first; they may overlap."""

    def write(self, mention: Mention, values: Values, before: str, after: str) -> str:
        """A slot's value between `before` and `after`."""

    def mend(self, before: str, written: str) -> str:
        """What stands before a slot, made to agree with it (a or an)."""


def delexicalise(text: str, values: Values, language: Language) -> str:
    """The text with slots for all values it mentions."""
    pieces: list[str] = []
    done = 0
    for mention in chosen(text, values, language):
        pieces += [text[done : mention.start], mention.token]
        done = mention.end
    return "".join([*pieces, text[done:]])


def chosen(text: str, values: Values, language: Language) -> list[Mention]:
    """Mentions in reading order, none overlapping, each of which refills to the very same text."""
    taken: list[Mention] = []
    for mention in language.mentions(text, values):
        if any(mention.start < other.end and other.start < mention.end for other in taken):
            continue
        before, after = text[: mention.start], text[mention.end :]
        written = language.write(mention, values, before, after)
        if written == text[mention.start : mention.end] and language.mend(before, written) == before:
            taken.append(mention)
    return sorted(taken, key=lambda mention: mention.start)


def refill(template: str, values: Values, language: Language) -> str:
    """The template with its slots filled."""
    text = ""
    done = 0
    for token in TOKEN.finditer(template):
        slot = token[1]
        if slot not in values.numbers and slot not in values.words:
            raise SlotError(f"nothing is given for the slot '{slot}'")
        mention = Mention(token.start(), token.end(), slot, tuple(token[2].split(":")[1:]))
        text += template[done : token.start()]
        written = language.write(mention, values, text, template[token.end() :])
        text = language.mend(text, written) + written
        done = token.end()
    return text + template[done:]


def slots_of(template: str) -> Iterator[str]:
    """Names of the slots in a template, in reading order, as often as they occur."""
    for token in TOKEN.finditer(template):
        yield token[1]

"""How slots are mentioned in English text: inflected nouns, digits and number words, `twice`, `half`, names, places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from tallytale.errors import SlotError
from tallytale.problems.english import (
    FOLDS,
    NUMBER_WORDS,
    PARTS,
    article,
    digits,
    number_word,
    part_word,
    plural,
    starts_sentence,
    times_word,
)
from tallytale.problems.slots import Mention, Values

NUMERAL = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
HUNDREDTHS = re.compile(r"\s?(?:%|percent\b|cents?\b)")
TIMES = re.compile(
    r"\btwice\b|\b(" + "|".join(number_word(value) for value in range(3, 11)) + r") times\b", re.IGNORECASE
)
WORD = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")(?![\w-])", re.IGNORECASE
)
FOLD = re.compile(r"\b(?:" + "|".join(FOLDS.values()) + r")\b", re.IGNORECASE)
PART = re.compile(r"\bhalf\b|\b(?:a|an|one) (?:" + "|".join(PARTS.values()) + r")\b", re.IGNORECASE)
ARTICLE = re.compile(r"(^|[^\w])([Aa])n?(\s)$")
SINGULAR_BEFORE = re.compile(r"(?:^|[^\d.,])1 $")
ONE_OF = re.compile(r"\b(?:an?|one|each|every|per|another|either|single)\s(?:\w+\s)?$", re.IGNORECASE)
BARE_APOSTROPHE = re.compile(r"['’](?!s\b)")
# `two kinds`, `the two friends`: idiom, not a quantity of the problem.
IDIOM_AFTER = re.compile(
    r"[ -](?:kinds?|types?|sorts?|sizes?|colors?|different|groups|numbers|digits|friends|teams|of them|days ago)\b"
)
IDIOM_BEFORE = re.compile(
    r"\b(?:the|these|those|his|her|their|its|my|our|your|all|any|both|only|other|of) $", re.IGNORECASE
)


class English:
    """English as a language of slots."""

    def mentions(self, text: str, values: Values) -> Iterator[Mention]:
        yield from self._nouns(text, values)
        numerals = list(self._numerals(text, values))
        yield from numerals
        stated = {mention.slot for mention in numerals}
        for mention in self._worded(text, values):
            if mention.slot not in stated:
                yield mention

    def _nouns(self, text: str, values: Values) -> Iterator[Mention]:
        """Places, people, entities and measures; longer phrases before shorter ones."""
        forms: list[tuple[str, str, tuple[str, ...]]] = []
        ties = values.ties()
        for slot, word in values.words.items():
            if slot in ties or not word or NUMERAL.search(word):
                continue  # the number in `5-point question` is a slot of its own
            forms.append((word, slot, ()))
            if slot[0] not in "pl":
                forms.append((plural(word), slot, ("s",)))
        for form, slot, style in sorted(forms, key=lambda item: -len(item[0])):
            for found in re.finditer(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text, re.IGNORECASE):
                before = text[: found.start()]
                case = _case(found[0], form, before)
                if case is None or (style and form == values.words[slot] and ONE_OF.search(before)):
                    continue
                if not style and slot[0] not in "pl" and plural(form) == form and not ONE_OF.search(before):
                    continue  # `12 sheep` is a plural
                yield Mention(found.start(), found.end(), slot, style + case)

    def _numerals(self, text: str, values: Values) -> Iterator[Mention]:
        for found in NUMERAL.finditer(text):
            value = Fraction(found[0].replace(",", ""))
            slot = values.slot_of(value)
            style: tuple[str, ...] = ()
            if slot is None and HUNDREDTHS.match(text, found.end()):
                slot, style = values.slot_of(value / 100), ("hundredths",)
            if slot is None:
                continue
            if "," in found[0]:
                style = (*style, "grouped")
            elif re.search(r"\.\d\d$", found[0]) and found[0] != digits(value):
                style = (*style, "cents")
            yield Mention(found.start(), found.end(), slot, style)

    def _worded(self, text: str, values: Values) -> Iterator[Mention]:
        for found in TIMES.finditer(text):
            yield from _mention(values, found, Fraction(NUMBER_WORDS[found[1].lower()] if found[1] else 2), "times")
        for found in FOLD.finditer(text):
            value = next(value for value, word in FOLDS.items() if word == found[0].lower())
            yield from _mention(values, found, Fraction(value), "fold")
        for found in PART.finditer(text):
            names = {name: value for value, name in PARTS.items()}
            value = 2 if found[0].lower() == "half" else names[found[0].lower().split()[1]]
            style = "part" if found[0].lower().startswith(("half", "one")) else "apart"
            yield from _mention(values, found, Fraction(value), style)
            yield from _mention(values, found, Fraction(1, value), style)
        for found in WORD.finditer(text):
            value = NUMBER_WORDS[found[0].lower()]
            idiom = IDIOM_AFTER.match(text, found.end()) or IDIOM_BEFORE.search(text[: found.start()])
            if value > 2 or (value == 2 and not idiom):
                yield from _mention(values, found, Fraction(value), "word")

    def write(self, mention: Mention, values: Values, before: str, after: str) -> str:
        style = set(mention.style)
        if mention.slot in values.numbers:
            text = _number(values.numbers[mention.slot], style)
        else:
            word = values.words[mention.slot]
            several = "s" in style and not SINGULAR_BEFORE.search(before)
            text = plural(word) if several else word
            if several and BARE_APOSTROPHE.match(after) and not text.endswith("s"):
                raise SlotError(f"'{text}' takes no bare apostrophe")
        if style & {"upper"}:
            return text.upper()
        capital = starts_sentence(before) != bool(style & {"cap", "low"})
        return text[:1].upper() + text[1:] if capital else text

    def mend(self, before: str, written: str) -> str:
        found = ARTICLE.search(before)
        if not found:
            return before
        right = article(written)
        return before[: found.start(2)] + (right.capitalize() if found[2] == "A" else right) + found[3]


def _case(found: str, form: str, before: str) -> tuple[str, ...] | None:
    """How the mention's capitals differ from what its place asks for; None if no style would give it back."""
    if len(form) > 1 and found.isupper() and not form.isupper():
        return ("upper",)
    if found[1:] != form[1:]:
        return None
    if form[0].isupper():
        return () if found[0] == form[0] else None
    expected = starts_sentence(before)
    if found[0].isupper() == expected or not found[0].isalpha():
        return ()
    return ("low",) if expected else ("cap",)


def _mention(values: Values, found: re.Match[str], value: Fraction, style: str) -> Iterator[Mention]:
    slot = values.slot_of(value)
    if slot is None:
        return
    capital = found[0][0].isupper()
    expected = starts_sentence(found.string[: found.start()])
    case = () if capital == expected else ("low",) if expected else ("cap",)
    yield Mention(found.start(), found.end(), slot, (style, *case))


def _number(value: Fraction, style: set[str]) -> str:
    if "hundredths" in style:
        value *= 100
    if not style & {"times", "fold", "part", "apart", "word"}:
        if "cents" in style:
            return f"{float(value):.2f}"
        return digits(value, grouped="grouped" in style)
    if style & {"part", "apart"} and value < 1:
        value = 1 / value
    if value.denominator != 1:
        raise SlotError(f"{digits(value)} cannot be written as a word here")
    whole = value.numerator
    if "times" in style:
        return times_word(whole)
    if "word" in style:
        return number_word(whole)
    words = FOLDS.get(whole) if "fold" in style else part_word(whole, indefinite="apart" in style)
    if words is None:
        raise SlotError(f"{whole} has no such word as 'double' or 'half'")
    return words


ENGLISH = English()

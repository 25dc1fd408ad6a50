"""How slots are mentioned in Chinese text: digits, numerals, entities, counted things, measure words after numbers.

Words are matched as they stand, as the paper does it: Chinese does not inflect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from tallytale.errors import SlotError
from tallytale.problems.english import digits
from tallytale.problems.slots import Mention, Values

DIGITS = "零一二三四五六七八九"
NUMERAL = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.])")
WORD = re.compile(
    r"(?<![第周一二三四五六七八九十百千万])([两二三四五六七八九]?十?[一二三四五六七八九两]?)(?![种班年月号等级一二三四五六七八九十百千万])"
)
# A measure word stands behind a number, or behind a word that asks for one.
BEFORE_UNIT = re.compile(r"[\d一二两三四五六七八九十几少每各这那半多)）_]\s*$")


def number_word(value: int) -> str:
    """A whole number below 100 as it is said before a measure word.

    >>> number_word(2), number_word(12), number_word(35)
    ('两', '十二', '三十五')
    """
    if value == 2:
        return "两"
    if not 0 <= value < 100:
        raise SlotError(f"{value} is written in digits")
    tens, ones = divmod(value, 10)
    if tens == 0:
        return DIGITS[ones]
    return ("" if tens == 1 else DIGITS[tens]) + "十" + (DIGITS[ones] if ones else "")


NUMBER_WORDS = {number_word(value): value for value in range(2, 100)}


class Chinese:
    """Chinese as a language of slots. Word slots named `u1`, `u2` … are measure words."""

    def mentions(self, text: str, values: Values) -> Iterator[Mention]:
        ties = values.ties()
        words = [(word, slot) for slot, word in values.words.items() if word and slot not in ties]
        for word, slot in sorted(words, key=lambda item: -len(item[0])):
            for found in re.finditer(re.escape(word), text):
                if slot[0] != "u" or BEFORE_UNIT.search(text[: found.start()]):
                    yield Mention(found.start(), found.end(), slot)
        numerals = list(self._numerals(text, values))
        yield from numerals
        stated = {mention.slot for mention in numerals}
        for found in WORD.finditer(text):
            value = NUMBER_WORDS.get(found[1])
            named = None if value is None else values.slot_of(Fraction(value))
            if named is not None and named not in stated:
                yield Mention(found.start(), found.end(), named, ("word",))

    def _numerals(self, text: str, values: Values) -> Iterator[Mention]:
        for found in NUMERAL.finditer(text):
            slot = values.slot_of(Fraction(found[0]))
            if slot is not None:
                yield Mention(found.start(), found.end(), slot)

    def write(self, mention: Mention, values: Values, before: str, after: str) -> str:  # noqa: ARG002
        if mention.slot not in values.numbers:
            return values.words[mention.slot]
        value = values.numbers[mention.slot]
        if "word" not in mention.style:
            return digits(value)
        if value.denominator != 1:
            raise SlotError(f"{digits(value)} is written in digits")
        return number_word(value.numerator)

    def mend(self, before: str, written: str) -> str:  # noqa: ARG002
        return before


CHINESE = Chinese()

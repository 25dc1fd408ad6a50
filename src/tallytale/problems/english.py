"""What is particular to English: plurals, a and an, number words, `twice` and `half`, and where a sentence starts."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

# Where the dictionary's first choice is not what a child would say.
PLURALS = {
    "person": "people",
    "fish": "fish",
    "goldfish": "goldfish",
    "jellyfish": "jellyfish",
    "starfish": "starfish",
    "clownfish": "clownfish",
    "angelfish": "angelfish",
    "swordfish": "swordfish",
    "catfish": "catfish",
    "squid": "squid",
    "shrimp": "shrimp",
    "salmon": "salmon",
    "trout": "trout",
    "cod": "cod",
    "bison": "bison",
    "ox": "oxen",
    "die": "dice",
    "passerby": "passersby",
    "mother-in-law": "mothers-in-law",
    "father-in-law": "fathers-in-law",
    "cargo": "cargoes",
    "roof": "roofs",
    "dwarf": "dwarfs",
    "hoof": "hooves",
    "euro": "euros",
    "aircraft": "aircraft",
    "spacecraft": "spacecraft",
    "craft": "crafts",
    "offspring": "offspring",
    "butterscotch": "butterscotches",
    "crepe": "crepes",
    "toffee": "toffees",
    "popcorn": "popcorns",
    "triceratops": "triceratops",
    "flamingo": "flamingos",
    "money": "money",
    "cents": "cents",
    "percent": "percent",
}
PHRASE_BREAK = re.compile(r" (?:of|in|on|with|for|from|at|to|an?|per|by|without|under|over|behind|about|that|who) ")
AN_EXCEPTIONS = re.compile(r"(?:hour|honest|honou?r|heir|8|11\b|18\b|11,|18,)", re.IGNORECASE)
A_EXCEPTIONS = re.compile(r"(?:uni(?![mn])|use|usu|eu|one\b|once\b|ukulele|utensil|u-)", re.IGNORECASE)

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = ["", "", *["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]]
FOLDS = {2: "double", 3: "triple", 4: "quadruple"}
PARTS = {3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth"}


@lru_cache(maxsize=4096)
def plural(phrase: str) -> str:
    """The plural of a noun phrase: its head changes, not its last word.

    >>> plural("chicken"), plural("jar of honey"), plural("gingerbread man"), plural("kilometer an hour")
    ('chickens', 'jars of honey', 'gingerbread men', 'kilometers an hour')
    """
    cut = PHRASE_BREAK.search(phrase)
    head, rest = (phrase[: cut.start()], phrase[cut.start() :]) if cut else (phrase, "")
    before, space, noun = head.rpartition(" ")
    return before + space + _plural_noun(noun) + rest


def _plural_noun(noun: str) -> str:
    if noun in PLURALS:
        return PLURALS[noun]
    front, hyphen, last = noun.rpartition("-")
    if hyphen and last.isalpha():
        return front + hyphen + _plural_noun(last)
    if not noun.isalpha() or noun[0].isupper():
        return _regular_plural(noun)
    from lemminflect import getInflection  # heavy tables: loaded when first needed

    forms = getInflection(noun, "NNS")
    return str(forms[0]) if forms else _regular_plural(noun)


def _regular_plural(noun: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", noun, re.IGNORECASE):
        return noun + "es"
    if re.search(r"[^aeiou]y$", noun) and not noun[0].isupper():
        return noun[:-1] + "ies"
    return noun + "s"


def article(following: str) -> str:
    """`a` or `an`, by how the following words begin.

    >>> article("apple"), article("unicorn"), article("hour"), article("8-seat van"), article("12-inch pizza")
    ('an', 'a', 'an', 'an', 'a')
    """
    following = following.lstrip("“\"'‘(")
    if AN_EXCEPTIONS.match(following):
        return "an"
    if A_EXCEPTIONS.match(following):
        return "a"
    return "an" if following[:1].lower() in "aeiou" and following else "a"


def number_word(value: int) -> str:
    """A whole number in words.

    >>> number_word(7), number_word(35), number_word(1200), number_word(241)
    ('seven', 'thirty-five', 'one thousand two hundred', 'two hundred forty-one')
    """
    if value < 20:
        return SMALL[value]
    if value < 100:
        return TENS[value // 10] + (f"-{SMALL[value % 10]}" if value % 10 else "")
    for size, name in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = f" {number_word(value % size)}" if value % size else ""
            return f"{number_word(value // size)} {name}{rest}"
    raise ValueError(value)


NUMBER_WORDS = {number_word(value): value for value in range(1, 101)}


def times_word(value: int) -> str:
    """How often: `twice`, `three times`, `12 times`."""
    if value == 2:
        return "twice"
    return f"{number_word(value) if value <= 10 else value} times"


def part_word(value: int, *, indefinite: bool = False) -> str | None:
    """One part of so many: `half`, `one third`, `a third`; None where English has no short word for it."""
    if value == 2:
        return "half"
    if value not in PARTS:
        return None
    return f"{article(PARTS[value]) if indefinite else 'one'} {PARTS[value]}"


def digits(value: Fraction, *, grouped: bool = False) -> str:
    """A number in digits, decimals where needed; `grouped` writes 1,200."""
    if value.denominator == 1:
        return f"{value.numerator:,}" if grouped else str(value.numerator)
    return f"{float(value):.6f}".rstrip("0")


SENTENCE_START = re.compile(r"(?:^|[.!?:…][\"”’)]*\s+|\n\s*)[\"“‘(]*$")
ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Mt)\.\s+$")


def starts_sentence(before: str) -> bool:
    """Whether what follows `before` opens a sentence, and so takes a capital."""
    return bool(SENTENCE_START.search(before)) and not ABBREVIATION.search(before)

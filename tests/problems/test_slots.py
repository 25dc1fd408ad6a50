"""Delexicalising and refilling, in English and in Chinese."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallytale.errors import SlotError
from tallytale.problems.chinese import CHINESE
from tallytale.problems.english_slots import ENGLISH
from tallytale.problems.slots import Values, delexicalise, refill


def values(*numbers: float, **words: str) -> Values:
    named = {f"n{place}": Fraction(str(number)) for place, number in enumerate(numbers, start=1)}
    return Values(numbers=named, words=words)


FARM = values(27, 2, 4, 86, x="chicken", y="rabbit", m1="animal", m2="leg", p1="Noor", l1="on the farm")
OTHER = values(35, 4, 2, 94, x="goose", y="ox", m1="head", m2="hoof", p1="Emil", l1="in the barn")


@pytest.mark.parametrize(
    ("text", "template", "refilled"),
    [
        (
            "Noor counts 27 animals and 86 legs. How many rabbits are there?",
            "[p1] counts [n1] [m1:s] and [n4] [m2:s]. How many [y:s] are there?",
            "Emil counts 35 heads and 94 hooves. How many oxen are there?",
        ),
        ("A chicken has 2 legs.", "A [x] has [n2] [m2:s].", "A goose has 4 hooves."),
        ("Is a rabbit an animal?", "Is a [y] an [m1]?", "Is an ox a head?"),
        ("On the farm, chickens live.", "[l1], [x:s] live.", "In the barn, geese live."),
        ("Rabbits? Noor's rabbit's legs!", "[y:s]? [p1]'s [y]'s [m2:s]!", "Oxen? Emil's ox's hooves!"),
        ("Each chicken has two legs.", "Each [x] has [n2:word] [m2:s].", "Each goose has four hooves."),
        ("There are twice as many.", "There are [n2:times] as many.", "There are four times as many."),
        ("Double it.", "[n2:fold] it.", "Quadruple it."),
        ("RABBITS for sale", "[y:s:upper] for sale", "OXEN for sale"),
        ("the Rabbit club", "the [y:cap] club", "the Ox club"),
        ("two kinds of chickens", "two kinds of [x:s]", "two kinds of geese"),
        ("the two of them", "the two of them", "the two of them"),
        ("a rabbit-like hat", "a rabbit-like hat", "a rabbit-like hat"),
    ],
)
def test_english(text: str, template: str, refilled: str) -> None:
    assert delexicalise(text, FARM, ENGLISH) == template
    assert refill(template, FARM, ENGLISH) == text
    assert refill(template, OTHER, ENGLISH) == refilled


@pytest.mark.parametrize(
    ("text", "numbers", "template", "others", "refilled"),
    [
        ("It costs $12.", (12,), "It costs $[n1].", (7,), "It costs $7."),
        ("It costs 2.50 dollars.", (2.5,), "It costs [n1:cents] dollars.", (3.75,), "It costs 3.75 dollars."),
        ("1,200 people", (1200,), "[n1:grouped] people", (34567,), "34,567 people"),
        ("a 15% mix", (0.15,), "a [n1:hundredths]% mix", (0.08,), "an 8% mix"),
        ("It is half as many", (2,), "It is [n1:part] as many", (3,), "It is one third as many"),
        ("It is half as many", (0.5,), "It is [n1:part] as many", (0.25,), "It is one quarter as many"),
        ("It is a third of them", (3,), "It is [n1:apart] of them", (8,), "It is an eighth of them"),
        ("It is three times as many", (3,), "It is [n1:times] as many", (2,), "It is twice as many"),
        ("It is three times as many", (3,), "It is [n1:times] as many", (12,), "It is 12 times as many"),
        ("It is thirty-five boats", (35,), "It is [n1:word] boats", (121,), "It is one hundred twenty-one boats"),
        ("an 8-seat van", (8,), "an [n1]-seat van", (12,), "a 12-seat van"),
        ("A bus of 20 and 20.5", (20,), "A bus of [n1] and 20.5", (30,), "A bus of 30 and 20.5"),
    ],
)
def test_numbers(
    text: str, numbers: tuple[float, ...], template: str, others: tuple[float, ...], refilled: str
) -> None:
    assert delexicalise(text, values(*numbers), ENGLISH) == template
    assert refill(template, values(*numbers), ENGLISH) == text
    assert refill(template, values(*others), ENGLISH) == refilled


def test_one_of_something_is_singular() -> None:
    assert refill("[n1] [x:s]", values(1, x="goose"), ENGLISH) == "1 goose"
    assert refill("[n1] [x:s]", values(11, x="goose"), ENGLISH) == "11 geese"


def test_sheep_are_many_unless_one_is_meant() -> None:
    flock = values(12, x="sheep")
    assert delexicalise("12 sheep and one sheep", flock, ENGLISH) == "[n1] [x:s] and one [x]"


def test_the_longest_phrase_wins() -> None:
    tickets = values(5, x="adult ticket", m1="ticket")
    assert delexicalise("5 tickets, an adult ticket", tickets, ENGLISH) == "[n1] [m1:s], an [x]"


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(SlotError, match="nothing is given"):
        refill("[n1] [q1]", values(3), ENGLISH)
    with pytest.raises(SlotError, match="no such word"):
        refill("[n1:fold]", values(17), ENGLISH)
    with pytest.raises(SlotError, match="cannot be written as a word"):
        refill("[n1:word]", values(2.5), ENGLISH)
    with pytest.raises(SlotError, match="bare apostrophe"):
        refill("the [x:s]' legs", values(x="goose"), ENGLISH)


def test_slots_that_hold_the_same_are_tied() -> None:
    assert values(8, 5, 8, x="cat", m1="cat").ties() == {"n3": "n1", "m1": "x"}


def test_chinese_as_the_paper_does_it() -> None:
    row = values(35, 2, 4, 94, x="鸡", y="兔", m1="头", m2="脚", u1="只")
    text = "鸡兔同笼，共有35只，94只脚，鸡有两只脚。鸡兔各几只？"
    template = "[x][y]同笼，共有[n1][u1]，[n4][u1][m2]，[x]有[n2:word][u1][m2]。[x][y]各几[u1]？"
    assert delexicalise(text, row, CHINESE) == template
    assert refill(template, row, CHINESE) == text
    other = values(20, 3, 6, 84, x="牛", y="羊", m1="头", m2="角", u1="头")
    assert refill(template, other, CHINESE).startswith("[牛羊同笼，共有20头"[1:])
    assert "有三头角" in refill(template, other, CHINESE)


WORDS = [
    "chicken",
    "Rabbits",
    "a",
    "An",
    "27",
    "86",
    "two",
    "twice",
    "legs",
    "half",
    "Noor's",
    ".",
    "?",
    "“",
    "12",
    "LEG",
    "on the farm",
]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=15))
def test_refilling_gives_back_whatever_is_written(words: list[str]) -> None:
    text = " ".join(words)
    assert refill(delexicalise(text, FARM, ENGLISH), FARM, ENGLISH) == text

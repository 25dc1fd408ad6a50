"""Beam search and drawing, against brute force on four words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from tallytale.decoding.search import Scores, Words, beam, draw

START, END, WORDS, LONGEST = 0, 1, 4, 5
CHANCE = np.random.default_rng(5)
TABLES = CHANCE.standard_normal((3, LONGEST + 1, WORDS, WORDS)) * 2  # row, place, last word, next word


@dataclass(frozen=True)
class History:
    rows: Words
    place: int

    def take(self, rows: Words) -> History:
        return History(self.rows[rows], self.place)


def probabilities(row: int, place: int, last: int) -> Scores:
    scores = TABLES[row, place, last]
    result: Scores = (scores - np.log(np.exp(scores).sum())).astype(np.float32)
    return result


def step(state: History, words: Words) -> tuple[History, Words, Scores]:
    scores = np.stack([probabilities(row, state.place, last) for row, last in zip(state.rows, words, strict=True)])
    order = np.argsort(-scores, axis=1)
    return History(state.rows, state.place + 1), order, np.take_along_axis(scores, order, axis=1)


def start() -> History:
    return History(np.arange(3), 0)


def brute_force(row: int) -> dict[tuple[int, ...], float]:
    """Every sequence that ends within the limit, with its mean log-probability."""
    found = {}
    for length in range(LONGEST):
        for words in product([0, 2, 3], repeat=length):
            total, last = 0.0, START
            for place, word in enumerate((*words, END)):
                total += float(probabilities(row, place, last)[word])
                last = word
            found[words] = total / (length + 1)
    return found


def test_a_wide_beam_equals_brute_force_on_four_words() -> None:
    for row, found in enumerate(beam(step, start(), 3, width=300, start=START, end=END, longest=LONGEST)):
        expected = brute_force(row)
        best = max(expected, key=expected.__getitem__)
        ended = [one for one in found if one.words in expected]
        assert ended[0].words == best
        assert ended[0].score == pytest.approx(expected[best], abs=1e-5)


def test_temperature_0_takes_the_likeliest_word() -> None:
    greedy = draw(step, start(), 3, start=START, end=END, longest=LONGEST, temperature=0.0, chance=CHANCE)
    for row, found in enumerate(greedy):
        last = START
        for place, word in enumerate(found.words):
            assert word == int(probabilities(row, place, last).argmax())
            last = word


def test_rows_do_not_disturb_each_other() -> None:
    together = beam(step, start(), 3, width=3, start=START, end=END, longest=LONGEST)
    for row in range(3):
        alone = beam(step, History(np.array([row]), 0), 1, width=3, start=START, end=END, longest=LONGEST)[0]
        assert alone == together[row]


def test_drawn_words_follow_their_probabilities_and_the_seed() -> None:
    many = History(np.zeros(4000, dtype=np.int64), 0)
    drawn = draw(step, many, 4000, start=START, end=END, longest=1, temperature=1.0, chance=np.random.default_rng(1))
    firsts = np.array([one.words[0] if one.words else END for one in drawn])
    shares = np.bincount(firsts, minlength=WORDS) / 4000
    np.testing.assert_allclose(shares, np.exp(probabilities(0, 0, START)), atol=0.03)
    again = draw(step, many, 4000, start=START, end=END, longest=1, temperature=1.0, chance=np.random.default_rng(1))
    assert again == drawn

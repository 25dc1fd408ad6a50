"""Sampling and beam search. They see `step` and nothing else, and work on a whole batch at once.

`step(state, words)` takes whatever `state` the model keeps (an object with `take(rows)`, which reorders it) and the
last word of each row; it returns the new state with the k best next words and their log-probabilities, best first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
Scores = NDArray[np.float32]


class State(Protocol):
    def take(self, rows: Words) -> Self:
        """The state of these rows, in this order; a row may be named several times."""


Kept = TypeVar("Kept", bound=State)
Step = Callable[[Kept, Words], tuple[Kept, Words, Scores]]


@dataclass(frozen=True, slots=True)
class Found:
    """A sequence without start and end marks, and its mean log-probability a word."""

    words: tuple[int, ...]
    score: float


def beam(
    step: Step[Kept],
    state: Kept,
    rows: int,
    *,
    width: int,
    start: int,
    end: int,
    longest: int,
    penalty: float = 1.0,
) -> list[list[Found]]:
    """The best sequences for each of `rows` inputs, at most `width`, best first.

    Scores are divided by the length to the power `penalty`. The search for a row ends when it has `width` finished
    sequences and no open one can still beat the worst of them.
    """
    finished: list[list[Found]] = [[] for _ in range(rows)]
    live = np.arange(rows)  # inputs that are still searched
    state = state.take(np.repeat(live, width))
    totals = np.full((rows, width), -np.inf, dtype=np.float32)
    totals[:, 0] = 0.0  # all beams of an input start alike, so only one counts at first
    texts = np.zeros((rows, width, 0), dtype=np.int64)
    words = np.full(rows * width, start, dtype=np.int64)
    for length in range(1, longest + 1):
        state, best, scores = step(state, words)
        choices = best.shape[1]
        sums = (totals[..., None] + scores.reshape(len(live), width, choices)).reshape(len(live), -1)
        order = np.argsort(-sums, axis=1, kind="stable")[:, : 2 * width]
        values = np.take_along_axis(sums, order, axis=1)
        sources, tokens = order // choices, np.take_along_axis(best.reshape(len(live), -1), order, axis=1)
        kept: list[tuple[int, list[tuple[int, int, float]]]] = []
        for place, row in enumerate(live):
            candidates = [
                (int(source), int(token), float(total))
                for source, token, total in zip(sources[place], tokens[place], values[place], strict=True)
                if np.isfinite(total)
            ]
            for source, token, total in candidates:
                if token == end:
                    _finish(finished[row], texts[place, source], total / length**penalty, width)
            going = [candidate for candidate in candidates if candidate[1] != end][:width]
            if length == longest:
                for source, token, total in going[: width - len(finished[row])]:
                    _finish(finished[row], np.append(texts[place, source], token), total / length**penalty, width)
            elif going and _hopeful(finished[row], going[0][2] / longest**penalty, width):
                kept.append((place, going + [(going[0][0], going[0][1], -math.inf)] * (width - len(going))))
        if not kept:
            break
        places = np.array([place for place, _ in kept])
        chosen = np.array([[source for source, _, _ in going] for _, going in kept])
        added = np.array([[token for _, token, _ in going] for _, going in kept])
        totals = np.array([[total for _, _, total in going] for _, going in kept], dtype=np.float32)
        texts = np.concatenate([texts[places[:, None], chosen], added[..., None]], axis=-1)
        state, words, live = state.take((places[:, None] * width + chosen).ravel()), added.ravel(), live[places]
    return finished


def _finish(finished: list[Found], words: Words, score: float, width: int) -> None:
    """Note a sequence among the best `width` of its input."""
    finished.append(Found(tuple(map(int, words)), score))
    finished.sort(key=lambda found: -found.score)
    del finished[width:]


def _hopeful(finished: list[Found], bound: float, width: int) -> bool:
    """Whether a sequence that cannot score above `bound` may still come among the best."""
    return len(finished) < width or bound > finished[-1].score


def draw(
    step: Step[Kept],
    state: Kept,
    rows: int,
    *,
    start: int,
    end: int,
    longest: int,
    temperature: float,
    chance: np.random.Generator,
) -> list[Found]:
    """One sequence for each row: words drawn from the k best at a temperature; 0 takes the best (greedy)."""
    words = np.full(rows, start, dtype=np.int64)
    texts: list[list[int]] = [[] for _ in range(rows)]
    totals = np.zeros(rows)
    live = np.arange(rows)
    for _ in range(longest):
        state, best, scores = step(state, words)
        if temperature > 0:
            weights = np.exp((scores - scores[:, :1]) / temperature)
            reached = np.cumsum(weights, axis=1)
            place = (reached < chance.random(len(live))[:, None] * reached[:, -1:]).sum(axis=1)
        else:
            place = np.zeros(len(live), dtype=np.int64)
        words = np.take_along_axis(best, place[:, None], axis=1)[:, 0]
        totals[live] += np.take_along_axis(scores, place[:, None], axis=1)[:, 0]
        going = words != end
        for row, word in zip(live[going], words[going], strict=True):
            texts[row].append(int(word))
        if not going.any():
            break
        state, words, live = state.take(np.flatnonzero(going)), words[going], live[going]
    return [Found(tuple(text), float(total / (len(text) + 1))) for text, total in zip(texts, totals, strict=True)]

"""BLEU-4 for choosing checkpoints where no metrics package is installed; a test holds it equal to sacrebleu's."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def bleu(texts: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """Corpus BLEU-4 of tokenised texts with one reference each, in percent, without smoothing."""
    matches, totals = [0] * 4, [0] * 4
    for text, reference in zip(texts, references, strict=True):
        for size in range(1, 5):
            mine, theirs = _runs(text, size), _runs(reference, size)
            matches[size - 1] += sum((mine & theirs).values())
            totals[size - 1] += sum(mine.values())
    if min(matches) == 0:
        return 0.0
    length, wanted = sum(map(len, texts)), sum(map(len, references))
    brevity = min(0.0, 1 - wanted / length)
    precision = sum(math.log(match / total) for match, total in zip(matches, totals, strict=True)) / 4
    return 100 * math.exp(brevity + precision)


def _runs(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[place : place + size]) for place in range(len(words) - size + 1))

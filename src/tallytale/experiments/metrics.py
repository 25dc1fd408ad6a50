"""The paper's automatic measures. A number carries its recipe: every score has a signature and an interval.

Texts are token sequences by the time they arrive here (`tokenise`); intervals are 95% bootstrap intervals over texts.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Tokens = Sequence[str]
Level = Literal["char", "word"]
RESAMPLES = 1000
SEED = 12345


@dataclass(frozen=True, slots=True)
class Score:
    name: str
    value: float
    low: float
    high: float
    signature: str

    def __str__(self) -> str:
        return f"{self.name} {self.value:.2f} ({self.low:.2f} to {self.high:.2f}) [{self.signature}]"


@dataclass(frozen=True, slots=True)
class Missing:
    """A measure that could not be taken, and why; never silently replaced."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name} missing: {self.why}"


def tokenise(text: str, level: Level) -> list[str]:
    """Characters without spaces, or words; punctuation is kept as it stands."""
    return [character for character in text if not character.isspace()] if level == "char" else text.split()


def bleu4(texts: Sequence[Tokens], references: Sequence[Tokens], level: Level) -> Score:
    """Corpus BLEU-4 by sacrebleu on our own tokens."""
    import sacrebleu
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(tokenize="none", smooth_method="exp")
    joined, targets = [" ".join(text) for text in texts], [" ".join(reference) for reference in references]
    whole = metric.corpus_score(joined, [targets])
    pieces = [metric.corpus_score([one], [[other]]) for one, other in zip(joined, targets, strict=True)]
    stats = np.array([[p.sys_len, p.ref_len, *p.counts, *p.totals] for p in pieces], dtype=np.int64)

    def total(rows: NDArray[np.int64]) -> float:
        sums = stats[rows].sum(0)
        found = metric.compute_bleu(
            correct=sums[2:6].tolist(),
            total=sums[6:10].tolist(),
            sys_len=int(sums[0]),
            ref_len=int(sums[1]),
            smooth_method="exp",
        )
        return float(found.score)

    low, high = _interval(total, len(texts))
    recipe = f"tok={level} punct=raw n={len(texts)} corpus smooth=exp sacrebleu={sacrebleu.__version__}"
    return Score("bleu4", whole.score, low, high, recipe)


def rouge_l(texts: Sequence[Tokens], references: Sequence[Tokens], level: Level) -> Score:
    """Mean F-measure of the longest common subsequence, by rouge-score."""
    from rouge_score.rouge_scorer import _score_lcs

    pairs = zip(texts, references, strict=True)
    values = np.array([100 * _score_lcs(list(reference), list(text)).fmeasure for text, reference in pairs])
    return _mean("rouge-l", values, f"tok={level} punct=raw n={len(values)} F mean")


def meteor(texts: Sequence[Tokens], references: Sequence[Tokens], level: Level) -> Score | Missing:
    """METEOR 1.5, the authors' Java program, from the jar that pycocoevalcap carries."""
    spec = find_spec("pycocoevalcap")
    if spec is None or not spec.submodule_search_locations:
        return Missing("meteor", "the package pycocoevalcap, which carries meteor-1.5.jar, is not installed")
    java = shutil.which("java")
    if java is None:
        return Missing("meteor", "Java is not installed")
    jar = Path(spec.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar"
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("texts", "references")]
        for path, lines in zip(paths, (texts, references), strict=True):
            path.write_text("".join(" ".join(line) + "\n" for line in lines), encoding="utf-8")
        command = [java, "-Xmx2G", "-jar", str(jar), *map(str, paths), "-l", "en", "-norm"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True, cwd=jar.parent)  # noqa: S603
    lines = shown.stdout.splitlines()
    values = np.array([100 * float(line.split()[-1]) for line in lines if line.startswith("Segment")])
    final = next(100 * float(line.split()[-1]) for line in lines if line.startswith("Final score"))
    mean = _mean("meteor", values, f"tok={level} punct=raw n={len(values)} jar=1.5 -l en -norm")
    shift = final - mean.value  # the final score pools statistics, so the interval is moved to it
    return Score("meteor", final, mean.low + shift, mean.high + shift, mean.signature)


def self_bleu(texts: Sequence[Tokens], level: Level) -> Score:
    """Texygen's Self-BLEU-4: each text against all others of the set, averaged; lower is more varied."""
    values = 100 * np.array(_against_others([list(text) for text in texts]))
    return _mean("self-bleu", values, f"tok={level} n={len(values)} set smooth=1")


def self_bleu_within(groups: Sequence[Sequence[Tokens]], level: Level) -> Score:
    """The same among the texts of one input, averaged over inputs."""
    values = 100 * np.array([np.mean(_against_others([list(text) for text in group])) for group in groups])
    return _mean("self-bleu-within", values, f"tok={level} n={len(values)} input smooth=1")


def _against_others(texts: list[list[str]]) -> list[float]:
    """Sentence BLEU-4 of each text with all others as references (clipped counts, nearest length, epsilon 0.1)."""
    counts = [[Counter(zip(*(text[k:] for k in range(size)), strict=False)) for text in texts] for size in range(1, 5)]
    tops = [_most_two(by_text) for by_text in counts]
    lengths = Counter(map(len, texts))
    values = []
    for place, text in enumerate(texts):
        logs = 0.0
        for by_text, top in zip(counts, tops, strict=True):
            matched = 0
            for gram, number in by_text[place].items():
                most, owner, second = top[gram]
                matched += min(number, second if owner == place else most)
            logs += math.log((matched or 0.1) / max(1, sum(by_text[place].values()))) / 4
        others = [length for length, number in lengths.items() if number > 1 or length != len(text)]
        nearest = min(others, key=lambda length: (abs(length - len(text)), length), default=len(text))
        values.append(math.exp(logs + min(0.0, 1 - nearest / max(1, len(text)))))
    return values


def _most_two(by_text: Sequence[Counter[tuple[str, ...]]]) -> dict[tuple[str, ...], tuple[int, int, int]]:
    """For each run its highest count in one text, that text's place, and the highest count in any other."""
    top: dict[tuple[str, ...], tuple[int, int, int]] = {}
    for place, grams in enumerate(by_text):
        for gram, number in grams.items():
            most, owner, second = top.get(gram, (0, -1, 0))
            top[gram] = (number, place, most) if number > most else (most, owner, max(second, number))
    return top


def _mean(name: str, values: NDArray[np.float64], signature: str) -> Score:
    low, high = _interval(lambda rows: float(values[rows].mean()), len(values))
    return Score(name, float(values.mean()), low, high, signature)


def _interval(statistic: Callable[[NDArray[np.int64]], float], count: int) -> tuple[float, float]:
    """95% of the statistic over resampled sets of texts."""
    chance = np.random.default_rng(SEED)
    found = [statistic(chance.integers(0, count, count)) for _ in range(RESAMPLES)]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)

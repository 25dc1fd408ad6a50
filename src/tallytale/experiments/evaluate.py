"""Scores of a set of generated templates: refilled with each input's own values, then measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tallytale.errors import ConfigError, SlotError
from tallytale.experiments import make_zh
from tallytale.experiments.metrics import (
    Level,
    Missing,
    Score,
    bleu4,
    meteor,
    rouge_l,
    self_bleu,
    self_bleu_within,
    tokenise,
)
from tallytale.problems import corpus
from tallytale.problems.chinese import CHINESE
from tallytale.problems.english_slots import ENGLISH
from tallytale.problems.slots import TOKEN, Language, Values, refill


def gold(name: str, data: Path | None = None) -> dict[str, tuple[str, Values]]:
    """The text and the slots' values of every problem of a corpus, by id."""
    if name != "make-zh":
        return {problem.id: (problem.text, problem.values) for problem in corpus.shipped()}
    if data is None:
        raise ConfigError("make-zh needs --data, the folder with the paper's workbooks")
    return {f"{row.split}-{row.number}": (row.text, row.values) for row in make_zh.read(data)}


NAMES = {"p1": "Amara", "p2": "Diego", "p3": "Noor"}  # for people whom the input does not name


def refilled(template: str, values: Values, language: Language) -> str:
    """The template filled; slots that the input does not have, a fault of the model's, are left out."""
    values = Values(values.numbers, {**NAMES, **values.words})
    known = TOKEN.sub(
        lambda token: token[0] if token[1] in values.numbers or token[1] in values.words else "", template
    )
    try:
        return refill(known, values, language)
    except SlotError:
        return TOKEN.sub("", known)


def scores(
    templates: Mapping[str, Sequence[str]], golden: Mapping[str, tuple[str, Values]], *, chinese: bool
) -> list[Score | Missing]:
    """The paper's four measures on the first text of each input, and variety among all texts of an input."""
    language: Language = CHINESE if chinese else ENGLISH
    level: Level = "char" if chinese else "word"
    ids = list(templates)
    groups = [[tokenise(refilled(text, golden[key][1], language), level) for text in templates[key]] for key in ids]
    first = [group[0] for group in groups]
    references = [tokenise(golden[key][0], level) for key in ids]
    found: list[Score | Missing] = [
        bleu4(first, references, level),
        meteor(first, references, level),
        rouge_l(first, references, level),
        self_bleu(first, level),
    ]
    return [*found, self_bleu_within(groups, level)] if len(groups[0]) > 1 else found

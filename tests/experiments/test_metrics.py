"""Measures against the packages they come from, and against each other."""

from __future__ import annotations

import random

import pytest

sacrebleu = pytest.importorskip("sacrebleu", reason="the extra [train] is not installed")

from tallytale.experiments.metrics import (  # noqa: E402
    Missing,
    _against_others,
    bleu4,
    meteor,
    rouge_l,
    self_bleu,
    self_bleu_within,
    tokenise,
)
from tallytale.experiments.overlap import bleu  # noqa: E402

CHANCE = random.Random(1)
WORDS = "the a cat dog sat on mat hat and ran".split()
TEXTS = [[CHANCE.choice(WORDS) for _ in range(CHANCE.randint(8, 15))] for _ in range(30)]
REFERENCES = [[word if CHANCE.random() < 0.7 else CHANCE.choice(WORDS) for word in text] for text in TEXTS]


def test_our_bleu_for_dev_is_sacrebleus() -> None:
    joined = [" ".join(text) for text in TEXTS], [" ".join(text) for text in REFERENCES]
    theirs = sacrebleu.corpus_bleu(joined[0], [joined[1]], tokenize="none", smooth_method="none").score
    assert bleu(TEXTS, REFERENCES) == pytest.approx(theirs)


def test_bleu_carries_an_interval_and_a_signature() -> None:
    score = bleu4(TEXTS, REFERENCES, "word")
    assert score.low < score.value < score.high
    assert "tok=word" in score.signature
    assert f"sacrebleu={sacrebleu.__version__}" in score.signature
    assert bleu4(TEXTS, TEXTS, "word").value == pytest.approx(100)


def test_rouge_l_of_a_known_pair() -> None:
    score = rouge_l([list("abcd")], [list("axbd")], "char")
    assert score.value == pytest.approx(75)


def test_self_bleu_is_bleu_against_all_others() -> None:
    values = _against_others(TEXTS)
    for place in (0, 7, 29):
        others = [" ".join(text) for index, text in enumerate(TEXTS) if index != place]
        theirs = sacrebleu.sentence_bleu(
            " ".join(TEXTS[place]),
            others,
            tokenize="none",
            smooth_method="floor",
            smooth_value=0.1,
            use_effective_order=False,
        ).score
        assert 100 * values[place] == pytest.approx(theirs, rel=1e-6)
    assert self_bleu([TEXTS[0]] * 3, "word").value == pytest.approx(100)
    assert self_bleu_within([[TEXTS[0], TEXTS[0]], [list("abcde"), list("vwxyz")]], "word").value < 60


def test_meteor_is_taken_by_its_own_program_or_named_as_missing() -> None:
    score = meteor(TEXTS, TEXTS, "word")
    if isinstance(score, Missing):
        assert "not installed" in score.why
    else:
        assert score.value == pytest.approx(100, abs=1)


def test_characters_and_words() -> None:
    assert tokenise("鸡 2只。", "char") == ["鸡", "2", "只", "。"]
    assert tokenise("A hen, 2 eggs.", "word") == ["A", "hen,", "2", "eggs."]

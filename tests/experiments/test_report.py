"""The corpus report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("sacrebleu", reason="the extra [train] is not installed")
pytest.importorskip("matplotlib", reason="the extra [train] is not installed")

from tallytale.experiments.report import as_text, by_topic, masked, plot, reading_grade, report
from tallytale.problems.corpus import shipped


def test_the_shipped_corpus_keeps_its_promises() -> None:
    found = report(shipped())
    assert found.by_unknowns[2] >= 8000
    assert found.by_unknowns[1] >= 600
    assert found.by_unknowns[3] >= 600
    assert found.topics >= 120
    assert found.fewest_by_topic >= 50
    assert found.fewest_forms_by_topic >= 6
    assert len(found.forms) >= 40
    assert found.narrow_forms == []
    assert found.forms.most_common(1)[0][1] <= 0.35 * found.by_unknowns[2]
    assert found.registers["plain"] >= 0.7 * found.problems
    assert max(found.grades) <= 7
    assert found.distinct4 >= 0.72
    assert found.self_bleu <= 0.50
    assert found.near_duplicates <= 0.06
    assert found.opening_share <= 0.005
    assert found.name_share <= 0.01


def test_a_corpus_of_copies_is_seen_through() -> None:
    copies = [replace(problem, id=str(place)) for place, problem in enumerate([*shipped()[:50], *shipped()[:50]])]
    found = report(copies)
    assert found.near_duplicates == 1
    assert found.self_bleu == pytest.approx(1)


def test_numbers_are_masked() -> None:
    assert masked("It's 12 or 3,400 hens, twice") == ["it's", "#", "or", "#", "hens", "#"]


def test_long_words_in_long_sentences_are_harder() -> None:
    assert reading_grade("The cat sat.") < reading_grade(
        "Considerable difficulties necessitate extraordinary preparation."
    )


def test_the_report_is_shown_and_drawn(tmp_path: Path) -> None:
    found = report(shipped()[:100])
    assert "| problems | 100 |" in as_text(found)
    assert by_topic(shipped()).count("\n") == 1 + len({problem.topic for problem in shipped()})
    plot(found, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 10_000

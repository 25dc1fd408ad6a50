"""From run folders to a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra [train] is not installed")

from tallytale.errors import ConfigError
from tallytale.experiments.results import Row, as_json, as_tables, merged, method, rows
from tallytale.problems.corpus import shipped


def folder(path: Path, seed: int, **model: bool) -> Path:
    """A run whose texts are the corpus's own, so that every measure is known."""
    path.mkdir()
    config = {"data": {"corpus": "tallytale-en", "split": "split"}, "model": model, "seed": seed}
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    lines = [{"id": problem.id, "templates": [problem.template], "scores": [0.0]} for problem in shipped()[:20]]
    (path / "test-beam.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_gold_texts_score_100_and_seeds_are_counted(tmp_path: Path) -> None:
    found = rows([folder(tmp_path / "a", 1), folder(tmp_path / "b", 2)], [], None)
    by_metric = {row.metric: row for row in found}
    assert by_metric["bleu4"].mean == pytest.approx(100)
    assert by_metric["rouge-l"].mean == pytest.approx(100)
    assert by_metric["bleu4"].seeds == 2
    assert by_metric["bleu4"].spread == 0
    assert "| make-beam | 2 | 100.00 ± 0.00 |" in as_tables(found)


def test_a_page_is_brought_up_to_date_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    old = [
        Row("make-zh", "official", "make", "bleu4", 1.0, 0.0, 3, "s"),
        Row("tallytale-en", "test", "make", "bleu4", 1.0, 0.0, 3, "s"),
    ]
    path.write_text(as_json(old), encoding="utf-8")
    new = [Row("tallytale-en", "test", "make", "bleu4", 2.0, 0.0, 3, "s")]
    assert [row.mean for row in merged(new, path)] == [1.0, 2.0]


def test_ablations_are_named_after_what_they_lack() -> None:
    assert method({}, "drawn") == "make"
    assert method({"planning": False}, "beam") == "make-no-planning-beam"


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no run folder"):
        rows([tmp_path], [], None)

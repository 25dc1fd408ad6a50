"""Our graphs and slots against the data published with the paper."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tallytale.errors import CorpusError
from tallytale.experiments.make_zh import Row, difference, read, round_trip, slot_clash

DATA = Path(__file__).parents[3] / "shared" / "data" / "make-zh"


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    if not DATA.is_dir():
        pytest.skip(f"the paper's data are not at {DATA}")
    return list(read(DATA))


def test_equation_graphs_equal_the_authors_own_on_at_least_95_percent(rows: list[Row]) -> None:
    reasons = Counter(map(difference, rows))
    assert len(rows) == 5447
    assert reasons[""] / len(rows) >= 0.95
    assert reasons["other"] == 0  # every other row has a reason that was checked


def test_slots_give_back_at_least_97_percent_of_the_texts_without_a_clash(rows: list[Row]) -> None:
    results = [round_trip(row) for row in rows if not slot_clash(row)]
    assert len(results) > 4000
    assert sum(same for same, _ in results) / len(results) >= 0.97
    assert sum(share for _, share in results) / len(results) > 0.9  # and not because nothing was taken out


def test_a_folder_without_the_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"train_equ.xlsx is missing; .*--data"):
        list(read(tmp_path))

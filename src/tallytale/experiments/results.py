"""The results page: rows from run folders and from retrieval, for people (Markdown) and for programs (JSON)."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tallytale.errors import ConfigError
from tallytale.experiments.evaluate import gold, scores
from tallytale.experiments.examples import read
from tallytale.experiments.metrics import Missing, Score
from tallytale.experiments.retrieval import retrieve

METRICS = ("bleu4", "meteor", "rouge-l", "self-bleu", "self-bleu-within")
SPLITS = {"leakfree": "leak-free", "split": "test"}  # what a page calls the splits
RETRIEVAL_SEEDS = (1, 2, 3)
COPIES = 4
# The paper's table 2, make-zh, official split.
PAPER = {
    "make": (23.322, 24.537, 40.076, 60.29),
    "make-no-symbolic": (19.788, 22.386, 38.459, 63.849),
    "make-no-knowledge": (15.441, 19.662, 33.188, 56.683),
    "make-no-planning": (21.611, 23.782, 40.053, 62.549),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A figure: the mean over seeds, and their standard deviation as its spread."""

    data: str
    split: str
    method: str  # `make` draws its words; `make-beam` is the same model with beam search
    metric: str
    mean: float
    spread: float
    seeds: int
    signature: str


def rows(runs: Sequence[Path], prepared: Sequence[Path], data: Path | None) -> list[Row]:
    """All figures of some run folders, and of retrieval on some prepared folders."""
    found: dict[tuple[str, str, str], list[list[Score | Missing]]] = {}
    golden: dict[str, Mapping[str, Any]] = {}
    for folder in runs:
        config = _config(folder)
        name, split = config["data"]["corpus"], config["data"]["split"]
        golden.setdefault(name, gold(name, data))
        for path in sorted(folder.glob("test-*.jsonl")):
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            templates = {line["id"]: line["templates"] for line in lines}
            key = (name, SPLITS.get(split, split), method(config["model"], path.stem.removeprefix("test-")))
            found.setdefault(key, []).append(scores(templates, golden[name], chinese=name == "make-zh"))
    for folder in prepared:
        about = json.loads((folder / "data.json").read_text(encoding="utf-8"))
        name, split = about["corpus"], about["split"]
        golden.setdefault(name, gold(name, data))
        train, test = read(folder, "train"), read(folder, "test")
        for seed in RETRIEVAL_SEEDS:
            texts = retrieve(train, test, copies=COPIES, seed=seed)
            templates = {example.id: group for example, group in zip(test, texts, strict=True)}
            key = (name, SPLITS.get(split, split), "retrieval")
            found.setdefault(key, []).append(scores(templates, golden[name], chinese=name == "make-zh"))
    return [row for key, runs_of_key in sorted(found.items()) for row in _summed(key, runs_of_key)]


def method(model: Mapping[str, Any], manner: str) -> str:
    """The row's name: MaKE, or what it goes without; drawn texts are the rule, beam search is named."""
    missing = [name for name in ("symbolic", "knowledge", "planning") if not model.get(name, True)]
    return "-no-".join(["make", *missing]) + ("" if manner == "drawn" else f"-{manner}")


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise ConfigError(f"{folder} is no run folder: it has no config.json")
    config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return config


def _summed(key: tuple[str, str, str], runs: Sequence[Sequence[Score | Missing]]) -> Iterable[Row]:
    for metric in METRICS:
        taken = [score for run in runs for score in run if isinstance(score, Score) and score.name == metric]
        if taken:
            values = [score.value for score in taken]
            spread = statistics.stdev(values) if len(values) > 1 else 0.0
            yield Row(*key, metric, statistics.mean(values), spread, len(values), taken[0].signature)


# --- pages -------------------------------------------------------------------------------------


def merged(new: Sequence[Row], path: Path) -> list[Row]:
    """New rows with those of an earlier page that they do not replace."""
    old = [Row(**record) for record in json.loads(path.read_text(encoding="utf-8"))] if path.is_file() else []
    replaced = {(row.data, row.split, row.method) for row in new}
    kept = [row for row in old if (row.data, row.split, row.method) not in replaced]
    return sorted([*kept, *new], key=lambda row: (row.data, row.split, row.method, METRICS.index(row.metric)))


def as_json(found: Sequence[Row]) -> str:
    records = [{**asdict(row), "mean": round(row.mean, 3), "spread": round(row.spread, 3)} for row in found]
    return "[\n" + ",\n".join(" " + json.dumps(record) for record in records) + "\n]\n"


def as_tables(found: Sequence[Row]) -> str:
    """One table for each data set and split; the paper's own figures beside ours."""
    parts: list[str] = []
    for data, split in dict.fromkeys((row.data, row.split) for row in found):
        parts.append(f"\n### {data}, split {split}\n")
        parts.append("| method | seeds | BLEU-4 | METEOR | ROUGE-L | Self-BLEU | Self-BLEU, one input |")
        parts.append("|---" * 7 + "|")
        here = [row for row in found if (row.data, row.split) == (data, split)]
        for name in dict.fromkeys(row.method for row in here):
            cells = {row.metric: row for row in here if row.method == name}
            figures = [f"{cells[m].mean:.2f} ± {cells[m].spread:.2f}" if m in cells else "missing" for m in METRICS]
            seeds = next(iter(cells.values())).seeds
            parts.append(f"| {name} | {seeds} | {' | '.join(figures)} |")
        if (data, split) == ("make-zh", "official"):
            for name, figures_of_paper in PAPER.items():
                shown = " | ".join(f"{figure:.2f}" for figure in figures_of_paper)
                parts.append(f"| {name}-beam, as published |  | {shown} |  |")
    signatures = dict.fromkeys(f"{row.data} {row.metric}: `{row.signature}`" for row in found)
    parts.append("\nSignatures: " + "; ".join(signatures) + ".\n")
    return "\n".join(parts)

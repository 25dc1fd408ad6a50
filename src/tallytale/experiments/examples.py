"""Prepared data: texts as word numbers, graphs as node labels, in files that training reads without our parsers.

A prepared folder holds `vocabulary.model` (sentencepiece) and `train.jsonl`, `dev.jsonl`, `test.jsonl`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tallytale.errors import ConfigError
from tallytale.models.make import END, PAD, START, GraphBatch

PARTS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class EncodedGraph:
    """A Levi graph: the words of each node's label, and its edges with loops, as pairs (from, to)."""

    words: list[list[int]]
    edges: list[list[int]]


@dataclass(frozen=True, slots=True)
class Example:
    id: str
    equation: EncodedGraph
    knowledge: EncodedGraph
    text: list[int]  # word numbers, with neither start nor end
    template: str  # the delexicalised text that those numbers spell
    extra: dict[str, Any] = field(default_factory=dict)  # what evaluation needs to refill it


@dataclass(frozen=True)
class Batch:
    equation: GraphBatch
    knowledge: GraphBatch
    text: Tensor  # (B, T) with start and end


def write(path: Path, examples: Sequence[Example]) -> None:
    path.write_text("".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in examples), encoding="utf-8")


def read(folder: Path, part: str) -> list[Example]:
    path = folder / f"{part}.jsonl"
    if not path.is_file():
        raise ConfigError(f"{path} is missing; make it with `tallytale prepare`")
    examples = []
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        record |= {name: EncodedGraph(**record[name]) for name in ("equation", "knowledge")}
        examples.append(Example(**record))
    return examples


def collate(examples: Sequence[Example], device: torch.device) -> Batch:
    longest = max(len(example.text) for example in examples)
    text = np.full((len(examples), longest + 2), PAD, dtype=np.int64)
    for row, example in enumerate(examples):
        text[row, : len(example.text) + 2] = [START, *example.text, END]
    return Batch(
        _graphs([example.equation for example in examples], device),
        _graphs([example.knowledge for example in examples], device),
        torch.from_numpy(text).to(device),
    )


def _graphs(graphs: Sequence[EncodedGraph], device: torch.device) -> GraphBatch:
    count = max(len(graph.words) for graph in graphs)
    wide = max((len(label) for graph in graphs for label in graph.words), default=1)
    words = np.full((len(graphs), count, wide), PAD, dtype=np.int64)
    adjacency = np.zeros((len(graphs), count, count), dtype=np.float32)
    mask = np.zeros((len(graphs), count), dtype=bool)
    for row, graph in enumerate(graphs):
        mask[row, : len(graph.words)] = True
        for node, label in enumerate(graph.words):
            words[row, node, : len(label)] = label
        start, end = np.array(graph.edges).T
        adjacency[row, end, start] = 1.0
    adjacency /= np.maximum(adjacency.sum(-1, keepdims=True), 1.0)
    return GraphBatch(*(torch.from_numpy(array).to(device) for array in (words, adjacency, mask)))


def batches(examples: Sequence[Example], size: int, *, seed: int) -> Iterator[tuple[int, list[Example]]]:
    """Batches without end, numbered from 1: in each epoch a new order, with texts of like length together."""
    number = epoch = 0
    while True:
        chance = random.Random(seed * 1_000_003 + epoch)
        order = sorted(range(len(examples)), key=lambda place: len(examples[place].text) + chance.random() * 8)
        groups = [order[start : start + size] for start in range(0, len(order), size)]
        chance.shuffle(groups)
        for group in groups:
            number += 1
            yield number, [examples[place] for place in group]
        epoch += 1

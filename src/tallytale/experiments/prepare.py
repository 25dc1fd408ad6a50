"""From problems to prepared data: graphs, delexicalised texts, one subword vocabulary for words and node labels."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sentencepiece

from tallytale.errors import ConfigError
from tallytale.experiments import make_zh
from tallytale.experiments.config import DataConfig
from tallytale.experiments.examples import PARTS, EncodedGraph, Example, write
from tallytale.problems import corpus
from tallytale.problems.chinese import CHINESE
from tallytale.problems.corpus import Problem
from tallytale.problems.fitting import Fit, subgraph
from tallytale.problems.graph import Edge, Graph, Levi, levi
from tallytale.problems.knowledge import Knowledge, load
from tallytale.problems.slots import TOKEN, delexicalise
from tallytale.problems.symbolic import symbolic_graph

SPLIT_SEED = 2026


@dataclass(frozen=True)
class Source:
    """One problem before it is encoded. Labels of graph nodes that are slots or relations stand in brackets."""

    id: str
    part: str
    template: str
    equation: tuple[list[str], list[list[int]]]
    knowledge: tuple[list[str], list[list[int]]]
    extra: dict[str, Any]


def prepare(config: DataConfig, folder: Path, *, data: Path | None = None) -> dict[str, int]:
    """Write the prepared folder; how many examples each part has."""
    if config.corpus == "make-zh":
        if data is None:
            raise ConfigError("the corpus make-zh needs --data, the folder with the paper's workbooks")
        sources = list(_chinese(config, data))
    else:
        sources = list(_english(config))
    folder.mkdir(parents=True, exist_ok=True)
    model = _vocabulary(sources, config.pieces, chinese=config.corpus == "make-zh")
    (folder / "vocabulary.model").write_bytes(model)
    (folder / "data.json").write_text(json.dumps(asdict(config)), encoding="utf-8")
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
    counts = {}
    for part in PARTS:
        chosen = [source for source in sources if source.part == part]
        write(folder / f"{part}.jsonl", [_encoded(source, pieces) for source in chosen])
        counts[part] = len(chosen)
    return counts


def _encoded(source: Source, pieces: sentencepiece.SentencePieceProcessor) -> Example:
    def graph(labels: list[str], edges: list[list[int]]) -> EncodedGraph:
        return EncodedGraph([pieces.encode(label) for label in labels], edges)

    return Example(
        id=source.id,
        equation=graph(*source.equation),
        knowledge=graph(*source.knowledge),
        text=pieces.encode(source.template),
        template=source.template,
        extra=source.extra,
    )


def _vocabulary(sources: Sequence[Source], size: int, *, chinese: bool) -> bytes:
    """A BPE vocabulary in which slots and relations are one piece each; only training texts are seen."""
    train = [source for source in sources if source.part == "train"]
    labels = {label for source in sources for labels, _ in (source.equation, source.knowledge) for label in labels}
    symbols = {label for label in labels if label.startswith(("[", "<"))}
    symbols |= {token[0] for source in sources for token in TOKEN.finditer(source.template)}
    words = sorted(labels - symbols)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*(source.template for source in train), *words]),
        model_writer=model,
        model_type="bpe",
        vocab_size=size,
        hard_vocab_limit=False,
        user_defined_symbols=sorted(symbols),
        pad_id=0,
        bos_id=1,
        eos_id=2,
        unk_id=3,
        character_coverage=1.0,
        add_dummy_prefix=not chinese,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    return model.getvalue()


def _levi(graph: Levi) -> tuple[list[str], list[list[int]]]:
    """Labels and edges; relations in angle brackets, slots in square ones, dummies all alike."""
    labels = [f"<{node.label}>" if node.relation else _slot_label(node.label) for node in graph.nodes]
    return labels, [list(edge) for edge in graph.edges]


def _slot_label(name: str) -> str:
    if name in ("x", "y", "z") or (name[0] in "nm" and name[1:].isdigit()):
        return f"[{name}]"
    return "<dummy>" if name.startswith("dummy") or name == "0" else name


# --- English -----------------------------------------------------------------------------------


def _english(config: DataConfig) -> Iterator[Source]:
    knowledge = load()
    for problem in corpus.shipped():
        part = problem.leakfree if config.split == "leakfree" else problem.split
        yield Source(
            id=problem.id,
            part=part,
            template=problem.template,
            equation=_levi(levi(symbolic_graph(problem.system))),
            knowledge=_levi(levi(problem_graph(problem, knowledge))),
            extra={},
        )


def problem_graph(problem: Problem, knowledge: Knowledge) -> Graph:
    """The knowledge graph of a corpus problem: its own measures, and what is known of its entities."""
    topic = knowledge.topic(problem.topic)
    measures = tuple(problem.values.words[f"m{place}"] for place in range(1, len(problem.measures) + 1))
    graph = subgraph(topic, problem.entities, problem.system, Fit(problem.entities, measures, unit=problem.unit))
    return Graph.of([*graph.edges, *_measured(problem, measures, graph)])


def _measured(problem: Problem, measures: Sequence[str], graph: Graph) -> Iterator[Edge]:
    """Ties between unknowns and measures that no fact brought in."""
    tied = {(edge.source, edge.target) for edge in graph.edges}
    names = {measure: f"m{place}" for place, measure in enumerate(dict.fromkeys(measures), start=1)}
    for unknown in problem.entities:
        for measure in measures:
            if (unknown, names[measure]) not in tied:
                yield Edge(unknown, "measured in", names[measure])


# --- Chinese -----------------------------------------------------------------------------------

SLOT_NODES = {
    "x_entity": "[x]",
    "y_entity": "[y]",
    "head_info_entity": "[m1]",
    "jiao_info_entity": "[m2]",
    "head_info_unit": "[u1]",
    "jiao_info_unit": "[u2]",
}
RELATION_MARKS = ("belong_to", "有头", "有脚")


def _chinese(config: DataConfig, data: Path) -> Iterator[Source]:
    rows = list(make_zh.read(data))
    parts = [row.split for row in rows]
    if config.split == "leakfree":
        parts = make_zh.leak_free(rows, seed=SPLIT_SEED)
    for row, part in zip(rows, parts, strict=True):
        yield Source(
            id=f"{row.split}-{row.number}",
            part=part,
            template=delexicalise(row.text, row.values, CHINESE),
            equation=_levi(levi(symbolic_graph(row.system))),
            knowledge=_their_knowledge(row),
            extra={"row": [row.split, row.number]},
        )


def _their_knowledge(row: make_zh.Row) -> tuple[list[str], list[list[int]]]:
    """The commonsense graph as the authors publish it, with loops."""
    nodes = sorted(row.scene.nodes)
    place = {name: number for number, name in enumerate(nodes)}
    edges = sorted([place[start], place[end]] for start, end in row.scene.edges)
    return [_their_label(name) for name in nodes], [*edges, *([number, number] for number in range(len(nodes)))]


def _their_label(name: str) -> str:
    if name.startswith(RELATION_MARKS):
        return f"<{name}>"
    return "<dummy>" if name.startswith("dummy") else SLOT_NODES.get(name, name)

"""The paper's own data set (make-zh): its rows, and how our graphs and slots compare with its authors'.

The data are not ours to ship; point `read` at a copy. The workbooks are read with the standard library alone, so that
training machines need nothing more.
"""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from xml.etree import ElementTree

from tallytale.errors import CorpusError
from tallytale.problems.chinese import CHINESE
from tallytale.problems.corpus import slot_numbers
from tallytale.problems.equations import System, parse
from tallytale.problems.forms import form
from tallytale.problems.graph import REVERSE, LeviNode, levi
from tallytale.problems.slots import Values, delexicalise, refill, slots_of
from tallytale.problems.solving import fingerprint
from tallytale.problems.splits import Traits, deal, groups, runs
from tallytale.problems.symbolic import ZERO, symbolic_graph

SPLITS = ("train", "dev", "test")
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

# What the authors call the relations.
RELATIONS = {
    "Mul": "乘关系",
    "Add": "和关系",
    "Minuend": "被减数关系",
    "Subtrahend": "减数关系",
    "Multiplicand": "被乘数关系",
    "Multiplier": "乘数关系",
    "Dividend": "被除数关系",
    "Divisor": "除数关系",
}
ORDINALS = {1: "one", 2: "two"}


@dataclass(frozen=True)
class Row:
    """One problem of the data set, with the authors' equation graph."""

    split: str
    number: int  # the row in its workbook, the heading being row 1
    text: str
    equations: tuple[str, str]
    entities: dict[str, str]  # x and y; a row without names for them has dummy1 and dummy2
    words: dict[str, str]  # m1, m2: the things counted; u1, u2: their measure words
    graph: NamedLevi  # the authors' own, of the equations
    scene: NamedLevi  # the authors' own, of the commonsense knowledge

    @cached_property
    def system(self) -> System:
        return parse("; ".join(self.equations))

    @cached_property
    def values(self) -> Values:
        named = {name: word for name, word in self.entities.items() if not word.startswith("dummy")}
        return Values(numbers=slot_numbers(self.system), words=named | self.words)


def read(folder: Path) -> Iterator[Row]:
    """All rows of the three workbooks in `folder`."""
    for split in SPLITS:
        path = folder / f"{split}_equ.xlsx"
        if not path.is_file():
            raise CorpusError(f"{path} is missing; name the folder that holds the paper's workbooks with --data")
        heading, *rows = workbook(path)
        for number, cells in rows:
            yield _row(split, number, dict(zip(heading[1], cells, strict=False)))


def workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Row numbers and cells of the first sheet of an .xlsx file."""
    with zipfile.ZipFile(path) as book:
        shared: list[str] = []
        if "xl/sharedStrings.xml" in book.namelist():
            tree = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))  # noqa: S314  # a file of the user's own
            shared = ["".join(part.text or "" for part in item.iter(f"{SHEET}t")) for item in tree]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))  # noqa: S314
    for row in sheet.iter(f"{SHEET}row"):
        cells: list[str] = []
        for cell in row.iter(f"{SHEET}c"):
            column = _column(cell.get("r", ""))
            cells += [""] * (column - len(cells))
            value = cell.find(f"{SHEET}v")
            text = "".join(part.text or "" for part in cell.iter(f"{SHEET}t")) if value is None else value.text or ""
            cells.append(shared[int(text)] if cell.get("t") == "s" and text else text)
        yield int(row.get("r", "0")), cells


def _column(reference: str) -> int:
    place = 0
    for letter in re.sub(r"\d", "", reference):
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def _row(split: str, number: int, cells: dict[str, str]) -> Row:
    slots = ast.literal_eval(cells["seq2seq_mr"])
    words = {
        "m1": slots.get("head_info_entity", ""),
        "m2": slots.get("jiao_info_entity", ""),
        "u1": slots.get("head_info_unit", ""),
        "u2": slots.get("jiao_info_unit", ""),
    }
    return Row(
        split=split,
        number=number,
        text=cells["ref"],
        equations=(cells["关系1"], cells["关系2"]),
        entities={"x": slots["x_ent"], "y": slots["y_ent"]},
        words={name: word for name, word in words.items() if word},
        graph=_named(cells["nodes"], cells["edges"]),
        scene=_named(cells["nodes_1"], cells["edges_1"]),
    )


def _named(nodes: str, edges: str) -> NamedLevi:
    return NamedLevi(frozenset(ast.literal_eval(nodes)), frozenset(ast.literal_eval(edges)))


def leak_free(rows: Sequence[Row], *, seed: int) -> list[str]:
    """Parts of a split in which no system, form-and-entity pair or near-duplicate text is shared."""
    traits = [
        Traits(
            (
                ("system", fingerprint(row.system)),
                ("pair", form(row.system), frozenset(row.entities.values())),
            ),
            runs(re.findall(r"[\u4e00-\u9fff]", row.text)),
        )
        for row in rows
    ]
    return deal(groups(traits), seed=seed)


# --- graphs ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NamedLevi:
    """A Levi graph in the authors' names."""

    nodes: frozenset[str]
    edges: frozenset[tuple[str, str]]

    def renamed(self, names: Mapping[str, str]) -> NamedLevi:
        edges = frozenset((names.get(start, start), names.get(end, end)) for start, end in self.edges)
        return NamedLevi(frozenset(names.get(node, node) for node in self.nodes), edges)


def our_graph(row: Row) -> tuple[NamedLevi, dict[str, Fraction]]:
    """Our Levi graph of the row's equations in the authors' names, and the value of each slot's node.

    Relations of one name are merged and loops left out, as theirs are.
    """
    graph = symbolic_graph(row.system)
    names = {unknown: _entity_node(row, unknown) for unknown in row.system.unknowns} | {ZERO: "0"}
    values: dict[str, Fraction] = {}
    factors = {edge.target: edge.source for edge in graph.edges if edge.relation == "Mul"}
    slots = zip(slot_numbers(row.system).items(), _equations_of_slots(row.system), strict=True)
    rights = {place: iter(ORDINALS.values()) for place in ORDINALS}
    for (slot, value), place in slots:
        end = f"{factors[slot]}_index" if slot in factors else f"right_num_{next(rights[place])}"
        names[slot] = f"eq_{ORDINALS[place]}_{end}"
        values[names[slot]] = value
    merged = levi(graph, merge=True)
    theirs = [_node_name(node, names) for node in merged.nodes]
    edges = frozenset((theirs[start], theirs[end]) for start, end in merged.edges if start != end)
    return NamedLevi(frozenset(theirs), edges), values


def _entity_node(row: Row, unknown: str) -> str:
    word = row.entities[unknown]
    return word if word.startswith("dummy") else f"{unknown}_entity"


def _equations_of_slots(system: System) -> list[int]:
    """For each number, the equation it stands in, counted from 1."""
    return [place for place, equation in enumerate(system.equations, start=1) for _ in System((equation,)).numbers]


def _node_name(node: LeviNode, names: Mapping[str, str]) -> str:
    if not node.relation:
        return names.get(node.label, "dummy_cal")
    relation = RELATIONS[node.label.removesuffix(REVERSE).split()[0]]
    scope = node.scope if relation == RELATIONS["Mul"] else f"_eq{node.scope}"
    return relation + scope + ("_rev" if node.label.endswith(REVERSE) else "")


def difference(row: Row) -> str:
    """Why our graph is not the authors'; empty if it is."""
    ours, values = our_graph(row)
    if ours == row.graph:
        return ""
    by_value = {name: str(value) for name, value in values.items()}
    if ours.renamed(by_value) == row.graph.renamed(by_value):
        return "the authors merge two slots of one value"
    if re.search(r"=\s*[\d.]*[xy]\s*-\s*[\d.]+$", row.equations[1]):
        return "the authors drop the sign of a constant when they bring unknowns to the left"
    return "other"


# --- slots -------------------------------------------------------------------------------------


def slot_clash(row: Row) -> bool:
    """Whether two slots of the row share a value, so that a text cannot tell them apart."""
    return bool(row.values.ties())


def round_trip(row: Row) -> tuple[bool, float]:
    """Whether refilling gives the text back, and which share of the row's slots its text mentions."""
    template = delexicalise(row.text, row.values, CHINESE)
    wanted = {*row.values.numbers, *row.values.words}
    return refill(template, row.values, CHINESE) == row.text, len(wanted & set(slots_of(template))) / len(wanted)

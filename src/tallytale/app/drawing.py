"""Graphs as SVG pictures: nodes in columns from left to right, relations written on the edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

from tallytale.problems.graph import Graph

COLUMN, ROW, MARGIN, HEIGHT = 250, 54, 30, 30
LETTER = 7.4  # width of a character of the labels
INK, SOFT, PAPER = "#1f2a44", "#5b6b8c", "#ffffff"
FILLS = {"unknown": "#ffe3b3", "number": "#d6e6ff", "word": "#e6f4e6", "dummy": "#eeeeee"}


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    x: float  # centre
    y: float
    width: float


def svg(pictures: Mapping[str, Graph], labels: Mapping[str, str]) -> str:
    """Pictures one under the other, each with its title; `labels` says what to write for a node's name."""
    parts: list[str] = []
    top, widest = 0.0, 0.0
    for title, graph in pictures.items():
        body, width, height = _picture(graph, labels, top + 44)
        parts.append(f'<text x="{MARGIN}" y="{top + 28}" font-size="17" font-weight="600">{escape(title)}</text>')
        parts += body
        top += height + 44
        widest = max(widest, width)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest:.0f} {top:.0f}" width="{widest:.0f}" '
        f'height="{top:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK}" role="img">'
    )
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{SOFT}"/></marker></defs>'
    )
    names = ", ".join(pictures)
    ground = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(names)}</title>", arrow, ground, *parts, "</svg>", ""])


def _picture(graph: Graph, labels: Mapping[str, str], top: float) -> tuple[list[str], float, float]:
    boxes = _placed(graph, labels, top)
    parts: list[str] = []
    for edge in graph.edges:
        start, end = boxes[edge.source], boxes[edge.target]
        x1, x2 = start.x + start.width / 2, end.x - end.width / 2 - 2
        bend = (x1 + x2) / 2
        parts.append(
            f'<path d="M{x1:.0f},{start.y:.0f} C{bend:.0f},{start.y:.0f} {bend:.0f},{end.y:.0f} {x2:.0f},{end.y:.0f}" '
            f'fill="none" stroke="{SOFT}" stroke-width="1.3" marker-end="url(#arrow)"/>'
        )
    order = {name: place for place, name in enumerate(dict.fromkeys(edge.source for edge in graph.edges))}
    for edge in graph.edges:  # words above all lines, at two distances so that they seldom meet
        start, end = boxes[edge.source], boxes[edge.target]
        x1, x2 = start.x + start.width / 2, end.x - end.width / 2
        along, across = (0.62, 0.70) if order[edge.source] % 2 else (0.42, 0.36)
        x, y = x1 + along * (x2 - x1), start.y + across * (end.y - start.y)
        parts.append(
            f'<text x="{x:.0f}" y="{y - 3:.0f}" text-anchor="middle" font-size="11" fill="{SOFT}" '
            f'stroke="{PAPER}" stroke-width="4" paint-order="stroke">{escape(edge.relation)}</text>'
        )
    for box in boxes.values():
        parts.append(
            f'<rect x="{box.x - box.width / 2:.0f}" y="{box.y - HEIGHT / 2:.0f}" width="{box.width:.0f}" '
            f'height="{HEIGHT}" rx="9" fill="{FILLS[_kind(box.name)]}" stroke="{INK}" stroke-width="1"/>'
        )
        label = escape(labels.get(box.name, box.name))
        parts.append(f'<text x="{box.x:.0f}" y="{box.y + 4.5:.1f}" text-anchor="middle">{label}</text>')
    right = max((box.x + box.width / 2 for box in boxes.values()), default=0) + MARGIN
    bottom = max((box.y for box in boxes.values()), default=top) + HEIGHT
    return parts, right, bottom - top + MARGIN


def _placed(graph: Graph, labels: Mapping[str, str], top: float) -> dict[str, Box]:
    """Nodes in columns by how far they are from where arrows start; within a column near what they come from."""
    rank = dict.fromkeys(graph.nodes, 0)
    for _ in graph.nodes:  # longest paths; a cycle, which our graphs do not have, would stop growing here
        for edge in graph.edges:
            rank[edge.target] = max(rank[edge.target], min(rank[edge.source] + 1, len(graph.nodes)))
    columns: dict[int, list[str]] = {}
    for name in graph.nodes:
        columns.setdefault(rank[name], []).append(name)
    tallest = max((len(names) for names in columns.values()), default=0)
    boxes: dict[str, Box] = {}
    for column in sorted(columns):
        names = columns[column]
        sources = {n: [boxes[e.source].y for e in graph.edges if e.target == n and e.source in boxes] for n in names}
        names.sort(key=lambda name: sum(sources[name]) / len(sources[name]) if sources[name] else 0)
        gap = ROW * tallest / len(names)
        for place, name in enumerate(names):
            width = max(34.0, LETTER * len(labels.get(name, name)) + 18)
            boxes[name] = Box(name, MARGIN + 90 + column * COLUMN, top + gap * (place + 0.5), width)
    return boxes


def _kind(name: str) -> str:
    if name.startswith("dummy") or name == "0":
        return "dummy"
    if name[0] == "n" and name[1:].isdigit():
        return "number"
    return "unknown" if len(name) <= 2 else "word"

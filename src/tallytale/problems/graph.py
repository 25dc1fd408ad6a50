"""Labelled graphs and their Levi graphs (paper, section 3.1 and appendix A.2).

The Levi graph turns each labelled edge into two nodes, one for the relation and one for its reverse, and gives every
node a loop to itself: labels become something that an encoder can embed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

REVERSE = "_r"  # the paper's mark of a reverse relation


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    relation: str
    target: str
    scope: str = ""  # where the relation belongs: relations of one name and scope are one node in a merged Levi graph


@dataclass(frozen=True, slots=True)
class Graph:
    """A directed graph with labelled edges; nodes are known by their names."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> Graph:
        """The graph of these edges; nodes in the order in which they are first named, doubled edges once."""
        kept = tuple(dict.fromkeys(edges))
        return cls(tuple(dict.fromkeys(name for edge in kept for name in (edge.source, edge.target))), kept)


@dataclass(frozen=True, slots=True)
class LeviNode:
    """A node of the labelled graph, or a relation (`relation` is True) with the scope it stands in."""

    label: str
    relation: bool = False
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Levi:
    """An unlabelled directed graph; `edges` are pairs of places in `nodes`, loops included."""

    nodes: tuple[LeviNode, ...]
    edges: tuple[tuple[int, int], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(node.label for node in self.nodes)


def levi(graph: Graph, *, merge: bool = False) -> Levi:
    """The edge-enhanced Levi graph.

    `merge` lets relations of one name and scope share a node, as the data published with the paper do; otherwise
    every edge has its own two, as the paper says.
    """
    nodes: dict[object, LeviNode] = {name: LeviNode(name) for name in graph.nodes}
    links: dict[tuple[object, object], None] = {}
    for number, edge in enumerate(graph.edges):
        key: object = (edge.relation, edge.scope) if merge else number
        forward, backward = ("forward", key), ("backward", key)
        nodes.setdefault(forward, LeviNode(edge.relation, relation=True, scope=edge.scope))
        nodes.setdefault(backward, LeviNode(edge.relation + REVERSE, relation=True, scope=edge.scope))
        for start, end in (
            (edge.source, forward),
            (forward, edge.target),
            (edge.target, backward),
            (backward, edge.source),
        ):
            links[start, end] = None
    place = {key: index for index, key in enumerate(nodes)}
    loops = [(index, index) for index in range(len(nodes))]
    return Levi(tuple(nodes.values()), (*((place[start], place[end]) for start, end in links), *loops))


def adjacency(graph: Levi) -> NDArray[np.float32]:
    """Row v holds what node v hears from each node u: 1 over the number of edges that end in v. Shape (N, N)."""
    matrix = np.zeros((len(graph.nodes), len(graph.nodes)), dtype=np.float32)
    for start, end in graph.edges:
        matrix[end, start] = 1.0
    degrees: NDArray[np.float32] = matrix.sum(axis=1, keepdims=True)
    return matrix / degrees

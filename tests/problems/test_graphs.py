"""Symbolic graphs and Levi graphs."""

from __future__ import annotations

import numpy as np
import pytest

from tallytale.problems.equations import parse
from tallytale.problems.graph import Edge, Graph, adjacency, levi
from tallytale.problems.symbolic import symbolic_graph


def triples(text: str) -> set[tuple[str, str, str]]:
    return {(edge.source, edge.relation, edge.target) for edge in symbolic_graph(parse(text)).edges}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # section 3.1.1: ax + by = m
        (
            "2x + 4y = 86",
            {("x", "Mul", "n1"), ("y", "Mul", "n2"), ("n1", "Add to res", "n3"), ("n2", "Add to res", "n3")},
        ),
        # appendix A.1, figure (a): ax - by = m
        (
            "2x - 4y = 6",
            {("x", "Mul", "n1"), ("y", "Mul", "n2"), ("n1", "Minuend to res", "n3"), ("n2", "Subtrahend to res", "n3")},
        ),
        ("-x + y = 20", {("x", "Subtrahend to res", "n1"), ("y", "Minuend to res", "n1")}),
        # appendix A.1, figure (b): ax / by = c + d
        (
            "2x/(3y) = 4 + 5",
            {
                ("x", "Mul", "n1"),
                ("y", "Mul", "n2"),
                ("n1", "Dividend to res", "dummy1"),
                ("n2", "Divisor to res", "dummy1"),
                ("n3", "Add to dummy", "dummy1"),
                ("n4", "Add to dummy", "dummy1"),
            },
        ),
        (
            "x*y = 20 - 8",
            {
                ("x", "Multiplicand to res", "dummy1"),
                ("y", "Multiplier to res", "dummy1"),
                ("n1", "Minuend to dummy", "dummy1"),
                ("n2", "Subtrahend to dummy", "dummy1"),
            },
        ),
        (
            "x + y = 192/16",
            {
                ("x", "Add to res", "dummy1"),
                ("y", "Add to res", "dummy1"),
                ("n1", "Dividend to dummy", "dummy1"),
                ("n2", "Divisor to dummy", "dummy1"),
            },
        ),
        ("x = 2y", {("x", "Minuend to res", "0"), ("y", "Mul", "n1"), ("n1", "Subtrahend to res", "0")}),
        (
            "2x = 4y - 12",
            {("x", "Mul", "n1"), ("y", "Mul", "n2"), ("n2", "Minuend to res", "n3"), ("n1", "Subtrahend to res", "n3")},
        ),
        ("86 = x + y", {("x", "Add to res", "n1"), ("y", "Add to res", "n1")}),
        (
            "2(x + y + z) = 36",
            {
                ("x", "Add to dummy", "dummy1"),
                ("y", "Add to dummy", "dummy1"),
                ("z", "Add to dummy", "dummy1"),
                ("dummy1", "Mul", "n1"),
                ("n1", "Add to res", "n2"),
            },
        ),
        ("x/3 = 4", {("x", "Div", "n1"), ("n1", "Add to res", "n2")}),
    ],
)
def test_equations_become_the_papers_graph(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert triples(text) == expected


def test_numbers_are_counted_through_the_system_and_equal_ones_stay_apart() -> None:
    nodes = symbolic_graph(parse("x + y = 12; 12x + 3y = 12")).nodes
    assert {"n1", "n2", "n3", "n4"} <= set(nodes)


def test_the_levi_graph_has_two_nodes_for_each_edge_and_a_loop_for_each_node() -> None:
    graph = Graph.of([Edge("a", "likes", "b"), Edge("b", "likes", "c")])
    result = levi(graph)
    assert result.labels == ("a", "b", "c", "likes", "likes_r", "likes", "likes_r")
    assert set(result.edges) == {
        *((0, 3), (3, 1), (1, 4), (4, 0)),  # a → likes → b → likes_r → a
        *((1, 5), (5, 2), (2, 6), (6, 1)),
        *((place, place) for place in range(7)),
    }


def test_merged_relations_of_one_scope_are_one_node() -> None:
    graph = Graph.of([Edge("a", "adds", "s", "1"), Edge("b", "adds", "s", "1"), Edge("c", "adds", "t", "2")])
    assert levi(graph, merge=True).labels.count("adds") == 2
    assert levi(graph).labels.count("adds") == 3


def test_adjacency_rows_sum_to_one_and_say_who_is_heard() -> None:
    result = levi(symbolic_graph(parse("x + y = 27; 2x + 4y = 86")))
    matrix = adjacency(result)
    assert matrix.shape == (len(result.nodes),) * 2
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, rtol=1e-6)
    for start, end in result.edges:
        heard_by = sum(other == end for _, other in result.edges)
        assert matrix[end, start] == pytest.approx(1 / heard_by)
    assert np.count_nonzero(matrix) == len(result.edges)


def test_a_doubled_edge_counts_once() -> None:
    assert len(Graph.of([Edge("a", "is", "b")] * 2).edges) == 1

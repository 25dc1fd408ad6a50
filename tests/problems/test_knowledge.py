"""Topics, facts, what fits a system, and the graph for the encoder."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tallytale.errors import KnowledgeError
from tallytale.problems.equations import parse
from tallytale.problems.fitting import fits, subgraph
from tallytale.problems.graph import levi
from tallytale.problems.knowledge import Amount, Knowledge, load, read_topic

CLASSIC = parse("x + y = 27; 2x + 4y = 86")


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load()


def test_the_shipped_knowledge_is_as_large_as_we_say(knowledge: Knowledge) -> None:
    entities = {entity for topic in knowledge.topics.values() for entity in topic.entities}
    facts = sum(len(topic.facts) for topic in knowledge.topics.values())
    assert len(knowledge.topics) >= 120
    assert len(entities) >= 1200
    assert facts >= 8000
    for topic in knowledge.topics.values():
        assert len(topic.entities) >= 8, topic.name
        assert topic.places, topic.name
        assert topic.people, topic.name
        assert topic.actions, topic.name
        assert set(topic.near) <= set(knowledge.topics), topic.name


def test_2_and_4_are_the_legs_of_chickens_and_rabbits(knowledge: Knowledge) -> None:
    fit = next(fits(CLASSIC, knowledge.topic("livestock"), {"x": "chicken", "y": "rabbit"}))
    assert fit.measures == ("animal", "leg")
    assert fit.unit == ""


def test_12_and_5_are_prices_not_legs(knowledge: Knowledge) -> None:
    found = list(fits(parse("x + y = 20; 12x + 5y = 170"), knowledge.topic("livestock")))
    assert found
    assert not any("leg" in fit.measures for fit in found)
    assert any("dollar" in fit.measures for fit in found)


def test_a_three_legged_chicken_is_refused(knowledge: Knowledge) -> None:
    clash = knowledge.clash("chicken", "leg", Fraction(3))
    assert clash is not None
    assert str(clash.amount) == "2"
    assert knowledge.clash("chicken", "leg", Fraction(2)) is None
    three = parse("x + y = 27; 3x + 4y = 97")
    for fit in fits(three, knowledge.topic("livestock"), {"x": "chicken", "y": "rabbit"}):
        assert "leg" not in fit.measures


def test_prices_can_be_unknown_too(knowledge: Knowledge) -> None:
    found = list(fits(parse("2x + 3y = 59; 5x + 4y = 116"), knowledge.topic("tickets")))
    assert any(fit.unit == "dollar" and fit.measures == ("dollar", "dollar") for fit in found)


def test_speeds_are_not_added_up(knowledge: Knowledge) -> None:
    for topic in knowledge.topics.values():
        for fit in fits(parse("x + y = 20; 12x + 5y = 170"), topic):
            assert fit.unit or not any(" an hour" in measure for measure in fit.measures)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("livestok", "livestock"), ("chicken", "livestock"), ("farm", "livestock"), ("soccr", "soccer")],
)
def test_an_unknown_topic_gets_the_nearest_known_ones(knowledge: Knowledge, word: str, expected: str) -> None:
    with pytest.raises(KnowledgeError, match=f"unknown topic '{word}'; near it: .*{expected}"):
        knowledge.topic(word)


def test_a_topic_is_found_however_it_is_typed(knowledge: Knowledge) -> None:
    assert knowledge.topic(" Ice-Cream ").name == "ice cream"


def test_the_subgraph_ties_entities_to_what_is_measured(knowledge: Knowledge) -> None:
    topic = knowledge.topic("livestock")
    fit = next(fits(CLASSIC, topic, {"x": "chicken", "y": "rabbit"}))
    graph = subgraph(topic, fit.entities, CLASSIC, fit)
    triples = {(edge.source, edge.relation, edge.target) for edge in graph.edges}
    assert ("x", "named", "chicken") in triples
    assert ("x", "is a", "livestock") in triples
    assert ("x", "has", "m2") in triples
    assert ("y", "has", "m2") in triples
    assert ("m2", "named", "leg") in triples
    assert ("livestock", "place", "on the farm") in triples
    assert len(levi(graph).nodes) == len(graph.nodes) + 2 * len(graph.edges)


def test_the_subgraph_works_for_entities_that_nobody_knows(knowledge: Knowledge) -> None:
    graph = subgraph(knowledge.topic("toys"), {"x": "drone", "y": "kite"}, CLASSIC)
    assert {"drone", "kite", "toys"} <= set(graph.nodes)


GOOD = "# zoo: animals\nzoo\tplace\tin the zoo\t\nlion\tis a\tzoo\t\nlion\thas\tleg\t4\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("lion\thas\ttail\tfour", r"zoo.tsv, line 5: amount 'four'"),
        ("lion\thas\ttail\t5 to 2", r"zoo.tsv, line 5: the range '5 to 2' is empty"),
        ("lion\thass\ttail\t1", r"line 5: unknown relation 'hass'; did you mean 'has'"),
        ("lion has tail 1", r"line 5: 1 columns; write subject, relation, object, amount with tabs"),
        ("lion\thas\tleg\t4", r"line 5: 'lion has leg' stands there twice"),
        ("lion\tis a\tfarm\t", r"line 5: this file is about 'zoo'"),
        ("farm\tplace\tin the barn\t", r"line 5: 'place' belongs to the topic 'zoo'"),
        ("tiger\thas\tleg\t4", r"'tiger' has facts but no line"),
        ("\thas\tleg\t4", r"line 5: the subject is missing"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(line: str, message: str) -> None:
    assert read_topic("zoo.tsv", GOOD).entities == ("lion",)
    with pytest.raises(KnowledgeError, match=message):
        read_topic("zoo.tsv", GOOD + line + "\n")


def test_a_teacher_can_use_a_folder_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "zoo.tsv").write_text(GOOD, encoding="utf-8")
    own = load(tmp_path)
    assert list(own.topics) == ["zoo"]
    assert own.facts("lion")[0].amount == Amount(Fraction(4), Fraction(4))
    with pytest.raises(KnowledgeError, match="not a folder"):
        load(tmp_path / "nowhere")

"""Requests and the template method."""

from __future__ import annotations

import re

import pytest

from tallytale import Writer
from tallytale.errors import EquationError, KnowledgeError, RequestError
from tallytale.problems.corpus import shipped
from tallytale.problems.systems import SystemOptions, random_systems

CLASSIC = "x + y = 27; 2x + 4y = 86"


@pytest.fixture(scope="module")
def writer() -> Writer:
    return Writer()


def test_chickens_and_rabbits(writer: Writer) -> None:
    problems = writer.write(CLASSIC, topic="livestock", entities={"x": "chicken", "y": "rabbit"}, n=5, seed=1)
    assert len({problem.text for problem in problems}) == 5
    for problem in problems:
        assert "27" in problem.text
        assert "86" in problem.text
        assert "rabbit" in problem.text.lower()
        assert problem.entities == {"x": "chicken", "y": "rabbit"}
        assert problem.equations == ("x + y = 27", "2x + 4y = 86")
        assert not problem.verified
        assert problem.source == "template"
        assert problem.steps[-1].endswith((" = 11.", " = 16."))


def test_the_seed_decides(writer: Writer) -> None:
    first = writer.write(CLASSIC, topic="livestock", n=5, seed=3)
    assert writer.write(CLASSIC, topic="livestock", n=5, seed=3) == first
    assert writer.write(CLASSIC, topic="livestock", n=5, seed=4) != first


def test_x_and_y_may_be_called_anything_and_come_in_any_order(writer: Writer) -> None:
    problem = writer.write("4r + 2c = 86; 27 = c + r", topic="livestock", entities={"c": "chicken", "r": "rabbit"})[0]
    assert problem.entities == {"c": "chicken", "r": "rabbit"}
    assert "chicken" in problem.text.lower()


def test_common_knowledge_is_never_contradicted(writer: Writer) -> None:
    for problem in writer.write("x + y = 31; 12x + 7y = 277", n=100):
        assert "leg" not in problem.text
        assert not ("nickel" in problem.text and "7 cents" in problem.text)


def test_what_was_larger_stays_larger_and_answers_are_positive(writer: Writer) -> None:
    """No small popcorn that costs more than a large one, no `how many more` that are fewer."""
    seen = 0
    for system in random_systems(30, SystemOptions(difficulty="medium"), seed=3):
        try:
            problems = writer.write(str(system), n=10)
        except RequestError:
            continue
        for problem in problems:
            seen += 1
            assert not re.search(r"(^|[ :])-\d", problem.answer)
    assert seen > 100
    for problem in writer.write("x + y = 71; 4x + 6y = 352", n=100):
        names = {problem.entities["x"].split()[0], problem.entities["y"].split()[0]}
        if names == {"small", "large"}:
            assert problem.entities["x"].startswith("small")


def test_unseen_systems_work(writer: Writer) -> None:
    written = 0
    for system in random_systems(40, SystemOptions(difficulty="medium"), seed=9):
        try:
            problems = writer.write(str(system), n=2)
        except RequestError:
            continue
        written += 1
        for problem in problems:
            for number in system.numbers:
                if number.value > 12:
                    assert str(number.value) in problem.text.replace(",", "")
    assert written >= 30


@pytest.mark.parametrize(
    ("equations", "message"),
    [
        ("x + y = 3; x + y = 4", "contradict each other"),
        ("x + y = 3; 2x + 2y = 6", "do not settle the unknowns"),
        ("x + y = 3; x - y = 9", "needs positive numbers"),
        ("x + y = 4; x - y = 1", "needs whole numbers"),
        ("x + y = 3", "1 equation for 2 unknowns"),
        ("x = 3; x + 1 = 4", "2 equations for 1 unknown"),
        ("x + y = 3000000; x - y = 1000000", "too large for a story"),
    ],
)
def test_systems_without_a_story_are_refused(writer: Writer, equations: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        writer.write(equations)


def test_other_faults_of_a_request_are_named(writer: Writer) -> None:
    with pytest.raises(KnowledgeError, match="unknown topic 'livestok'; near it: livestock"):
        writer.write(CLASSIC, topic="livestok")
    with pytest.raises(RequestError, match="'hen' is given twice"):
        writer.write(CLASSIC, entities={"x": "hen", "y": "Hen"})
    with pytest.raises(RequestError, match="an entity is given for 'w'; the unknowns are x, y"):
        writer.write(CLASSIC, entities={"w": "hen"})
    with pytest.raises(RequestError, match="is no name for an entity"):
        writer.write(CLASSIC, entities={"x": "<b>"})
    with pytest.raises(RequestError, match="ask for 1 to 100"):
        writer.write(CLASSIC, n=0)
    with pytest.raises(EquationError):
        writer.write("x + = 3")


def test_no_story_names_topics_that_fit() -> None:
    farmer = Writer([problem for problem in shipped() if problem.topic == "livestock"])
    with pytest.raises(RequestError, match=r"in the topic 'trains'; topics that fit: livestock"):
        farmer.write(CLASSIC, topic="trains")


def test_a_drone_is_used_all_the_same(writer: Writer) -> None:
    problem = writer.write("x + y = 27; 12x + 15y = 360", entities={"x": "drone", "y": "kite"})[0]
    assert "drone" in problem.text.lower()

"""Records, their checks, the shipped corpus, and splits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tallytale.errors import CorpusError
from tallytale.problems.corpus import Problem, check, from_json, read, shipped, to_json, write
from tallytale.problems.english_slots import ENGLISH
from tallytale.problems.knowledge import load
from tallytale.problems.slots import refill
from tallytale.problems.splits import PARTS, freeze, leaks

GOOD = Problem(
    id="boating-1",
    topic="boating",
    entities={"x": "canoe", "y": "rowboat"},
    equations=("x + y = 27", "3*x + 5*y = 101"),
    measures=("boat", "person"),
    asks=("y",),
    people=("Noor",),
    text="Noor rents out 27 boats. A canoe holds 3 people and a rowboat holds 5. In all, 101 people are on the water "
    "and every seat is taken. How many rowboats are rented?",
)


def test_a_good_record_passes() -> None:
    assert check(GOOD) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"equations": ("x + y = 27", "3*x + 5*y = 100")}, "not whole and positive"),
        ({"equations": ("x + y = 27", "2*x + 2*y = 54")}, "many solutions"),
        ({"equations": ("x + y = 27",), "measures": ("boat",)}, "1 equations for 2 unknowns"),
        ({"equations": ("x + y = 27", "3*x + * 5")}, "expected a number, a letter or '(' after '+'"),
        ({"entities": {"x": "canoe"}}, "the unknowns are x, y"),
        ({"measures": ("boat",)}, "1 measures for 2 equations"),
        ({"topic": "boatng"}, "unknown topic 'boatng'; near it: boating"),
        ({"asks": ()}, "nothing is asked"),
        ({"asks": ("w",)}, "not made of the unknowns"),
        ({"asks": ("y - x",)}, "not whole and positive; turn it round"),
        ({"form": "x=y"}, "form 'x=y' is not that of the equations, 'x+y=n; ax+by=m'"),
        ({"register": "poetic"}, "register 'poetic'"),
        ({"people": ("Xqz",)}, "'Xqz' is not in the list of first names"),
        ({"people": ("Emil",)}, "'Emil' is listed but does not occur"),
        ({"places": ("on the moon",)}, "is no place of the topic"),
        ({"entities": {"x": "canoe", "y": "sailboat"}}, "the entity 'sailboat' is not named"),
        ({"entities": {"x": "canoe", "y": "canoe"}}, "the same entity"),
        ({"text": GOOD.text.replace("101", "102")}, "the number 101 of the equations is neither in the text"),
        ({"text": GOOD.text.replace("Noor", "At 9 o'clock Noor")}, "stray number 9"),
        ({"text": GOOD.text.replace("seat", "one of seven seats")}, "stray number seven"),
        ({"text": GOOD.text.replace("How many rowboats are rented?", "Rowboats are fun.")}, "no question"),
        ({"text": GOOD.text + " "}, "spaces at the ends"),
    ],
)
def test_a_fault_is_named(change: dict[str, object], fault: str) -> None:
    faults = check(replace(GOOD, **change))  # type: ignore[arg-type]
    assert any(fault in found for found in faults), faults


def test_a_number_said_twice_for_two_slots_is_a_clash() -> None:
    problem = replace(
        GOOD,
        equations=("x + y = 27", "3*x + 3*y = 81"),
        text="Noor rents out 27 boats. A canoe holds 3 people and a rowboat holds 3. 81 came. How many rowboats?",
    )
    assert check(problem)  # singular as well
    problem = replace(
        GOOD,
        equations=("x + y = 27", "5*x + 3*y = 27 + 76"),
        text="Noor has 27 boats. A canoe holds 5 people, a rowboat 3. 27 girls and 76 boys came. How many rowboats?",
    )
    assert any("stands in two places" in fault for fault in check(problem))


def test_one_quantity_may_stand_twice_in_the_equations() -> None:
    moved = replace(
        GOOD,
        entities={"x": "Tuan", "y": "Ines"},
        equations=("x - 8 = y + 8", "x + y = 76"),
        measures=("boat", "boat"),
        unit="boat",
        people=("Tuan", "Ines"),
        text="If Tuan gives 8 toy boats to Ines, they have the same number. They have 76 in all. How many has Ines?",
    )
    assert check(moved) == []


def test_legs_and_dozens_need_not_be_said() -> None:
    legs = replace(
        GOOD,
        topic="livestock",
        entities={"x": "chicken", "y": "rabbit"},
        equations=("x + y = 24", "2*x + 4*y = 74"),
        measures=("animal", "leg"),
        people=(),
        text="There are 24 chickens and rabbits with 74 legs in all. How many rabbits are there?",
    )
    assert check(legs) == []
    assert check(replace(legs, equations=("x + y = 2*12", "2*x + 4*y = 74"))) != []
    dozens = "There are 2 dozen animals, chickens and rabbits, with 74 legs in all. How many rabbits are there?"
    faults = check(replace(legs, equations=("x + y = 2*12", "2*x + 4*y = 74"), text=dozens))
    assert faults == []


def test_a_three_legged_chicken_is_caught() -> None:
    three = replace(
        GOOD,
        topic="livestock",
        entities={"x": "chicken", "y": "rabbit"},
        equations=("x + y = 24", "3*x + 4*y = 85"),
        measures=("animal", "leg"),
        people=(),
        text="There are 24 chickens with 3 legs and rabbits with 4 legs, 85 legs in all. How many rabbits are there?",
    )
    assert any("'chicken' has 2 legs" in fault for fault in check(three))


def test_records_survive_a_file(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [GOOD])
    assert [problem for _, problem in read(tmp_path / "a.jsonl")] == [GOOD]
    assert from_json(to_json(GOOD)) == GOOD


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "one JSON object"),
        ('{"id": "a"}', "a record needs the field"),
        ('{"colour": "red"}', "unknown field 'colour'"),
        ('{"id": 3}', "field 'id' has the wrong kind"),
        ('{"asks": "x"}', "field 'asks' has the wrong kind"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_read(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n\n" + json.dumps(to_json(GOOD)) + "\n", encoding="utf-8")
    (first, broken), (third, good) = read(path)
    assert (first, third) == (1, 3)
    assert isinstance(broken, CorpusError)
    assert message in str(broken)
    assert good == GOOD


def test_every_shipped_record_passes_every_check() -> None:
    knowledge = load()
    faulty = {problem.id: faults for problem in shipped() if (faults := check(problem, knowledge))}
    assert faulty == {}


def test_shipped_ids_are_unique_and_templates_give_their_texts_back() -> None:
    problems = shipped()
    assert len({problem.id for problem in problems}) == len(problems) > 100
    for problem in problems:
        assert refill(problem.template, problem.values, ENGLISH) == problem.text


def test_the_leak_free_split_has_no_leaks_and_about_the_right_shares() -> None:
    problems = freeze(shipped(), seed=4)
    assert leaks(problems) == []
    assert freeze(shipped(), seed=4) == problems
    for name in ("split", "leakfree"):
        shares = [sum(getattr(problem, name) == part for problem in problems) / len(problems) for part in PARTS]
        assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.05)


def test_the_plain_split_would_leak() -> None:
    plain = [replace(problem, leakfree=problem.split) for problem in freeze(shipped(), seed=4)]
    assert leaks(plain)

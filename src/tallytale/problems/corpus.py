"""The Problem record, its JSONL files, and the checks that every record must pass."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tallytale.errors import CorpusError, EquationError, TallyTaleError
from tallytale.problems.english import NUMBER_WORDS, plural
from tallytale.problems.english_slots import ENGLISH, NUMERAL, WORD
from tallytale.problems.equations import System, parse, parse_shapes
from tallytale.problems.forms import arrange, arrangement, form
from tallytale.problems.knowledge import COUNTED, Knowledge, load
from tallytale.problems.slots import Values, chosen, delexicalise, refill
from tallytale.problems.solving import Solution, clear, degree, evaluate, solve

REGISTERS = ("plain", "rich")
QUESTION = re.compile(
    r"\?|____|\b(?:how many|how much|find|work out|calculate|determine|figure out|tell|solve|give|name|help)\b",
    re.IGNORECASE,
)
MOST_WORDS = 110


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A word problem and what it means."""

    id: str
    topic: str
    entities: Mapping[str, str]  # who or what each unknown stands for, in the singular
    equations: tuple[str, ...]
    measures: tuple[str, ...]  # what each equation counts or measures, in the singular
    asks: tuple[str, ...]  # what is asked, as expressions in the unknowns
    text: str
    unit: str = ""  # empty if the unknowns are counts, else what they are measured in
    people: tuple[str, ...] = ()  # first names in the text
    places: tuple[str, ...] = ()  # places of the topic in the text, with their preposition
    register: str = "plain"
    language: str = "en"
    form: str = ""  # the equations' form, kept in the file so that nothing need be parsed to find it
    split: str = ""  # train, dev or test
    leakfree: str = ""  # the same for the leak-free split; empty where a record belongs to none

    @cached_property
    def given(self) -> System:
        """The equations as they stand in the record, beside their measures."""
        return parse("; ".join(self.equations))

    @cached_property
    def system(self) -> System:
        """The equations in their standing order; slots are counted along it."""
        return arrange(self.given)

    @cached_property
    def solution(self) -> Solution:
        return solve(self.system)

    @cached_property
    def values(self) -> Values:
        """What the text's slots hold."""
        order = arrangement(self.given)
        words = dict(self.entities)
        words |= {f"m{place}": self.measures[old] for place, old in enumerate(order, start=1)}
        words |= {f"p{place}": name for place, name in enumerate(self.people, start=1)}
        words |= {f"l{place}": name for place, name in enumerate(self.places, start=1)}
        return Values(numbers=slot_numbers(self.system), words=words)

    @cached_property
    def template(self) -> str:
        return delexicalise(self.text, self.values, ENGLISH)


def slot_numbers(system: System) -> dict[str, Fraction]:
    """The system's numbers by slot name."""
    return {f"n{place}": number.value for place, number in enumerate(system.numbers, start=1)}


# --- files -------------------------------------------------------------------------------------


FIELDS = {item.name: str(item.type) for item in fields(Problem)}
REQUIRED = tuple(item.name for item in fields(Problem) if item.default is MISSING)


def from_json(record: Mapping[str, Any]) -> Problem:
    """A record as a Problem; what is missing, misspelled or of the wrong kind is named."""
    values: dict[str, Any] = {}
    for name, value in record.items():
        kind = FIELDS.get(name)
        if kind is None:
            raise CorpusError(f"unknown field '{name}'; the fields are {', '.join(FIELDS)}")
        listed = kind.startswith("tuple")
        words = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
        wanted = dict if kind.startswith("Mapping") else list if listed else str
        if not isinstance(value, wanted) or not all(isinstance(word, str) for word in words):
            raise CorpusError(f"field '{name}' has the wrong kind of value")
        values[name] = tuple(value) if listed else value
    missing = [name for name in REQUIRED if name not in values]
    if missing:
        raise CorpusError(f"a record needs the field '{missing[0]}'")
    return Problem(**values)


def to_json(problem: Problem) -> dict[str, Any]:
    """A record as it stands in a file; empty optional fields are left out."""
    record = {item.name: getattr(problem, item.name) for item in fields(Problem)}
    optional = {"unit", "people", "places", "form", "split", "leakfree"}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in record.items()
        if value or name not in optional
    }


def read(path: Path | Traversable) -> Iterator[tuple[int, Problem | CorpusError]]:
    """Line numbers with their records, or what is wrong with a line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"cannot read {path}: {error}") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise CorpusError("a line holds one JSON object")
            yield number, from_json(record)
        except json.JSONDecodeError as broken:
            yield number, CorpusError(f"not JSON: {broken.msg} at column {broken.colno}")
        except CorpusError as wrong:
            yield number, wrong


def write(path: Path, problems: Iterable[Problem]) -> None:
    lines = (json.dumps(to_json(problem), ensure_ascii=False) for problem in problems)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


@lru_cache(maxsize=1)
def shipped() -> tuple[Problem, ...]:
    """The corpus that comes with the package."""
    return tuple(load_problems(shipped_files()))


def shipped_files() -> list[Traversable]:
    folder = files("tallytale").joinpath("assets", "corpus", "en")
    return sorted((path for path in folder.iterdir() if path.name.endswith(".jsonl")), key=lambda path: path.name)


def load_problems(paths: Iterable[Path | Traversable]) -> Iterator[Problem]:
    """All problems of some files; a line that is none stops the reading and is named."""
    for path in paths:
        for number, problem in read(path):
            if isinstance(problem, CorpusError):
                raise CorpusError(f"{path.name}, line {number}: {problem}")
            yield problem


@lru_cache(maxsize=1)
def first_names() -> frozenset[str]:
    return frozenset(_lines("english", "names.txt"))


@lru_cache(maxsize=1)
def constants() -> Mapping[str, frozenset[Fraction]]:
    """Words that bring a number along: dozen, 12."""
    known: dict[str, set[Fraction]] = {}
    for line in _lines("english", "constants.tsv"):
        word, number = line.split("\t")
        known.setdefault(word, set()).add(Fraction(number))
    return {word: frozenset(numbers) for word, numbers in known.items()}


def _lines(*path: str) -> list[str]:
    text = files("tallytale").joinpath("assets", *path).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


# --- checks ------------------------------------------------------------------------------------


def check(problem: Problem, knowledge: Knowledge | None = None) -> list[str]:
    """What is wrong with a record, each in one line that says what to do; empty if nothing is."""
    knowledge = knowledge or load()
    try:
        wrong = list(_system_faults(problem))
        return wrong or [*_meaning_faults(problem, knowledge), *_text_faults(problem, knowledge)]
    except TallyTaleError as error:
        return [str(error).splitlines()[0]]


def _system_faults(problem: Problem) -> Iterator[str]:
    system, solution = problem.system, problem.solution
    unknowns = set(system.unknowns)
    if len(system.equations) != len(unknowns):
        yield f"{len(system.equations)} equations for {len(unknowns)} unknowns; write as many as there are unknowns"
    if solution.kind != "unique":
        yield f"the equations have {solution.kind} solutions; they must have exactly one"
    elif not (solution.whole and solution.positive):
        values = ", ".join(f"{name} = {value}" for name, value in solution.values.items())
        yield f"the solution {values} is not whole and positive"
    if problem.form and problem.form != form(system):
        yield f"form '{problem.form}' is not that of the equations, '{form(system)}'; freeze the corpus anew"
    if unknowns != set(problem.entities):
        yield f"entities are given for {', '.join(problem.entities)}; the unknowns are {', '.join(sorted(unknowns))}"
    if len(problem.measures) != len(problem.equations):
        yield f"{len(problem.measures)} measures for {len(problem.equations)} equations"


def _meaning_faults(problem: Problem, knowledge: Knowledge) -> Iterator[str]:
    if problem.topic not in knowledge.topics:
        yield f"unknown topic '{problem.topic}'; near it: {', '.join(knowledge.nearest(problem.topic))}"
    if problem.register not in REGISTERS:
        yield f"register '{problem.register}'; choose {' or '.join(REGISTERS)}"
    if len(set(problem.entities.values())) < len(problem.entities):
        yield "two unknowns stand for the same entity"
    for ask in problem.asks:
        fault = _ask_fault(problem, ask)
        if fault:
            yield fault
    if not problem.asks:
        yield "nothing is asked; name the unknowns asked for"
    for name in problem.people:
        if name not in first_names():
            yield f"'{name}' is not in the list of first names; choose one that is"
    yield from _clashes(problem, knowledge)


def _ask_fault(problem: Problem, ask: str) -> str | None:
    try:
        polynomial, _ = clear(parse_shapes(f"{ask} = 0")[0])
    except EquationError:
        return f"cannot read what is asked: '{ask}'"
    strange = {name for monomial in polynomial for name in monomial} - set(problem.entities)
    if strange or degree(polynomial) != 1:
        return f"'{ask}' asks for something that is not made of the unknowns"
    value = evaluate(polynomial, problem.solution.values)
    if value <= 0 or value.denominator != 1:
        return f"the answer to '{ask}' is {value}, which is not whole and positive; turn it round"
    return None


def _clashes(problem: Problem, knowledge: Knowledge) -> Iterator[str]:
    """Factors that speak against an exact fact: a chicken with 3 legs."""
    for equation, measure in zip(problem.given.equations, problem.measures, strict=True):
        polynomial, _ = clear(equation)
        factors = {name: abs(polynomial.get((name,), Fraction(0))) for name in problem.entities}
        if set(factors.values()) <= {Fraction(0), Fraction(1)} or problem.unit:
            continue
        for name, entity in problem.entities.items():
            fact = knowledge.clash(entity, measure, factors[name]) if factors[name] else None
            if fact:
                yield f"'{entity}' has {fact.amount} {plural(measure)}, but '{equation}' says {factors[name]}"


def _text_faults(problem: Problem, knowledge: Knowledge) -> Iterator[str]:
    text = problem.text
    if "[" in text or "]" in text or "\n" in text or "  " in text or text != text.strip():
        yield "square brackets, line breaks, doubled spaces or spaces at the ends; take them out of the text"
    if len(text.split()) > MOST_WORDS:
        yield f"{len(text.split())} words; at most {MOST_WORDS}"
    if not QUESTION.search(text):
        yield "no question: neither a question mark, nor a blank ____, nor a word such as find"
    if refill(problem.template, problem.values, ENGLISH) != text:
        yield "refilling the slots does not give the text back"
    yield from _entity_faults(problem)
    yield from _number_faults(problem, knowledge)
    for name in (*problem.people, *problem.places):
        if not re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
            yield f"'{name}' is listed but does not occur in the text"
    topic = knowledge.topics.get(problem.topic)
    for place in problem.places:
        if topic and place not in topic.places:
            yield f"'{place}' is no place of the topic '{problem.topic}'; list only those of its knowledge file"


def _entity_faults(problem: Problem) -> Iterator[str]:
    """Each entity is named: all its words occur, in the singular or the plural."""
    words = set(re.findall(r"[\w'’-]+", problem.text.lower()))
    words |= {word.removesuffix("'s").removesuffix("’s").rstrip("'’") for word in words}
    for entity in problem.entities.values():
        for word in entity.lower().split():
            if word not in words and plural(word) not in words:
                yield f"the entity '{entity}' is not named in the text: '{word}' is missing"
                break


def _number_faults(problem: Problem, knowledge: Knowledge) -> Iterator[str]:
    mentions = chosen(problem.text, problem.values, ENGLISH)
    numbers = problem.values.numbers
    ties = {slot: first for slot, first in problem.values.ties().items() if slot in numbers}
    stated = [mention.slot for mention in mentions if mention.slot in numbers]
    for slot, value in numbers.items():
        said = ties.get(slot, slot)
        if said not in stated and value != 1 and not _implied(problem, value, knowledge):
            yield f"the number {value} of the equations is neither in the text nor common knowledge"
    for slot, first in ties.items():
        if stated.count(first) > 1:
            yield f"{numbers[slot]} stands in two places of the equations and is said twice; choose different numbers"
    covered = [(mention.start, mention.end) for mention in mentions]
    for found in (*NUMERAL.finditer(problem.text), *WORD.finditer(problem.text)):
        idiom = NUMBER_WORDS.get(found[0].lower(), 3) < 3  # one of them, two kinds
        if not idiom and not any(start <= found.start() < end for start, end in covered):
            yield f"stray number {found[0]}: it is not in the equations"


def _implied(problem: Problem, value: Fraction, knowledge: Knowledge) -> bool:
    """Whether everybody knows the number: a part's count (legs), or a word that brings it along (dozen)."""
    words = set(re.findall(r"[\w-]+", problem.text.lower()))
    for word, known in constants().items():
        if value in known and (
            word in words or plural(word) in words or (" " in word and word in problem.text.lower())
        ):
            return True
    return any(
        fact.amount.exact and value in fact.amount and fact.relation != COUNTED
        for entity in problem.entities.values()
        for fact in knowledge.facts(entity)
    )

"""What a user asks for, and whether anybody could write it: checked before any work is done."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tallytale.errors import RequestError
from tallytale.problems.equations import System, parse
from tallytale.problems.solving import solve

MAX_PROBLEMS = 100
MAX_SIZE = 1_000_000  # numbers beyond it belong in no story for children
WORD = re.compile(r"[^\W\d_][\w '’-]{0,60}")


@dataclass(frozen=True, kw_only=True)
class Request:
    """A system of equations, perhaps a topic, perhaps entities for some unknowns."""

    system: System
    topic: str | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    n: int = 1
    seed: int = 0


def request(
    equations: str,
    *,
    topic: str | None = None,
    entities: Mapping[str, str] | None = None,
    n: int = 1,
    seed: int = 0,
) -> Request:
    """A request from what a user has typed; whatever makes it impossible is said in one line."""
    system = parse(equations)
    _check_system(system)
    if not 1 <= n <= MAX_PROBLEMS:
        raise RequestError(f"{n} problems; ask for 1 to {MAX_PROBLEMS}")
    named = {name.strip(): " ".join(entity.split()) for name, entity in (entities or {}).items()}
    _check_entities(system, named)
    return Request(system=system, topic=topic, entities=named, n=n, seed=seed)


def _check_system(system: System) -> None:
    unknowns, equations = len(system.unknowns), len(system.equations)
    if equations != unknowns:
        raise RequestError(
            f"{_several(equations, 'equation')} for {_several(unknowns, 'unknown')}; write one for each unknown"
        )
    largest = max((number.value for number in system.numbers), default=0)
    if largest > MAX_SIZE:
        raise RequestError(f"{largest} is too large for a story; use numbers up to {MAX_SIZE:,}")
    solution = solve(system)
    if solution.kind == "none":
        raise RequestError("the equations contradict each other and have no solution; change one of them")
    if solution.kind == "many":
        raise RequestError("the equations do not settle the unknowns; make them say two different things")
    values = ", ".join(f"{name} = {value}" for name, value in solution.values.items())
    if not solution.positive:
        raise RequestError(f"the solution is {values}; a story needs positive numbers, so change the equations")
    if not solution.whole:
        raise RequestError(f"the solution is {values}; a story needs whole numbers, so change the equations")


def _check_entities(system: System, entities: Mapping[str, str]) -> None:
    for name, entity in entities.items():
        if name not in system.unknowns:
            raise RequestError(f"an entity is given for '{name}'; the unknowns are {', '.join(system.unknowns)}")
        if not WORD.fullmatch(entity):
            raise RequestError(f"'{entity[:40]}' is no name for an entity; write a noun such as chicken")
    named = [entity.lower() for entity in entities.values()]
    for entity in named:
        if named.count(entity) > 1:
            raise RequestError(f"'{entity}' is given twice; name a different entity for each unknown")


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"

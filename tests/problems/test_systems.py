"""Random systems."""

from __future__ import annotations

import pytest

from tallytale.errors import EquationError
from tallytale.problems.equations import parse
from tallytale.problems.forms import form
from tallytale.problems.solving import fingerprint, solve
from tallytale.problems.systems import DIFFICULTIES, FORMS, SystemOptions, random_systems

ALL_FORMS = [
    (unknowns, level, text) for unknowns, levels in FORMS.items() for level in levels for text in levels[level]
]


@pytest.mark.parametrize(("unknowns", "difficulty", "text"), ALL_FORMS)
def test_every_listed_form_yields_systems_of_that_form(unknowns: int, difficulty: str, text: str) -> None:
    options = SystemOptions(unknowns=unknowns, difficulty=difficulty, form=text)  # type: ignore[arg-type]
    systems = random_systems(5, options, seed=3)
    assert len({form(system) for system in systems}) == 1
    assert all(len(system.unknowns) == unknowns for system in systems)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("unknowns", [1, 2, 3])
def test_random_systems_are_whole_positive_different_and_have_distinct_numbers(unknowns: int, difficulty: str) -> None:
    options = SystemOptions(unknowns=unknowns, difficulty=difficulty)  # type: ignore[arg-type]
    systems = random_systems(100, options, seed=5)
    assert len({fingerprint(system) if unknowns > 1 else str(system) for system in systems}) == 100
    for system in systems:
        solution = solve(system)
        assert solution.whole
        assert solution.positive
        assert parse(str(system)) == system


def test_the_seed_decides_and_systems_to_avoid_are_avoided() -> None:
    options = SystemOptions(difficulty="medium")
    first = random_systems(20, options, seed=1)
    assert random_systems(20, options, seed=1) == first
    assert random_systems(20, options, seed=2) != first
    others = random_systems(20, options, seed=1, avoid=first)
    assert not {fingerprint(system) for system in others} & {fingerprint(system) for system in first}


def test_the_range_of_solutions_is_kept() -> None:
    for system in random_systems(50, SystemOptions(low=7, high=9, difficulty="medium"), seed=1):
        assert all(7 <= value <= 9 for value in solve(system).values.values())


@pytest.mark.parametrize(
    "options",
    [
        SystemOptions(unknowns=4),
        SystemOptions(low=9, high=3),
        SystemOptions(low=0),
        SystemOptions(low=5, high=5),
        SystemOptions(difficulty="impossible"),  # type: ignore[arg-type]
        SystemOptions(form="x + = n"),
    ],
)
def test_impossible_wishes_are_refused(options: SystemOptions) -> None:
    with pytest.raises(EquationError):
        random_systems(50, options, seed=1)

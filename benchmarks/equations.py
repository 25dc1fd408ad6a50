"""Reading and solving a system, ours against sympy's, in one run: `python benchmarks/equations.py`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import sympy
from sympy.parsing.sympy_parser import implicit_multiplication_application, parse_expr, standard_transformations

from tallytale.problems.equations import parse
from tallytale.problems.solving import solve
from tallytale.problems.systems import SystemOptions, random_systems

SYSTEMS = [str(system) for system in random_systems(200, SystemOptions(difficulty="medium"), seed=1)]
RULES = (*standard_transformations, implicit_multiplication_application)


def ours(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in solve(parse(text)).values.items()}


def sympy_equations(text: str) -> tuple[list[Any], list[Any]]:
    sides = [equation.split("=") for equation in text.split(";")]
    equations = [
        parse_expr(left, transformations=RULES) - parse_expr(right, transformations=RULES) for left, right in sides
    ]
    return equations, sorted({symbol for equation in equations for symbol in equation.free_symbols}, key=str)


def sympy_solve(text: str) -> dict[str, int]:
    """The general solver, which the paper used."""
    values = sympy.solve(*sympy_equations(text))
    return {str(symbol): int(value) for symbol, value in values.items()}


def sympy_linsolve(text: str) -> dict[str, int]:
    """The solver for linear systems alone."""
    equations, symbols = sympy_equations(text)
    (values,) = sympy.linsolve(equations, symbols)
    return {str(symbol): int(value) for symbol, value in zip(symbols, values, strict=True)}


def milliseconds(method: Callable[[str], dict[str, int]]) -> float:
    """Median time of one system, after a first round that fills caches."""
    times = []
    for text in (*SYSTEMS, *SYSTEMS):
        start = time.perf_counter()
        method(text)
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times[len(SYSTEMS) :])


def main() -> None:
    mine = milliseconds(ours)
    print(f"parse and solve, median of {len(SYSTEMS)} systems: tallytale {mine:.3f} ms")
    for peer in (sympy_solve, sympy_linsolve):
        assert [ours(text) for text in SYSTEMS] == [peer(text) for text in SYSTEMS]
        theirs = milliseconds(peer)
        print(f"  {peer.__name__:<15} {theirs:.3f} ms: {theirs / mine:.1f} times as long")


if __name__ == "__main__":
    main()

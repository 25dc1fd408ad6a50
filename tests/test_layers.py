"""Imports point one way, and nothing that ships asks for torch."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "tallytale"
MAY_IMPORT = {
    "app": {"app", "writing", "decoding", "problems", "experiments"},
    "writing": {"writing", "decoding", "problems"},
    "decoding": {"decoding", "problems"},
    "problems": {"problems"},
    "experiments": {"experiments", "models", "nn", "writing", "decoding", "problems"},
    "models": {"models", "nn", "decoding", "problems"},
    "nn": {"nn"},
}
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_follow_the_arrows(path: Path) -> None:
    layer = path.relative_to(SOURCE).parts[0]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "tallytale" and len(parts) > 1 and parts[1] not in ("errors", "__version__"):
            assert parts[1] in MAY_IMPORT[layer], f"{layer} must not import {name}"
        if layer in ("app", "writing", "decoding", "problems"):
            assert parts[0] != "torch", f"{layer} runs without torch"


def test_there_are_no_rooms_without_a_rule() -> None:
    rooms = {path.relative_to(SOURCE).parts[0] for path in FILES}
    assert rooms <= set(MAY_IMPORT)


def test_writing_a_problem_loads_nothing_heavy() -> None:
    code = (
        "import sys; from tallytale import Writer; Writer().write('x + y = 27; 2x + 4y = 86'); "
        "print([name for name in ('torch', 'sympy', 'pandas', 'spacy') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"

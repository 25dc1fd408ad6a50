"""What the pages claim: the README's commands and output, the reference of the command line, links between pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
COMMANDS = (
    (),
    ("generate",),
    ("systems",),
    ("graph",),
    ("topics",),
    ("topics", "show"),
    ("corpus", "check"),
    ("corpus", "report"),
    ("corpus", "freeze"),
    ("make-zh", "check"),
    ("prepare",),
    ("train",),
    ("results",),
)


def tallytale(*arguments: str) -> str:
    environment = os.environ | {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "tallytale", *arguments], capture_output=True, text=True, check=True, env=environment
    ).stdout


def reference() -> str:
    """docs/cli.md: the help of every command."""
    parts = ["# The command line\n\nMade by `python tests/test_docs.py`; a test keeps it fresh.\n"]
    for command in COMMANDS:
        shown = "\n".join(line.rstrip() for line in tallytale(*command, "--help").splitlines()).strip()
        shown = shown.replace("python -m tallytale", "tallytale")
        parts.append(f"\n## `{' '.join(('tallytale', *command))}`\n\n```\n{shown}\n```\n")
    return "".join(parts)


def newcomer(name: str) -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- newcomer: {name} -->\n```sh\n(.*?)\n```", readme, re.DOTALL)
    assert found, f"README.md has no command for: {name}"
    return found[1]


def test_the_reference_of_the_command_line_is_fresh() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference()


def example() -> str:
    """What the README's first command prints: its first two problems."""
    found = re.search(r'tallytale generate "([^"]+)" (.*)$', newcomer("write"))
    assert found
    shown = tallytale("generate", found[1], *found[2].split())
    return "\n\n".join(shown.strip("\n").split("\n\n")[:2])


def readme_with(text: str) -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.sub(r"```text\n.*?\n```", lambda _: f"```text\n{text}\n```", readme, count=1, flags=re.DOTALL)


def test_the_readme_shows_what_its_first_command_prints() -> None:
    assert readme_with(example()) == (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_second_command_tests() -> None:
    assert "pytest" in newcomer("test")
    assert "constraints.txt" in newcomer("test")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_pin_is_exact_and_torch_is_the_one_we_measured() -> None:
    pins = [
        line
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert "torch==2.13.0" in pins
    assert all(re.fullmatch(r"[\w.-]+==[\w.+]+", pin) for pin in pins)


if __name__ == "__main__":
    (ROOT / "docs" / "cli.md").write_text(reference(), encoding="utf-8")
    (ROOT / "README.md").write_text(readme_with(example()), encoding="utf-8")

"""The command line, as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

CLASSIC = "x + y = 27; 2x + 4y = 86"


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [sys.executable, "-m", "tallytale", *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    assert result.returncode == status, result.stderr
    assert "Traceback" not in result.stderr
    return result


def test_generate_writes_stories_with_answers() -> None:
    shown = run("generate", CLASSIC, "--topic", "livestock", "--entity", "x=chicken", "--entity", "y=rabbit", "-n", "2")
    assert shown.stdout.count("Answer:") == 2


def test_generate_for_programs() -> None:
    lines = run("generate", CLASSIC, "--topic", "livestock", "-n", "3", "--seed", "2", "--json").stdout.splitlines()
    assert len(lines) == 3
    fields = {
        "text",
        "equations",
        "topic",
        "entities",
        "answer",
        "steps",
        "asks",
        "verified",
        "source",
        "score",
        "seed",
    }
    assert all(set(json.loads(line)) == fields for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("generate", "x + = 3"), "expected a number, a letter or '(' after '+'"),
        (("generate", ""), "no equations"),
        (("generate", "x + y = 3; x - y = 9"), "needs positive numbers"),
        (("generate", CLASSIC, "--topic", "livestok"), "near it: livestock"),
        (("generate", CLASSIC, "--entity", "chicken"), "write it like x=chicken"),
        (("generate", CLASSIC, "--entity", "x=hen", "--entity", "x=duck"), "two entities are given for 'x'"),
        (("systems", "--difficulty", "evil"), "choose easy, medium, hard"),
        (("systems", "--avoid", "/nowhere/at/all"), "cannot read /nowhere/at/all"),
        (("topics", "show", "livestok"), "near it: livestock"),
        (("graph", CLASSIC, "-o", "/nowhere/at/all.svg"), "cannot write /nowhere/at/all.svg"),
        (("corpus", "check", "/nowhere.jsonl"), "cannot read /nowhere.jsonl"),
        (("make-zh", "check", "--data", "/nowhere"), "train_equ.xlsx is missing"),
    ],
)
def test_bad_input_gets_one_clear_line_and_status_2(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, status=2)
    assert result.stdout == ""
    assert result.stderr.startswith("tallytale: ")
    assert message in result.stderr


def test_systems() -> None:
    lines = run("systems", "--count", "10", "--difficulty", "easy", "--seed", "1", "--json").stdout.splitlines()
    assert len(lines) == 10
    assert set(json.loads(lines[0])) == {"equations", "solution", "form"}
    assert (
        run("systems", "--count", "10", "--seed", "1").stdout == run("systems", "--count", "10", "--seed", "1").stdout
    )


def test_systems_can_avoid_a_file(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    arguments = ("systems", "--count", "5", "--seed", "1", "--json")
    first = [json.loads(line)["equations"] for line in run(*arguments).stdout.splitlines()]
    known.write_text("\n".join("; ".join(equations) for equations in first), encoding="utf-8")
    second = [json.loads(line)["equations"] for line in run(*arguments, "--avoid", str(known)).stdout.splitlines()]
    assert not [equations for equations in second if equations in first]


def test_graph_draws_both_graphs(tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    run("graph", CLASSIC, "--topic", "livestock", "--entity", "x=chicken", "-o", str(path))
    picture = ElementTree.parse(path).getroot()
    words = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert f"Equations: {CLASSIC}" in words
    assert "Knowledge: livestock" in words
    assert {"x", "86 (n4)", "Add to res", "Mul", "chicken", "on the farm"} <= set(words)


def test_topics() -> None:
    assert "livestock" in run("topics").stdout
    assert "chicken: counted as animal 5 to 200; " in run("topics", "show", "livestock").stdout
    assert json.loads(run("topics", "show", "livestock", "--json").stdout)["facts"][0]["entity"] == "chicken"
    assert json.loads(run("topics", "--json").stdout.splitlines()[0])["entities"]


def test_corpus_check_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "a"}\n', encoding="utf-8")
    result = run("corpus", "check", str(path), status=1)
    assert "mine.jsonl, line 1: a record needs the field" in result.stdout
    assert "0 records are right, 1 must be mended" in result.stdout


def test_corpus_freeze_keeps_every_record(tmp_path: Path) -> None:
    from tallytale.problems.corpus import load_problems, shipped, write

    path = tmp_path / "mine.jsonl"
    write(path, shipped()[:100])
    shown = run("corpus", "freeze", str(path), "--seed", "1").stdout
    assert "leaks in the leak-free split: 0" in shown
    again = list(load_problems([path]))
    assert [problem.text for problem in again] == [problem.text for problem in shipped()[:100]]
    assert {problem.split for problem in again} == {problem.leakfree for problem in again} == {"train", "dev", "test"}


def test_version() -> None:
    assert run("--version").stdout.startswith("tallytale 0.")

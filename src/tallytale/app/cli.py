"""The command line: parse, call the library, show. Errors a user can mend become one line and exit status 2."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from tallytale import __version__
from tallytale.errors import CorpusError, RequestError, TallyTaleError

if TYPE_CHECKING:
    from tallytale.writing.writer import Written

app = typer.Typer(
    help="Math word problems from equations and a topic.", no_args_is_help=True, pretty_exceptions_enable=False
)
topics_app = typer.Typer(help="Topics, their entities and facts.", invoke_without_command=True)
corpus_app = typer.Typer(help="Files of problems: check, report, freeze.", no_args_is_help=True)
make_zh_app = typer.Typer(help="The paper's own data set.", no_args_is_help=True)
app.add_typer(topics_app, name="topics")
app.add_typer(corpus_app, name="corpus")
app.add_typer(make_zh_app, name="make-zh")

Equations = Annotated[str, typer.Argument(help="Equations, such as 'x + y = 27; 2x + 4y = 86'.")]
TopicOption = Annotated[Optional[str], typer.Option("--topic", help="A topic; see `tallytale topics`.")]
EntityOption = Annotated[
    Optional[list[str]], typer.Option("--entity", help="What an unknown stands for, such as x=chicken. Repeatable.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same result.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")]


def main() -> None:
    """The program's door."""
    try:
        app()
    except TallyTaleError as error:
        print(f"tallytale: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tallytale {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Math word problems from equations and a topic."""


@app.command()
def generate(
    equations: Equations,
    topic: TopicOption = None,
    entity: EntityOption = None,
    n: Annotated[int, typer.Option("-n", help="How many problems.")] = 1,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write word problems whose solution is exactly these equations."""
    from tallytale.writing.writer import Writer

    problems = Writer().write(equations, topic=topic, entities=_entities(entity), n=n, seed=seed)
    if as_json:
        for problem in problems:
            print(json.dumps(asdict(problem), ensure_ascii=False))
    else:
        for number, problem in enumerate(problems, start=1):
            _show(number, problem)
    if len(problems) < n:
        print(f"tallytale: {len(problems)} of {n} problems could be written", file=sys.stderr)


def _show(number: int, problem: Written) -> None:
    from textwrap import wrap

    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    width = min(console.width, 100) - 3
    for place, line in enumerate(wrap(problem.text, width)):
        console.print(Text.assemble((f"{number:>2} " if place == 0 else "   ", "bold"), line))
    console.print(Text(f"   Answer: {problem.answer}", style="green"))
    for step in problem.steps:
        console.print(Text(f"     {step}", style="dim"))
    console.print()


def _entities(given: Sequence[str] | None) -> dict[str, str]:
    entities: dict[str, str] = {}
    for item in given or ():
        name, sign, entity = item.partition("=")
        if not sign or not name.strip() or not entity.strip():
            raise RequestError(f"cannot read --entity '{item}'; write it like x=chicken")
        if name.strip() in entities:
            raise RequestError(f"two entities are given for '{name.strip()}'; give one")
        entities[name.strip()] = entity
    return entities


@app.command()
def systems(
    count: Annotated[int, typer.Option("--count", min=1, max=100_000, help="How many systems.")] = 10,
    unknowns: Annotated[int, typer.Option("--unknowns", help="1, 2 or 3.")] = 2,
    difficulty: Annotated[str, typer.Option("--difficulty", help="easy, medium or hard.")] = "easy",
    form: Annotated[str, typer.Option("--form", help="A form of your own, such as 'x + y = n; ax + by = m'.")] = "",
    low: Annotated[Optional[int], typer.Option("--low", help="Smallest value of an unknown.")] = None,
    high: Annotated[Optional[int], typer.Option("--high", help="Largest value of an unknown.")] = None,
    avoid: Annotated[
        Optional[Path], typer.Option("--avoid", help="A file of systems, one a line, to stay clear of.")
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Random systems with whole, positive solutions."""
    from tallytale.problems.equations import parse
    from tallytale.problems.forms import form as form_of
    from tallytale.problems.solving import solve
    from tallytale.problems.systems import SystemOptions, random_systems

    chosen = SystemOptions(unknowns=unknowns, difficulty=difficulty, form=form, low=low, high=high)  # type: ignore[arg-type]  # checked there
    lines = _text(avoid).splitlines() if avoid else []
    known = [parse(line) for line in lines if line.strip()]
    for system in random_systems(count, chosen, seed=seed, avoid=known):
        values = {name: int(value) for name, value in solve(system).values.items()}
        if as_json:
            equations = [str(equation) for equation in system.equations]
            print(json.dumps({"equations": equations, "solution": values, "form": form_of(system)}))
        else:
            print(f"{system!s:<44} {', '.join(f'{name} = {value}' for name, value in values.items())}")


@app.command()
def graph(
    equations: Equations,
    output: Annotated[Path, typer.Option("-o", "--output", help="The SVG file to write.")] = Path("graph.svg"),
    topic: TopicOption = None,
    entity: EntityOption = None,
) -> None:
    """Draw the equation graph and, with a topic, the knowledge graph that the model reads."""
    from tallytale.app.drawing import svg
    from tallytale.problems.equations import parse, written
    from tallytale.problems.fitting import fits, subgraph
    from tallytale.problems.knowledge import load
    from tallytale.problems.symbolic import slot, symbolic_graph

    system = parse(equations)
    named = _entities(entity)
    pictures = {f"Equations: {system}": symbolic_graph(system)}
    labels = {slot(place): f"{written(number)} ({slot(place)})" for place, number in enumerate(system.numbers)}
    if topic:
        known = load().topic(topic)
        fit = next(fits(system, known, named), None)
        entities = dict(fit.entities) | named if fit else named
        pictures[f"Knowledge: {known.name}"] = subgraph(known, entities, system, fit)
    try:
        output.write_text(svg(pictures, labels), encoding="utf-8")
    except OSError as error:
        raise RequestError(f"cannot write {output}: {error.strerror}") from None
    print(f"wrote {output}")


@topics_app.callback()
def topics(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the topics."""
    if context.invoked_subcommand:
        return
    from tallytale.problems.knowledge import load

    for topic in load().topics.values():
        if as_json:
            print(json.dumps({"topic": topic.name, "about": topic.about, "entities": topic.entities}))
        else:
            print(f"{topic.name:<18} {topic.about}")


@topics_app.command("show")
def show_topic(name: Annotated[str, typer.Argument(help="A topic's name.")], as_json: JsonOption = False) -> None:
    """A topic's entities and facts."""
    from tallytale.problems.knowledge import load

    topic = load().topic(name)
    if as_json:
        facts = [{**asdict(fact), "amount": str(fact.amount)} for fact in topic.facts]
        scene = {"places": topic.places, "people": topic.people, "actions": topic.actions, "near": topic.near}
        print(
            json.dumps({"topic": topic.name, "about": topic.about, "entities": topic.entities, **scene, "facts": facts})
        )
        return
    print(f"{topic.name}: {topic.about}")
    scene_lines = (("places", topic.places), ("people", topic.people), ("actions", topic.actions), ("near", topic.near))
    for heading, words in scene_lines:
        print(f"  {heading}: {', '.join(words)}")
    for entity in topic.entities:
        facts_text = "; ".join(f"{fact.relation} {fact.thing} {fact.amount}" for fact in topic.about_entity(entity))
        print(f"  {entity}: {facts_text}")


@corpus_app.command("check")
def check_corpus(
    paths: Annotated[Optional[list[Path]], typer.Argument(help="JSONL files; none for the corpus that ships.")] = None,
) -> None:
    """Check every record; what is wrong is listed with file and line, and the exit status is 1."""
    from tallytale.problems.corpus import check, read, shipped_files

    good = faulty = 0
    seen: dict[str, str] = {}
    for path in paths or shipped_files():
        for number, problem in read(path):
            where = f"{path.name}, line {number}"
            faults = [str(problem)] if isinstance(problem, CorpusError) else check(problem)
            if not isinstance(problem, CorpusError) and seen.setdefault(problem.id, where) != where:
                faults.append(f"the id '{problem.id}' stands already in {seen[problem.id]}")
            for fault in faults:
                print(f"{where}: {fault}")
            good, faulty = good + (not faults), faulty + bool(faults)
    print(f"{good} records are right, {faulty} must be mended")
    if faulty:
        raise typer.Exit(1)


@corpus_app.command("report")
def report_corpus(
    paths: Annotated[Optional[list[Path]], typer.Argument(help="JSONL files; none for the corpus that ships.")] = None,
    plot: Annotated[
        Optional[Path], typer.Option("--plot", help="Draw forms, lengths and grades into this file.")
    ] = None,
    topics: Annotated[bool, typer.Option("--topics", help="Add a table with a row for every topic.")] = False,
) -> None:
    """A corpus in figures."""
    _needs_train()
    from tallytale.experiments.report import as_text, by_topic, report
    from tallytale.experiments.report import plot as draw
    from tallytale.problems.corpus import load_problems, shipped_files

    problems = list(load_problems(paths or shipped_files()))
    found = report(problems)
    print(as_text(found))
    if topics:
        print("\n" + by_topic(problems))
    if plot:
        draw(found, plot)
        print(f"\nwrote {plot}")


@corpus_app.command("freeze")
def freeze_corpus(
    paths: Annotated[list[Path], typer.Argument(help="JSONL files; they are written anew.")],
    seed: SeedOption = 0,
) -> None:
    """Fill in each record's form and deal all into train, dev and test, once at random and once without leaks."""
    from itertools import groupby

    from tallytale.problems.corpus import load_problems, write
    from tallytale.problems.splits import PARTS, freeze, leaks

    located = [(path, problem) for path in paths for problem in load_problems([path])]
    problems = freeze([problem for _, problem in located], seed=seed)
    placed = zip((path for path, _ in located), problems, strict=True)
    for path, group in groupby(placed, key=lambda pair: pair[0]):
        write(path, (problem for _, problem in group))
    for name in ("split", "leakfree"):
        counts = [sum(getattr(problem, name) == part for problem in problems) for part in PARTS]
        print(f"{name}: " + ", ".join(f"{part} {count}" for part, count in zip(PARTS, counts, strict=True)))
    print(f"leaks in the leak-free split: {len(leaks(problems))}")


DataOption = Annotated[
    Optional[Path], typer.Option("--data", help="The folder with the paper's workbooks, for make-zh.")
]
ConfigArgument = Annotated[Path, typer.Argument(help="A configuration, such as configs/make-en.toml.")]


@app.command()
def prepare(
    config: ConfigArgument,
    output: Annotated[Path, typer.Option("-o", "--output", help="The prepared folder to write.")],
    data: DataOption = None,
    split: Annotated[Optional[str], typer.Option("--split", help="Another split than the configuration's.")] = None,
) -> None:
    """Turn problems into what training reads: graphs, templates and a vocabulary."""
    _needs_train()
    from dataclasses import replace

    from tallytale.experiments.config import load
    from tallytale.experiments.prepare import prepare as prepared

    chosen = load(config).data
    counts = prepared(replace(chosen, split=split) if split else chosen, output, data=data)
    print(f"wrote {output}: " + ", ".join(f"{part} {count}" for part, count in counts.items()))


@app.command()
def train(
    config: ConfigArgument,
    prepared: Annotated[Path, typer.Option("--prepared", help="The folder that `tallytale prepare` wrote.")],
    run: Annotated[Path, typer.Option("--run", help="The run folder; an unfinished run in it goes on.")],
    seed: SeedOption = 1,
    setting: Annotated[
        Optional[list[str]], typer.Option("--set", help="Change a setting, such as model.planning=false. Repeatable.")
    ] = None,
) -> None:
    """Train a model and write texts for the test inputs."""
    _needs_train()
    from tallytale.experiments.config import load
    from tallytale.experiments.run import changed
    from tallytale.experiments.run import run as run_it

    run_it(changed(load(config), setting or []), prepared, run, seed=seed)
    print(f"wrote {run}")


@app.command()
def results(
    runs: Annotated[Optional[list[Path]], typer.Argument(help="Run folders.")] = None,
    retrieval: Annotated[
        Optional[list[Path]], typer.Option("--retrieval", help="A prepared folder to measure retrieval on. Repeatable.")
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="The JSON file to bring up to date.")] = Path(
        "results.json"
    ),
    data: DataOption = None,
) -> None:
    """Score run folders, bring a JSON file of results up to date, and print its tables."""
    _needs_train()
    from tallytale.experiments.results import as_json, as_tables, merged, rows

    found = merged(rows(runs or [], retrieval or [], data), output)
    output.write_text(as_json(found), encoding="utf-8")
    print(as_tables(found))


def _needs_train() -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise RequestError("this command needs the extra [train]: pip install -c constraints.txt '.[train]'")


@make_zh_app.command("check")
def check_make_zh(
    data: Annotated[Path, typer.Option("--data", help="The folder with the paper's three workbooks.")],
    rows: Annotated[bool, typer.Option("--rows", help="List every row whose graph differs, with the reason.")] = False,
) -> None:
    """Compare our equation graphs and slots with those published by the paper's authors."""
    from collections import Counter

    from tallytale.experiments.make_zh import difference, read, round_trip, slot_clash

    reasons: Counter[str] = Counter()
    clear_rows = kept = total = 0
    mentioned = 0.0
    for row in read(data):
        total += 1
        reason = difference(row)
        reasons[reason] += 1
        if reason and rows:
            print(f"{row.split} row {row.number}: {'; '.join(row.equations)}: {reason}")
        if not slot_clash(row):
            same, share = round_trip(row)
            clear_rows, kept, mentioned = clear_rows + 1, kept + same, mentioned + share
    print(f"equation graphs equal to the authors': {reasons[''] / total:.2%} of {total}")
    for reason, number in reasons.most_common():
        if reason:
            print(f"  {number}: {reason}")
    print(f"texts given back by slots: {kept / clear_rows:.2%} of {clear_rows} rows without a clash")
    print(f"  slots mentioned in their text: {mentioned / clear_rows:.2%}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"cannot read {path}: {error}") from None


if __name__ == "__main__":
    main()

"""A corpus in figures: counts, forms, lengths, variety, reading grade, and plots of them."""

from __future__ import annotations

import random
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tallytale.experiments.metrics import self_bleu
from tallytale.problems.corpus import Problem
from tallytale.problems.english import NUMBER_WORDS
from tallytale.problems.forms import form
from tallytale.problems.splits import Traits, links, runs

SEED = 0
VOWELS = re.compile(r"[aeiouy]+")
SILENT = re.compile(r"[^le]e$|[aeiouy]le$|[^aeiouysxzgcl](?<!ch)(?<!sh)es$|[^aeiouytd]ed$")


@dataclass(frozen=True)
class Report:
    problems: int
    by_unknowns: dict[int, int]
    topics: int
    fewest_by_topic: int
    fewest_forms_by_topic: int
    forms: Counter[str]  # of problems in two unknowns
    narrow_forms: list[str]  # with at least 60 problems, but in fewer than 10 topics
    registers: Counter[str]
    asks: Counter[str]
    words: list[int]
    grades: list[float]
    distinct4: float
    self_bleu: float
    near_duplicates: float
    opening_share: float  # of the commonest five words at the start
    opening: str
    name_share: float  # of problems with the commonest first name
    name: str
    placed: float  # share with a place of the knowledge graph
    implied: float  # share in which a number is left to common knowledge


def report(problems: Sequence[Problem]) -> Report:
    two = [problem for problem in problems if len(problem.entities) == 2]
    forms = Counter(_form(problem) for problem in two)
    topics = {problem.topic for problem in problems}
    per_topic = {topic: [problem for problem in two if problem.topic == topic] for topic in topics}
    spread = {name: len({problem.topic for problem in two if _form(problem) == name}) for name in forms}
    tokens = [masked(problem.text) for problem in problems]
    chance = random.Random(SEED)
    thousand = chance.sample(tokens, min(1000, len(tokens)))
    five_hundred = chance.sample(tokens, min(500, len(tokens)))
    openings = Counter(" ".join(problem.text.lower().split()[:5]) for problem in problems)
    names = Counter(name for problem in problems for name in set(problem.people))
    opening, opened = openings.most_common(1)[0]
    name, named = names.most_common(1)[0] if names else ("", 0)
    return Report(
        problems=len(problems),
        by_unknowns=dict(sorted(Counter(len(problem.entities) for problem in problems).items())),
        topics=len(topics),
        fewest_by_topic=min((len(group) for group in per_topic.values()), default=0),
        fewest_forms_by_topic=min((len({_form(p) for p in group}) for group in per_topic.values()), default=0),
        forms=forms,
        narrow_forms=[name for name, count in forms.items() if count >= 60 and spread[name] < 10],
        registers=Counter(problem.register for problem in problems),
        asks=Counter(_kind(problem) for problem in two),
        words=[len(problem.text.split()) for problem in problems],
        grades=[reading_grade(problem.text) for problem in problems],
        distinct4=_distinct(thousand, 4),
        self_bleu=self_bleu(five_hundred, "word").value / 100,
        near_duplicates=_near_duplicates(tokens),
        opening_share=opened / len(problems),
        opening=opening,
        name_share=named / len(problems),
        name=name,
        placed=sum(bool(problem.places) for problem in problems) / len(problems),
        implied=sum(_leaves_a_number_unsaid(problem) for problem in problems) / len(problems),
    )


def _form(problem: Problem) -> str:
    return problem.form or form(problem.system)


def _kind(problem: Problem) -> str:
    asked = tuple(ask.replace(" ", "") for ask in problem.asks)
    if len(asked) > 1:
        return "both"
    return asked[0] if asked[0] in ("x", "y", "x+y", "x-y", "y-x") else "other"


def _leaves_a_number_unsaid(problem: Problem) -> bool:
    ties = problem.values.ties()
    return any(f"[{ties.get(slot, slot)}" not in problem.template for slot in problem.values.numbers)


def masked(text: str) -> list[str]:
    """Words in lower case, numbers as one sign, neighbouring numbers as one."""
    words: list[str] = []
    for word in re.findall(r"\d+(?:[.,:/]\d+)*|[a-z]+(?:['’][a-z]+)?", text.lower()):
        shown = "#" if word[0].isdigit() or word in NUMBER_WORDS or word in ("half", "twice", "double") else word
        if shown != "#" or not words or words[-1] != "#":
            words.append(shown)
    return words


def _distinct(texts: Sequence[Sequence[str]], size: int) -> float:
    grams = Counter(gram for text in texts for gram in zip(*(text[k:] for k in range(size)), strict=False))
    return len(grams) / sum(grams.values())


def _near_duplicates(texts: Sequence[Sequence[str]]) -> float:
    """The share of texts that share more than half of their runs of five words with another."""
    pairs = links([Traits((), runs(text)) for text in texts])
    return len({place for pair in pairs for place in pair}) / len(texts)


def reading_grade(text: str) -> float:
    """The Flesch-Kincaid grade, with syllables counted as groups of vowels.

    >>> round(reading_grade("The cat sat. The dog ran."), 1)
    -2.6
    """
    sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$|[\"”’])", text)))
    words = re.findall(r"[A-Za-z'’]+", text)
    syllables = sum(_syllables(word.lower()) for word in words)
    return 0.39 * len(words) / sentences + 11.8 * syllables / max(1, len(words)) - 15.59


def _syllables(word: str) -> int:
    """Groups of vowels, less the silent ones of `cake`, `cakes` and `baked`; right for 98% of the corpus's words."""
    count = len(VOWELS.findall(word))
    return max(1, count - bool(SILENT.search(word)))


# --- showing -----------------------------------------------------------------------------------


def as_text(found: Report) -> str:
    """The report as a table in Markdown."""
    main, count = found.forms.most_common(1)[0]
    two = sum(found.forms.values())
    rich = found.registers["plain"] / found.problems
    lines = [
        ("problems", f"{found.problems:,}"),
        ("by unknowns", ", ".join(f"{unknowns}: {number:,}" for unknowns, number in found.by_unknowns.items())),
        ("topics", f"{found.topics}, the smallest with {found.fewest_by_topic} problems in two unknowns"),
        ("forms in two unknowns", f"{len(found.forms)}; at least {found.fewest_forms_by_topic} in every topic"),
        ("forms with 60 problems or more", f"{sum(number >= 60 for number in found.forms.values())}"),
        ("of them in fewer than 10 topics", f"{len(found.narrow_forms)}"),
        (f"commonest form, `{main}`", f"{count / two:.1%}"),
        ("plain register", f"{rich:.1%}"),
        ("asked for", ", ".join(f"{kind} {number / two:.0%}" for kind, number in found.asks.most_common())),
        ("words", f"mean {statistics.mean(found.words):.1f}, {_within(found.words, 20, 60):.1%} within 20 to 60"),
        (
            "reading grade (Flesch-Kincaid)",
            f"mean {statistics.mean(found.grades):.1f}, {_within(found.grades, -9, 7):.1%} at most 7",
        ),
        ("distinct-4 over 1,000 texts", f"{found.distinct4:.3f}"),
        ("Self-BLEU-4 at 500 texts", f"{found.self_bleu:.3f}"),
        ("near-duplicates, whole set", f"{found.near_duplicates:.2%}"),
        (f'commonest opening, "{found.opening}"', f"{found.opening_share:.2%}"),
        (f"commonest first name, {found.name}", f"{found.name_share:.2%}"),
        ("with a place of the knowledge graph", f"{found.placed:.1%}"),
        ("with a number left to common knowledge", f"{found.implied:.1%}"),
    ]
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in lines)])


def by_topic(problems: Sequence[Problem]) -> str:
    """Problems, forms and lengths of every topic, as a table in Markdown."""
    lines = [
        "| topic | problems | forms in two unknowns | of the commonest form | plain | words |",
        "|---|---|---|---|---|---|",
    ]
    for topic in sorted({problem.topic for problem in problems}):
        here = [problem for problem in problems if problem.topic == topic]
        forms = Counter(_form(problem) for problem in here if len(problem.entities) == 2)
        plain = sum(problem.register == "plain" for problem in here) / len(here)
        words = statistics.mean(len(problem.text.split()) for problem in here)
        most = max(forms.values(), default=0)
        lines.append(f"| {topic} | {len(here)} | {len(forms)} | {most} | {plain:.0%} | {words:.1f} |")
    return "\n".join(lines)


def _within(values: Sequence[float], low: float, high: float) -> float:
    return sum(low <= value <= high for value in values) / len(values)


def plot(found: Report, path: Path) -> None:
    """Forms, lengths and reading grades in one picture."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 6), width_ratios=[2, 1, 1])
    common = found.forms.most_common(30)
    left.barh([name for name, _ in common][::-1], [count for _, count in common][::-1], color="#5b8def")
    left.set_xscale("log")
    left.set_title(f"The 30 commonest of {len(found.forms)} forms")
    left.tick_params(axis="y", labelsize=7)
    middle.hist(found.words, bins=range(0, 100, 4), color="#62b38f")
    middle.set_title("Words")
    right.hist(found.grades, bins=[grade / 2 for grade in range(-4, 24)], color="#e6a04c")
    right.set_title("Reading grade")
    figure.tight_layout()
    figure.savefig(path, dpi=100, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)

"""No model at all: a random training text whose graphs are the same, else one with the same equations, else any."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence

from tallytale.experiments.examples import Example


def retrieve(train: Sequence[Example], inputs: Sequence[Example], *, copies: int, seed: int) -> list[list[str]]:
    """`copies` templates for each input, different ones as far as there are."""
    chance = random.Random(seed)
    shelves: list[dict[str, list[str]]] = [defaultdict(list) for _ in range(3)]
    for example in train:
        for shelf, key in zip(shelves, _keys(example), strict=True):
            shelf[key].append(example.template)
    found = []
    for example in inputs:
        fitting = next(shelf[key] for shelf, key in zip(shelves, _keys(example), strict=True) if key in shelf)
        found.append(chance.sample(fitting, copies) if len(fitting) >= copies else chance.choices(fitting, k=copies))
    return found


def _keys(example: Example) -> tuple[str, str, str]:
    """From the narrowest likeness to none."""
    equation = json.dumps([example.equation.words, example.equation.edges])
    return equation + json.dumps([example.knowledge.words, example.knowledge.edges]), equation, ""

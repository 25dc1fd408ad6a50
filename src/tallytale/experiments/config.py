"""Configurations: one TOML file per row of a results table, read into typed values.

A wrong setting stops the run and names its neighbour.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from tallytale.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class DataConfig:
    corpus: str = "tallytale-en"  # tallytale-en or make-zh
    split: str = "split"  # which split: split (or official), leakfree
    pieces: int = 4000  # size of the subword vocabulary, special tokens included
    share: float = 1.0  # share of the training problems that is used, for learning curves


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    batch: int = 64  # texts a step
    steps: int = 4000  # most steps of a run
    rate: float = 0.001  # highest learning rate, reached after the warm-up
    warmup: int = 200  # steps in which the rate rises; it then falls with the root of the step
    clip: float = 1.0  # largest norm of the gradient
    teacher: float = 0.5  # probability that the decoder reads the given word rather than its own
    kl: float = 1.0  # weight of the divergence once annealed
    kl_steps: int = 2000  # steps over which that weight rises from 0
    cycles: int = 1  # how often it starts again from 0: 1 is linear annealing, more is cyclical
    free_bits: float = 0.0  # nats of divergence a text that cost nothing
    evaluate: int = 200  # steps between two evaluations on dev
    patience: int = 8  # evaluations without a better score before the run stops
    longest: int = 120  # words after which a generated text is cut


@dataclass(frozen=True, kw_only=True)
class Config:
    data: DataConfig = field(default_factory=DataConfig)
    model: Mapping[str, Any] = field(default_factory=dict)  # the model's own fields, checked by it
    train: TrainConfig = field(default_factory=TrainConfig)
    method: str = "make"


def load(path: Path) -> Config:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from None
    return from_dict(raw, path.name)


def from_dict(raw: Mapping[str, Any], name: str) -> Config:
    """A configuration from nested tables, as they stand in TOML."""
    from tallytale.models.make import MakeConfig  # here, so that reading a configuration needs no torch elsewhere

    known = {"data": DataConfig, "train": TrainConfig, "model": MakeConfig}
    for key in raw:
        if key not in (*known, "method"):
            raise ConfigError(f"{name}: unknown key '{key}'; {_neighbour(key, [*known, 'method'])}")
    sections: dict[str, Any] = {}
    for section, kind in known.items():
        table = raw.get(section, {})
        types = {item.name: type(item.default) for item in fields(kind)}
        for key, value in table.items():
            if key not in types:
                raise ConfigError(f"{name} [{section}]: unknown key '{key}'; {_neighbour(key, list(types))}")
            if type(value) is not types[key] and not (types[key] is float and type(value) is int):
                raise ConfigError(f"{name} [{section}]: '{key}' takes a {types[key].__name__}, not {value!r}")
        sections[section] = dict(table) if section == "model" else kind(**table)
    return Config(**sections, method=raw.get("method", "make"))


def to_dict(config: Config) -> dict[str, Any]:
    return asdict(config)


def _neighbour(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f"did you mean '{close[0]}'?" if close else f"the keys are {', '.join(known)}"

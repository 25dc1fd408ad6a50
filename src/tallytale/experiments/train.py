"""One training loop. It yields; the caller prints, plots and saves.

Every step draws its noise from the seed and the step's number alone, so a run that was killed and resumed goes the same
way as one that was not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn

from tallytale.experiments.config import TrainConfig
from tallytale.experiments.examples import Example, batches, collate
from tallytale.models.make import Make


@dataclass(frozen=True)
class Step:
    number: int
    losses: dict[str, float]
    score: float | None = None  # on dev, where this step was followed by an evaluation
    best: bool = False  # whether that score is the best so far
    last: bool = False


@dataclass
class Progress:
    """What a checkpoint keeps beside weights and optimiser."""

    number: int = 0
    best: float = -math.inf
    stale: int = 0
    history: list[tuple[int, float]] = field(default_factory=list)


def train(
    model: Make,
    examples: Sequence[Example],
    config: TrainConfig,
    *,
    seed: int,
    score: Callable[[Make], float],
    checkpoint: Path | None = None,
) -> Iterator[Step]:
    """Train until the steps are spent or dev has not improved for `patience` evaluations."""
    device = next(model.parameters()).device
    optimiser = torch.optim.Adam(model.parameters(), lr=config.rate, betas=(0.9, 0.98))
    progress = Progress()
    if checkpoint and checkpoint.is_file():
        progress = _restore(checkpoint, model, optimiser, device)
    for number, group in batches(examples, config.batch, seed=seed):
        if number <= progress.number:
            continue
        progress.number = number
        losses = _update(model, optimiser, group, config, number=number, seed=seed)
        if number % config.evaluate and number < config.steps:
            yield Step(number, losses)
            continue
        model.eval()
        value = score(model)
        model.train()
        progress.history.append((number, value))
        better = value > progress.best
        progress.stale = 0 if better else progress.stale + 1
        progress.best = max(progress.best, value)
        last = number >= config.steps or progress.stale >= config.patience
        if checkpoint:
            _save(checkpoint, model, optimiser, progress)
        yield Step(number, losses, value, better, last)
        if last:
            return


def _update(
    model: Make, optimiser: torch.optim.Optimizer, group: list[Example], config: TrainConfig, *, number: int, seed: int
) -> dict[str, float]:
    device = next(model.parameters()).device
    torch.manual_seed(seed * 1_000_003 + number)
    batch = collate(group, device)
    noise = torch.randn(len(group), model.config.latent).to(device)
    own = (torch.rand(batch.text.shape[1]) >= config.teacher).tolist()
    for part in optimiser.param_groups:
        part["lr"] = rate(config, number)
    losses = model.loss(batch.equation, batch.knowledge, batch.text, noise, own)
    weight = config.kl * annealing(config, number)
    total = losses["words"] + weight * torch.clamp(losses["kl"], min=config.free_bits)
    optimiser.zero_grad(set_to_none=True)
    total.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.parameters(), config.clip)
    optimiser.step()
    return {name: float(value.detach()) for name, value in losses.items()} if number % 20 == 0 else {}


def rate(config: TrainConfig, number: int) -> float:
    """Rises linearly during the warm-up, then falls with the root of the step."""
    return config.rate * min(number / config.warmup, math.sqrt(config.warmup / number))


def annealing(config: TrainConfig, number: int) -> float:
    """From 0 to 1 over `kl_steps`, again in each cycle (Fu et al., 2019)."""
    if config.cycles <= 1:
        return min(1.0, number / config.kl_steps)
    period = config.steps / config.cycles
    return min(1.0, (number % period) / min(config.kl_steps, period / 2))


def _save(path: Path, model: Make, optimiser: torch.optim.Optimizer, progress: Progress) -> None:
    unfinished = path.with_suffix(".part")
    torch.save(
        {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "progress": vars(progress)}, unfinished
    )
    unfinished.replace(path)  # never half a checkpoint


def _restore(path: Path, model: Make, optimiser: torch.optim.Optimizer, device: torch.device) -> Progress:
    kept = torch.load(path, map_location=device, weights_only=True)
    model.load_state_dict(kept["model"])
    optimiser.load_state_dict(kept["optimiser"])
    return Progress(**kept["progress"])

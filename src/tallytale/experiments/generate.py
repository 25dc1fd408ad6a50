"""Texts from a model in torch: the same search that ships, with torch as its step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from tallytale.decoding.search import Found, Scores, Words, beam, draw
from tallytale.experiments.examples import Example, collate
from tallytale.models.make import END, START, Make
from tallytale.nn.decoder import Memory


@dataclass(frozen=True)
class TorchState:
    """The decoder's state and its memory; `owner` says whose memory each row reads."""

    hidden: Tensor
    memory: Memory
    owner: Words

    def take(self, rows: Words) -> TorchState:
        owner = self.owner[rows]
        places = torch.from_numpy(rows).to(self.hidden.device)
        same = len(owner) == len(self.owner) and bool((owner == self.owner).all())
        memory = self.memory if same else Memory(*(part[places] for part in self.memory))
        return TorchState(self.hidden[places], memory, owner)


@torch.no_grad()
def generate(
    model: Make,
    examples: Sequence[Example],
    *,
    copies: int,
    seed: int,
    longest: int,
    width: int = 0,
    temperature: float = 0.0,
    best: int = 20,
) -> list[list[Found]]:
    """For each example `copies` texts, each from its own z of the prior.

    With a `width` by beam search; else word by word, drawn at a temperature from the `best` words, greedily at 0.
    """
    device = next(model.parameters()).device
    batch = collate(examples, device)
    memory, sizes, condition = model.encode(batch.equation, batch.knowledge)
    rows = np.repeat(np.arange(len(examples)), copies)
    mean, log_std = model.prior_of(condition)
    chance = np.random.default_rng(seed)
    noise = torch.from_numpy(chance.standard_normal((len(rows), mean.shape[1])).astype(np.float32)).to(device)
    places = torch.from_numpy(rows).to(device)
    latent = mean[places] + log_std[places].exp() * noise
    memory = Memory(*(part[places] for part in memory))
    state = TorchState(model.begin(latent, condition[places]), memory, np.arange(len(rows)))

    def step(state: TorchState, words: Words) -> tuple[TorchState, Words, Scores]:
        hidden, scores, _ = model.step(state.hidden, torch.from_numpy(words).to(device), state.memory, sizes)
        values, places = torch.log_softmax(scores.float(), dim=-1).topk(best, dim=-1)
        return TorchState(hidden, state.memory, state.owner), places.cpu().numpy(), values.cpu().numpy()

    if width:
        found = [one[0] for one in beam(step, state, len(rows), width=width, start=START, end=END, longest=longest)]
    else:
        found = draw(
            step, state, len(rows), start=START, end=END, longest=longest, temperature=temperature, chance=chance
        )
    return [found[place : place + copies] for place in range(0, len(found), copies)]

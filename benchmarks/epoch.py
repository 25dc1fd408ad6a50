"""Seconds for one epoch of training on prepared data: `python benchmarks/epoch.py CONFIG PREPARED`.

The paper's public reference code took 59 s for an epoch of its data on the same kind of GPU (NVIDIA H200, batch 16).
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import sentencepiece
import torch

from tallytale.experiments.config import load
from tallytale.experiments.examples import read
from tallytale.experiments.train import train
from tallytale.models.make import Make, MakeConfig

EPOCHS = 4  # the first warms up and is not counted


def main() -> None:
    config, folder = load(Path(sys.argv[1])), Path(sys.argv[2])
    pieces = sentencepiece.SentencePieceProcessor(str(folder / "vocabulary.model"))
    examples = read(folder, "train")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Make(MakeConfig(**{**config.model, "vocabulary": pieces.get_piece_size()})).to(device)
    per_epoch = -(-len(examples) // config.train.batch)
    settings = replace(config.train, steps=EPOCHS * per_epoch, evaluate=10**9)
    marks = [time.perf_counter()]
    for step in train(model, examples, settings, seed=1, score=lambda _: 0.0):
        if step.number % per_epoch == 0:
            if device == "cuda":
                torch.cuda.synchronize()
            marks.append(time.perf_counter())
    times = [later - earlier for earlier, later in pairwise(marks[1:])]
    print(f"{device}, batch {settings.batch}, {per_epoch} steps: {sum(times) / len(times):.2f} s an epoch")


if __name__ == "__main__":
    main()

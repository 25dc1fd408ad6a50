"""A run folder: configuration, vocabulary, log, the weights that did best on dev, generated texts.

`python -m tallytale.experiments.run` is all that a training machine needs; it imports torch, numpy, sentencepiece,
safetensors and nothing else.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from safetensors.torch import load_file, save_file

from tallytale.experiments.config import Config, from_dict, load, to_dict
from tallytale.experiments.examples import Example, read
from tallytale.experiments.generate import generate
from tallytale.experiments.overlap import bleu
from tallytale.experiments.train import train
from tallytale.models.make import Make, MakeConfig

# How test texts are written: by beam search, as the paper does, and drawn word by word, which is more varied.
MANNERS: dict[str, dict[str, Any]] = {"beam": {"width": 5}, "drawn": {"temperature": 0.7}}


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a model on prepared data, then write texts for a part of it.")
    parser.add_argument("config", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="the prepared folder")
    parser.add_argument("--run", type=Path, required=True, help="the run folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="change a setting")
    parser.add_argument("--copies", type=int, default=4, help="texts for each input")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop training after so long; 0 for no limit")
    arguments = parser.parse_args()
    config = changed(load(arguments.config), arguments.set)
    options = {name: getattr(arguments, name) for name in ("seed", "copies", "minutes")}
    run(config, arguments.data, arguments.run, **options)


def changed(config: Config, settings: list[str]) -> Config:
    """The configuration with settings such as `model.planning=false`."""
    raw = to_dict(config)
    for setting in settings:
        place, _, value = setting.partition("=")
        section, _, key = place.partition(".")
        raw[section][key] = json.loads(value) if value[:1] in "0123456789-tf[" else value
    return from_dict(raw, "--set")


def run(config: Config, data: Path, folder: Path, *, seed: int, copies: int = 4, minutes: float = 0.0) -> None:
    """Train, keep the weights that did best on dev, and write texts for the test inputs with them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**to_dict(config), "seed": seed}, indent=1), encoding="utf-8")
    shutil.copyfile(data / "vocabulary.model", folder / "vocabulary.model")
    examples = {part: read(data, part) for part in ("train", "dev", "test")}
    share = int(len(examples["train"]) * config.data.share)
    model = built(config, folder)
    pieces = sentencepiece.SentencePieceProcessor(str(folder / "vocabulary.model"))
    log = (folder / "log.jsonl").open("a", encoding="utf-8")
    began = time.time()

    def score(model: Make) -> float:
        return dev_score(model, examples["dev"], pieces, config, seed=seed)

    steps = train(
        model, examples["train"][:share], config.train, seed=seed, score=score, checkpoint=folder / "checkpoint.pt"
    )
    for step in steps:
        if step.losses or step.score is not None:
            entry = {"step": step.number, **step.losses, "dev": step.score, "seconds": round(time.time() - began, 1)}
            log.write(json.dumps(entry) + "\n")
            log.flush()
        if step.best:
            save_file(model.state_dict(), folder / "weights.safetensors")
        if step.score is not None:
            print(
                f"{folder.name} step {step.number} dev {step.score:.2f} ({time.time() - began:.0f} s)", file=sys.stderr
            )
            if minutes and time.time() - began > 60 * minutes:
                break
    model.load_state_dict(load_file(folder / "weights.safetensors"))
    model.eval()
    for name, manner in MANNERS.items():
        path = folder / f"test-{name}.jsonl"
        write_texts(model, examples["test"], pieces, config, path, seed=seed, copies=copies, **manner)


def built(config: Config, folder: Path) -> Make:
    """The model of a configuration, with the vocabulary of the run folder; on a GPU if there is one."""
    pieces = sentencepiece.SentencePieceProcessor(str(folder / "vocabulary.model"))
    torch.manual_seed(json.loads((folder / "config.json").read_text(encoding="utf-8"))["seed"])
    fields: dict[str, Any] = {**config.model, "vocabulary": pieces.get_piece_size()}
    return Make(MakeConfig(**fields)).to("cuda" if torch.cuda.is_available() else "cpu")


def tokens(template: str, corpus: str) -> list[str]:
    """What dev scores count: characters of Chinese, words of English; a slot is one token."""
    spaced = template.replace("[", " [").replace("]", "] ") if corpus == "make-zh" else template
    if corpus != "make-zh":
        return spaced.split()
    return [token for word in spaced.split() for token in ([word] if word.startswith("[") else list(word))]


def dev_score(
    model: Make, examples: list[Example], pieces: sentencepiece.SentencePieceProcessor, config: Config, *, seed: int
) -> float:
    """BLEU-4 of one text for each input: z from the prior, the model's own words."""
    found = generate(model, examples, copies=1, seed=seed, longest=config.train.longest)
    texts = [tokens(pieces.decode(list(one[0].words)), config.data.corpus) for one in found]
    return bleu(texts, [tokens(example.template, config.data.corpus) for example in examples])


def write_texts(
    model: Make,
    examples: list[Example],
    pieces: sentencepiece.SentencePieceProcessor,
    config: Config,
    path: Path,
    *,
    seed: int,
    copies: int,
    width: int = 0,
    temperature: float = 0.0,
) -> None:
    """Texts for all inputs, one line each: id, templates, and their mean log-probability a word."""
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(examples), 128):
            group = examples[start : start + 128]
            found = generate(
                model,
                group,
                copies=copies,
                seed=seed,
                longest=config.train.longest,
                width=width,
                temperature=temperature,
            )
            for example, texts in zip(group, found, strict=True):
                templates = [pieces.decode(list(text.words)) for text in texts]
                scores = [round(text.score, 4) for text in texts]
                file.write(
                    json.dumps({"id": example.id, "templates": templates, "scores": scores}, ensure_ascii=False) + "\n"
                )


if __name__ == "__main__":
    main()

"""MaKE, its ablations, and the loop that trains it: on a handful of problems, on the CPU."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the extra [train] is not installed")

from tallytale.errors import ConfigError  # noqa: E402
from tallytale.experiments.config import DataConfig, TrainConfig, from_dict, load  # noqa: E402
from tallytale.experiments.examples import Example, batches, collate, read  # noqa: E402
from tallytale.experiments.generate import generate  # noqa: E402
from tallytale.experiments.prepare import prepare  # noqa: E402
from tallytale.experiments.run import changed, run  # noqa: E402
from tallytale.experiments.train import annealing, rate, train  # noqa: E402
from tallytale.models.make import Make, MakeConfig  # noqa: E402
from tallytale.problems import corpus  # noqa: E402

ROOT = Path(__file__).parents[2]
SMALL = {"embedding": 16, "hidden": 64, "latent": 8, "dropout": 0.1}
ABLATIONS = {
    "make": {},
    "no symbolic": {"symbolic": False},
    "no knowledge": {"knowledge": False},
    "no planning": {"planning": False},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty problems, prepared."""
    some = [
        replace(problem, split=("train", "dev", "test")[place % 3])
        for place, problem in enumerate(corpus.shipped()[:60])
    ]
    path = tmp_path_factory.mktemp("prepared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "shipped", lambda: tuple(some))
        prepare(DataConfig(pieces=700), path)
    return path


@pytest.fixture(scope="module")
def examples(folder: Path) -> list[Example]:
    return read(folder, "train")


def model(**fields: object) -> Make:
    torch.manual_seed(1)
    return Make(MakeConfig(**{**SMALL, "vocabulary": 900, **fields}))  # type: ignore[arg-type]


def test_prepared_texts_spell_their_templates(folder: Path, examples: list[Example]) -> None:
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(str(folder / "vocabulary.model"))
    for example in examples:
        assert pieces.decode(example.text) == example.template
        slots = [pieces.id_to_piece(word) for word in example.text if "[" in pieces.id_to_piece(word)]
        assert all(slot.startswith("[") and slot.endswith("]") for slot in slots)  # one piece each


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_ablation_learns_and_writes(name: str, examples: list[Example]) -> None:
    net = model(**ABLATIONS[name])
    config = TrainConfig(batch=10, steps=25, evaluate=25, warmup=5, rate=0.01)
    first = next(train(model(**ABLATIONS[name]), examples, replace(config, steps=1), seed=1, score=lambda _: 0.0))
    assert first.last
    before = loss(net, examples)
    list(train(net, examples, config, seed=1, score=lambda _: 0.0))
    assert loss(net, examples) < 0.8 * before
    found = generate(net.eval(), examples[:3], copies=2, seed=1, longest=12, width=2)
    assert [len(texts) for texts in found] == [2, 2, 2]


def loss(net: Make, examples: list[Example]) -> float:
    batch = collate(examples, torch.device("cpu"))
    net.eval()
    with torch.no_grad():
        losses = net.loss(
            batch.equation, batch.knowledge, batch.text, torch.zeros(len(examples), 8), [False] * batch.text.shape[1]
        )
    net.train()
    return float(losses["words"])


def test_a_graph_that_is_left_out_changes_nothing(examples: list[Example]) -> None:
    """Without knowledge the model must not look at it, and the other way round."""
    for name, part in (("no knowledge", "knowledge"), ("no symbolic", "equation")):
        net = model(**ABLATIONS[name]).eval()
        others = [replace(example, **{part: getattr(examples[0], part)}) for example in examples]
        assert loss(net, examples) == pytest.approx(loss(net, others), rel=1e-6)


def test_the_seed_decides_what_is_written(examples: list[Example]) -> None:
    net = model().eval()
    one = generate(net, examples[:4], copies=2, seed=1, longest=10, temperature=1.0)
    assert generate(net, examples[:4], copies=2, seed=1, longest=10, temperature=1.0) == one
    assert generate(net, examples[:4], copies=2, seed=2, longest=10, temperature=1.0) != one


def test_a_killed_run_resumes_to_the_same_result(examples: list[Example], tmp_path: Path) -> None:
    config = TrainConfig(batch=8, steps=12, evaluate=4)

    def score(net: Make) -> float:
        return float(net.embed.weight.detach().sum())

    whole = model()
    straight = list(train(whole, examples, config, seed=3, score=score))
    checkpoint = tmp_path / "checkpoint.pt"
    killed = train(model(), examples, config, seed=3, score=score, checkpoint=checkpoint)
    list(itertools.islice(killed, 6))  # stops two steps behind the checkpoint of step 4
    resumed = model()
    rest = list(train(resumed, examples, config, seed=3, score=score, checkpoint=checkpoint))
    assert [step.number for step in rest] == list(range(5, 13))
    assert [step.score for step in rest][-1] == straight[-1].score
    for mine, theirs in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_training_stops_when_dev_no_longer_improves(examples: list[Example]) -> None:
    config = TrainConfig(batch=8, steps=100, evaluate=2, patience=3)
    scores = iter([1.0, 2.0, 1.5, 1.5, 1.5, 9.0])
    seen = [step for step in train(model(), examples, config, seed=1, score=lambda _: next(scores)) if step.score]
    assert [step.best for step in seen] == [True, True, False, False, False]
    assert seen[-1].last


def test_every_example_is_seen_once_an_epoch(examples: list[Example]) -> None:
    per_epoch = -(-len(examples) // 7)
    first = [example.id for _, group in itertools.islice(batches(examples, 7, seed=1), per_epoch) for example in group]
    assert sorted(first) == sorted(example.id for example in examples)


def test_schedules() -> None:
    config = TrainConfig(rate=1.0, warmup=10, kl_steps=100, steps=400)
    assert rate(config, 5) == pytest.approx(0.5)
    assert rate(config, 10) == pytest.approx(1.0)
    assert rate(config, 40) == pytest.approx(0.5)
    assert [annealing(config, number) for number in (0, 50, 100, 300)] == [0.0, 0.5, 1.0, 1.0]
    cyclic = replace(config, cycles=4, kl_steps=50)
    assert [annealing(cyclic, number) for number in (25, 60, 125, 160)] == [0.5, 1.0, 0.5, 1.0]


def test_a_run_folder_holds_everything(folder: Path, tmp_path: Path) -> None:
    config = changed(load(ROOT / "configs" / "make-en.toml"), ["train.steps=2", "train.evaluate=1", "train.longest=8"])
    small = from_dict({"model": SMALL, "train": vars(config.train)}, "test")
    run(small, folder, tmp_path / "run", seed=1, copies=2)
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names >= {"config.json", "vocabulary.model", "weights.safetensors", "log.jsonl", "test-beam.jsonl"}
    line = json.loads((tmp_path / "run" / "test-drawn.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert set(line) == {"id", "templates", "scores"}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"model": {"hop": 3}}, r"x.toml \[model\]: unknown key 'hop'; did you mean 'hops'?"),
        ({"train": {"batch": "many"}}, r"x.toml \[train\]: 'batch' takes a int, not 'many'"),
        ({"mdel": {}}, r"x.toml: unknown key 'mdel'; did you mean 'model'?"),
    ],
)
def test_a_wrong_setting_names_its_neighbour(raw: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        from_dict(raw, "x.toml")


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.toml")), ids=lambda path: path.name)
def test_every_configuration_can_be_read(path: Path) -> None:
    assert load(path).train.steps > 0


def test_a_folder_that_was_not_prepared_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="make it with `tallytale prepare`"):
        read(tmp_path, "train")

"""The façade: a request goes in, problems with answers and worked steps come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tallytale.errors import RequestError
from tallytale.problems.corpus import Problem, shipped
from tallytale.problems.fitting import fits
from tallytale.problems.knowledge import Knowledge, load
from tallytale.writing.request import Request, request
from tallytale.writing.solution import answer, steps
from tallytale.writing.template import Draft, TemplateMethod

PROPOSED = 5  # topics named when the one asked for has no story


@dataclass(frozen=True, kw_only=True)
class Written:
    """A problem that can be handed out, with everything a teacher needs beside it."""

    text: str
    equations: tuple[str, ...]
    topic: str
    entities: Mapping[str, str]
    answer: str
    steps: tuple[str, ...]
    asks: tuple[str, ...]
    verified: bool  # read back to its equations; the reader is not part of this version, so never yet
    source: str  # the method that wrote it
    score: float
    seed: int


class Writer:
    """Writes problems from the corpus and the knowledge that ship with the package, or from others that are given."""

    def __init__(self, problems: Sequence[Problem] | None = None, knowledge: Knowledge | None = None) -> None:
        self.knowledge = knowledge or load()
        self._problems = problems

    @cached_property
    def templates(self) -> TemplateMethod:
        return TemplateMethod(shipped() if self._problems is None else self._problems, self.knowledge)

    def write(
        self,
        equations: str,
        *,
        topic: str | None = None,
        entities: Mapping[str, str] | None = None,
        n: int = 1,
        seed: int = 0,
    ) -> list[Written]:
        """Up to `n` different problems, best first; a RequestError says why there is none at all."""
        name = self.knowledge.topic(topic).name if topic else None
        wanted = request(equations, topic=name, entities=entities, n=n, seed=seed)
        self._check_facts(wanted)
        drafts = self.templates.drafts(wanted)
        if not drafts:
            raise self._no_story(wanted)
        return [self._finished(draft, wanted) for draft in drafts[: wanted.n]]

    def _finished(self, draft: Draft, wanted: Request) -> Written:
        return Written(
            text=draft.text,
            equations=tuple(str(equation) for equation in wanted.system.equations),
            topic=draft.topic,
            entities=draft.entities,
            answer=answer(wanted.system, draft.asks, draft.entities, draft.unit),
            steps=tuple(steps(wanted.system)),
            asks=draft.asks,
            verified=False,
            source="template",
            score=round(draft.score, 3),
            seed=wanted.seed,
        )

    def _check_facts(self, wanted: Request) -> None:
        """Entities whose known parts leave no way to read a factor: a chicken with 3 legs, and nothing else fits."""
        if wanted.topic is None or len(wanted.entities) < len(wanted.system.unknowns):
            return
        topic = self.knowledge.topics[wanted.topic]
        strangers = [entity for entity in wanted.entities.values() if entity not in topic.entities]
        if strangers or next(fits(wanted.system, topic, wanted.entities), None) is not None:
            return
        known = [
            f"a {fact.entity} {fact.relation} {fact.amount} {fact.thing}"
            for entity in wanted.entities.values()
            for fact in topic.about_entity(entity)
            if fact.amount.exact
        ]
        because = f" ({'; '.join(known[:3])})" if known else ""
        raise RequestError(
            f"the numbers of {wanted.system} suit nothing that is known of {' and '.join(wanted.entities.values())}"
            f"{because}; change the numbers, or leave the entities out"
        )

    def _no_story(self, wanted: Request) -> RequestError:
        anywhere = Request(system=wanted.system, n=wanted.n, seed=wanted.seed)
        fitting = list(dict.fromkeys(draft.topic for draft in self.templates.drafts(anywhere)))[:PROPOSED]
        where = f" in the topic '{wanted.topic}'" if wanted.topic else ""
        who = f" with {' and '.join(wanted.entities.values())}" if wanted.entities else ""
        hint = f"topics that fit: {', '.join(fitting)}" if fitting else "try other numbers or another form"
        return RequestError(f"no story was found for {wanted.system}{where}{who}; {hint}")

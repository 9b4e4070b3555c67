"""How probes are made from a row: seeded draws, and names that tell where a probe comes from."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from karat.audit.probe import BASE, FAMILIES, Aim, Probe, Row
from karat.text import normalise

Thing = TypeVar("Thing")


class Maker:
    """Makes the probes of one row; what is drawn depends on the seed, the row and the kind alone."""

    def __init__(self, row: Row, seed: int, pool: Mapping[str, Sequence[str]] | None = None) -> None:
        self.row = row
        self.pool = pool or {}
        self._seed = seed
        self._forms = [normalise(reference) for reference in row.references]

    def draw(self, kind: str, options: Sequence[Thing]) -> Thing:
        """One of several, the same at every start."""
        return self.draw_some(kind, options, 1)[0]

    def draw_some(self, kind: str, options: Sequence[Thing], count: int) -> list[Thing]:
        """Some of several, in an order that is the same at every start."""
        return Random(f"{self._seed} {self.row.id} {kind}").sample(options, min(count, len(options)))

    def fill(self, text: str, answer: str, other: str = "") -> str:
        """A wording with its places filled in: {a} the answer, {b} another one, {q} the question."""
        question = (self.row.question or "").strip()
        return text.replace("{q}", question).replace("{a}", answer).replace("{b}", other)

    def base(self, kind: str) -> Probe:
        """The unchanged right answer, the wrong one, or the reference itself."""
        answers = {"right": self.row.right, "wrong": self.row.wrong, "short": self.row.short}
        return Probe(
            id=self.name_base(kind),
            family=BASE,
            kind=kind,
            question=self.row.question,
            references=self.row.references,
            answer=answers[kind],
            row=self.row.id,
        )

    def name_base(self, kind: str) -> str:
        """The id of a base."""
        return f"{self.row.id}/{BASE}/{kind}"

    def probe(
        self,
        family: str,
        kind: str,
        answer: str,
        *,
        base: str | None = None,
        number: int = 1,
        references: tuple[str, ...] | None = None,
        aim: Aim | None = None,
    ) -> Probe:
        """A probe of this row; the effect is that of its family."""
        return Probe(
            id=f"{self.row.id}/{family}/{kind}{'' if number == 1 else f'-{number}'}",
            family=family,
            kind=kind,
            question=self.row.question,
            references=self.row.references if references is None else references,
            answer=answer,
            effect=FAMILIES[family],
            base=None if base is None else self.name_base(base),
            row=self.row.id,
            aim=aim,
        )

    def says(self, text: str) -> bool:
        """Tell whether a text holds, or is part of, a reference, so that it cannot stand for a wrong answer."""
        form = f" {normalise(text)} "
        return any(f" {own} " in form or form.strip() == own for own in self._forms)


def vary(texts: Sequence[str], unchanged: str) -> Iterator[str]:
    """The texts that differ from the unchanged one, each once."""
    yield from (text for text in dict.fromkeys(texts) if text.strip() and text != unchanged)

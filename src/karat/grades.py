"""The grades of a list of items: outcomes, records, summary."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, NoReturn, overload

from msgspec import Struct

from karat.core.errors import UsageError, refuse_attribute
from karat.core.types import Item, Outcome
from karat.frames import make_frame

if TYPE_CHECKING:
    from karat.core.scored_row import ScoredRow
    from karat.report.figures.summary import Summary
    from karat.store import Run

_ATTRIBUTES: Final = ("summary", "records", "outcomes", "items", "skipped", "to_pandas()", "to_polars()")
_SHOWN: Final = 10
_LONGEST: Final = 80


class Progress(Struct, frozen=True):
    """How far a call is: `done` of `total` different items have an outcome, `unjudged` of them no verdict."""

    done: int
    total: int
    unjudged: int


class Grades(Sequence[Outcome]):
    """The outcomes in the order of the items, with their summary and the data for comparisons."""

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        records: list[dict[str, Any]],
        summary: "Summary",
        marks: "Sequence[ScoredRow]",
        run: "Run",
        items: Sequence[Item],
        skipped: int = 0,
    ) -> None:
        self.outcomes = tuple(outcomes)
        self.records = records
        self.summary = summary
        self.marks = tuple(marks)
        self.run = run
        self.items = tuple(items)
        self.skipped = skipped

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Outcome]: ...
    def __getitem__(self, index: int | slice) -> Outcome | Sequence[Outcome]:
        if isinstance(index, str):
            raise UsageError(
                f"grades are numbered from 0, not named: write grades[0] for an outcome, or [record[{index!r}] for record in grades.records]"
            )
        return self.outcomes[index]

    def __len__(self) -> int:
        return len(self.outcomes)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise refuse_attribute(self, name, _ATTRIBUTES)

        def __await__(self) -> NoReturn:
            raise UsageError(
                "karat.grade returns its grades at once: leave `await` out, or await karat.agrade"
            )

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is not imported here
        """Return the records as a pandas DataFrame."""
        return make_frame(self.records, self.run.protocol, "pandas")

    def to_polars(self) -> Any:  # noqa: ANN401 - polars is not imported here
        """Return the records as a polars DataFrame."""
        return make_frame(self.records, self.run.protocol, "polars")

    def _repr_html_(self) -> str:
        """Return the first rows as a table, for notebooks."""
        lines = [
            (
                record["id"],
                item.question,
                " | ".join(item.references),
                item.answer,
                _name_verdict(outcome),
                outcome.reason,
            )
            for record, item, outcome in zip(self.records[:_SHOWN], self.items, self.outcomes, strict=False)
        ]
        head = ("id", "question", "reference", "answer", "verdict", "reason")
        rows = "".join(f"<tr>{''.join(f'<td>{_cut(cell)}</td>' for cell in line)}</tr>" for line in lines)
        more = f"; the first {_SHOWN} are shown" if len(self) > _SHOWN else ""
        return (
            f"<table><caption>{escape(repr(self)[1:-1])}{more}</caption>"
            f"<thead><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def __repr__(self) -> str:
        share = self.summary.share
        return f"<Grades: {share.correct} correct of {share.judged} judged, {len(self)} in all>"


def _name_verdict(outcome: Outcome) -> str:
    if isinstance(outcome.value, bool):
        return "Yes" if outcome.value else "No"
    return outcome.cause or "" if outcome.value is None else str(outcome.value)


def _cut(text: str | None) -> str:
    """Return a text for a cell, cut where it is long."""
    shown = text or ""
    return escape(shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…")

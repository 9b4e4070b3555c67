"""The grades of a list of items: outcomes, records, summary."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, overload

from karat.core.errors import UsageError, refuse_attribute
from karat.core.types import Item, Outcome

if TYPE_CHECKING:
    from karat.core.scored_row import ScoredRow
    from karat.report.figures.summary import Summary
    from karat.store import Run

_ATTRIBUTES: Final = ("summary", "records", "outcomes", "items")


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
    ) -> None:
        self.outcomes = tuple(outcomes)
        self.records = records
        self.summary = summary
        self.marks = tuple(marks)
        self.run = run
        self.items = tuple(items)

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

    def __repr__(self) -> str:
        share = self.summary.share
        return f"<Grades: {share.correct} correct of {share.judged} judged, {len(self)} in all>"

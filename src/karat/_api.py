"""The library: `judge` one answer, `grade` many; no store unless one is given, and no files."""

import asyncio
import os
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Unpack, cast, overload

import msgspec

from karat._arguments import public, refuse_at_exit
from karat.core.errors import UsageError
from karat.core.options import Options
from karat.core.types import Item, Outcome, ProtocolName

if TYPE_CHECKING:
    from karat.core.scored_row import Mark
    from karat.report.figures.summary import Summary
    from karat.store import NewRow, Run

References: TypeAlias = str | Sequence[str]
ItemLike: TypeAlias = Item | Mapping[str, Any] | tuple[str | None, References, str]
Result = TypeVar("Result")
_REMEDY = "call each part by one of its common names, such as question, reference and answer"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Grades(Sequence[Outcome]):
    """The outcomes in the order of the items, with their summary and what comparisons are made of."""

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        records: list[dict[str, Any]],
        summary: "Summary",
        marks: "Sequence[Mark]",
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
        return self.outcomes[index]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        share = self.summary.share
        return f"<Grades: {share.correct} correct of {share.judged} judged, {len(self)} in all>"


def judge(
    question: str | None,
    reference: References,
    answer: str,
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    **options: Unpack[Options],
) -> Outcome:
    """Judge one answer against a reference, or any one of several: a `Verdict`, or `Unjudged` with a cause."""
    return grade([(question, reference, answer)], judge=judge, protocol=protocol, **options)[0]


@public
def grade(
    items: Iterable[ItemLike],
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    store: str | os.PathLike[str] | None = None,
    passing: int = 4,
    label_scale: str | None = None,
    known_labels: bool | None = None,
    cluster: str | None = None,
    **options: Unpack[Options],
) -> Grades:
    """Grade items: `(question, reference or references, answer)`, `karat.Item`s or mappings with those keys, also `label`.

    With a `store`, `known_labels=True` also uses the labels that were given for identical items graded before, and
    `known_labels=False` no longer does; None leaves it as it is.
    """
    return wait_for(
        agrade(
            items,
            judge=judge,
            protocol=protocol,
            store=store,
            passing=passing,
            label_scale=label_scale,
            known_labels=known_labels,
            cluster=cluster,
            **options,
        )
    )


@public
async def agrade(
    items: Iterable[ItemLike],
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    store: str | os.PathLike[str] | None = None,
    passing: int = 4,
    label_scale: str | None = None,
    known_labels: bool | None = None,
    cluster: str | None = None,
    **options: Unpack[Options],
) -> Grades:
    """The same as `grade`, to be awaited."""
    from karat.judges import build_request, named, plan_judge
    from karat.labels import parse_scale, take_column
    from karat.report.load import summarise_run
    from karat.report.tags import check_column
    from karat.run import grade_run, open_run, records
    from karat.store import Store

    refuse_at_exit()
    plan = plan_judge(build_request(named(judge), protocol, options), os.environ)
    if plan.request.via == "batch" and store is None:
        raise UsageError("via='batch' may take a day and must survive it: give store=PATH")
    if known_labels and store is None:
        raise UsageError("known_labels=True takes labels from a store: give store=PATH")
    scale = None if label_scale is None else parse_scale(label_scale)
    intake = GivenRows(items)
    key = "library" if store is None else _name_rows(intake.rows)
    with Store(None if store is None else os.fspath(store)) as opened:
        dataset = opened.find_dataset(key) or opened.load_dataset(key, "library", "id=id", intake, named=True)
        check_column(dataset, "cluster", cluster)
        take_column(opened, dataset, scale=scale)
        if known_labels is not None:
            labels = opened.labels_of(dataset)
            _ = labels.use_known() if known_labels else labels.leave_known()
        run = open_run(opened, dataset, plan)
        await grade_run(opened, run, plan)
        graded = list(opened.graded(run))
        outcomes = [each.outcome for each in graded if each.outcome is not None]
        summary = summarise_run(opened, run, passing=passing, cluster=cluster)
        marks, rows = list(opened.marks(run)), [each.item for each in graded]
        return Grades(outcomes, list(records(run, graded)), summary, marks, run, rows)


def _name_rows(rows: Sequence["NewRow"]) -> str:
    """What a store knows these rows by when they are given again."""
    from karat.core.keys import hash_content, item_key

    return hash_content(["library", [[row.id, item_key(row.item).hex(), row.columns] for row in rows]])


class GivenRows:
    """Items given to the library as rows of a dataset."""

    def __init__(self, items: Iterable[ItemLike]) -> None:
        if isinstance(items, (str, bytes, Mapping)):
            raise UsageError("items must be several rows, not one; `karat grade FILE` reads files")
        given = list(items)
        if not given:
            raise UsageError("there are no items to grade")
        self.rows = [_row(number, one) for number, one in enumerate(given, 1)]
        self.fields: dict[str, None] = {}
        self.skipped = 0

    def __iter__(self) -> Iterator["NewRow"]:
        for row in self.rows:
            self.fields.update(dict.fromkeys(row.columns))
            yield row


def _row(number: int, given: Any) -> "NewRow":  # noqa: ANN401 - callers need not be typed
    from karat.store import NewRow

    if isinstance(given, Item):
        return NewRow(
            number, str(number), _item(number, given.question, given.references, given.answer), None, {}
        )
    if isinstance(given, Mapping):
        return _row_of_mapping(number, cast("Mapping[str, Any]", given))
    fields = tuple(cast("Iterable[object]", given)) if isinstance(given, (tuple, list)) else ()
    if len(fields) != 3:  # noqa: PLR2004 - a triple
        raise UsageError(
            f"item {number} is not (question, reference or references, answer), a mapping or a karat.Item"
        )
    return NewRow(number, str(number), _item(number, *fields), None, {})


def _row_of_mapping(number: int, given: Mapping[str, Any]) -> "NewRow":
    """Read a mapping by the names and rules that files are read by."""
    from karat.rows import BadRow, find_columns, list_paths, read_mapping
    from karat.store import NewRow

    try:
        named = {str(name): value for name, value in given.items()}
        columns = find_columns(list(list_paths(named, {})), {}, remedy=_REMEDY)
        row = read_mapping(number, named, columns)
    except UsageError as error:
        raise UsageError(f"item {number}: {error}") from None
    if isinstance(row, BadRow):
        raise UsageError(f"item {number}: {row.problem}")
    label = None if columns.label is None else row.value(columns.label)
    return NewRow(number, row.id, row.item, row.system, row.columns, label)


def _item(number: int, question: object, references: object, answer: object) -> Item:
    texts = _texts(references)
    if not texts or not all(map(str.strip, texts)):
        raise UsageError(f"item {number}: references must be a text or several, none of them empty")
    if not isinstance(answer, (str, int, float)):
        raise UsageError(f"item {number}: the answer must be text, not {type(answer).__name__}")
    if question is not None and not isinstance(question, str):
        raise UsageError(f"item {number}: the question must be text or None, not {type(question).__name__}")
    item = Item(question or None, texts, _text(answer))
    if _is_broken("\n".join((question or "", *item.references, item.answer))):
        raise UsageError(f"item {number}: half a surrogate pair is no text; decode it properly first")
    return item


def _texts(references: object) -> tuple[str, ...]:
    """One reference or several as texts; nothing where something else was given."""
    if isinstance(references, (str, int, float)):
        return (_text(references),)
    listed = cast("Sequence[object]", references) if isinstance(references, Sequence) else ()
    if set(map(type, listed)) == {str}:
        return tuple(cast("Sequence[str]", listed))
    return (
        tuple(_text(one) for one in listed)
        if all(isinstance(one, (str, int, float)) for one in listed)
        else ()
    )


def _text(value: object) -> str:
    """Numbers and truth values as they stand in JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _is_broken(text: str) -> bool:
    return not text.isascii() and _SURROGATE.search(text) is not None


def wait_for(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end; inside a running event loop (a notebook) in a thread of its own."""
    return _wait_in_thread(work) if _is_loop_running() else asyncio.run(work)


def _wait_in_thread(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end in a thread; whatever interrupts the waiting cancels the work, and waits until it is over."""
    begun: Future[Callable[[], object]] = Future()
    ended: Future[Result] = Future()
    interrupted = Event()

    async def begin() -> Result:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        begun.set_result(lambda: loop.call_soon_threadsafe(task.cancel))
        if interrupted.is_set():
            task.cancel()
        return await task

    def run() -> None:
        try:
            ended.set_result(asyncio.run(begin()))
        except BaseException as error:  # noqa: BLE001 - handed on to the caller's thread below
            ended.set_exception(error)

    thread = Thread(target=run, name="karat")
    try:
        thread.start()
        return ended.result()
    finally:
        interrupted.set()
        with suppress(RuntimeError):  # the loop is closed because the work is over, or never began
            if begun.done():
                begun.result()()
            thread.join()


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

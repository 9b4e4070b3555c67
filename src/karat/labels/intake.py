"""Import labels into the store: from a label file, from mappings, or from the label column of the answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias, cast

from msgspec import Struct

from karat.core.errors import Phrase, UsageError, option
from karat.core.scored_row import Label
from karat.labels.files import GivenLabel, read_label_file, read_labels
from karat.labels.scale import NotALabelError, Scale, guess_scale, read_label
from karat.rows import BadRow, Record, Source, quote
from karat.store import Dataset, DatasetLabels, NewLabel, Store

_NAMED = 10
_FILE_REMEDY = ("; correct it, or skip such lines with ", option("on_bad_row"), " skip")
_COLUMN_REMEDY = (
    "; set the scale with ",
    option("label_scale"),
    " LOW-HIGH, or ignore the column",
    Phrase(" with --columns label=", ""),
)
FindLeftOut: TypeAlias = Callable[[AbstractSet[str]], AbstractSet[str]]


def none_left_out(_: AbstractSet[str]) -> AbstractSet[str]:
    """Return an empty set: no limit left any row out."""
    return frozenset()


class ImportedLabels(Struct, frozen=True):
    """The result of an import: how many labels were read, how many are new, and how many older ones they replace."""

    labels: int
    new: int
    replaced: int
    skipped: int
    scale: str
    authors: tuple[str, ...]


def import_file(
    store: Store,
    dataset: Dataset,
    source: Source,
    *,
    scale: Scale | None = None,
    author: str | None = None,
    skip: bool = False,
    find_left_out: FindLeftOut = none_left_out,
    notice: Callable[[str], None] = lambda _: None,
) -> ImportedLabels:
    """Import the labels of a file, all or none; `skip` leaves out lines that cannot be read or name no row.

    `find_left_out` returns which of some ids or keys belong to rows that a limit left out: their labels are skipped.
    """
    lines = list(read_label_file(source, author))
    return _import_lines(
        store,
        dataset,
        source.name,
        lines,
        scale,
        skip=skip,
        find_left_out=find_left_out,
        notice=notice,
    )


def import_records(
    store: Store,
    dataset: Dataset,
    records: Iterable[Mapping[str, Any]],
    *,
    scale: Scale | None = None,
    author: str = "library",
    skip: bool = False,
) -> ImportedLabels:
    """Import labels that come as mappings with id, label and author."""
    lines = list(read_labels(_number(records), author, author))
    return _import_lines(
        store,
        dataset,
        "labels",
        lines,
        scale,
        skip=skip,
        find_left_out=none_left_out,
        notice=lambda _: None,
    )


def _number(records: Iterable[object]) -> Iterator[Record]:
    for number, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            raise UsageError(
                f"label {number} must be a mapping with id, label and author, not {quote(str(record))}"
            )
        yield number, {str(name): value for name, value in cast("Mapping[object, Any]", record).items()}


def _import_lines(
    store: Store,
    dataset: Dataset,
    source: str,
    lines: Sequence[GivenLabel | BadRow],
    scale: Scale | None,
    *,
    skip: bool,
    find_left_out: FindLeftOut,
    notice: Callable[[str], None],
) -> ImportedLabels:
    kept = store.labels_of(dataset)
    listed = [line for line in lines if isinstance(line, GivenLabel)]
    bad = [line for line in lines if isinstance(line, BadRow)]
    scale = scale or _guess(source, [one.content for one in listed])
    given = _skip_left_out(kept, listed, find_left_out)
    if passed := len(listed) - len(given):
        notice(f"{source}: {passed:,} label{'' if passed == 1 else 's'} of rows beyond --limit skipped")
    labels = list(_read_lines(kept, dataset, source, given, scale, bad))
    if bad and not skip:
        raise UsageError(_complain(source, bad), *_FILE_REMEDY)
    for row in bad[:_NAMED]:
        notice(f"{source}:{row.line}: {row.problem}; skipped")
    if not labels and not passed:
        raise UsageError(f"{source}: contains no labels yet; fill in the label column")
    new, replaced = kept.keep(sorted(labels, key=lambda one: one.item))
    authors = tuple(sorted({one.label.author for one in labels}))
    return ImportedLabels(len(labels), new, replaced, len(bad), scale.name, authors)


def _skip_left_out(
    kept: DatasetLabels, given: Sequence[GivenLabel], find_left_out: FindLeftOut
) -> list[GivenLabel]:
    """Return the labels without those of rows that a limit left out."""
    names = {one.name for one in given}
    strange = names - kept.find_items(names).keys()
    left_out = find_left_out(strange) if strange else frozenset[str]()
    return [one for one in given if one.name not in left_out]


def import_column(
    store: Store,
    dataset: Dataset,
    *,
    scale: Scale | None = None,
    skip: bool = False,
    notice: Callable[[str], None] = lambda _: None,
) -> ImportedLabels | None:
    """Import the label column of the answers, once for each scale; None if there are no labels or nothing is new."""
    kept = store.labels_of(dataset)
    contents = kept.raw_kinds()
    scale = scale or (_guess(dataset.source, contents) if contents else None)
    if scale is None or kept.scale() == scale.name:
        return None
    reading, bad = dict[Any, tuple[float, str] | None](), dict[Any, str]()
    for content in contents:
        try:
            reading[repr(content)] = read_label(content, scale)
        except NotALabelError as problem:
            bad[repr(content)] = str(problem)
    if bad and not skip:
        rows = sorted((raw.line, bad[repr(raw.content)]) for raw in kept.raw() if repr(raw.content) in bad)
        problem = _complain(dataset.source, [BadRow(*row) for row in rows])
        raise UsageError(problem, *_COLUMN_REMEDY)
    if bad:
        notice(f"{dataset.source}: {len(bad):,} different labels cannot be read and are skipped")
    count = 0

    def labels() -> Iterator[NewLabel]:
        nonlocal count
        for raw in kept.raw():
            found = reading.get(repr(raw.content))
            if found is not None:
                count += 1
                label = Label(dataset.label_column, *found)
                yield NewLabel(raw.item, label, f"{dataset.source}:{raw.line}")

    new, replaced = kept.keep(labels())
    kept.note_scale(scale.name)
    return ImportedLabels(count, new, replaced, 0, scale.name, (dataset.label_column,)) if count else None


def _guess(source: str, contents: Sequence[Any]) -> Scale:
    try:
        return guess_scale(contents)
    except UsageError as error:
        raise UsageError(f"{source}: ", error) from None


def _read_lines(
    kept: DatasetLabels,
    dataset: Dataset,
    source: str,
    given: Sequence[GivenLabel],
    scale: Scale,
    bad: list[BadRow],
) -> Iterator[NewLabel]:
    """Yield labels with their items; lines with a problem are added to `bad`, in the order of the lines."""
    items = kept.find_items({one.name for one in given})
    said = dict[tuple[str, str], tuple[int, tuple[float, str]]]()
    for one in given:
        try:
            found = read_label(one.content, scale)
        except NotALabelError as problem:
            bad.append(BadRow(one.line, str(problem)))
            continue
        if found is None:
            continue
        line, before = said.setdefault((one.name, one.author), (one.line, found))
        if one.name not in items:
            among = f"among the {dataset.rows:,} rows that were read"
            bad.append(BadRow(one.line, f"{dataset.source} has no row with the id {quote(one.name)} {among}"))
        elif before != found:
            bad.append(
                BadRow(
                    one.line, f"{quote(one.author)} gave {quote(one.name)} a different label in line {line}"
                )
            )
        elif line == one.line:
            yield NewLabel(items[one.name], Label(one.author, *found), f"{source}:{one.line}")
    bad.sort(key=lambda row: row.line)


def _complain(source: str, bad: Sequence[BadRow]) -> str:
    first, *others = bad
    lines = ", ".join(str(row.line) for row in others[: _NAMED - 1]) + (
        ", …" if len(others) >= _NAMED else ""
    )
    more = (
        f" ({len(others):,} more bad {'row' if len(others) == 1 else 'rows'}: line {lines})" if others else ""
    )
    return f"{source}:{first.line}: {first.problem}{more}"

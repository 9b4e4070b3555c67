"""The user's own rows, read as `karat grade` reads them."""

from collections.abc import Callable, Iterator, Mapping

from karat.audit.rows import Given, read_label
from karat.rows import Source
from karat.rows.paths import pick
from karat.run import OnBadRow
from karat.run.intake import SourceIntake


def read_given(
    source: Source,
    chosen: Mapping[str, str],
    *,
    on_bad_row: OnBadRow = "stop",
    notice: Callable[[str], None] = lambda _: None,
) -> Iterator[Given]:
    """The good rows with their labels, where a column holds some."""
    columns = source.find_columns(chosen)
    notice(f"{source.name}: {columns.describe()}")
    for row in SourceIntake(source, columns, on_bad_row=on_bad_row, limit=None, notice=notice):
        label = None if columns.label is None else read_label(pick(row.columns, columns.label))
        yield Given(row.id, row.item, label)

"""From the store to what a report says."""

import time
from collections.abc import Mapping, Sequence

from karat.core.errors import UsageError
from karat.report.agreement import agree
from karat.report.comparison import Comparison, compare
from karat.report.content import Facts, Report, RunReport
from karat.report.marks import SYSTEM, read_marks, read_tags
from karat.report.slices import slice_by
from karat.report.summary import summarise
from karat.rows import find_columns, parse_columns
from karat.store import Dataset, Run, Store

MOST_GROUPS = 40
MOST_TAGS = 6
_FEWEST_ROWS = 2.0


def gather(
    store: Store,
    runs: Sequence[Run],
    *,
    passing: int,
    created: str,
    karat: str,
    by: Sequence[str] | None = None,
    cluster: str | None = None,
) -> Report:
    """Read runs and count them up; without `by`, tags with few different values are what is sliced by."""
    ...

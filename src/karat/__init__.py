"""karat grades answers against reference answers and estimates how reliable the grades are."""

from karat.api import (
    Grades,
    aaudit_judge,
    add_labels,
    agrade,
    agree,
    audit_judge,
    compare,
    grade,
    judge,
    need_labels,
    plan_labels,
    write_report,
)
from karat.core.errors import KaratError, SetupError, UsageError
from karat.core.options import Options
from karat.core.types import Item, Outcome, ProtocolName, Spent, Unjudged, Verdict

__version__ = "0.2.0"

__all__ = [
    "Grades",
    "Item",
    "KaratError",
    "Options",
    "Outcome",
    "ProtocolName",
    "SetupError",
    "Spent",
    "Unjudged",
    "UsageError",
    "Verdict",
    "aaudit_judge",
    "add_labels",
    "agrade",
    "agree",
    "audit_judge",
    "compare",
    "grade",
    "judge",
    "need_labels",
    "plan_labels",
    "write_report",
]

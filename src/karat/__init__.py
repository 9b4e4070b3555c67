"""karat grades answers against reference answers and estimates how reliable the grades are."""

from karat.api import (
    aaudit_judge,
    add_labels,
    agrade,
    agree,
    ajudge,
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
from karat.grades import Grades, Progress

__version__ = "0.2.0"

__all__ = [
    "Grades",
    "Item",
    "KaratError",
    "Options",
    "Outcome",
    "Progress",
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
    "ajudge",
    "audit_judge",
    "compare",
    "grade",
    "judge",
    "need_labels",
    "plan_labels",
    "write_report",
]

"""karat grades answers against reference answers and says how far the grades can be trusted."""

from karat._api import Grades, agrade, grade, judge
from karat.core.errors import BudgetReached, KaratError, SetupError, UsageError
from karat.core.types import Item, Outcome, Spent, Unjudged, Verdict

__version__ = "0.1.0"

__all__ = [
    "BudgetReached",
    "Grades",
    "Item",
    "KaratError",
    "Outcome",
    "SetupError",
    "Spent",
    "Unjudged",
    "UsageError",
    "Verdict",
    "agrade",
    "grade",
    "judge",
]

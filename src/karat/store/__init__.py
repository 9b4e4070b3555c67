"""SQLite: runs, items, outcomes and completions."""

from karat.store.records import Dataset, Graded, Intake, NewRow, Run
from karat.store.store import Store

__all__ = ["Dataset", "Graded", "Intake", "NewRow", "Run", "Store"]

"""The store: runs, items, outcomes, completions and labels in SQLite."""

from karat.store.label_plans import LabelPlan
from karat.store.labels import DatasetLabels, KnownLabels, NewLabel
from karat.store.records import Dataset, Graded, Intake, KeptLabel, NewRow, Planned, RawLabel, Run
from karat.store.store import Store

__all__ = [
    "Dataset",
    "DatasetLabels",
    "Graded",
    "Intake",
    "KeptLabel",
    "KnownLabels",
    "LabelPlan",
    "NewLabel",
    "NewRow",
    "Planned",
    "RawLabel",
    "Run",
    "Store",
]

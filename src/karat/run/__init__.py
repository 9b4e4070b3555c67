"""Runs: from a source and a judge to outcomes in the store."""

from karat.run.forecast import Forecast
from karat.run.grade import forecast_run, grade_run, group_size, open_run
from karat.run.intake import ItemIntake, OnBadRow, find_rows, take_in, take_items
from karat.run.local import Step
from karat.run.records import export_run, records
from karat.run.rehearsal import Range, Takes

__all__ = [
    "Forecast",
    "ItemIntake",
    "OnBadRow",
    "Range",
    "Step",
    "Takes",
    "export_run",
    "find_rows",
    "forecast_run",
    "grade_run",
    "group_size",
    "open_run",
    "records",
    "take_in",
    "take_items",
]

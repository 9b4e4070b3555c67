"""Runs: load rows, judge them, and write the outcomes."""

from karat.run.forecast import Forecast, Range, Takes
from karat.run.grade import forecast_run, grade_run, group_size, open_run
from karat.run.intake import ItemIntake, OnBadRow, find_rows, load_items, load_source
from karat.run.local import Step
from karat.run.records import export_run, records

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
    "load_items",
    "load_source",
    "open_run",
    "records",
]

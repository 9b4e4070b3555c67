"""What people say of answers: read, kept, and asked for where it helps most."""

from karat.labels.files import list_labels, write_labels
from karat.labels.intake import Beyond, Taken, nothing_beyond, take_column, take_file, take_records
from karat.labels.plan import LabelPlanning, Stratum, check_plan_file, draw_plan, repeat_plan, write_plan
from karat.labels.scale import Scale, parse_scale

__all__ = [
    "Beyond",
    "LabelPlanning",
    "Scale",
    "Stratum",
    "Taken",
    "check_plan_file",
    "draw_plan",
    "list_labels",
    "nothing_beyond",
    "parse_scale",
    "repeat_plan",
    "take_column",
    "take_file",
    "take_records",
    "write_labels",
    "write_plan",
]

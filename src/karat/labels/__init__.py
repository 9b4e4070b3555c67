"""What people say of answers: read, kept, and asked for where it helps most."""

from karat.labels.plan import LabelPlanning, draw_plan, write_plan
from karat.labels.scale import Scale, parse_scale
from karat.labels.taking import Taken, take_column, take_file

__all__ = [
    "LabelPlanning",
    "Scale",
    "Taken",
    "draw_plan",
    "parse_scale",
    "take_column",
    "take_file",
    "write_plan",
]

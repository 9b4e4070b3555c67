"""Human labels: import them, write them, and choose which rows to label next."""

from karat.labels.files import list_labels, write_labels
from karat.labels.intake import (
    FindLeftOut,
    ImportedLabels,
    import_column,
    import_file,
    import_records,
    none_left_out,
)
from karat.labels.plan import LabelPlanning, Stratum, check_plan_file, draw_plan, repeat_plan, write_plan
from karat.labels.scale import Scale, parse_scale

__all__ = [
    "FindLeftOut",
    "ImportedLabels",
    "LabelPlanning",
    "Scale",
    "Stratum",
    "check_plan_file",
    "draw_plan",
    "import_column",
    "import_file",
    "import_records",
    "list_labels",
    "none_left_out",
    "parse_scale",
    "repeat_plan",
    "write_labels",
    "write_plan",
]

"""karat in a Ray Data pipeline: `karat.ray.grade(dataset, judge=…) -> Dataset`; needs the extra `ray`."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

from karat.arguments import public
from karat.core.errors import UsageError
from karat.core.options import Options
from karat.core.types import ProtocolName

if TYPE_CHECKING:
    from ray.data import Dataset  # pyright: ignore[reportMissingImports, reportUnknownVariableType, reportMissingModuleSource] - an extra

__all__ = ["grade"]


@public
def grade(
    dataset: "Dataset",
    *,
    judge: str = "embedded",
    protocol: ProtocolName | None = None,
    columns: Mapping[str, str] | None = None,
    on_bad_row: Literal["stop", "skip"] = "stop",
    actors: int | None = None,
    **options: Unpack[Options],
) -> "Dataset":
    """Judge the rows of a dataset as a lazy step of its pipeline: adds the fixed fields of a verdict before its own columns.

    Identical rows are judged once per batch. All actors of the step share the limits and the budget.
    """
    from karat.judges import build_request, plan_judge, unless_default
    from karat.ray.cluster import load_ray
    from karat.ray.datasets import grade_dataset

    load_ray("ray.data")
    if options.get("via", "calls") != "calls":
        raise UsageError("via='batch' is not supported with Ray; leave it out")
    plan = plan_judge(build_request(unless_default(judge), protocol, options), os.environ)
    found: Any = grade_dataset(dataset, plan, columns or {}, on_bad_row=on_bad_row, actors=actors)
    return found

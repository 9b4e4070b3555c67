"""A file graded by a provider, as the command line does it."""

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

from msgspec import structs

from karat.core.options import Options
from karat.core.types import Spent
from karat.judges import Plan, build_request, plan_judge
from karat.models import Patience
from karat.rows import open_source
from karat.run import grade_run, load_source, open_run, records
from karat.store import Store

QUICK = Patience(attempts=2, seconds=5, wait=0.01, longest_wait=0.02)


class Result:
    """What a run left behind."""

    def __init__(self, rows: list[dict[str, Any]], spent: Spent, notices: list[str]) -> None:
        self.rows = rows
        self.spent = spent
        self.notices = notices

    @property
    def ids(self) -> list[str]:
        return [row["id"] for row in self.rows]

    @property
    def values(self) -> list[Any]:
        return [row["value"] for row in self.rows]


def write_rows(path: Path, numbers: Iterable[int]) -> Path:
    """Rows that no rule is sure about, so that a model has to be asked."""
    lines = [
        json.dumps(
            {
                "id": f"r{number}",
                "question": f"What do you see in picture {number}?",
                "reference": f"a boat with {number} red sails",
                "answer": f"something that floats past buoy {number * 7 + 1}",
            }
        )
        for number in numbers
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def plan(judge: str | None, environment: dict[str, str] | None = None, **options: Any) -> Plan:
    protocol = options.pop("protocol", None)
    patience = options.pop("patience", QUICK)
    request = structs.replace(build_request(judge, protocol, cast("Options", options)), patience=patience)
    return plan_judge(request, environment or {})


def grade(
    path: Path,
    base_url: str,
    store: str | Path | Store,
    *,
    limit: int | None = None,
    retry: bool = False,
    watch: Callable[[Any], None] = lambda _: None,
    **options: Any,
) -> Result:
    """Grade a file, and give the rows, the spend and the notices."""
    planned = plan(None if "panel" in options else f"{base_url}#m", **options)
    notices = list[str]()
    context = nullcontext(store) if isinstance(store, Store) else Store(str(store))
    with open_source(str(path)) as source, context as opened:
        run = open_run(opened, load_source(opened, source, {}, limit=limit), planned)
        asyncio.run(grade_run(opened, run, planned, retry=retry, watch=watch, notice=notices.append))
        return Result(list(records(run, opened.graded(run))), opened.spent(run), notices)

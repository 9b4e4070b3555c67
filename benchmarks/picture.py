"""Draws docs/summary.svg: what `karat grade examples/answers.jsonl` shows. Run it with `make picture`."""

import re
from pathlib import Path

from rich.console import Console

import karat
from karat.report.terminal import draw_summary
from karat.rows import open_source

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Grade the example and save the summary as a picture."""
    with open_source(str(ROOT / "examples" / "answers.jsonl")) as source:
        rows = [row.columns for row in source.rows(source.find_columns({})) if hasattr(row, "columns")]
    summary = karat.grade(rows).summary
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=86, file=nowhere, highlight=False)
        console.print(draw_summary(summary, f"rules · match · {summary.rows} rows"))
    picture = console.export_svg(title="karat grade examples/answers.jsonl", unique_id="karat")
    local = re.sub(r"\s*@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    (ROOT / "docs" / "summary.svg").write_text(local, encoding="utf-8")


if __name__ == "__main__":
    main()

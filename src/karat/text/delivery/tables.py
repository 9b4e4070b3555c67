"""The answer in a table of one row."""

import re

_RULE = re.compile(r"\s*\|?[ :|-]*-[ :|-]*")
_NAMES = frozenset({"answer", "final answer", "short answer", "response", "prediction"})


def find_in_table(text: str) -> str | None:
    """Return the cell that a table of one row has below "Answer", or beside it."""
    lines = [line for line in text.split("\n") if "|" in line]
    ruled = next((place for place, line in enumerate(lines) if _RULE.fullmatch(line)), None)
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    if ruled == 1 and len(rows) == ruled + 2:
        below = [cell for name, cell in zip(rows[0], rows[2], strict=False) if _is_name(name)]
        return below[0] if len(below) == 1 else None
    beside = [row[1] for row in rows if len(row) == 2 and _is_name(row[0])]  # noqa: PLR2004 - a name and a value
    return beside[0] if ruled is not None and len(beside) == 1 else None


def _is_name(cell: str) -> bool:
    return cell.strip("*_ ").lower() in _NAMES

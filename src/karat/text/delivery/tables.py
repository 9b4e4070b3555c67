"""The answer in a table of one row."""

import re

from karat.text.delivery.losing import is_blank

_RULE = re.compile(r"\s*\|?[ :|-]*-[ :|-]*")
_ANSWERS = frozenset({"answer", "final answer", "short answer"})
_BESIDE = frozenset(
    {
        "#",
        "id",
        "no",
        "question",
        "query",
        "source",
        "sources",
        "confidence",
        "status",
        "field",
        "value",
        "evidence",
    }
)


def find_in_table(text: str) -> str | None:
    """Return the cell that a table of one row has below "Answer", or beside it, where the others are none of the answer."""
    lines = [line for line in text.split("\n") if not is_blank(line) or "|" in line]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    if len(lines) < 3 or not all("|" in line for line in lines) or not _RULE.fullmatch(lines[1]):  # noqa: PLR2004 - head, rule, row
        return None
    names = [_name(cell) for cell in rows[0]]
    if len(rows) == 3 and len(rows[2]) == len(names) and set(names) <= _ANSWERS | _BESIDE:  # noqa: PLR2004
        held = [cell for name, cell in zip(names, rows[2], strict=True) if name in _ANSWERS]
    else:
        beside = {_name(row[0]): row[-1] for row in rows[2:]}
        held = (
            [cell for name, cell in beside.items() if name in _ANSWERS]
            if set(beside) <= _ANSWERS | _BESIDE
            else []
        )
    return held[0] if len(held) == 1 else None


def _name(cell: str) -> str:
    return cell.strip("*_ ").lower()

"""Names in braces that look like places for the items and are none: they are sent as they stand."""

import re
from collections.abc import Iterator

from karat.protocols.wording import PLACEHOLDERS

_NAME = re.compile(r"(?<![\w{}$^\\])\{ *([A-Za-z_][A-Za-z_0-9-]{0,30}) *\}(?!\})")  # not \frac{a}{b}
_MEANT = {
    "input": "question", "query": "question", "target": "reference", "expected": "reference", "gold": "reference",
    "ground_truth": "reference", "ideal": "reference", "output": "answer", "response": "answer", "prediction": "answer",
    "completion": "answer", "items": "examples", "n": "n_queries",
}  # fmt: skip


def doubt_names(body: str, name: str, offset: int) -> Iterator[str]:
    """Say of each such name where it stands first, and which placeholder may be meant."""
    seen = {f"{{{known}}}" for known in PLACEHOLDERS}
    for found in _NAME.finditer(body):
        if found[0] in seen:
            continue
        seen.add(found[0])
        meant = _guess(found[1])
        line = body.count("\n", 0, found.start()) + 1 + offset
        asked = (
            f"; is {{{meant}}} meant?"
            if meant
            else f"; known are {', '.join(f'{{{known}}}' for known in PLACEHOLDERS)}"
        )
        yield f"{name}:{line}: {found[0]} is sent as it stands{asked}"


def _guess(name: str) -> str | None:
    from difflib import get_close_matches

    plain = name.lower().replace("-", "_")
    near = get_close_matches(_MEANT.get(plain, plain), PLACEHOLDERS, n=1, cutoff=0.7)
    return near[0] if near else None

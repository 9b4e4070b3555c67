r"""The expression that an answer comes to: what is boxed, what stands behind "####" or the last sign of equality, or the whole of it."""

import re

from karat.text.dressing import undress
from karat.text.notation import find_boxed

_MARKED = re.compile(r"####\s*(?P<said>[^\n]+?)\s*$")
_LEAD = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|then)\W+)?(?:the\s+)?(?:(?:final|correct|exact|my)\s+)*(?:(?:answer|result|value|solution|total|sum)(?:\s+is|\s+comes\s+to|\s+equals)?|it\s+is|it'?s|that\s+is|which\s+is)\s*:?\s+",
    re.IGNORECASE,
)
_WRAPS = re.compile(r"\*\*|`|^\s*[\"']|[\"']\s*\.?\s*$")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_PROSE = re.compile(r"(?<![\\\w])(?!sqrt|frac|pi\b)[A-Za-z]{3}")
_SEVERAL = re.compile(r"\b(?:or|and)\b|;|,\s*[a-z]\s*=", re.IGNORECASE)
_LAST = re.compile(r"(?<![<>!~])[=≈](?P<said>[^=≈]+)$")
_MOST_AFTER = 40


def find_final(question: str, answer: str) -> str | None:
    """Return the expression, or None where an answer goes on, or is prose."""
    boxed = find_boxed(answer)
    if boxed is not None:
        after = answer[answer.rfind(boxed) + len(boxed) :]
        return _TEXT.sub(r"\1", boxed).strip() if len(after) <= _MOST_AFTER else None
    marked = _MARKED.search(answer)
    if marked is not None:
        return marked["said"]
    for text in (answer, undress(question, answer)):
        bare = _LEAD.sub("", _WRAPS.sub("", text).strip())
        if not _PROSE.search(bare) and not _SEVERAL.search(bare):
            last = _LAST.search(bare)
            return (last["said"] if last else bare).strip()
    return None


_NAMED = re.compile(r"\$?\s*[A-Za-z](?:\([a-z]\))?\s*=(?!=)")


def strip_name(reference: str) -> str:
    """Return a reference without the letter that it is said of: "x = 5", "f(x) = 2x"."""
    return _NAMED.sub("", reference, count=1) if _NAMED.match(reference) else reference

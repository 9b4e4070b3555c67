r"""The expression that an answer comes to: what is boxed, what stands behind "####" or the last sign of equality, or the whole of it."""

import re

from msgspec import Struct

from karat.text.arithmetic import compare, find_worth
from karat.text.dressing import undress
from karat.text.notation import find_boxed

_LEAD = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|then)\W+)?(?:the\s+)?(?:(?:final|correct|exact|my)\s+)*(?:(?:answer|result|value|solution|total|sum)(?:\s+is|\s+comes\s+to|\s+equals)?|it\s+is|it'?s|that\s+is|which\s+is)\s*:?\s+",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"^\s*(?:\*\*([^*]+)\*\*|`([^`]+)`|\"([^\"]+)\"|'([^']+)')\s*\.?\s*$")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_PROSE = re.compile(r"(?<![\\\w])(?!sqrt|frac|pi\b)[A-Za-z]{3}")
_SEVERAL = re.compile(
    r"\b(?:or|and|so)\b|[;\n≈→]|->|,(?!\d{3}(?!\d))(?=[^)\]}]*$)|,(?=.*=)|(?<=\$)\s*,", re.IGNORECASE
)
_EQUALS = re.compile(r"(?<![<>!~])=")
_NAME = re.compile(r"\$?\s*[A-Za-z](?:\([a-z]\))?\s*")
_AFTER = re.compile(r"(?:[\s.!*$)\]]|\\[)\]])*")
_SENTENCE = re.compile(r"[.!?:](?=\s)|\n")
_UNSURE = re.compile(
    r"\b(?:not|never|cannot|\w+n['’]?t|wrong|incorrect|first|or|unless|if)\b|\?", re.IGNORECASE
)


class Final(Struct, frozen=True):
    """An expression, the letter that it is said of, and whether it is all that an answer says."""

    text: str
    whole: bool
    name: str = ""


def find_final(question: str, answer: str) -> Final | None:
    """Return what an answer comes to, or None where it goes on, doubts or is prose."""
    if "\\boxed" in answer:
        return _find_in_box(answer)
    marked = answer.rfind("####")
    if marked >= 0:
        said = answer[marked + 4 :].strip()
        return Final(said, whole=True) if said and "\n" not in said else None
    for text in (answer, undress(question, answer)):
        bare = _LEAD.sub("", _unwrap(text).strip())
        if not _PROSE.search(bare) and not _SEVERAL.search(bare):
            return _find_last(_unwrap(bare))
    return None


def is_marked(text: str) -> bool:
    """Tell whether a text marks what it comes to, however long the way to it is."""
    return "\\boxed" in text or "####" in text


def find_wanted(reference: str) -> tuple[str, str]:
    """Return the letter that a reference is said of, and its expression: what it comes to, where it shows its work."""
    final = find_final("", reference) if is_marked(reference) else None
    return (final.name, final.text) if final else split_name(reference)


def _find_last(text: str) -> Final | None:
    """Return what stands behind the last sign of equality, where a letter or nothing but the same value stands before it."""
    *sides, last = (side.strip() for side in _EQUALS.split(text))
    name = ""
    if sides and _NAME.fullmatch(sides[0]):
        name = sides.pop(0).strip(" $")
    worth = find_worth(last) if sides else None
    for side in sides:
        other = find_worth(side)
        if worth is None or other is None or other.letters or compare(other, worth) != "same":
            return None
    return Final(last, whole=not sides, name=name)


def _find_in_box(answer: str) -> Final | None:
    boxes = find_boxed(answer)
    if not boxes or len({inner for inner, _, _ in boxes}) > 1:
        return None
    inner, start, end = boxes[-1]
    begin = max((stop.end() for stop in _SENTENCE.finditer(answer, 0, start)), default=0)
    if not _AFTER.fullmatch(answer, end) or _UNSURE.search(answer, begin, start):
        return None
    name, said = split_name(_TEXT.sub(r"\1", inner).replace("\\%", "%"))
    return Final(said.strip(), whole=True, name=name)


def _unwrap(text: str) -> str:
    found = _WRAPPED.match(text)
    return next(filter(None, found.groups())) if found else text


def split_name(text: str) -> tuple[str, str]:
    """Return the letter that an expression is said of, and the expression: "x = 5", "f(x) = 2x"."""
    name, equals, said = text.partition("=")
    named = equals and _NAME.fullmatch(name) and "=" not in said
    return (name.strip(" $"), said.strip(" $")) if named else ("", text)

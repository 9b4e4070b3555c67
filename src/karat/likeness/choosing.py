"""Which of many references are worth the encoder's time."""

from karat.text.clean import strip_invisible
from karat.text.normalise import normalise

_LONGEST = 2000


def choose_references(references: tuple[str, ...], answer: str, most: int = 2) -> list[int]:
    """Return the places of the references likest to the answer, likest first, whatever order they come in."""
    if len(references) <= 1:
        return list(range(len(references)))
    from rapidfuzz import fuzz

    given = normalise(strip_invisible(answer)[:_LONGEST])
    words = set(given.split())
    marks: list[tuple[float, int]] = []
    seen: set[str] = set()
    # By the alphabet, so that of equal ones the same text is taken in any order.
    for place, reference in sorted(enumerate(references), key=lambda each: each[1]):
        form = normalise(reference[:_LONGEST])
        if form in seen:
            continue
        seen.add(form)
        wanted = set(form.split())
        recall = len(wanted & words) / len(wanted) if wanted else 0.0
        precision = len(wanted & words) / len(words) if words else 0.0
        mark = 2 * recall + precision + fuzz.ratio(form, given) / 100 + fuzz.partial_ratio(form, given) / 100
        marks.append((-mark, place))
    return [place for _, place in sorted(marks, key=lambda each: each[0])[:most]]

"""Likeness of spelling: misspelt, inflected and joined words."""

from karat.likeness.wordlists import FUNCTION

NAMES = (
    "ratio", "partial", "token_sort", "token_set", "jaro", "soft_recall", "soft_least", "soft_new_recall", "compact_contained",
    "acronym",
)  # fmt: skip
_LONGEST = 400
_MOST_WORDS = 40


def measure_spelling(question: list[str], reference: list[str], answer: list[str]) -> list[float]:
    """Compare the letters of the texts, and each word of the reference with its likest in the answer."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import JaroWinkler

    first, second = " ".join(reference)[:_LONGEST], " ".join(answer)[:_LONGEST]
    if not first or not second:
        return [0.0] * len(NAMES)
    likest = _find_likest([word for word in reference if word not in FUNCTION] or reference, answer)
    new = [like for word, like in likest if word not in question]
    likes = [like for _, like in likest]
    compact = first.replace(" ", "")
    return [
        fuzz.ratio(first, second) / 100,
        fuzz.partial_ratio(first, second) / 100,
        fuzz.token_sort_ratio(first, second) / 100,
        fuzz.token_set_ratio(first, second) / 100,
        JaroWinkler.similarity(first[:60], second[:60]),
        sum(likes) / len(likes),
        min(likes),
        sum(new) / len(new) if new else -1.0,
        float(len(compact) > 3 and compact in second.replace(" ", "")),  # noqa: PLR2004 - letters that could not be chance
        _initials(reference, answer),
    ]


def _find_likest(wanted: list[str], answer: list[str]) -> list[tuple[str, float]]:
    from rapidfuzz import fuzz, process

    given = list(dict.fromkeys(answer))[: 8 * _MOST_WORDS]
    known = set(given)
    likest: list[tuple[str, float]] = []
    for word in wanted[:_MOST_WORDS]:
        if word in known:
            likest.append((word, 1.0))
            continue
        found = process.extractOne(word, given, scorer=fuzz.ratio)
        likest.append((word, found[1] / 100 if found else 0.0))
    return likest


def _initials(reference: list[str], answer: list[str]) -> float:
    """Tell whether the initials of one are a word of the other."""
    for long, short in ((reference, answer), (answer, reference)):
        if 2 <= len(long) <= 8 and "".join(word[0] for word in long if word not in FUNCTION) in short[:12]:  # noqa: PLR2004 - letters of an acronym
            return 1.0
    return 0.0

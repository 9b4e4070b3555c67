"""Words that a reference and an answer share, beyond those that the question gave away."""

from collections import Counter
from itertools import pairwise

from karat.likeness.wordlists import FUNCTION

NAMES = (
    "precision", "recall", "f1", "content_recall", "new_recall", "new_words", "new_missing", "answer_new", "answer_new_share",
    "answer_from_question", "reference_from_question", "contained", "containing", "first_word", "last_word", "place",
    "pair_recall", "shared_run",
)  # fmt: skip


def measure_words(question: list[str], reference: list[str], answer: list[str]) -> list[float]:
    """Measure overlap; the words of the question prove nothing, so what goes beyond them is counted apart."""
    asked = set(question)
    given, wanted = set(answer), set(reference)
    common = sum((Counter(reference) & Counter(answer)).values())
    precision = common / len(answer) if answer else 0.0
    recall = common / len(reference) if reference else 0.0
    content = wanted - FUNCTION or wanted
    new = content - asked
    added = given - asked - FUNCTION
    alien = added - wanted
    joined, inside = f" {' '.join(answer)} ", f" {' '.join(reference)} "
    at = joined.find(inside)
    pairs = set(pairwise(reference))
    found = pairs & set(pairwise(answer))
    return [
        precision,
        recall,
        2 * precision * recall / (precision + recall) if common else 0.0,
        _share(content & given, content),
        _share(new & given, new) if new else -1.0,
        min(len(new), 12) / 4,
        min(len(new - given), 12) / 4,
        min(len(alien), 20) / 5,
        _share(alien, added),
        _share(given & asked, given),
        _share(content & asked, content),
        float(at >= 0 and bool(reference)),
        float(bool(answer) and joined in inside),
        float(bool(reference) and reference[0] in given),
        float(bool(reference) and reference[-1] in given),
        joined.count(" ", 0, at) / max(len(answer), 1) if at >= 0 else 1.0,
        len(found) / len(pairs) if pairs else -1.0,
        _longest_run(reference, answer) / max(len(reference), 1),
    ]


def _share(part: set[str], whole: set[str]) -> float:
    return len(part) / len(whole) if whole else 0.0


def _longest_run(reference: list[str], answer: list[str]) -> int:
    """Return how many words in a row of the reference stand in the answer in that order, one after the other."""
    best = 0
    previous: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for place, word in enumerate(answer):
        places.setdefault(word, []).append(place)
    for word in reference:
        current = {place: previous.get(place - 1, 0) + 1 for place in places.get(word, ())}
        best = max(best, *current.values()) if current else best
        previous = current
    return best

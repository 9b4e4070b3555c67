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
    """Return how many words in a row of the reference stand in the answer in that order, one after the other.

    The runs of the shorter text are held in a suffix automaton, so that the time grows with the number of words only.
    """
    shorter, longer = sorted((reference, answer), key=len)
    steps, links, lengths = _collect_runs(shorter)
    best = state = length = 0
    for word in longer:
        while state and word not in steps[state]:
            state = links[state]
            length = lengths[state]
        if word in steps[state]:
            state = steps[state][word]
            length += 1
            best = max(best, length)
    return best


def _collect_runs(words: list[str]) -> tuple[list[dict[str, int]], list[int], list[int]]:
    """Return the suffix automaton of words: for each state the steps to others, the next shorter one, and its length."""
    steps, links, lengths = [dict[str, int]()], [-1], [0]
    last = 0
    for word in words:
        new, state = len(steps), last
        steps.append({})
        lengths.append(lengths[last] + 1)
        links.append(0)
        while state >= 0 and word not in steps[state]:
            steps[state][word] = new
            state = links[state]
        if state >= 0:
            target = steps[state][word]
            if lengths[target] != lengths[state] + 1:
                split = len(steps)
                steps.append(dict(steps[target]))
                lengths.append(lengths[state] + 1)
                links.append(links[target])
                links[target] = split
                while state >= 0 and steps[state].get(word) == target:
                    steps[state][word] = split
                    state = links[state]
                target = split
            links[new] = target
        last = new
    return steps, links, lengths

"""Measure how alike a reference and an answer are: the network's features, in a fixed order."""

import math
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from karat.text.gate.refusal import resembles_refusal
from karat.text.hedges import find_doubt, is_in_list, is_in_passing
from karat.text.lexicon import FEATURE_FUNCTION_WORDS, FOREIGN_NEGATIONS, word_set
from karat.text.mention import is_asserted, is_provable
from karat.text.normal import LONGEST_TEXT, find_mentions, normalise, read_words, strip_invisible
from karat.text.values.compare import values_agree, values_conflict
from karat.text.values.dates import covers_date, dates_clash
from karat.text.values.reference import Reference, Values, read_reference, read_values

OVERLAP_NAMES = (
    "precision", "recall", "f1", "content_recall", "new_recall", "new_words", "new_missing", "answer_new", "answer_new_share",
    "answer_from_question", "reference_from_question", "contained", "containing", "first_word", "last_word", "place",
    "pair_recall", "shared_run",
)  # fmt: skip


def measure_overlap(question: list[str], reference: list[str], answer: list[str]) -> list[float]:
    """Measure the overlap of words; words that are not in the question are also counted apart."""
    asked = set(question)
    given, wanted = set(answer), set(reference)
    common = sum((Counter(reference) & Counter(answer)).values())
    precision = common / len(answer) if answer else 0.0
    recall = common / len(reference) if reference else 0.0
    content = wanted - FEATURE_FUNCTION_WORDS or wanted
    new = content - asked
    added = given - asked - FEATURE_FUNCTION_WORDS
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
    """Return the length of the longest run of words that reference and answer share.

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


# Spelling.

SPELLING_NAMES = (
    "ratio", "partial", "token_sort", "token_set", "jaro", "soft_recall", "soft_least", "soft_new_recall", "compact_contained",
    "acronym",
)  # fmt: skip
_LONGEST_SPELLED = 400
_MOST_WORDS = 40


def measure_spelling(question: list[str], reference: list[str], answer: list[str]) -> list[float]:
    """Compare the letters of the texts, and each word of the reference with the most similar word of the answer."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import JaroWinkler

    first, second = " ".join(reference)[:_LONGEST_SPELLED], " ".join(answer)[:_LONGEST_SPELLED]
    if not first or not second:
        return [0.0] * len(SPELLING_NAMES)
    similar = _find_most_similar(
        [word for word in reference if word not in FEATURE_FUNCTION_WORDS] or reference, answer
    )
    new = [like for word, like in similar if word not in question]
    likes = [like for _, like in similar]
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


def _find_most_similar(wanted: list[str], answer: list[str]) -> list[tuple[str, float]]:
    from rapidfuzz import fuzz, process

    given = list(dict.fromkeys(answer))[: 8 * _MOST_WORDS]
    known = set(given)
    found: list[tuple[str, float]] = []
    for word in wanted[:_MOST_WORDS]:
        if word in known:
            found.append((word, 1.0))
            continue
        best = process.extractOne(word, given, scorer=fuzz.ratio)
        found.append((word, best[1] / 100 if best else 0.0))
    return found


def _initials(reference: list[str], answer: list[str]) -> float:
    """Return whether the initials of one are a word of the other."""
    for long, short in ((reference, answer), (answer, reference)):
        if (
            2 <= len(long) <= 8  # noqa: PLR2004 - no acronym has one letter, few have more than eight
            and "".join(word[0] for word in long if word not in FEATURE_FUNCTION_WORDS) in short[:12]
        ):
            return 1.0
    return 0.0


# Numbers and dates.

VALUE_NAMES = (
    "reference_number", "answer_number", "number_recall", "alien_numbers", "nearest_number", "same_digits",
    "value_agrees", "value_conflicts", "date_covered", "date_clashes", "reference_is_value",
)  # fmt: skip
_DIGIT_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SCALES = (1.0, 100.0, 1e3, 1e6, 1e9)


def measure_values(reference: Reference, question: Values, answer: Values) -> list[float]:
    """Compare numbers in digits, and parsed values."""
    wanted, given = _digits(reference.text), _digits(answer.text)
    asked = _digits(question.text)
    new = given - asked
    missing = wanted - given
    is_value = reference.is_value
    dates = answer.dates or ()
    return [
        float(bool(wanted)),
        float(bool(given)),
        1 - len(missing) / len(wanted) if wanted else -1.0,
        min(len(new - wanted), 5) / 5 if wanted else 0.0,
        _nearest(wanted, new or given),
        float(bool(wanted) and wanted == new),
        float(is_value and values_agree(reference, answer, question)),
        float(is_value and values_conflict(reference, answer, question)),
        float(reference.date is not None and any(covers_date(reference.date, date) for date in dates)),
        float(
            reference.date is not None
            and bool(dates)
            and all(dates_clash(reference.date, date) for date in dates)
        ),
        float(is_value),
    ]


def _digits(text: str) -> set[str]:
    found: list[str] = _DIGIT_NUMBER.findall(text.replace(",", ""))
    return {number.rstrip("0").rstrip(".") if "." in number else number for number in found}


def _nearest(wanted: set[str], given: set[str]) -> float:
    """Return the mean closeness of the answer's nearest number to each of the reference's, at any scale: 1 is equal, 0 far away."""
    if not wanted or not given:
        return -1.0
    there = [float(each) for each in sorted(given)[:20]]
    likes: list[float] = []
    for text in sorted(wanted)[:8]:
        value = float(text)
        likes.append(max(_near(value, other) for other in there))
    return sum(likes) / len(likes)


def _near(value: float, other: float) -> float:
    if value == other:
        return 1.0
    best = 0.0
    for scale in _SCALES:
        for scaled in (other * scale, other / scale):
            size = max(abs(value), abs(scaled))
            if size:
                best = max(best, math.exp(-20 * abs(value - scaled) / size) - (0.05 if scale > 1 else 0.0))
    return best


# Stance: negations, doubts, choices, refusals, yes and no.

STANCE_NAMES = (
    "stated", "doubt_negated", "doubt_hedged", "doubt_choice", "doubt_back", "listed", "passing", "negation_added", "negation_lost",
    "hedge_words", "or_added", "unsure", "polar_same", "polar_other", "alien_names", "missing_names", "turn_words",
)  # fmt: skip
_ENGLISH = word_set(
    "not no never none cannot neither nor without isnt wasnt arent werent dont doesnt didnt cant wont"
)
_DENIALS = _ENGLISH | FOREIGN_NEGATIONS
_HEDGES = word_set(
    "maybe perhaps possibly probably might may could likely either guess think believe unsure unclear uncertain depends"
)
_TURNS = word_set("but however although though actually instead rather whereas while unlike contrary")
_CAPITAL_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+")
_POLAR_SIGNS = {"yes": 1, "true": 1, "correct": 1, "no": -1, "false": -1, "incorrect": -1}


def measure_stance(question: list[str], reference: Reference, answer: str, words: list[str]) -> list[float]:
    """Measure the stance of the first mention of the reference, then of the whole answer."""
    asked, given, wanted = set(question), set(words), set(reference.words)
    polar = _sign_of_polar(reference.words) * _sign_of_polar(words)
    return [
        *_look_at_mention(frozenset(asked), reference, answer[:LONGEST_TEXT], words),
        float(len((given - wanted - asked) & _DENIALS)),
        float(len((wanted - given) & _DENIALS)),
        float(len((given - wanted) & _HEDGES)),
        float("or" in given and "or" not in wanted and "or" not in asked),
        float(resembles_refusal(answer) if len(words) < 40 else False),  # noqa: PLR2004 - a refusal is brief
        float(polar > 0),
        float(polar < 0),
        *_count_names(asked, wanted, given, reference.text, answer),
        float(len((given - wanted) & _TURNS)),
    ]


def _look_at_mention(
    asked: frozenset[str], reference: Reference, answer: str, words: list[str]
) -> list[float]:
    if not reference.words or f" {reference.form} " not in f" {' '.join(words)} ":
        return [0.0] * 7
    placed = read_words(answer)
    size = len(reference.words)
    starts = find_mentions(reference.words, placed)
    if not starts:
        return [0.0] * 7
    begin, end = placed.tokens[starts[0]].start, placed.tokens[starts[0] + size - 1].end
    doubt = find_doubt(placed.text, begin, end, asked)
    stated = is_provable(reference, asked) and is_asserted(reference, placed, asked, [])
    return [
        float(stated),
        float(doubt == "negated"),
        float(doubt == "hedged"),
        float(doubt == "one of several"),
        float(doubt == "taken back"),
        float(is_in_list(placed.text, begin, end)),
        float(is_in_passing(placed.text, begin, end)),
    ]


def _sign_of_polar(words: list[str] | tuple[str, ...]) -> int:
    return _POLAR_SIGNS.get(words[0], 0) if words else 0


def _count_names(
    asked: set[str], wanted: set[str], given: set[str], reference: str, answer: str
) -> list[float]:
    """Count names that only the answer has, and names of the reference that it lacks."""
    ours = {each.lower() for each in _CAPITAL_NAME.findall(answer[:LONGEST_TEXT])}
    theirs = {each.lower() for each in _CAPITAL_NAME.findall(f". {reference[:LONGEST_TEXT]}")}
    return [min(len(ours - wanted - asked), 8) / 4, min(len(theirs - given), 8) / 4]


# What the question asks for.

QUESTION_KINDS = ("who", "when", "where", "many", "what", "which", "why", "how", "polar")
_POLAR_OPENERS = word_set(
    "is are was were do does did can could will would has have had should may must might am isnt dont doesnt"
)


def classify_question(words: list[str]) -> str | None:
    """Return what a question asks for, by its first question word."""
    for place, word in enumerate(words):
        if word == "how" and words[place + 1 : place + 2] and words[place + 1] in ("many", "much"):
            return "many"
        if word in ("who", "whom", "whose"):
            return "who"
        if word in ("when", "where", "what", "which", "why", "how"):
            return word
    return "polar" if words and words[0] in _POLAR_OPENERS else None


# Lengths.

SHAPE_NAMES = (
    "question_length", "reference_length", "answer_length", "longer", "no_question",
    *(f"asks_{each}" for each in QUESTION_KINDS),
)  # fmt: skip


def measure_shape(question: list[str], reference: list[str], answer: list[str]) -> list[float]:
    """Measure lengths as logarithms, and mark what is asked for."""
    asked = classify_question(question)
    lengths = [math.log1p(len(words)) / 3 for words in (question, reference, answer)]
    return [
        *lengths,
        lengths[2] - lengths[1],
        float(not question),
        *(float(asked == each) for each in QUESTION_KINDS),
    ]


# All features.

FEATURE_NAMES: tuple[str, ...] = (*OVERLAP_NAMES, *SPELLING_NAMES, *VALUE_NAMES, *STANCE_NAMES, *SHAPE_NAMES)
"""The measures in the order in which `measure` gives them."""


def measure_features(question: str | None, reference: str, answer: str) -> list[float]:
    """Measure how alike a reference and an answer are."""
    answer = strip_invisible(answer)[:LONGEST_TEXT]
    reference = reference[:LONGEST_TEXT]
    known = read_reference(reference)
    asked, ours, given = (
        _read_question((question or "")[:LONGEST_TEXT]),
        list(known.words),
        split_words(answer),
    )
    return [
        *measure_overlap(asked[0], ours, given),
        *measure_spelling(asked[0], ours, given),
        *measure_values(known, asked[1], _read_values(known, answer)),
        *measure_stance(asked[0], known, answer, given),
        *measure_shape(asked[0], ours, given),
    ]


@lru_cache(maxsize=1024)
def _read_question(question: str) -> tuple[list[str], Values]:
    return split_words(question), read_values(question)


def _read_values(reference: Reference, answer: str) -> Values:
    """Parse the answer's dates and quantities if the reference is one; otherwise its digits suffice."""
    if not reference.is_value:
        return Values(answer, None, (), None)
    return read_values(answer)


def split_words(text: str) -> list[str]:
    """Return the words of a text in their comparison form."""
    return normalise(text).split()

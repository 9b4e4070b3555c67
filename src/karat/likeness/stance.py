"""Whether the answer asserts what it mentions: negations, doubts, choices, refusals, yes and no."""

import re

from karat.text.containment import find_mentions, is_provable, is_stated
from karat.text.forms import Reference, read_words
from karat.text.hedges import find_doubt, is_listed, is_passing
from karat.text.negators import NEGATORS
from karat.text.refusals import resembles_refusal
from karat.text.vocabulary import list_words

NAMES = (
    "stated", "doubt_negated", "doubt_hedged", "doubt_choice", "doubt_back", "listed", "passing", "negation_added", "negation_lost",
    "hedge_words", "or_added", "unsure", "polar_same", "polar_other", "alien_names", "missing_names", "turn_words",
)  # fmt: skip
_ENGLISH = frozenset(
    list_words(
        "not no never none cannot neither nor without isnt wasnt arent werent dont doesnt didnt cant wont"
    )
)
_DENIALS = _ENGLISH | NEGATORS
_HEDGES = frozenset(
    list_words(
        "maybe perhaps possibly probably might may could likely either guess think believe unsure unclear uncertain depends"
    )
)
_TURNS = frozenset(
    list_words("but however although though actually instead rather whereas while unlike contrary")
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+")
_POLAR = {"yes": 1, "true": 1, "correct": 1, "no": -1, "false": -1, "incorrect": -1}
_LONGEST = 4000


def measure_stance(question: list[str], reference: Reference, answer: str, words: list[str]) -> list[float]:
    """Look at the mention of the reference, then at the answer as a whole."""
    asked, given, wanted = set(question), set(words), set(reference.words)
    polar = _polarity(reference.words) * _polarity(words)
    return [
        *_look_at_mention(frozenset(asked), reference, answer[:_LONGEST], words),
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
    stated = is_provable(reference, asked) and is_stated(reference, placed, asked, [])
    return [
        float(stated),
        float(doubt == "negated"),
        float(doubt == "hedged"),
        float(doubt == "one of several"),
        float(doubt == "taken back"),
        float(is_listed(placed.text, begin, end)),
        float(is_passing(placed.text, begin, end)),
    ]


def _polarity(words: list[str] | tuple[str, ...]) -> int:
    return _POLAR.get(words[0], 0) if words else 0


def _count_names(
    asked: set[str], wanted: set[str], given: set[str], reference: str, answer: str
) -> list[float]:
    """Count names that only the answer has, and names of the reference that it lacks."""
    ours = {each.lower() for each in _NAME.findall(answer[:_LONGEST])}
    theirs = {each.lower() for each in _NAME.findall(f". {reference[:_LONGEST]}")}
    return [min(len(ours - wanted - asked), 8) / 4, min(len(theirs - given), 8) / 4]

"""Vetoes: reasons against an answer that the network or a rule accepts."""

import re
from collections.abc import Callable

from msgspec import Struct

from karat.core.types import Item
from karat.embedded.phrases import Commitment, read_phrase_weights
from karat.text import (
    addresses_judge,
    asks_for_name,
    classify_figure,
    compare_yes_no,
    concludes_other_figure,
    find_mentioned_reference,
    find_objection,
    gives_other_figure,
    gives_other_number,
    gives_other_pair,
    has_other_identifier,
    has_other_scale,
    has_other_sign,
    is_off_topic,
    is_only_bound,
    may_differ_in_value,
    mentions_number,
    misplaces_figures,
    names_something_else,
    read_only_figure,
    respell,
    reverses_figures,
    says_opposite,
    strip_invisible,
    swaps_sides,
    uses_personal_pronoun,
)
from karat.text.lexicon import any_case


class Veto(Struct, frozen=True):
    """Why an answer should not be accepted, and whether it contradicts the reference."""

    reason: str
    conflicts: bool = False


_LIKELY, _SURE, _VERY_SURE = 0.75, 0.9, 0.97
"""The probabilities that an accept needs: with a list of answers or talk about the speaker, with phrases against it or a report, and with no word of the question."""
_COMMITTED, _SURELY_COMMITTED, _OPEN, _UNCOMMITTED = 0.9, 0.97, 0.5, 0.3
"""Shares of commitment: from where on talk commits to what it names, the same where it names something else too, where phrases are no evidence, and up to where talk does not commit."""
_ARITHMETIC_WORDS = any_case(
    r"\b(?:plus|minus|less|more|fewer|before|after|times|half|twice|double|off|short|over|under|above|below)\b"
)
REVERSES_FIGURES = "swaps the figures"
_NO_EVIDENCE = Commitment(_OPEN, idle=False)
_DIFFERS = Veto("the answer is like the reference, but its value may differ")
_OFF_TOPIC = "the answer contains the reference, but has no relation to the question"
_ONLY_MENTIONS = "the answer contains the reference, but may not give it as the answer"


def find_veto(item: Item, whole: Item, place: int, probability: float | None) -> Veto | None:
    """Return why an accepted answer should not be accepted, or None.

    `whole` is the item with the politeness of its answer; `probability` is that of the network, None where a rule accepted.
    """
    if addresses_judge(item):
        return Veto("the answer seems to address the grader; a person should check it")
    respelt = respell(item.references[place], item.answer, item.question or "")
    conflict = find_conflict(item, place, respelt)
    if conflict is not None:
        return Veto(f"the answer is like the reference, but it {conflict}", conflicts=True)
    talk = _find_talk_veto(Item(item.question, item.references, respelt), probability)
    if talk is not None:
        return Veto(talk)
    return _DIFFERS if may_differ_in_value(whole, place) and not _is_figure(item, place) else None


def find_conflict(item: Item, place: int, respelt: str) -> str | None:
    """Return how an answer contradicts the reference, or None; `respelt` is the answer with values and names written as in the reference."""
    said = Item(item.question or "", item.references, respelt)
    if gives_other_pair(item.references, item.answer):  # before a half of it is respelt
        return "gives another range or score"
    return next((reason for reason, holds in _CONFLICTS if holds(said, place)), None)


def _gives_figure(item: Item, _: int) -> bool:
    """Return whether an answer has or comes to another figure than the references, or has the same with another sign or on another scale."""
    return all(
        any(differs(reference, item.answer, item.question or "") for differs in _FIGURE_CONFLICTS)
        for reference in item.references
    )


_FIGURE_CONFLICTS = (
    gives_other_figure,
    has_other_sign,
    has_other_scale,
    is_only_bound,
    concludes_other_figure,
)
# In a longer reference, an explanation, a code is one detail of many.
_LONGEST_CODED = 100
_CONFLICTS: tuple[tuple[str, Callable[[Item, int], bool]], ...] = (
    ("gives another number", lambda item, place: gives_other_number(item.references, place, item.answer, item.question or "")),
    ("gives another code", lambda item, _: all(len(each) <= _LONGEST_CODED and has_other_identifier(each, item.answer, item.question or "") for each in item.references)),
    ("gives another figure", _gives_figure),
    ("says the opposite", lambda item, _: compare_yes_no(item.question or "", item.references, item.answer) is False),
    ("says the opposite", lambda item, _: all(says_opposite(each, item.answer, item.question or "") for each in item.references)),
    (REVERSES_FIGURES, lambda item, place: reverses_figures(item.references[place], item.answer, item.question or "")),
    (REVERSES_FIGURES, lambda item, place: misplaces_figures(item.references[place], item.answer)),
    ("swaps the roles", lambda item, place: swaps_sides(item.references[place], item.answer)),
)  # fmt: skip
"""What makes an accepted answer a No, in order: the reason that users read, and when it holds."""


def _is_figure(item: Item, place: int) -> bool:
    """Return whether an answer gives the figure with a unit that a reference is: the unit is no variable."""
    wanted = read_only_figure(item.references[place])
    if wanted is None or not wanted.noun:
        return False
    return classify_figure(item.references[place], item.answer, item.question or "") is not None


def _find_talk_veto(item: Item, probability: float | None) -> str | None:
    """Return why talk that mentions a reference may not give it as the answer."""
    talk = _weigh_phrases(item)
    likely = probability is None or probability >= _LIKELY
    reported = probability is not None and probability >= _SURE and is_report(item)
    committed = likely and talk.idle and talk.share >= _SURELY_COMMITTED
    objection = find_objection(item, listing=not committed)
    if objection is not None:
        return f"the answer is like the reference, but {objection}"
    sure = probability is None or probability >= _SURE
    open_talk = talk.share < (_COMMITTED if sure else _SURELY_COMMITTED)
    if open_talk and not reported and is_off_topic(item):
        very_sure = probability is not None and probability >= _VERY_SURE
        return None if very_sure and talk.share >= _OPEN else _OFF_TOPIC
    if only_mentions(item):
        return _ONLY_MENTIONS
    if sure:
        return None
    denied = talk.idle and talk.share <= _UNCOMMITTED and asks_for_name(item)
    personal = not likely and find_mentioned_reference(item) is not None and uses_personal_pronoun(item)
    return _ONLY_MENTIONS if denied or personal else None


def only_mentions(item: Item) -> bool:
    """Return whether an answer is talk that names something else as well, and whose phrases speak against the reference; a report is no talk."""
    talk = _weigh_phrases(item)
    against = talk.idle and talk.share <= _UNCOMMITTED
    return against and names_something_else(item) and not is_report(item)


def find_committed_reference(item: Item) -> int | None:
    """Return the place of a reference that is all that talk without a word of the question names, in phrases that commit to it."""
    committed = _weigh_phrases(item).share >= _COMMITTED and _names_alone(item)
    return find_mentioned_reference(item) if committed else None


def find_reject_doubt(item: Item) -> str | None:
    """Return why a No of the network may be wrong: talk without a word of the question names only a reference, and its phrases do not speak against it."""
    return _OFF_TOPIC if _names_alone(item) and _weigh_phrases(item).share > _UNCOMMITTED else None


def _names_alone(item: Item) -> bool:
    return is_off_topic(item) and not names_something_else(item)


def _weigh_phrases(item: Item) -> Commitment:
    """Weigh the phrases around the reference that an answer mentions; they say nothing where it mentions none, or computes with a figure."""
    shifted = any(map(mentions_number, item.references)) and _ARITHMETIC_WORDS.search(item.answer)
    weighed = None if shifted else read_phrase_weights().weigh(item.question, item.references, item.answer)
    return weighed or _NO_EVIDENCE


# Reports: no speaker, no doubt, and words or figures that talk about answers lacks.

_RULER = re.compile(r"\b(?P<name>[A-Z][a-z]{2,}) I\b")
_SPEAKS = re.compile(
    r"\b(?:[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|us|[Oo]ur|[Yy]ou|[Yy]our|[Ll]et's|[Ss]ome|[Ss]omeone|[Ss]omebody|[Ee]veryone|[Ee]verybody|[Aa]nyone|[Aa]nybody|[Nn]obody|[Pp]eople|[Ff]olks|[Ff]riends?|[Tt]eachers?)\b"
    r"|\bI\b|\?"
)
_DOUBTS = any_case(
    r"\b(?:not|no|never|nor|neither|none|but|though|although|however|while|whereas|instead|rather|or|either|whether|maybe|perhaps|likely|probably|possibly|could|might|(?-i:may)|would|should|if|unless|"
    r"wrong|incorrect|false|mistak\w*|confus\w*|mix\w*|myth|doubt\w*|guess\w*|answer\w*|say|says|said|claim\w*|believ\w*|think|thought|question|correct\w*|right|sure|certain\w*|actually|really|sorry|"
    r"wait|except|unlike|than|versus|vs|other|another|also|between|rival\w*|compar\w*|so-called|supposed\w*|alleged\w*)\b|n['’]t\b"
)
_MARKED = re.compile(r"[<>\[\]{}|~\n]")
_FIGURE = re.compile(r"\d[\d,.]*")
_LEAST_CONTENT = 2
_WORD = re.compile(r"(?<![\w'’-])[a-z][a-z'’-]{2,}")


def is_report(item: Item) -> bool:
    """Return whether an answer reports, rather than talks of an answer."""
    text = strip_invisible(item.answer)
    for reference in sorted(filter(None, item.references), key=len, reverse=True):
        text = text.replace(reference, "X")
    text = _RULER.sub(r"\g<name>", text)
    if _MARKED.search(text) or _SPEAKS.search(text) or _DOUBTS.search(text):
        return False
    content = {word for word in _WORD.findall(text) if not read_phrase_weights().knows(word)}
    return len(content.union(_FIGURE.findall(text))) >= _LEAST_CONTENT

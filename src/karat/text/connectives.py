"""Words that connect answers and are none: they offer a choice, turn to another answer, or only hold a sentence together."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from karat.text.echoes import FUNCTION_WORDS
from karat.text.forms import Words
from karat.text.vocabulary import list_words

Sort: TypeAlias = Literal["choice", "turn", "plain"]

_CHOICE = frozenset(
    list_words(
        "or either maybe perhaps possibly possible possibility possibilities probably probable likely conceivably presumably supposedly might may could guess guesses "
        "guessing think believe believes suppose suspect assume lean leaning whether versus vs alternatively alternative alternatives option options "
        "candidate candidates contender contenders plausible chance chances pick choose choice choices whichever unless else otherwise failing depends depending disagree "
        "disagrees differ differs debated unsure uncertain undecided decide forget remember recall toss torn some others other equally 50/50"
    )
)
_TURN = frozenset(
    list_words(
        "but no nope wait actually correction corrected meant mean edit oops sorry scratch however yet instead finally ultimately revised revise turns turned "
        "wrong false incorrect mistaken truth reality fact used hold hmm oh hang strike"
    )
)
_PLAIN = FUNCTION_WORDS | frozenset(
    list_words(
        "am cannot cant dont they them he she i my we our you your his her their answer answers answered answering correct right true also well too both so then again one "
        "two three any all not here such like first second third last final finally thought thoughts tell told hard difficult easy yes even very quite etc names named call called "
        "word sight seems seem looks looked look means following list best good top response solution let me see im id ill gotta got say says said saying claim claims claimed "
        "claiming idea notion belief theory story people everyone everybody someone anyone many most way mind popular common usual just simply certainly surely definitely "
        "really clearly obviously actual real thing things case about none neither nor never nobody than without though although between if rather nothing anything everything long often sometimes still now = ii iii iv"
    )
)
_CONCEDING = frozenset(list_words("although though while whereas whilst"))
_THINKING = frozenset(list_words("think believe believes suppose assume some others other"))
_NEAR = 4


def connects(form: str) -> bool:
    """Tell whether a word connects answers and is none itself."""
    return form in _PLAIN or form in _CHOICE or form in _TURN


def concedes(forms: Sequence[str]) -> bool:
    """Tell whether words leave another answer to others: "although many think of", but not "although it may be"."""
    given = frozenset(forms)
    return not _CONCEDING.isdisjoint(given) and (given & _CHOICE) <= _THINKING


def sort_at(answer: Words, place: int) -> Sort:
    """Say how a word connects where it stands: May is a month, and only "if not" offers a choice."""
    form = answer.forms[place]
    if form == "if":
        return "choice" if "not" in answer.forms[place + 1 : place + _NEAR] else "plain"
    if form == "may" and answer.text[answer.tokens[place].start] == "M":
        return "plain"
    return "choice" if form in _CHOICE else "turn" if form in _TURN else "plain"

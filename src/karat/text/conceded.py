"""Mentions that an answer makes only to give another answer: conceded before it, or added behind it."""

import re

from karat.text.forms import Words
from karat.text.vocabulary import list_words

_CONCEDED = re.compile(
    r"(?:^|[.;!?\n]\s*)(?:while|whilst|although|though|even though|even if|whereas|much as|granted that)\b[^.;!?\n]*$",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:many|most|some|people|others|you|one|they|everyone|everybody|somebody|folks)\b[^.;!?\n]{0,40}\b(?:say|says|said|think|thinks|thought|guess|guessed|believe|believes|believed|assume|answer|answered|expect|suppose|claim|claims|imagine|suggest)\b[^.;!?\n]*$",
    re.IGNORECASE,
)
_BUT = re.compile(r"[^.;!?\n]{0,20}?\b(?:but|yet|however)\b(?P<main>[^;!?\n]+)", re.IGNORECASE)
_CLAUSE = re.compile(r"[^.;!?\n]*?,\s*(?P<main>[^.;!?\n]+)")
_ASSERTED = re.compile(
    r"\W*(?:it|that|this|he|she|they|(?:the|my) (?:\w+ )?answer) (?:is|was|are|were|must be|would be) (?!an? |not\b|also\b)(?P<said>[^,;.!?\n]{1,60}?)(?:[;.!\n]|\s(?:that|who|which)\b)",
    re.IGNORECASE,
)
_LED = re.compile(
    r"\W*(?:(?:the |my )?answer\W+)?(?P<said>[^,;.!?:\n()]{0,56}\w{4,})[.;\n]\s\W*\w", re.IGNORECASE
)
_STATES = re.compile(
    r"\b(?:is|was|are|were|be|has|had|have|did|does|do|in|on|at|by|of|from|to|the|can|could|will|would|may|might|not|never)\b|n['’]?t\b|\w\w(?:ed|es|ing)\b"
)
_CONCLUDED = re.compile(
    r"\b(?:final|actual|real|true|correct|right|last|proper)\s+(?:answer|word|choice|verdict|guess|one|reply|response|decision|opinion|thought)\s+(?:is|was|would be)\s+"
    r"(?P<said>[^,;.!?\n]{1,60})",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"\b(?:guesses|candidates|options|possibilities|choices|contenders|possible answers|alternatives|suspects|one of (?:these|those|the following)|any (?:one )?of (?:these|those|them|the following)|take your pick|choose between)\b",
    re.IGNORECASE,
)
# Of these words one is in whatever the expression finds.
_OFFERING = frozenset(
    list_words(
        "guesses candidates options possibilities choices contenders answers alternatives suspects one any pick choose"
    )
)
_OPEN = re.compile(
    r"\b(?:unless (?:it|that|this) (?:is|was)|or else|(?:might|may|could) (?:just |equally )?(?:as well|well|equally) (?:be|have been)|(?:might|may|could) also be(?! \w+ed\b)|is also possible|or possibly|or perhaps|or maybe)\b|, (?:maybe|perhaps|possibly) \w",
    re.IGNORECASE,
)
_OPENING = frozenset(list_words("unless or well equally also maybe perhaps possibly"))
_SEVERAL = re.compile(r",|;|\n|\band\b|\bor\b", re.IGNORECASE)
_LONGEST = 240
_REACH = 40
_COMPARED = re.compile(
    r"\b(?:confused with|mistaken for|mixed up with|compared? (?:it )?(?:with|to)|compare|cf\.?|rather than|instead of|in place of|as opposed to|opposite of|unlike|see also|(?<!\w\s)out of|"
    r"(?:in )?contrast (?:to|with)|(?:distinct|different) from|not|not,[^,.;]{1,40},|(?:wrong|incorrect|false|mistaken)\b[^.;,:]{0,30}:)\s+(?:the |an? )?[\"'“‘*]*$",
    re.IGNORECASE,
)
_THAN = re.compile(
    r"\b(?P<word>more|less|fewer|better|worse|\w{2,}er)\b[^.;,]{0,60}\bthan\s+(?:the |an? |in |of |does |did |has |had )*[\"'“‘*]*$",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:high|low|larg|small|bigg|great|fast|slow|strong|weak)est\b[^.;]{0,80}?\b(?:compared? (?:with|to)|versus|vs\.?|as against|ahead of)\s[^.;]{0,100}\d[^.;]{0,30}\s(?:for|at|by)\s(?:the )?$",
    re.IGNORECASE,
)
_TOWARDS = (" for ", " at ", " by ", " for the ", " at the ", " by the ")
_WORD = re.compile(r"\w[\w'’-]*")


def is_conceded(text: str, start: int, end: int, asked: frozenset[str]) -> bool:
    """Tell whether the mention is conceded and the main clause names another: "While X is known too, Y is the one", "Many would say X, but it is Y"."""
    if len(text) > _LONGEST:
        return False
    follows = _CLAUSE if _CONCEDED.search(text, 0, start) else _BUT if _SAID.search(text, 0, start) else None
    clause = follows.match(text, end) if follows else None
    return clause is not None and _names(clause["main"], asked)


def is_second(text: str, start: int, asked: frozenset[str]) -> bool:
    """Tell whether a clause before the mention's own says plainly what the answer is: "It is Y; X came later"."""
    if len(text) > _LONGEST:
        return False
    first = _ASSERTED.match(text)
    if first is not None and first.end() <= start and _names(first["said"], asked):
        return True
    led = _LED.match(text)
    return led is not None and led.end("said") < start and _is_bare(led["said"], asked)


def is_overtaken(text: str, start: int, end: int, asked: frozenset[str]) -> bool:
    """Tell whether the answer concludes with another one: "My first thought was X; my final word is Y"."""
    if len(text) > _LONGEST:
        return False
    found = _CONCLUDED.search(text, end)
    return (
        found is not None
        and text[start:end].lower() not in found["said"].lower()
        and _names(found["said"], asked)
    )


def _is_bare(phrase: str, asked: frozenset[str]) -> bool:
    """Tell whether a phrase is a name or a figure of its own, and none of the question's."""
    words = _WORD.findall(phrase)
    if not words or _STATES.search(phrase) or not asked.isdisjoint(map(str.lower, words)):
        return False
    return words[0][0].isupper() or words[0][0].isdigit()


def is_compared(text: str, start: int) -> bool:
    """Tell whether the mention is what the answer is set against: "Y, often confused with X", "Y, compared with 7 % for X"."""
    if _COMPARED.search(text[max(0, start - _REACH) : start]):
        return True
    return (
        text[start].isupper()
        and text.endswith(_TOWARDS, 0, start)
        and _BESIDE.search(text[max(0, start - 6 * _REACH) : start]) is not None
    )


def is_less(text: str, start: int, asked: frozenset[str]) -> bool:
    """Tell whether the mention has less of what the question asks which of two has more of: "Poland has more than Spain"."""
    found = _THAN.search(text[max(0, start - 2 * _REACH) : start]) if "or" in asked else None
    return found is not None and found["word"].lower() in asked


def find_opening(words: frozenset[str], text: str) -> str | None:
    """Return what lets something else stand beside what an answer of these words says."""
    if len(text) > _LONGEST or _OPENING.isdisjoint(words):
        return None
    found = _OPEN.search(text)
    return None if found is None else found[0].lower()


def is_offered(answer: Words, asked: frozenset[str]) -> bool:
    """Tell whether the answer calls what it says guesses or options, and gives several."""
    if len(answer.text) > _LONGEST or _OFFERING.isdisjoint(answer.known):
        return False
    found = _OFFERED.search(answer.text)
    return found is not None and found[0].lower() not in asked and _SEVERAL.search(answer.text) is not None


def _names(clause: str, asked: frozenset[str]) -> bool:
    """Tell whether a clause holds a name or a figure that the question does not."""
    return any(
        (word[0].isupper() or word[0].isdigit()) and word.lower() not in asked and word != "I"
        for word in _WORD.findall(clause)
    )

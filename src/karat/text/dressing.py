"""What stands around an answer and is none of it: politeness, the question said again, a label, markdown."""

import re

from karat.text.normalise import normalise
from karat.text.openers import is_opener

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|\n+|$)\s*", re.DOTALL)
_POLITE = re.compile(
    r"\W*(?:(?:many )?thanks?(?: you)?(?: (?:so|very) much)?(?: for .{0,40})?|(?:that'?s |what )?an? (?:good|great|excellent|interesting) question|"
    r"(?:good|great|excellent|interesting) question|(?:sure|certainly|of course|absolutely|gladly|with pleasure|no problem)(?: thing)?"
    r"(?:,? (?:i(?:'m| am) )?(?:happy|glad) to (?:help|assist|answer).{0,20})?|(?:i(?:'m| am) )?(?:happy|glad) to help.{0,20}|hello|hi(?: there)?|hey|"
    r"good (?:morning|afternoon|evening|day)|i hope (?:that )?(?:this|that|it) (?:helps|answers).{0,30}|hope (?:this|that|it) helps.{0,20}|"
    r"(?:please )?(?:let me know|feel free|do not hesitate|don'?t hesitate|ask (?:me )?(?:again|more|anything)).{0,80}|"
    r"have a (?:nice|good|great|lovely|wonderful) (?:day|evening|time|one|week)|you(?:'re| are) welcome|cheers|best(?: regards| wishes)?)\W*",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\W*(?:you (?:ask|asked|want to know|wanted to know)|(?:the )?question(?: is| was)?|re|q)\s*[:,]?\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\W*(?:(?:the|my|final|short|correct)\s+)*answer(?:\s+is)?\s*:\W*|\W*a:\s+", re.IGNORECASE
)
_WRAPPED = re.compile(r"(\*\*|\*|__|_|`+|\"|'|“|‘)(?P<inner>[^*_`\"“”‘’\n]+?)(?:\1|”|’)", re.DOTALL)
_BLOCK = re.compile(r"^(?:>|#{1,6}|[-*])\s+(?=\S[^\n]*$)")
_LONGEST = 2000
_MOST = 12


def undress(question: str, answer: str) -> str:
    """Return the answer without what only dresses it up; all of it where nothing else would be left."""
    if len(answer) > _LONGEST:
        return answer
    sentences = [found[0] for found in _SENTENCE.finditer(answer)]
    if len(sentences) > _MOST:
        return answer
    asked = normalise(question)
    first, last = 0, len(sentences)
    while first < last and _is_dress(sentences[first], asked):
        first += 1
    while last > first + 1 and _POLITE.fullmatch(sentences[last - 1]):
        last -= 1
    kept = "".join(sentences[first:last]).strip()
    bare = _BLOCK.sub("", _LABEL.sub("", kept, count=1) if _LABEL.match(kept) else kept)
    wrapped = _WRAPPED.fullmatch(bare)
    bare = wrapped["inner"] if wrapped else bare
    return bare if normalise(bare) else answer


def _is_dress(sentence: str, asked: str) -> bool:
    """Tell whether a sentence at the beginning is polite, announces an answer or says the question again."""
    if _POLITE.fullmatch(sentence) or (sentence.rstrip().endswith((":", ".", "!")) and is_opener(sentence)):
        return True
    return bool(asked) and normalise(_ASKED.sub("", sentence, count=1)) == asked

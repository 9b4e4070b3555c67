"""What stands around an answer and is none of it: politeness, the question said again, a label, markdown."""

import re

from karat.text.avowals import strip_avowals
from karat.text.normalise import normalise
from karat.text.openers import is_opener
from karat.text.talk import EMPTY_WORDS
from karat.text.vocabulary import list_words

# The point of "U.S. state" ends no sentence.
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)(?!(?<=\b[A-Z]\.)\s[a-z])|\n+|$)\s*", re.DOTALL)
_POLITE = re.compile(
    r"\W*(?:(?:many )?thanks?(?: you)?(?: (?:so|very) much)?(?: for .{0,40})?|(?:that'?s |what )?an? (?:good|great|excellent|interesting) question|"
    r"(?:good|great|excellent|interesting) question|(?:sure|certainly|of course|absolutely|gladly|with pleasure|no problem)(?: thing)?"
    r"(?:,? (?:i(?:'m| am) )?(?:happy|glad) to (?:help|assist|answer).{0,20})?|(?:i(?:'m| am) )?(?:happy|glad) to help.{0,20}|hello|hi(?: there)?|hey|"
    r"good (?:morning|afternoon|evening|day)|i hope (?:that )?(?:this|that|it) (?:helps|answers).{0,30}|hope (?:this|that|it) helps.{0,20}|"
    r"(?:please )?(?:let me know|feel free|do not hesitate|don'?t hesitate|ask (?:me )?(?:again|more|anything)).{0,80}|"
    r"have a (?:nice|good|great|lovely|wonderful) (?:day|evening|time|one|week)|you(?:'re| are) welcome|cheers|best(?: regards| wishes)?)\W*",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|dear|greetings|with pleasure|gladly|sure|certainly|of course|absolutely)(?: (?:there|all|everyone|friend|user|sir|madam))*\s*[,!:]\s+(?=\S)",
    re.IGNORECASE,
)
_COURTEOUS = frozenset(
    list_words(
        "you your ask asked asking question questions help helps helpful cheers regards welcome thanks thank pleasure glad happy hope hi hello hey dear greetings easy"
    )
)
_SPOKEN = (
    EMPTY_WORDS
    | _COURTEOUS
    | frozenset(
        list_words(
            "delighted love enjoy enjoyed day week evening morning afternoon nice best kind warm wishes friend user back come free feel hesitate reach contact further more "
            "additional other unclear trust useful use assistance support time times easy fun sir madam there everyone cheers helped"
        )
    )
)
_POLAR = frozenset(
    list_words("yes no not true false correct right wrong never none nothing neither nor all both either")
)
_ASKED = re.compile(
    r"\W*(?:(?:as to|about|regarding|concerning|on|for|to answer|re)\b\W*)?(?:(?:you|the|your|this|my) )?(?:(?:ask|asked|want to know|wanted to know|question|query|q)\b)?"
    r"(?: (?:is|was|asked))?\W*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\W*(?:(?:the|my|final|short|correct)\s+)*answer(?:\s+is)?\s*:\W*|\W*a:\s+", re.IGNORECASE
)
_WRAPPED = re.compile(
    r"(?:(\*{1,3}|_{1,2}|`+|\"|'|“|‘)(?P<inner>[^*_`\"“”‘’\n]+?)(?:\1|”|’)|[(\[](?P<held>[^()\[\]\n,]+(?:,[^()\[\]\n,]+)?)[)\]]|<(?P<tag>[a-z]+)>(?P<tagged>[^<>]+)</(?P=tag)>)[.!]?",
    re.DOTALL,
)
_BLOCK = re.compile(r"^(?:>|#{1,6}|[-*]|1[.)])\s+(?=\S[^\n]*$)")
_WH = re.compile(
    r"(?:in |on |at |of |to |for |from |by |with )?(?:who|whom|whose|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)
_EDGES = " \n\t?.!:;,\"'“”‘’()*_"
# A dash before a figure is a sign of its own.
_END = re.compile(r"[?.!\"'”’)*_]*[:;,]?(?:\s+[-–—](?=\s))?\s*")
_LONGEST_LEAD = 40
_LONGEST = 2000
_MOST = 12
_SENTENCE_WORDS = 6
_CLOSED = (".", "!", "?", "…", '"', "”", ")")


def undress(question: str, answer: str) -> str:
    """Return the answer without what only dresses it up; all of it where nothing else would be left."""
    if len(answer) > _LONGEST:
        return answer
    said = _cut_question(question, answer)
    sentences = [found[0] for found in _SENTENCE.finditer(said)]
    if len(sentences) > _MOST:
        return answer
    first, last = 0, len(sentences)
    while first < last and _is_dress(sentences[first]):
        first += 1
    while last > first + 1 and _is_polite(sentences[last - 1]):
        last -= 1
    kept = _GREETING.sub("", "".join(sentences[first:last]).strip())
    bare = _BLOCK.sub("", _LABEL.sub("", kept, count=1) if _LABEL.match(kept) else kept)
    wrapped = _WRAPPED.fullmatch(bare)
    bare = wrapped["inner"] or wrapped["held"] or wrapped["tagged"] if wrapped else bare
    return strip_avowals(bare if normalise(bare) else answer)


def _cut_question(question: str, answer: str) -> str:
    """Return what stands behind the question, where an answer begins by saying it again."""
    asked = question.strip(_EDGES)
    found = re.search(re.escape(asked), answer, re.IGNORECASE) if asked else None
    if found is None or found.start() > _LONGEST_LEAD or not _ASKED.fullmatch(answer[: found.start()]):
        return answer
    rest = answer[found.end() :]
    end = _END.match(rest)
    # "The capital of France is" asks for its own end; a sentence that goes on so says nothing twice.
    if end is None or not normalise(rest) or not (end[0].strip() or (end[0] and _WH.match(asked))):
        return answer
    return rest[end.end() :]


def _is_dress(sentence: str) -> bool:
    """Tell whether a sentence at the beginning is polite or announces an answer."""
    if _is_polite(sentence):
        return True
    return (sentence.startswith("#") or sentence.rstrip().endswith((":", ".", "!"))) and is_opener(sentence)


def _is_polite(sentence: str) -> bool:
    """Tell whether a sentence is said to the asker: a set phrase, or nothing but small words and words of courtesy."""
    if _POLITE.fullmatch(sentence):
        return True
    words = set(normalise(sentence).split())
    return not _COURTEOUS.isdisjoint(words) and _POLAR.isdisjoint(words) and words <= _SPOKEN


def close(answer: str) -> str:
    """Return a phrase without a full stop and a sentence with one, so that it does not matter whether it was set."""
    bare = answer.strip()
    if len(bare.split()) < _SENTENCE_WORDS:
        return bare.rstrip(". ").strip() or answer
    return bare if bare.endswith(_CLOSED) else f"{bare}."

"""What a system says about its answer: where it looked, how sure it is, until when it knows, what else it could do."""

import re

from karat.text.delivery.losing import loses, retracts

_TEXTS = (
    r"(?:context|documents?|passages?|texts?|articles?|search results?|results?|sources?|information|reports?|snippets?|excerpts?|data|materials?|files?|pages?|website|knowledge base|database|records|table|content|web search|"
    r"documentation|transcript|paragraphs?|chunks?|evidence|web pages?|filing|references?|\[?document \[?\d{1,2}\]?)"
)
_GROUNDED = re.compile(
    rf"^\W{{0,4}}(?:(?:sure|certainly|okay|ok|of course|great)[,!.]\s)?(?:based (?:up)?on|according to|as (?:stated|mentioned|described|noted|given|per|shown|reported)(?: in| by)?|from|per|in|looking at|using|drawing on|after (?:reviewing|reading|checking|searching))\s"
    rf"(?:all\s)?(?:the|this|these|your|my|our|its)?\s?(?:(?:provided|given|retrieved|above|following|available|supplied|attached|uploaded|relevant|search|internal|top|first|second|most relevant)\s){{0,3}}{_TEXTS}"
    rf"(?:\s(?:provided|given|above|below|available|supplied|retrieved|i (?:found|have)|you (?:provided|gave|shared|uploaded|supplied)|at hand|(?:\[|#)?\d{{1,3}}\]?|to me|here)){{0,3}}(?:\s?[(\[][^()\[\]\n]{{0,40}}[)\]])?\s?[,:;]\s{{0,3}}(?=\S)",
    re.IGNORECASE,
)
_UPDATED = re.compile(
    r"^\W{0,4}(?:as of|up to|to the best of)\s(?:my|the)\s(?:(?:last|latest|most recent|current|own)\s)?(?:knowledge|update|training|information|data)(?:\s(?:update|cut-?off|data))?(?:\s(?:date|in|of|on)\s[\w ,]{1,20})?\s?,\s{0,3}(?=\S)",
    re.IGNORECASE,
)
_LOOKED = re.compile(
    rf"^\W{{0,4}}(?:(?:sure|certainly|okay|ok|of course|great)[,!.]\s)?i(?:'ve| have)?\s(?:just\s)?(?:searched|read|checked|looked|reviewed|consulted|scanned)\b(?![^.!?\n]{{0,120}}\b(?:says?|states?|gives?|names?)\b)[^.!?:\n]{{0,80}}\b{_TEXTS}\b[^.!?:\n]{{0,40}}[.!]\s{{1,3}}(?=\S)",
    re.IGNORECASE,
)
_SURE = re.compile(
    r"(?:\n|\s[(\[]|(?<=[.!?])\s)[\s*_-]{0,6}(?:confidence|certainty)(?:\s(?:score|level|rating))?[*_]{0,3}\s?[:=]\s?[*_~≈]{0,3}(?:(?:0?\.[5-9]\d{0,4}|1(?:\.0{1,3})?|[5-9]\d(?:\.\d{1,3})?\s?%|100\s?%|[6-9]\s?/\s?10|10\s?/\s?10)|(?:very\s)?(?:high|strong|certain|full|medium|moderate))[*_]{0,3}[\s)\].]{0,4}$",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"\n\s{0,4}(?:[(\[{*]{1,2}\s?(?:tokens?|latency|model|time|duration|answered in|response time|took|elapsed)\b[^()\n]{0,120}[)\]}*]{1,2}|[^\n|]{0,40}\b(?:tokens|latency)\b[^\n|]{0,40}\|[^\n]{0,80})\s{0,4}$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\n{1,3}|(?<=[.!?])[)\"”*_]{0,3}\s)[*_>(\[\s]{0,6}(?:(?:(?:please\s)?note(?:\sthat|:)?\s|disclaimer:\s)?(?:this|the|the above|my) (?:answer|response|information|fact)\s(?:is|was|comes|has been)\s(?:\w+ly\s|only\s)?(?:drawn|based|taken|derived|retrieved|quoted|sourced|generated|from|current)\b|"
    r"(?:(?:please\s)?note(?:\sthat|:)?\s)?my (?:knowledge|training)\b|ai[- ]generated\b|information (?:is )?(?:current as of|retrieved|drawn|taken)\b)[^\n]{0,240}\s{0,4}$",
    re.IGNORECASE,
)
_OWN = re.compile(
    rf"\b(?:{_TEXTS}|knowledge|training|cut-?off|last update|ai[- ]generated|language model|stated|explicitly|up to date)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[a-z,;] )(?:[A-Z][a-z]{2,}|\d{2,})")
_OFFERED = re.compile(
    r"(?:\n{1,3}|(?<=[.!?])[)\"”*_]{0,3}\s)\W{0,4}(?:(?:would you like|do you want|do you need|can i (?:help|assist)|is there anything else|anything else i can|want me to|shall i)\b[^\n]{0,160}\?|(?:please )?(?:let me know if|feel free to ask|don'?t hesitate to ask)\b[^\n]{0,120}[.!]?|was this (?:answer )?helpful\?[^\n]{0,30})[\s😊👍👎]{0,6}$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s{1,4}(?:TERMINATE|\[DONE\]|<DONE>|END OF ANSWER|-{3,100}|={3,100}|\*{3,100}|> Finished chain\.|\[END\]|<END>|#{1,6} ?End)\s{0,4}$"
)
_LEADS = (
    "based", "according", "as of", "up to", "to the best of", "as stated", "as mentioned", "as described", "as noted", "as given", "as per", "as shown", "as reported", "from ", "per ", "in the", "in your", "in this", "looking", "using", "drawing",
    "after re", "after checking", "after searching", "i've", "i have", "i searched", "i read", "i checked", "i looked", "i reviewed", "i just", "sure", "certainly", "okay", "ok", "of course", "great",
)  # fmt: skip
_HINTS = (
    "\n", "note", "disclaimer", "confiden", "certainty", "terminate", "done]", "would you", "let me", "anything", "this answer", "this response", "this information", "the answer", "the above", "my knowledge", "ai-generated", "ai generated", "information is",
    "feel free", "do you", "can i", "helpful", "want me", "shall i", "hesitate",
)  # fmt: skip
"""Words of which every note before an answer, and after one, has one."""
_ENDS = ("\n", ". ", "! ", "? ", " (", " [", ".*", "TERMINATE", "[DONE]")
"""Behind what a note may follow."""
_ROUNDS = 3


def strip_notes(references: tuple[str, ...], answer: str) -> str:
    """Return the answer without what it says about itself; doubt stays, and so does what holds a reference."""
    lowered = answer.lower()
    if any(end in answer for end in _ENDS) and any(hint in lowered for hint in _HINTS):
        answer = _strip_behind(references, answer)
    if lowered.lstrip(' *_#>"').startswith(_LEADS):
        answer = _strip_before(references, answer)
    return answer


def _strip_behind(references: tuple[str, ...], answer: str) -> str:
    for _ in range(_ROUNDS):
        before = answer
        for pattern in (_AFTER, _TIMED, _SURE, _OFFERED, _ABOUT):
            found = pattern.search(answer)
            if found and not (pattern is _ABOUT and _is_of_answer(found[0])):
                answer = _cut(references, answer, answer[: found.start()].rstrip())
        if answer == before:
            break
    return answer


def _strip_before(references: tuple[str, ...], answer: str) -> str:
    for pattern in (_LOOKED, _GROUNDED, _UPDATED):
        found = pattern.match(answer)
        if found and not (pattern is _LOOKED and retracts(found[0])):
            answer = _cut(references, answer, answer[found.end() :])
    return answer


def _is_of_answer(note: str) -> bool:
    """Tell whether a note may say something about what was asked: it doubts, names something, or does not speak of texts and knowledge."""
    return retracts(note) or _OWN.search(note) is None or _NAMED.search(note.lstrip()) is not None


def _cut(references: tuple[str, ...], answer: str, kept: str) -> str:
    return answer if loses(references, answer, kept) else kept

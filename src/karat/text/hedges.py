"""Whether a text asserts what it mentions, or denies it, doubts it or offers it among others."""

import re
from functools import lru_cache

from karat.text.announced import is_announced_elsewhere
from karat.text.asides import is_bracketed, is_conditional, is_in_relative_clause, is_turned
from karat.text.negators import NEGATING_SIGNS, NEGATORS
from karat.text.several import is_enumerated
from karat.text.vocabulary import list_words

_REACH = 300
_BRIEF = 160
_SENTENCE_END = re.compile(
    r"[.!?](?=\s|$|[\"')\]])(?<!\b[A-Za-z]\.)(?<!\b(?:Dr|Mr|Ms|St|Jr|vs|No)\.)(?<!\bMrs\.)|[;\n]"
)
# A stop before a small letter closes an abbreviation: what is said behind it still bears on the mention.
_CLAUSE_END = re.compile(rf"(?:{_SENTENCE_END.pattern})(?!\s+[a-z])")
_BEFORE = re.compile(
    r"\b(?:not|n't|(?:ai|ca|wo|do|is|was|are|were|does|did|has|have|had|could|would|should|must|might|need|sha)n'?t|cannot|never|no|none|neither|nor|nobody|without|except|excepting|excluding|unlike|than|"
    r"instead|apart from|aside from|besides|as opposed to|far from|anything but|until|before|after|against|beat|"
    r"defeats?|defeated|unlikely|hardly|barely|fail(?:s|ed)?|lacks?|lacked|avoid(?:s|ed)?|replac\w+|surpass\w*|"
    r"rul(?:e[sd]?|ing) out|differ(?:s|ed|ent)? from|forget|refuse[sd]?|least of all|as if|pretend\w*|suppos(?:e|ing)|nothing to do with|dismiss\w*|reject\w*|discard\w*|refut\w+|"
    r"(?:any|every|no)(?:one|body|thing|where) (?:but|save)|all (?:but|save)|"
    rf"{'|'.join(sorted(NEGATORS))})\b",
)
_AFTER = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:not|never|no longer|cannot|isn'?t|wasn'?t|aren'?t|weren'?t|doesn'?t|didn'?t|don'?t|can'?t|"
    r"couldn'?t|won'?t|wouldn'?t|hasn'?t|haven'?t|hadn'?t|excluded|excepted|replaced|superseded|overtaken|surpassed|"
    rf"succeeded|ruled out|dismissed|rejected|discarded|refuted|disproved|debunked|impossible|implausible|unlikely|out of the question|nothing to do|"
    rf"{'|'.join(sorted(NEGATORS))})\b",
)
_DENIED = re.compile(
    r"\b(?:wrong(?:ly)?|false(?:ly)?|incorrect(?:ly)?|untrue|mistaken(?:ly)?|erroneous(?:ly)?|contrary|den(?:y|ies|ied)|"
    r"myth|misconception|confused?|misattributed|neither|nor|far from|unlike|rather than|instead of|other than|"
    r"the opposite|in reality|used to|(?:often|commonly|usually|popularly|sometimes|widely) attributed)\b",
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibl[ey]|probabl[ey]|might|could|(?:may|would)(?= (?:be|have|also|refer|mean|well|not))|"
    r"i (?:think|believe|guess|suppose|assume|suspect|feel|would say)|(?:not|un) ?sure|unclear|uncertain|unknown|"
    r"unconfirmed|citation needed|unless|guess(?:ing)?|presumabl[ey]|seems?|apparently|allegedly|supposedly|reportedly|rumou?re?d|speculat\w+|"
    r"likely|(?:some|many|people|sources|others) (?:say|says|people|sources|claim|believe|argue|think)|either|whether|"
    r"depend(?:s|ing)|doubt\w*|arguabl[ey]|thinks?|believes?|claims?|assumes?|(?:thought|believed|said|claimed|rumored|suspected) to|disputed|contested|"
    r"(?:is|was|were|been) (?:once |long |widely |commonly |generally )?(?:thought|believed|assumed|claimed)(?! to be))\b",
)
_UNSURE = re.compile(
    r"\b(?:not sure|unsure|not certain|uncertain|no idea|no clue|do(?:n'?t| not) (?:know|remember|recall)|idk)\b",
    re.IGNORECASE,
)
_CHOICE_BEFORE = re.compile(
    r"\b(?:or|versus|vs|between)\b(?:\W+\w+){0,6}\W*$|\b(?:alternatively|one of|options?|candidates?)\b",
)
_CHOICE_AFTER = re.compile(
    r"^\W*(?:\w+\W+){0,6}(?:or|versus|vs)\b|\balternatively\b|\bbut (?:also|maybe|perhaps|possibly)\b",
)
_TAKEN_BACK = re.compile(
    r"[\s\"'*)\].!;-]*(?:\?|(?:no|not|nope|wait|actually|sorry|correction|or|scratch that|just kidding|wrong|false|"
    r"incorrect|on second thoughts?|on reflection|then again|or not|hmm|oops|maybe|perhaps|possibly|rather|alternatively|otherwise|i mean|i think|i am not|i'?m not|is wrong|"
    r"that is not|that'?s not|this is not|it is not|it isn'?t|"
    r"(?:everyone|everybody|they|all|most|people|that|this|it|he|she)(?:'s| is| are| was| were) (?:\w+ )?(?:wrong|mistaken|false|incorrect|untrue))\b)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r",\s*not\s")
_STOPS = frozenset(".!")


_NEAR = 3
_WORD = re.compile(r"[\w']+")
# Each doubt has one of these words: a sentence without them is plain, and most are.
_SUSPECT_WORDS = frozenset(
    list_words(
        "not cannot never no none neither nor nobody without except excepting excluding excluded excepted unlike than instead apart "
        "aside besides opposed far anything until before after against beat defeat defeats defeated unlikely hardly "
        "barely fail fails failed lack lacks lacked wrong wrongly false falsely incorrect incorrectly untrue mistaken mistakenly "
        "contrary deny denies denied myth misconception misattributed other opposite reality used maybe perhaps might could may would "
        "i sure unsure unclear uncertain unknown unconfirmed seem seems apparently allegedly supposedly reportedly likely some many "
        "people sources others either whether thought believed said claimed think thinks believe believes claim claims assume assumes succeeded superseded overtaken or versus vs between alternatively but one option options "
        "candidate candidates often commonly usually popularly sometimes widely save unless rule rules ruled ruling impossible implausible out nothing forget least suppose supposing as refuse refuses refused citation"
    )
).union(NEGATORS)
_SUSPECT_STEMS = (
    "avoid", "replac", "differ", "surpass", "erroneous", "confuse", "possib", "probab", "guess", "presumab", "rumo", "speculat", "depend",
    "doubt", "disput", "contest", "assum", "arguab", "suspect", "dismiss", "reject", "discard", "refut", "disprov", "debunk", "pretend",
)  # fmt: skip


def _is_plain(sentence: str) -> bool:
    words = _WORD.findall(sentence.lower())
    if not _SUSPECT_WORDS.isdisjoint(words) or "/" in sentence or not sentence.isascii():
        return False
    return not any(word.endswith(("nt", "n't")) or word.startswith(_SUSPECT_STEMS) for word in words)


@lru_cache(maxsize=64)  # several rules ask about the same mention in turn
def find_doubt(text: str, start: int, end: int, asked: frozenset[str] = frozenset()) -> str | None:
    """Name what keeps the mention at this place from being an assertion, or None; the words `asked` are the question's."""
    before, after = _split(text, start, end, _SENTENCE_END)
    if _TAKEN_BACK.match(text, end + len(after)) or (
        text[end : end + 1] in _STOPS and _TAKEN_BACK.match(text, end)
    ):
        return "taken back"
    if _UNSURE.search(text, max(0, start - _REACH), start) or is_conditional(before):
        return "hedged"
    if is_announced_elsewhere(text, start, end):
        return "another one is announced"
    before, after = _split(text, start, end)
    if _is_plain(before) and _is_plain(after):
        return None
    return _name_doubt(before.lower(), after.lower(), asked)


def _name_doubt(before: str, after: str, asked: frozenset[str]) -> str | None:
    if _is_negated(before, after, asked):
        return "negated"
    if _HEDGE.search(before) or _HEDGE.search(after):
        return "hedged"
    if _CHOICE_BEFORE.search(before) or _CHOICE_AFTER.search(after) or _touches_slash(before, after):
        return "one of several"
    return None


def is_passing(text: str, start: int, end: int) -> bool:
    """Tell whether the mention is made in passing: beside another name, or before the answer turns to another."""
    before, after = _split(text, start, end)
    if is_bracketed(before) or is_in_relative_clause(before):
        return True
    return is_turned(after, text[end + len(after) :] if len(text) <= _BRIEF else "")


def _is_negated(before: str, after: str, asked: frozenset[str]) -> bool:
    for match in _BEFORE.finditer(before):
        # What the question says ("after the war", "not a mammal") the answer may say again, but not right at the mention.
        repeated = match[0].replace("'", "") in asked and len(before[match.end() :].split()) >= _NEAR
        if not repeated:
            return True
    # "X, not Y" asserts X; "X is not" does not.
    if _AFTER.search(after) and not _ASIDE.match(after):
        return True
    if any(sign in before or sign in after for sign in NEGATING_SIGNS):
        return True
    return bool(_DENIED.search(before) or _DENIED.search(after))


def _touches_slash(before: str, after: str) -> bool:
    return before.rstrip()[-1:] == "/" or after.lstrip()[:1] == "/"


@lru_cache(maxsize=64)
def _split(text: str, start: int, end: int, edge: re.Pattern[str] = _CLAUSE_END) -> tuple[str, str]:
    """Return what stands before and after the place in its sentence."""
    begin = max(0, start - _REACH)
    for stop in edge.finditer(text, begin, start):
        begin = stop.end()
    stop = edge.search(text, end, end + _REACH)
    return text[begin:start], text[end : stop.start() if stop else end + _REACH]


_ITEM = r"(?:[A-Z\d][\w'.&-]*(?:[ ][A-Z\d][\w'.&-]*){0,3})"
_LIST_AFTER = re.compile(
    rf"^\s*(?:,\s*{_ITEM}(?:\s*,\s*(?:and\s+)?|\s+and\s+){_ITEM}|,?\s*and\s+(?:the\s+)?{_ITEM})"
)
_LIST_BEFORE = re.compile(
    rf"{_ITEM}\s*,\s*and\s+(?:the\s+)?$|{_ITEM}\s+and\s+(?:the\s+)?$|{_ITEM}\s*,\s*{_ITEM}\s*,\s*$"
)
_PHRASE = r"[\w'-]+(?:[ ][\w'-]+){0,2}"
# Without capitals only a list that ends the clause is told from two clauses.
_PLAIN_AFTER = re.compile(rf"^(?:(?:,[ ]?|[ ]and[ ]){_PHRASE})*,?[ ]and[ ]{_PHRASE}[ ]*(?:[.,;)]|$)")
_PLAIN_BEFORE = re.compile(rf"(?:^|[ ,(]){_PHRASE},?[ ]and[ ]$")
_BULLET = re.compile(r"(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s")


def _ends_in_and(before: str, after: str) -> bool:
    return (
        before.endswith(" and ")
        and not after.strip(" .,;)")
        and _PLAIN_BEFORE.search(before[-60:]) is not None
    )


def is_listed(text: str, start: int, end: int) -> bool:
    """Tell whether the mention is one item of a list."""
    if is_enumerated(text, start, end):
        return True
    before, after = _split(text, start, end)
    if _LIST_AFTER.search(after) or _LIST_BEFORE.search(before[-120:]):
        return True
    if text[start].islower() and (_PLAIN_AFTER.match(after[:200]) or _ends_in_and(before, after)):
        return True
    return len(_BULLET.findall(text[:4000])) > 1


_VERB = re.compile(r"\b(?:is|was|are|were|has|had|did|does|be)\b|:(?=\s)", re.IGNORECASE)
_SHORT = 8
_LONGER = 20
_PAIRING = (",", "&", "+", "- ", " -")
_ARTICLE_BEFORE = re.compile(r"\s(?:the|an?)\s*$", re.IGNORECASE)
_AND_BEFORE = re.compile(r"\band$", re.IGNORECASE)
_AND_AFTER = re.compile(r"[.\s]*and\b", re.IGNORECASE)
_SLASH = re.compile(r"\w[.\s]?/\s?\w")


def is_in_pair(text: str, start: int, end: int, count: int) -> bool:
    """Tell whether an answer without a verb is several phrases set beside each other, which may be several answers."""
    if count > _LONGER or _VERB.search(text):
        return False
    before, after = _ARTICLE_BEFORE.sub("", text[:start]).rstrip(), text[end:].lstrip()
    if _AND_BEFORE.search(before) or _AND_AFTER.match(after):
        return True
    paired = before.endswith(_PAIRING), after.startswith(_PAIRING)
    return any(paired) if count <= _SHORT else all(paired)


def is_slashed(text: str, start: int, end: int, count: int) -> bool:
    """Tell whether a slash in a short answer sets the mention, or a word at its side, beside another one."""
    if count > _SHORT or "/" not in text:
        return False
    return any(not start < found.start() < end - 1 for found in _SLASH.finditer(text))

"""Check whether a text asserts what it mentions at a place: negations, hedges, choices, conditions, asides and lists."""

import re
from functools import lru_cache

from karat.text.lexicon import FOREIGN_NEGATIONS, NEGATING_SIGNS, any_case, word_set

_SENTENCE_REACH = 300
_BRIEF = 160
_SENTENCE_END = re.compile(
    r"[.!?](?=\s|$|[\"')\]])(?<!\b[A-Za-z]\.)(?<!\b(?:Dr|Mr|Ms|St|Jr|vs|No)\.)(?<!\bMrs\.)|[;\n]"
)
# A stop before a small letter closes an abbreviation: what is said behind it still bears on the mention.
_CLAUSE_END = re.compile(rf"(?:{_SENTENCE_END.pattern})(?!\s+[a-z])")
_DENIAL_BEFORE = re.compile(
    r"\b(?:not|n't|(?:ai|ca|wo|do|is|was|are|were|does|did|has|have|had|could|would|should|must|might|need|sha)n'?t|cannot|never|no|none|neither|nor|nobody|without|except|excepting|excluding|unlike|than|"
    r"instead|apart from|aside from|besides|as opposed to|far from|anything but|until|before|after|against|beat|"
    r"defeats?|defeated|unlikely|hardly|barely|fail(?:s|ed)?|lacks?|lacked|avoid(?:s|ed)?|replac\w+|surpass\w*|"
    r"rul(?:e[sd]?|ing) out|differ(?:s|ed|ent)? from|forget|refuse[sd]?|least of all|as if|pretend\w*|suppos(?:e|ing)|nothing to do with|dismiss\w*|reject\w*|discard\w*|refut\w+|"
    r"(?:any|every|no)(?:one|body|thing|where) (?:but|save)|all (?:but|save)|"
    rf"{'|'.join(sorted(FOREIGN_NEGATIONS))})\b"
)
_DENIAL_AFTER = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:not|never|no longer|cannot|isn'?t|wasn'?t|aren'?t|weren'?t|doesn'?t|didn'?t|don'?t|can'?t|"
    r"couldn'?t|won'?t|wouldn'?t|hasn'?t|haven'?t|hadn'?t|excluded|excepted|replaced|superseded|overtaken|surpassed|"
    rf"succeeded|ruled out|dismissed|rejected|discarded|refuted|disproved|debunked|impossible|implausible|unlikely|out of the question|nothing to do|"
    rf"{'|'.join(sorted(FOREIGN_NEGATIONS))})\b"
)
_CALLED_WRONG = re.compile(
    r"\b(?:wrong(?:ly)?|false(?:ly)?|incorrect(?:ly)?|untrue|mistaken(?:ly)?|erroneous(?:ly)?|contrary|den(?:y|ies|ied)|"
    r"myth|misconception|confused?|misattributed|neither|nor|far from|unlike|rather than|instead of|other than|"
    r"the opposite|in reality|used to|(?:often|commonly|usually|popularly|sometimes|widely) attributed)\b"
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibl[ey]|probabl[ey]|might|could|(?:may|would)(?= (?:be|have|also|refer|mean|well|not))|"
    r"i (?:think|believe|guess|suppose|assume|suspect|feel|would say)|(?:not|un) ?sure|unclear|uncertain|unknown|"
    r"unconfirmed|citation needed|unless|guess(?:ing)?|presumabl[ey]|seems?|apparently|allegedly|supposedly|reportedly|rumou?re?d|speculat\w+|"
    r"likely|(?:some|many|people|sources|others) (?:say|says|people|sources|claim|believe|argue|think)|either|whether|"
    r"depend(?:s|ing)|doubt\w*|arguabl[ey]|thinks?|believes?|claims?|assumes?|(?:thought|believed|said|claimed|rumored|suspected) to|disputed|contested|"
    r"(?:is|was|were|been) (?:once |long |widely |commonly |generally )?(?:thought|believed|assumed|claimed)(?! to be))\b"
)
_UNSURE = any_case(
    r"\b(?:not sure|unsure|not certain|uncertain|no idea|no clue|do(?:n'?t| not) (?:know|remember|recall)|idk)\b"
)
_CHOICE_BEFORE = re.compile(
    r"\b(?:or|versus|vs|between)\b(?:\W+\w+){0,6}\W*$|\b(?:alternatively|one of|options?|candidates?)\b"
)
_CHOICE_AFTER = re.compile(
    r"^\W*(?:\w+\W+){0,6}(?:or|versus|vs)\b|\balternatively\b|\bbut (?:also|maybe|perhaps|possibly)\b"
)
_TAKEN_BACK = any_case(
    r"[\s\"'*)\].!;-]*(?:\?|(?:no|not|nope|wait|actually|sorry|correction|or|scratch that|just kidding|wrong|false|"
    r"incorrect|on second thoughts?|on reflection|then again|or not|hmm|oops|maybe|perhaps|possibly|rather|alternatively|otherwise|i mean|i think|i am not|i'?m not|is wrong|"
    r"that is not|that'?s not|this is not|it is not|it isn'?t|"
    r"(?:everyone|everybody|they|all|most|people|that|this|it|he|she)(?:'s| is| are| was| were) (?:\w+ )?(?:wrong|mistaken|false|incorrect|untrue))\b)"
)
_ASIDE = re.compile(r",\s*not\s")
_STOPS = frozenset(".!")

_AT_MENTION = 3
_WORD = re.compile(r"[\w']+")
# Each doubt has one of these words: a sentence without them is plain, and most are.
_SUSPECT_WORDS = word_set(
    "not cannot never no none neither nor nobody without except excepting excluding excluded excepted unlike than instead apart "
    "aside besides opposed far anything until before after against beat defeat defeats defeated unlikely hardly "
    "barely fail fails failed lack lacks lacked wrong wrongly false falsely incorrect incorrectly untrue mistaken mistakenly "
    "contrary deny denies denied myth misconception misattributed other opposite reality used maybe perhaps might could may would "
    "i sure unsure unclear uncertain unknown unconfirmed seem seems apparently allegedly supposedly reportedly likely some many "
    "people sources others either whether thought believed said claimed think thinks believe believes claim claims assume assumes succeeded superseded overtaken or versus vs between alternatively but one option options "
    "candidate candidates often commonly usually popularly sometimes widely save unless rule rules ruled ruling impossible implausible out nothing forget least suppose supposing as refuse refuses refused citation"
).union(FOREIGN_NEGATIONS)
_SUSPECT_STEMS = (
    "avoid", "replac", "differ", "surpass", "erroneous", "confuse", "possib", "probab", "guess", "presumab", "rumo", "speculat", "depend",
    "doubt", "disput", "contest", "assum", "arguab", "suspect", "dismiss", "reject", "discard", "refut", "disprov", "debunk", "pretend",
)  # fmt: skip


def is_feature_hedge(word: str) -> bool:
    """Return whether `find_doubt` knows a word as a hedge; its list may not change, because the network's features use it."""
    return _HEDGE.fullmatch(word) is not None


def _has_no_cue(sentence: str) -> bool:
    words = _WORD.findall(sentence.lower())
    if not _SUSPECT_WORDS.isdisjoint(words) or "/" in sentence or not sentence.isascii():
        return False
    return not any(word.endswith(("nt", "n't")) or word.startswith(_SUSPECT_STEMS) for word in words)


@lru_cache(maxsize=64)  # several rules ask about the same mention in turn
def find_doubt(text: str, start: int, end: int, asked: frozenset[str] = frozenset()) -> str | None:
    """Return why the mention at this place is not asserted, or None; `asked` are the words of the question."""
    before, after = _split_sentence(text, start, end, _SENTENCE_END)
    if _TAKEN_BACK.match(text, end + len(after)) or (
        text[end : end + 1] in _STOPS and _TAKEN_BACK.match(text, end)
    ):
        return "taken back"
    if _UNSURE.search(text, max(0, start - _SENTENCE_REACH), start) or (
        _CONDITION.search(before) or _PAST.search(before)
    ):
        return "hedged"
    if announces_other_answer(text, start, end):
        return "another one is announced"
    before, after = _split_sentence(text, start, end)
    if _has_no_cue(before) and _has_no_cue(after):
        return None
    return _name_doubt(before.lower(), after.lower(), asked)


def _name_doubt(before: str, after: str, asked: frozenset[str]) -> str | None:
    if _is_negated(before, after, asked):
        return "negated"
    if _HEDGE.search(before) or _HEDGE.search(after):
        return "hedged"
    if (
        _CHOICE_BEFORE.search(before)
        or _CHOICE_AFTER.search(after)
        or before.rstrip()[-1:] == "/"
        or after.lstrip()[:1] == "/"
    ):
        return "one of several"
    return None


def is_in_passing(text: str, start: int, end: int) -> bool:
    """Return whether the mention is made in passing: beside another name, or before the answer turns to another."""
    before, after = _split_sentence(text, start, end)
    if is_bracketed(before) or is_in_relative_clause(before):
        return True
    following = text[end + len(after) :] if len(text) <= _BRIEF else ""
    return bool(_TURN_AFTER.search(after) or _SEQUEL.match(after) or _NEXT_TURN.match(following))


def _is_negated(before: str, after: str, asked: frozenset[str]) -> bool:
    for match in _DENIAL_BEFORE.finditer(before):
        # What the question says ("after the war", "not a mammal") the answer may say again, but not right at the mention.
        repeated = match[0].replace("'", "") in asked and len(before[match.end() :].split()) >= _AT_MENTION
        if not repeated:
            return True
    # "X, not Y" asserts X; "X is not" does not.
    if _DENIAL_AFTER.search(after) and not _ASIDE.match(after):
        return True
    if any(sign in before or sign in after for sign in NEGATING_SIGNS):
        return True
    return bool(_CALLED_WRONG.search(before) or _CALLED_WRONG.search(after))


@lru_cache(maxsize=64)
def _split_sentence(text: str, start: int, end: int, edge: re.Pattern[str] = _CLAUSE_END) -> tuple[str, str]:
    """Return the text before and after a place in its sentence."""
    begin = max(0, start - _SENTENCE_REACH)
    for stop in edge.finditer(text, begin, start):
        begin = stop.end()
    stop = edge.search(text, end, end + _SENTENCE_REACH)
    return text[begin:start], text[end : stop.start() if stop else end + _SENTENCE_REACH]


_ITEM = r"(?:[A-Z\d][\w'.&-]*(?:[ ][A-Z\d][\w'.&-]*){0,3})"
_LIST_AFTER = re.compile(
    rf"^\s*(?:,\s*{_ITEM}(?:\s*,\s*(?:and\s+)?|\s+and\s+){_ITEM}|,?\s*and\s+(?:the\s+)?{_ITEM})"
)
_LIST_BEFORE = re.compile(
    rf"{_ITEM}\s*,\s*and\s+(?:the\s+)?$|{_ITEM}\s+and\s+(?:the\s+)?$|{_ITEM}\s*,\s*{_ITEM}\s*,\s*$"
)
_PHRASE = r"[\w'-]+(?:[ ][\w'-]+){0,2}"
# Without capitals only a list that ends the clause can be told apart from two clauses.
_PLAIN_AFTER = re.compile(rf"^(?:(?:,[ ]?|[ ]and[ ]){_PHRASE})*,?[ ]and[ ]{_PHRASE}[ ]*(?:[.,;)]|$)")
_PLAIN_BEFORE = re.compile(rf"(?:^|[ ,(]){_PHRASE},?[ ]and[ ]$")
_BULLET_LINE = re.compile(r"(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s")


def is_in_list(text: str, start: int, end: int) -> bool:
    """Return whether the mention is one item of a list."""
    if is_enumerated(text, start, end):
        return True
    before, after = _split_sentence(text, start, end)
    if _LIST_AFTER.search(after) or _LIST_BEFORE.search(before[-120:]):
        return True
    ends = before.endswith(" and ") and not after.strip(" .,;)") and _PLAIN_BEFORE.search(before[-60:])
    if text[start].islower() and (ends or _PLAIN_AFTER.match(after[:200])):
        return True
    return len(_BULLET_LINE.findall(text[:4000])) > 1


_VERB = any_case(r"\b(?:is|was|are|were|has|had|did|does|be)\b|:(?=\s)")
_SHORT_ANSWER = 8
_LONGER = 20
_PAIRING = (",", "&", "+", "- ", " -")
_ARTICLE_BEFORE = any_case(r"\s(?:the|an?)\s*$")
_AND_BEFORE = any_case(r"\band$")
_AND_AFTER = any_case(r"[.\s]*and\b")
_SLASH = re.compile(r"\w[.\s]?/\s?\w")


def is_in_pair(text: str, start: int, end: int, count: int) -> bool:
    """Return whether an answer without a verb consists of several phrases, which may be several answers."""
    if count > _LONGER or _VERB.search(text):
        return False
    before, after = _ARTICLE_BEFORE.sub("", text[:start]).rstrip(), text[end:].lstrip()
    if _AND_BEFORE.search(before) or _AND_AFTER.match(after):
        return True
    paired = before.endswith(_PAIRING), after.startswith(_PAIRING)
    return any(paired) if count <= _SHORT_ANSWER else all(paired)


def is_slashed(text: str, start: int, end: int, count: int) -> bool:
    """Return whether a slash in a short answer joins other words to the mention."""
    if count > _SHORT_ANSWER or "/" not in text:
        return False
    return any(not start < found.start() < end - 1 for found in _SLASH.finditer(text))


# Mentions in brackets, in a clause about another name, or before the text turns to something else.

_OPEN_BRACKET = re.compile(r"\(([^()]*)$")
_RELATIVE = re.compile(
    r"(?P<head>\b[^\W\d_][\w'.-]*),?\s+(?:who|whom|whose|which)\s+(?!is\b|was\b|are\b|were\b|stands?\b|means?\b)[^,;:]*$"
)
_ALIAS = any_case(r"\s*(?:also\b|a\.?k\.?a|i\.?e|known as|called|commonly|usually|the|an?|\W+$|$)")
_COPULA = any_case(r"\b(?:is|was|are|were|be|by)\b")
_TURN_AFTER = re.compile(
    r"\b(?:yet|whereas|actually|in fact)\b|,\s*(?:but|while|though|although|however)\b|\b(?:but|while)\s+(?:it|this|the|[A-Z])"
)
_SEQUEL = any_case(
    r"^[\s,;]*(?:(?:and|but)\s+)?(?:then|later|afterwards|followed by|before|until|if|unless)\b"
)
_CONDITION = any_case(
    r"(?:^|[,;:(\n]|\b(?:but|and|only|even)\s)\s*(?:"
    # Against the facts, as to what is meant, or with no clause of its own behind: "if bulb B is out, there is a gap" states the gap.
    r"(?:if|unless|assuming|suppos(?:e|ing))\b(?=.*\b(?:were|had|would|you|we|i|meant?|means)\b|[^,]*,\s*(?:then\s+)?$)"
    r"|(?:were|had|should)\s(?:it|this|that|he|she|they|we|you)\b)"
)
_PAST = any_case(r"\b(?:formerly|previously)(?:\W+\w+){0,2}\W*$")
_NEXT_TURN = any_case(r"[\s\"'*)\].!;-]*(?:however|yet|in fact|in reality|in truth)\b")
_LINK = any_case(r"\b(?:of|to|with|from|for|by)\s+(?:the\s+)?$")
_LETTERS = re.compile(r"[^\W\d_]{2}")


def is_bracketed(before: str) -> bool:
    """Return whether the mention is in brackets behind another name and is not an alias of it."""
    opened = _OPEN_BRACKET.search(before)
    if opened is None or not _LETTERS.search(before[: opened.start()]):
        return False
    return _ALIAS.match(opened[1]) is None or _LINK.search(opened[1]) is not None


def is_in_relative_clause(before: str) -> bool:
    """Return whether the mention ends a relative clause about another name."""
    clause = _RELATIVE.search(before)
    if clause is None or _COPULA.search(clause[0]):
        return False
    # "People who read X" is part of what is said; "Harte, who read X" tells more of Harte.
    return clause["head"][0].isupper() or not _COPULA.search(before)


# Announced answers: what follows "the answer is" counts.

_ANNOUNCED = any_case(
    r"\b(?:the|my|our|this|final|correct|right|true|actual|real|best|proper)\s+answer\b(?:\s+(?:to|for|here|then)\b[^.!?\n:]{0,80}?)?"
    r"\s*(?:is|was|are|would be|must be|should be|has to be|remains|becomes|[:=-])"
    r"|(?:^|[\n.!?*#])\W{0,12}answer\s*[:=]"
)
_ANNOUNCEMENT_END = re.compile(r"[.!?](?=\s+[^a-z\s]|\s*$)(?<!\b[A-Za-z]\.)|\n(?=.*\S)")
_ANNOUNCEMENT_REACH = 4000


def announces_other_answer(text: str, start: int, end: int) -> bool:
    """Return whether a sentence announces the answer without the words of the mention."""
    if "answer" not in text.lower():
        return False
    announced = list(_ANNOUNCED.finditer(text, 0, _ANNOUNCEMENT_REACH))
    if not announced:
        return False
    mention = any_case(rf"(?<!\w){re.escape(text[start:end])}(?!\w)")
    for found in announced:
        begin = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip(" \n\t*\"'"))
        stop = _ANNOUNCEMENT_END.search(text, begin)
        if not mention.search(text, begin, stop.start() if stop else len(text)):
            return True
    return False


# Several answers in lines, numbered items or parts.

_ITEM_BREAK = re.compile(r"[;|\n]")
_NUMBERED_LIST = re.compile(
    r"(?<!\S)\(?1[.):]\s.*?\s\(?2[.):]\s|\(?\ba\)\s.*?\s\(?b\)\s", re.DOTALL | re.IGNORECASE
)
_ITEM_NUMBER = any_case(r"(?<!\S)\(?(?:\d{1,2}|[a-h]|i{1,3}|iv|v)[.):]\s")
_STATES = any_case(r"\b(?:is|was|are|were|has|had|have|did|does|be|wrote|means)\b|:\s*$|\.\s*$")
_LONGEST_PART = 6
_SHORT_LIST = 12
_LIST_REACH = 1000


def is_enumerated(text: str, start: int, end: int) -> bool:
    """Return whether the mention is beside short phrases between line breaks, semicolons, bars or item numbers."""
    if _has_numbered_items(text):
        return True
    if not _ITEM_BREAK.search(text, 0, _LIST_REACH):
        return False
    parts = _split_items(text[:_LIST_REACH])
    own = [text[begin:stop] for begin, stop in parts if begin <= start < stop]
    if len(text.split()) > _SHORT_LIST and not any(map(_is_short_phrase, own)):
        return False
    return any(_is_short_phrase(text[begin:stop]) for begin, stop in parts if stop <= start or begin >= end)


def strip_item_numbers(text: str) -> str:
    """Put the items of a numbered list on lines of their own, without their numbers."""
    return _ITEM_NUMBER.sub("\n", text) if _has_numbered_items(text) else text


def _has_numbered_items(text: str) -> bool:
    """Return whether an answer has an item 1 and an item 2."""
    signed = ("1" in text and "2" in text) or "a)" in text or "A)" in text
    return signed and _NUMBERED_LIST.search(text, 0, _LIST_REACH) is not None


def _split_items(text: str) -> list[tuple[int, int]]:
    """Return where the parts between breaks begin and end."""
    breaks = list(_ITEM_BREAK.finditer(text))
    begins = [0, *(each.end() for each in breaks)]
    return list(zip(begins, [*(each.start() for each in breaks), len(text)], strict=True))


def _is_short_phrase(part: str) -> bool:
    """Return whether a part is a short phrase, and no label, sentence or masked reference."""
    words = part.split()
    if not words or len(words) > _LONGEST_PART or _STATES.search(part):
        return False
    return any(word.strip("x.,()") and any(map(str.isalnum, word)) for word in words)


_RETRACTION = any_case(
    r"\b(?:wrong|incorrect\w*|false|untrue|inaccurate|mistak\w+|misread|misspoke|correction|corrected|revis\w+|edit(?:ed)?|actually|wait|hold on|hang on|sorry|apolog\w+|scratch that|on reflection|reconsider\w*|instead|rather|alternatively|"
    r"made up|fabricat\w+|invented|random|unsure|uncertain|unclear|no source|not (?:sure|certain|true|right|correct|the|for|a)|is not|isn'?t|wasn'?t|cannot|can'?t|could(?:n'?t)?|disput\w+|debat\w+|contradict\w*|disagree\w*|guess\w*|assum\w+|"
    r"are you sure|low|unlikely|doubt\w*|however|although|though|unless|except|but|or|none|another|other)\b|\bno\b[,.]|\b0 ?%"
)


def may_retract(text: str) -> bool:
    """Return whether a text may retract, doubt or limit the text beside it."""
    return _RETRACTION.search(text) is not None

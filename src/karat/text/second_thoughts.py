"""Answers that speak of changing their mind: which of the things that they name is meant in the end is not for rules to say."""

import re
from collections.abc import Iterable

from karat.text.vocabulary import list_words

_SAID = r"(?:said|thought|wrote|written|put|had|answered|guessed|went|believed|typed|assumed|picked|chosen|named|given)"
_ANSWER = r"(?:answer|guess|reply|response|thought|instinct|reaction|impression|idea|attempt|inclination|draft|pick|choice|hunch|feeling|message|vote|mind)"
_FIRST = r"(?:first|initial|original|earlier|previous|last|gut|opening)"
_STRUCK = rf"(?:that|what i (?:just )?said|(?:my|the) (?:{_FIRST} )?{_ANSWER}|the above)"
PHRASES = (
    # struck out
    rf"(?:scratch|strike|scrap|erase|delete|forget|ignore|disregard|discount) {_STRUCK}|(?:please|let me|i) (?:scrap|strike|ignore|disregard|delete|withdraw|retract|revise|amend|recant) (?:it|this|my|{_STRUCK})",
    rf"(?:take|took) (?:it|{_STRUCK}) back|(?:crossed|struck|scratched) (?:out|through)[.)]|(?:rubbed|scrubbed|crossed|struck) (?:it|that) out|(?:amend|revise|change|changing|changed|correct|withdraw|retract) my (?:{_FIRST} )?{_ANSWER}",
    r"(?:can|may|could|might) i (?:change|revise|switch)|i'd like to (?:change|revise|switch)|i(?:'m| am|'ll| will) (?:switching|switch|changing|revising) (?:my \w+ )?to|read \S.{0,60} instead",
    # found wrong
    r"correct(?:ing)? myself|stand corrected|misspoke|misread (?:the|that|your|it)|spoke too soon|jumped the gun|slip of the (?:tongue|pen)|brain fart|sorry,? typo|scrap it|my (?:mistake|bad|error)|(?:i(?:'ve| have)? made|that was) an? (?:mistake|error)|mistake on my part|apologies for the (?:confusion|error|mistake)|what am i saying",
    r"i(?:'ve| have|'m| am)? (?:mixed|mixing|muddled|muddling|messed|messing) (?:(?:that|it|this|them|things|those|the two) )?up|(?:mixed|muddled) (?:things|them|those|the two) up|i(?:'ve)? got (?:that|it|this|them|things) (?:wrong|confused|backwards|mixed|muddled)|confused myself|i was (?:wrong|mistaken|confused|thinking of|mixing)",
    r"(?<!no, )(?<!no )that(?:'s| is| was) (?:actually |in fact |clearly |of course )?(?:wrong|incorrect|inaccurate|not right|not correct|not it|the previous one)|that (?:can't|cannot|can not|couldn't) be (?:right|it|correct)|(?:my|the) (?:gut|memory|instinct) (?:is|was) wrong",
    # thought over
    rf"(?:i|it|answer|that) should(?:'ve| have) (?:been|{_SAID})|i meant|(?:(?<=[,.;!?—–-] )|\A|(?:sorry|rather|well|no|er|um|uh),? )i (?:\w+ly )?mean\b|make that|i now (?:think|believe|see|realis\w+|realiz\w+|say|favou?r)|or rather",
    r"(?:on|upon|after) (?:(?:a|some|more|further|closer|careful|second|due) )+(?:thoughts?|reflection|reconsideration|consideration|look|inspection|reading|review|thinking)|(?:on|upon) (?:reflection|reconsideration)|(?:second|better) thoughts?|come to think of it|the more i think|thinking (?:about it |it over |it through )?(?:again|some more|harder)|having (?:reconsidered|rethought|thought (?:again|about it|it over))|i(?:'ve)? (?:have )?reconsider\w*|let me reconsider|dawned on me|(?:occurs|occurred) to me",
    r"now that i \w+|i(?:'ve| have)? (?:(?:just|now|then|suddenly) (?:remember|recall|notic)|realis|realiz)\w*|check(?:s|ing) (?:again|my notes|notes)|checking\.\.\.|let me double-check",
    # said before
    rf"my {_FIRST} {_ANSWER}|i(?:'d| had|'ve| have)? (?:first|initially|originally|previously|earlier|nearly|almost|already) {_SAID}|so i {_SAID} before|(?:at first|for a (?:second|moment|minute)(?: there)?|initially|originally),? i|(?:moment|minute|second) ago|i (?:was (?:going|about|tempted)|wanted) to (?:say|write|put|answer)|i used to (?:think|say|believe)|i(?:'d| would) have (?:sworn|said)|too (?:quickly|hastily|soon)[.;,!]",
    # interrupted
    r"no,? wait|wait,? no|(?:oh|hmm|er|erm|um|uh|ah|though|wait|actually)[,.]? no(?=[\s,.!;]+(?!doubt|question|problem|worries))|but no,|no,? sorry|sorry,? no|wait,? (?:that|it|i|actually|sorry|maybe)|(?:hang on|hold on|hold up|wait (?:a|one) (?:moment|minute|second|sec))(?=\s*(?:[,.!…—–-]|$))|whoops|oops|nope|actually,? (?:don't|no|scratch)|correction[:,]|erratum|errata|edit(?:ed)?:|update:|revised answer|corrected answer",
)
_CHANGED = re.compile(rf"(?<![\w'])(?:{'|'.join(PHRASES)})(?!\w)|~~\S|[✗✘❌]", re.DOTALL)
HINTS = frozenset(
    list_words(
        "actually ago amend back brain checking checks confusion consideration corrected correction crossed dawned delete discount disregard double "
        "edit edited erase errata erratum error forget hang hastily having hold i ignore inspection instead jumped look misread misspoke mistake "
        "mixed muddled my myself no nope occurred occurs oops quickly rather reading recant reconsider reconsideration reflection retract review "
        "revise revised rubbed scrap scratch scratched scrubbed should slip soon strike struck that think thinking thought thoughts typo update wait "
        "whoops withdraw wrong"
    )
)
"""Words of which every such phrase has one; most answers have none, and a look for them is fast."""
_WORD = re.compile("[a-z]+")
_STARRED = re.compile(r"[^*()=]+\s\*[A-Z\d][^*()]*")


def has_second_thoughts(answer: str, question: str, references: Iterable[str]) -> bool:
    """Tell whether an answer speaks of changing its mind, in words that neither question nor references have."""
    text = answer.replace("’", "'")
    if not _STARRED.fullmatch(text) and not _speaks_of_change(text.lower()):
        return False
    for reference in references:
        if reference.strip():
            own = re.escape(reference.strip().replace("’", "'"))
            text = re.sub(rf"(?<!\w){own}(?!\w)", "X", text, flags=re.IGNORECASE)
    if _STARRED.fullmatch(text):
        return True
    return any(found[0] not in question.lower() for found in _CHANGED.finditer(text.lower()))


def _speaks_of_change(lowered: str) -> bool:
    hinted = not HINTS.isdisjoint(_WORD.findall(lowered)) or "~~" in lowered or not lowered.isascii()
    return hinted and _CHANGED.search(lowered) is not None

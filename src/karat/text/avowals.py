"""Phrases with which one stands by an answer: how sure it is, where it is from. They say nothing of what was asked, and are taken off.

Whole phrases only: "I know nothing of 1912" is made of the same words as "I know this one: 1912".
"""

import re

_SURE = r"(?:quite |pretty |fairly |very |absolutely |completely |totally |100 ?% ?)?(?:sure|certain|confident|positive)"
_SELF = r"(?:i'?m|i am)"
_RECALLED = (
    r"if (?:my )?memory serves(?: me)?(?: right| correctly| well)?|if i (?:recall|remember)(?: correctly| right| rightly)?"
    r"|as far as i (?:know|remember|recall|can tell)|to the best of my knowledge|from memory"
)
_OPENING = (
    r"oh|ah|well|hmm|so|ok|okay|sure|sure thing|great question|good question|of course|certainly|definitely|absolutely|clearly|obviously|indeed|frankly|honestly|therefore|thus|hence"
    r"|simply put|to put it simply|in short|in brief|in a word|in one word|easy|bingo|no question|no doubt|(?:without|beyond) (?:a |any |all )?doubt|hands down|trust me|happy to help|glad to help"
    r"|hope (?:this|that|it) helps|that'?s an easy one|this is an easy one|i know this(?: one)?|i (?:just )?(?:looked it up|checked)(?: and)?|i (?:learned|learnt|remember|know) this (?:from|in|at) (?:school|class|college)"
    r"|correct me if i'?m wrong,? but|based on (?:what i know|the (?:context|text|document|passage))|according to (?:wikipedia|google|my knowledge)|after (?:careful |some )?(?:thought|consideration)"
    r"|thinking it through(?: step by step)?|let me think|it'?s common knowledge(?: that)?|as every(?:one|body) knows|final answer|short answer|why"
)
_LEADING = (
    rf"(?:{_SELF} )?{_SURE}(?: that)?(?=[:,]?\s+(?:it|that|this|the|he|she|they)\b|:)|every(?:one|body) knows(?: that)?(?=\s+(?:it|that|this|the)\b)|i know that(?=\s+(?:it|the)\b)"
    r"|i (?:believe|think)(?: that)?(?!\s+(?:in|of|about|so|not)\b)"
    r"|(?:the|my)(?: final| correct| right| short| best)? (?:answer|response|reply|solution|result)(?: you(?:'?re| are) looking for| here| to (?:this|that|your)(?: question)?)? (?:is|would be|has to be|must be)"
    r"|(?:what|the (?:name|word|one|thing)) you(?:'?re| are)? (?:after|looking for|want|seek|need) is|(?:i'?ll|i will|i'?m going to|i'?d|i would|i'?m going|let'?s) (?:go with|say|answer|with)|going with|locking in|i arrive at|the one and only"
)
_BEFORE = re.compile(
    rf"\W*(?:(?:{_OPENING}|{_RECALLED})(?:[,:!.…-]+\s+|\s+(?={_LEADING}|it\b|it's|that's))|(?:{_LEADING})[\s:,]+)+",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"[\s,.!–-]+(?:for sure|no doubt(?: about it)?|without (?:a |any )?doubt|of course|{_RECALLED}|{_SELF} {_SURE}(?: of it| of that| about (?:it|that))?|that'?s (?:it|that|my (?:final )?answer)|final answer"
    r"|you'?re welcome|hope (?:this|that|it) helps|(?:many )?thanks(?: for (?:asking|playing))?|my friend)[\s.!]*$",
    re.IGNORECASE,
)  # fmt: skip
_LONGEST = 300


def strip_avowals(answer: str) -> str:
    """Return a brief answer without the avowals before and behind it; all of it where nothing else would be left."""
    if len(answer) > _LONGEST:
        return answer
    leading = _BEFORE.match(answer)
    bare = answer[leading.end() :] if leading else answer
    bare = _BEHIND.sub("", bare)
    return bare if any(map(str.isalnum, bare)) else answer

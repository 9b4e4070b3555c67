"""Unwrap a delivered answer step by step, and remove politeness, labels and assurances."""

import re

from karat.core.types import Item
from karat.text.gate.gate import is_opener
from karat.text.lexicon import EMPTY_WORDS, any_case, word_set
from karat.text.normal import is_blank, normalise, strip_invisible
from karat.text.unwrap.reasoning import (
    cut_next_turn,
    cut_repeated_question,
    find_final_channel,
    find_marked_answer,
    find_only_node,
    find_tagged_answer,
    strip_reasoning,
    strip_role,
    strip_tokens,
)
from karat.text.unwrap.sources import strip_notes, strip_page_parts, strip_sources, strip_stuck_digits
from karat.text.unwrap.structure import (
    find_by_key,
    find_in_call,
    find_in_lines,
    find_in_object,
    find_in_table,
    strip_colours,
    strip_fence,
    strip_markup,
    strip_prolog,
)

_LONGEST_DELIVERED, _LONGEST_SAID = 200_000, 8_000
_BRIEF = 12
_BLANK = re.compile(r"[\n\x0b\x0c\xa0](?:[^\S\n]*\n){2,}|[^\S\n]{4,}")
_GAP = re.compile(r"(?<=\S)[^\S\n]{2,}(?=\S)")
_HINT_SIGNS = re.compile(r"[<\[{(\n\\&`|◁▁:]")
_HINT_WORDS = ("assistantfinal", "Answer is", "answer is")
_ASKS_CODE = any_case(
    r"\b(?:json|xml|html|yaml|css|sql|regex|python|javascript|typescript|java|bash|shell|syntax|markdown|latex|source code|code snippet|(?:html|xml) tags?|which tag|what tag|web ?page|escape (?:character|sequence)|newline|pseudocode|repl)\b|\w\(\)"
)
"""Questions whose answers may be code, and so look like wrapping."""
_CODED = re.compile(r"^\s*[{\[<]|</|\w\([^()]*\)\s*;?$|;\s*$|=>|==")
_NAMED_ANSWER = any_case(r"[\"'](?:final_?)?answer[\"']\s*:|<(?:final_?)?answer>")
"""Wrapping that names the answer, which is unwrapped even if the answer may be code."""
_FINDERS = (find_in_call, find_in_lines, find_in_object, find_in_table, find_by_key)


def unwrap_answer(item: Item) -> Item:
    """Return the item with only the answer, without the text around it. Text that the references also have stays."""
    answer, references = item.answer, item.references
    if len(answer) > _LONGEST_DELIVERED or answer.strip() in references:
        return item
    said = strip_invisible(strip_colours(answer))
    if _HINT_SIGNS.search(said) or any(word in said for word in _HINT_WORDS):
        said = _take_from_template(item.question or "", references, _squeeze(said))
    if "\n" not in said and ("  " in said or "\t" in said or not said.isascii()):
        said = _GAP.sub(" ", said)
    if len(said) <= _LONGEST_SAID:
        said = _strip_around(item.question or "", references, said)
    said = said.strip()
    return item if said == answer or is_blank(said) else Item(item.question, references, said)


def _take_from_template(question: str, references: tuple[str, ...], answer: str) -> str:
    """Extract the answer from template tokens, turns, reasoning and structures."""
    said = strip_tokens(question, strip_reasoning(find_final_channel(answer)))
    if len(said) > _LONGEST_SAID:
        return said
    said = strip_role(cut_repeated_question(question, said))
    code = _ASKS_CODE.search(question) is not None or any(map(_CODED.search, references))
    if _NAMED_ANSWER.search(said) or not code:
        said = _take_from_structure(said)
    if any(len(reference.split()) > _BRIEF for reference in references):
        return said  # of an explanation all sections count
    return find_marked_answer(question, references, cut_next_turn(question, references, said))


def _take_from_structure(text: str) -> str:
    text = find_only_node(find_tagged_answer(strip_prolog(text)))
    inner = next((found for find in _FINDERS if (found := find(text)) is not None), None)
    return _squeeze(strip_markup(strip_fence(text) if inner is None else inner))


def _strip_around(question: str, references: tuple[str, ...], text: str) -> str:
    """Remove sources and notes."""
    page = strip_page_parts(references, text) if "\n" in text else text
    text = strip_notes(references, strip_sources(references, question, page))
    return strip_stuck_digits((*references, question), text)


def _squeeze(text: str) -> str:
    """Shorten long runs of white space, which keeps the patterns fast."""
    if text.isprintable() and text.isascii() and "    " not in text:
        return text
    return _BLANK.sub(lambda found: "\n\n" if "\n" in found[0] else "   ", text)


# Politeness, labels, markdown, and the question repeated.

# "U.S. state" has no end of a sentence.
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)(?!(?<=\b[A-Z]\.)\s[a-z])|\n+|$)\s*", re.DOTALL)
_POLITE = any_case(
    r"\W*(?:(?:many )?thanks?(?: you)?(?: (?:so|very) much)?(?: for .{0,40})?|(?:that'?s |what )?an? (?:good|great|excellent|interesting) question|"
    r"(?:good|great|excellent|interesting) question|(?:sure|certainly|of course|absolutely|gladly|with pleasure|no problem)(?: thing)?"
    r"(?:,? (?:i(?:'m| am) )?(?:happy|glad) to (?:help|assist|answer).{0,20})?|(?:i(?:'m| am) )?(?:happy|glad) to help.{0,20}|hello|hi(?: there)?|hey|"
    r"good (?:morning|afternoon|evening|day)|i hope (?:that )?(?:this|that|it) (?:helps|answers).{0,30}|hope (?:this|that|it) helps.{0,20}|"
    r"(?:please )?(?:let me know|feel free|do not hesitate|don'?t hesitate|ask (?:me )?(?:again|more|anything)).{0,80}|"
    r"have a (?:nice|good|great|lovely|wonderful) (?:day|evening|time|one|week)|you(?:'re| are) welcome|cheers|best(?: regards| wishes)?)\W*"
)
_GREETING = any_case(
    r"^(?:hi|hello|hey|dear|greetings|with pleasure|gladly|sure|certainly|of course|absolutely)(?: (?:there|all|everyone|friend|user|sir|madam))*\s*[,!:]\s+(?=\S)"
)
_COURTESY_WORDS = word_set(
    "you your ask asked asking question questions help helps helpful cheers regards welcome thanks thank pleasure glad happy hope hi hello hey dear greetings easy"
)
_COURTESY_OR_SMALL_WORDS = (
    EMPTY_WORDS
    | _COURTESY_WORDS
    | word_set(
        "delighted love enjoy enjoyed day week evening morning afternoon nice best kind warm wishes friend user back come free feel hesitate reach contact further more "
        "additional other unclear trust useful use assistance support time times easy fun sir madam there everyone cheers helped"
    )
)
_POLAR = word_set("yes no not true false correct right wrong never none nothing neither nor all both either")
_ASKED = any_case(
    r"\W*(?:(?:as to|about|regarding|concerning|on|for|to answer|re)\b\W*)?(?:(?:you|the|your|this|my) )?(?:(?:ask|asked|want to know|wanted to know|question|query|q)\b)?"
    r"(?: (?:is|was|asked))?\W*"
)
_LABEL = any_case(r"\W*(?:(?:the|my|final|short|correct)\s+)*answer(?:\s+is)?\s*:\W*|\W*a:\s+")
_WRAPPED = re.compile(
    r"(?:(\*{1,3}|_{1,2}|`+|\"|'|“|‘)(?P<inner>[^*_`\"“”‘’\n]+?)(?:\1|”|’)|[(\[](?P<held>[^()\[\]\n,]+(?:,[^()\[\]\n,]+)?)[)\]]|<(?P<tag>[a-z]+)>(?P<tagged>[^<>]+)</(?P=tag)>)[.!]?",
    re.DOTALL,
)
_BLOCK = re.compile(r"^(?:>|#{1,6}|[-*]|1[.)])\s+(?=\S[^\n]*$)")
_WH = any_case(
    r"(?:in |on |at |of |to |for |from |by |with )?(?:who|whom|whose|what|which|when|where|why|how)\b"
)
_EDGES = " \n\t?.!:;,\"'“”‘’()*_"
# A dash before a figure is a minus sign.
_END = re.compile(r"[?.!\"'”’)*_]*[:;,]?(?:\s+[-–—](?=\s))?\s*")
_LONGEST_LEAD = 40
_LONGEST_STRIPPED = 2000
_MOST_SENTENCES = 12
_SENTENCE_WORDS = 6
_SENTENCE_ENDS = (".", "!", "?", "…", '"', "”", ")")


def strip_politeness(question: str, answer: str) -> str:
    """Return the answer without politeness, labels and Markdown. Return all of it if nothing else would be left."""
    if len(answer) > _LONGEST_STRIPPED:
        return answer
    said = _cut_question(question, answer)
    sentences = [found[0] for found in _SENTENCE.finditer(said)]
    if len(sentences) > _MOST_SENTENCES:
        return answer
    first, last = 0, len(sentences)
    while first < last and _is_filler(sentences[first]):
        first += 1
    while last > first + 1 and _is_polite(sentences[last - 1]):
        last -= 1
    kept = _GREETING.sub("", "".join(sentences[first:last]).strip())
    bare = _BLOCK.sub("", _LABEL.sub("", kept, count=1) if _LABEL.match(kept) else kept)
    wrapped = _WRAPPED.fullmatch(bare)
    bare = wrapped["inner"] or wrapped["held"] or wrapped["tagged"] if wrapped else bare
    return strip_assurances(bare if normalise(bare) else answer)


def _cut_question(question: str, answer: str) -> str:
    """Return the text after the question, if an answer begins by repeating it."""
    asked = question.strip(_EDGES)
    found = re.search(re.escape(asked), answer, re.IGNORECASE) if asked else None
    if found is None or found.start() > _LONGEST_LEAD or not _ASKED.fullmatch(answer[: found.start()]):
        return answer
    rest = answer[found.end() :]
    end = _END.match(rest)
    # "The capital of France is" is a question to complete: an answer that continues it repeats nothing.
    if end is None or not normalise(rest) or not (end[0].strip() or (end[0] and _WH.match(asked))):
        return answer
    return rest[end.end() :]


def _is_filler(sentence: str) -> bool:
    """Return whether a sentence at the beginning is only polite or announces an answer."""
    if _is_polite(sentence):
        return True
    return (sentence.startswith("#") or sentence.rstrip().endswith((":", ".", "!"))) and is_opener(sentence)


def _is_polite(sentence: str) -> bool:
    """Return whether a sentence is only polite: a set phrase, or only function words and words of courtesy."""
    if _POLITE.fullmatch(sentence):
        return True
    words = set(normalise(sentence).split())
    courteous = words <= _COURTESY_OR_SMALL_WORDS and not _COURTESY_WORDS.isdisjoint(words)
    return courteous and _POLAR.isdisjoint(words)


def set_full_stop(answer: str) -> str:
    """Return a phrase without a full stop and a sentence with one, so that a missing full stop does not matter."""
    bare = answer.strip()
    if len(bare.split()) < _SENTENCE_WORDS:
        return bare.rstrip(". ").strip() or answer
    return bare if bare.endswith(_SENTENCE_ENDS) else f"{bare}."


# Assurances: "I'm sure", "if I remember correctly".

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
_ASSURANCE_BEFORE = any_case(
    rf"^\W*(?:(?:{_OPENING}|{_RECALLED})(?:[,:!.…-]+\s+|\s+(?={_LEADING}|it\b|it's|that's))|(?:{_LEADING})[\s:,]+)+"
)
_ASSURANCE_BEHIND = any_case(rf"[\s,.!–-]+(?:for sure|no doubt(?: about it)?|without (?:a |any )?doubt|of course|{_RECALLED}|{_SELF} {_SURE}(?: of it| of that| about (?:it|that))?|that'?s (?:it|that|my (?:final )?answer)|final answer"
    r"|you'?re welcome|hope (?:this|that|it) helps|(?:many )?thanks(?: for (?:asking|playing))?|my friend)[\s.!]*$")  # fmt: skip
_LONGEST_ASSURED = 300


def strip_assurances(answer: str) -> str:
    """Return a brief answer without assurances before and after it. Return all of it if nothing else would be left."""
    if len(answer) > _LONGEST_ASSURED:
        return answer
    bare = _ASSURANCE_BEHIND.sub("", _ASSURANCE_BEFORE.sub("", answer, count=1))
    return bare if any(map(str.isalnum, bare)) else answer

"""Remove citations, lists of sources, notes and parts of web pages around an answer."""

import re

from karat.text.hedges import may_retract
from karat.text.lexicon import MONTHS, any_case
from karat.text.normal import is_blank, loses_reference

_HEAD = r"(?:sources?(?: documents?| used)?|references?|citations?|cited documents|works cited|bibliography|footnotes|(?:further|additional) reading|(?:learn|read) more|see also|retrieved (?:from|chunks|documents)|documents? used|search results|grounding|context ids?|chunk_ids?)"
_LISTED = re.compile(
    rf"(?:\n|(?<=[.!?])\s+(?=\W{{0,3}}(?:source|reference|citation)s?:))[ \t>#*_=(\[📚📄🔗📎–—-]{{0,12}}(?:h\d\. )?{_HEAD}[ \t*_)\]]{{0,4}}(?::|\n)(?P<list>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CITABLE = re.compile(
    r"https?:|www\.|\.(?:pdf|md|txt|docx?|html?|org|com|net|gov|edu|io|json|csv|aspx)\b|\[\d|^\s{0,4}\d{1,2}[.)] |\b(?:doc|chunk|passage|page|kb|id|ref)\w{0,10}[-_ #:]{0,2}\d|wikipedia|britannica|encyclop|n\.d\.|\bp+\. ?\d",
    re.IGNORECASE | re.MULTILINE,
)
"""Every list of sources has one of these: an address, a file name, a number, an encyclopedia."""
_NOTED = re.compile(r"\n[ \t]{0,4}(?P<mark>\[\^?[\w-]{1,20}\^?\]):?[ \t]{0,4}(?=\S).*$", re.DOTALL)
_FOOTNOTE = re.compile(
    r"(?P<mark>[†‡¹²³①-⑳]|(?<=[a-z.])\d)[①-⑳¹²³\d]{0,3}\s{0,3}\n\s{0,3}(?P=mark)[.):]?[ ][^\n]{3,200}(?:\n\s{0,3}[†‡¹²³①-⑳\d][.):]?[ ][^\n]{3,200}){0,8}\s{0,3}$"
)
_STATUS = any_case(
    r"^\[(?=[^\[\]\n]{0,80}(?:confiden|ground|source|status|doc|page|p\.|retriev|passage|\d\d:\d\d))[^\[\]\n]{3,80}\]\s{1,3}(?=\S)"
)
_SOURCE_REMARK = any_case(
    r"[(\[]\s?(?:(?:sources?|src|refs?|references?|citations?|cite|retrieved from)\s?:\s?[^()\[\]\n]{1,120}|source|citation needed|link)\s?[)\]]"
)
_MARKS = re.compile(
    r"""(?:
      :?contentReference\[oaicite:[^\]\n]{0,20}\](?:\{[^{}\n]{0,20}\})?
    | \[?oai_?cit\w{0,10}:\d{1,3}[^\]\s]{0,80}\]?
    | 【[^【】\n]{0,80}】
    | [\ue200-\ue2ff]{0,3}citeturn\w{1,80}[\ue200-\ue2ff]{0,3} | \ue200[^\ue201]{0,200}\ue201
    | \[\s?(?:cite_start|/?cite|cite_end|cite:\s?[\d,\s]{1,20})\s?\]
    | \[\^[\w-]{1,20}\^?\](?!:)(?:\[\d{1,3}\])?
    | \[\s?@[\w:.-]{1,60}(?:[,;][^\[\]\n]{1,80})?\s?\]
    | [\[(]\s?(?:doc(?:ument)?s?|sources?|src|refs?|chunks?|passages?|p+\.|cite|citations?|snippet|kb|fn|footnote|file)\s?[#:_.-]?\s?[\w.-]{0,12}\d[\w.:-]{0,20}(?:\s?[,;&–-]\s?(?:(?:and\s)?(?:doc(?:ument)?|source|chunk|p\.|passage|lines?)\s?[#:_.-]?\s?)?[\w.-]{0,12}\d[\w.-]{0,12}){0,6}\s?[\])]
    | \[[\w .-]{1,60}\.(?:pdf|txt|md|docx?|pptx?|xlsx?)(?:[#:,\s][^()\[\]\n]{0,30})?\]
    | \[(?:PMID|PMC|doi|ISBN|arXiv|KB|KA)\s?[:#-][^\[\]\n]{1,40}\]
    | \{\{(?:sfn|r|cite|efn|ref|refn|cn|citation)\b[^{}\n]{0,200}\}\} | <ref(?:\s[^<>]{0,80})?>(?:[^<>]{0,400}</ref>)? | <ref(?:\s[^<>]{0,80})?/>
    | </?co(?::\s?[\d,\s]{0,12})?> | </?cite(?:\s[^<>]{0,80})?> | \(cite\s[^<>()]{0,60}>
    | \\(?:cite|footnote|parencite|autocite|textcite)[a-z]{0,6}\s?(?:\[[^\[\]\n]{0,40}\]){0,2}\{[^{}\n]{0,120}\}
    | <sup(?:\s[^<>]{0,80})?>\s?(?:<a[^<>]{0,120}>)?\s?\[\s?[\d,\s]{1,12}\]\s?(?:</a>)?\s?</sup>
    | (?:(?<=[A-Za-z]{3})|(?<=[.!?,;]))<sup>\s?(?:<a[^<>]{0,120}>)?\s?[\d,\s]{1,12}\s?(?:</a>)?\s?</sup>
    | \((?:[A-Z][\w.'-]{1,30}\s?){1,4},\s(?:n\.d\.)(?:;\s[^()\n]{1,60})?\)
    | [†‡①-⑳]{1,3}(?=[\s.,;]|$)
    )""",
    re.VERBOSE,
)
# Numbers in brackets at the end of a clause, or right after a word. "over [0, 5]" and "a[1]" are no citations.
_ENDING = r"(?=\s{0,3}(?:$|\n|[.,;!?)]|[A-Z(\[]))"
_NUMBERED = re.compile(
    rf"(?:(?<=[^\W\d_]{{3}})|(?<=[.!?,;)”\"'%])\s?)(?:\[\[?\d{{1,3}}(?:\s?[,–-]\s?\d{{1,3}}){{0,5}}\]?(?:\(\S{{0,200}}\))?\]\s?){{1,8}}{_ENDING}"
    rf"|(?<!\bis)(?<!\bin)(?<!\band)(?<!\bor)(?<!\bto)(?<!\bof)(?<!\bthe)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bat)(?<!\bon)(?<!\bover)(?<!\bwithin)(?<!\bindex)(?<=\w) (?:\[\[?\d{{1,3}}\]?(?:\(\S{{0,200}}\))?\]\s?){{1,8}}{_ENDING}"
)
_RAISED = re.compile(
    r"(?<=[a-z]{4})[¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,˒][¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,4}(?=[\s.,;:!?]|$)|(?<=[.!?,;”\"])[¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,˒]?[¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,4}(?=\s|$)"
)
_COMPUTED = any_case(
    r"[=^*/+×÷π√∑∫<>]|(?:met(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?|seconds?|radius|area)[¹²³⁴⁵⁶⁷⁸⁹]"
)
_CODED = any_case(r"[;={}]|\w\(|\b(?:array|list|index|element|int|char|float|vector|size)\b")
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{0,200})\]\((?:<[^<>\n]{0,300}>|[^()\s]{0,300}(?:\([^()\s]{0,60}\)[^()\s]{0,60})?)(?:\s\"[^\"\n]{0,80}\")?\)"
)
_SITE = any_case(
    r"\W{0,4}(?:\d{1,3}|source(?: \d{1,3})?|link|here|ref|wikipedia|wiki|read more|more|(?:[\w-]{1,40}\.){1,5}[a-z]{2,6}(?:/\S{0,100})?)\W{0,4}"
)
_ADDRESS = any_case(
    r"\s?[(<\[](?:(?:source|see|via|link|ref)\s?:?\s?)?(?:https?://|www\.)[^\s()<>\]]{1,300}[)>\]]"
)
_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
_EMPTY = re.compile(r"\(\s?\)|\[\s?\]")
_WIDE, _LOOSE = re.compile(r"[ \t]{2,}"), re.compile(r" (?=[.,;!?](?:\s|$))")
_MARK_SIGNS = re.compile(r"[\[\]【†‡①-⑳¹²³⁴⁵⁶⁷⁸⁹\ue200(<{\\]")
_MARK_WORDS = ("ontentReference", "citeturn", "oaicit", "oai_cit")
_HEAD_HINTS = (
    "source", "reference", "citation", "cited", "bibliography", "footnote", "reading", "learn more",
    "read more", "see also", "retrieved", "documents", "search results", "grounding", "context id", "chunk_id",
)  # fmt: skip
_ASKS_SOURCE = any_case(
    r"\b(?:sources?|references?|documents?|links?|url|web ?sites?|web ?pages?|citations?|page|line|section|passage|footnotes?)\b"
)
"""If the question asks for a source, the answer is one."""


def strip_sources(references: tuple[str, ...], question: str, answer: str) -> str:
    """Return the answer without citations and lists of sources, except those that a reference also has."""
    lowered = answer.lower()
    signed = _has_signs(answer)
    named = ("\n" in answer or "source" in lowered) and any(head in lowered for head in _HEAD_HINTS)
    if not (signed or named) or _ASKS_SOURCE.search(question):
        return answer
    kept = _strip_lists(references, answer) if named or "\n" in answer or answer.startswith("[") else answer
    if _has_signs(kept):
        kept = _keep_if_safe(references, kept, _strip_marks(" ".join(references), kept))
    return answer if is_blank(kept) else kept


def _has_signs(text: str) -> bool:
    """Return whether a text has a character or word of citations. Every citation has one."""
    return _MARK_SIGNS.search(text) is not None or any(word in text for word in _MARK_WORDS)


def _strip_lists(references: tuple[str, ...], answer: str) -> str:
    """Remove a status line, a list of sources at the end, and footnotes whose marks are in the text."""
    answer = _keep_if_safe(references, answer, _STATUS.sub("", answer))
    listed = _LISTED.search(answer)
    if listed and _CITABLE.search(listed["list"]) and not may_retract(listed["list"]):
        answer = _keep_if_safe(references, answer, answer[: listed.start()])
    noted = _NOTED.search(answer)
    if noted and noted["mark"] in answer[: noted.start()]:
        answer = _keep_if_safe(references, answer, answer[: noted.start()])
    return _keep_if_safe(references, answer, _FOOTNOTE.sub("", answer))


def _keep_if_safe(references: tuple[str, ...], whole: str, cut: str) -> str:
    unsafe = cut == whole or cut.rstrip().endswith(":") or loses_reference(references, whole, cut)
    return whole if unsafe else cut


def _strip_marks(wanted: str, answer: str) -> str:
    def drop(match: re.Match[str]) -> str:
        told = match[0].strip(" ()[]")
        known = told in wanted or any(year in wanted for year in _FOUR_DIGITS.findall(told))
        return match[0] if known else ""

    def name(match: re.Match[str]) -> str:
        text = match["text"]
        return "" if _SITE.fullmatch(text) and not ("." in text and text in wanted) else text

    answer = _WIDE.sub(" ", _MARKS.sub(drop, answer))
    if "](" in answer and "](" not in wanted:
        answer = _EMPTY.sub("", _LINK.sub(name, answer))
    if "[" in answer and not _CODED.search(answer):
        answer = _NUMBERED.sub("" if "[" not in wanted else drop, answer)
    if not _COMPUTED.search(answer) and "¹" in answer:
        answer = _RAISED.sub(drop, answer)
    answer = _SOURCE_REMARK.sub(drop, _ADDRESS.sub("", answer))
    return _LOOSE.sub("", _WIDE.sub(" ", answer)).rstrip()


# Notes of a system about its answer: its sources, its confidence, offers of help.

_TEXTS = (
    r"(?:context|documents?|passages?|texts?|articles?|search results?|results?|sources?|information|reports?|snippets?|excerpts?|data|materials?|files?|pages?|website|knowledge base|database|records|table|content|web search|"
    r"documentation|transcript|paragraphs?|chunks?|evidence|web pages?|filing|references?|\[?document \[?\d{1,2}\]?)"
)
_GROUNDED = any_case(
    rf"^\W{{0,4}}(?:(?:sure|certainly|okay|ok|of course|great)[,!.]\s)?(?:based (?:up)?on|according to|as (?:stated|mentioned|described|noted|given|per|shown|reported)(?: in| by)?|from|per|in|looking at|using|drawing on|after (?:reviewing|reading|checking|searching))\s"
    rf"(?:all\s)?(?:the|this|these|your|my|our|its)?\s?(?:(?:provided|given|retrieved|above|following|available|supplied|attached|uploaded|relevant|search|internal|top|first|second|most relevant)\s){{0,3}}{_TEXTS}"
    rf"(?:\s(?:provided|given|above|below|available|supplied|retrieved|i (?:found|have)|you (?:provided|gave|shared|uploaded|supplied)|at hand|(?:\[|#)?\d{{1,3}}\]?|to me|here)){{0,3}}(?:\s?[(\[][^()\[\]\n]{{0,40}}[)\]])?\s?[,:;]\s{{0,3}}(?=\S)"
)
_UPDATED = any_case(
    r"^\W{0,4}(?:as of|up to|to the best of)\s(?:my|the)\s(?:(?:last|latest|most recent|current|own)\s)?(?:knowledge|update|training|information|data)(?:\s(?:update|cut-?off|data))?(?:\s(?:date|in|of|on)\s[\w ,]{1,20})?\s?,\s{0,3}(?=\S)"
)
_LOOKED = any_case(
    rf"^\W{{0,4}}(?:(?:sure|certainly|okay|ok|of course|great)[,!.]\s)?i(?:'ve| have)?\s(?:just\s)?(?:searched|read|checked|looked|reviewed|consulted|scanned)\b(?![^.!?\n]{{0,120}}\b(?:says?|states?|gives?|names?)\b)[^.!?:\n]{{0,80}}\b{_TEXTS}\b[^.!?:\n]{{0,40}}[.!]\s{{1,3}}(?=\S)"
)
_CONFIDENCE_NOTE = any_case(
    r"(?:\n|\s[(\[]|(?<=[.!?])\s)[\s*_-]{0,6}(?:confidence|certainty)(?:\s(?:score|level|rating))?[*_]{0,3}\s?[:=]\s?[*_~≈]{0,3}(?:(?:0?\.[5-9]\d{0,4}|1(?:\.0{1,3})?|[5-9]\d(?:\.\d{1,3})?\s?%|100\s?%|[6-9]\s?/\s?10|10\s?/\s?10)|(?:very\s)?(?:high|strong|certain|full|medium|moderate))[*_]{0,3}[\s)\].]{0,4}$"
)
_USAGE_NOTE = any_case(
    r"\n\s{0,4}(?:[(\[{*]{1,2}\s?(?:tokens?|latency|model|time|duration|answered in|response time|took|elapsed)\b[^()\n]{0,120}[)\]}*]{1,2}|[^\n|]{0,40}\b(?:tokens|latency)\b[^\n|]{0,40}\|[^\n]{0,80})\s{0,4}$"
)
_ABOUT_ANSWER = any_case(
    r"(?:\n{1,3}|(?<=[.!?])[)\"”*_]{0,3}\s)[*_>(\[\s]{0,6}(?:(?:(?:please\s)?note(?:\sthat|:)?\s|disclaimer:\s)?(?:this|the|the above|my) (?:answer|response|information|fact)\s(?:is|was|comes|has been)\s(?:\w+ly\s|only\s)?(?:drawn|based|taken|derived|retrieved|quoted|sourced|generated|from|current)\b|"
    r"(?:(?:please\s)?note(?:\sthat|:)?\s)?my (?:knowledge|training)\b|ai[- ]generated\b|information (?:is )?(?:current as of|retrieved|drawn|taken)\b)[^\n]{0,240}\s{0,4}$"
)
_OWN = any_case(
    rf"\b(?:{_TEXTS}|knowledge|training|cut-?off|last update|ai[- ]generated|language model|stated|explicitly|up to date)\b"
)
_NAMED = re.compile(r"(?<=[a-z,;] )(?:[A-Z][a-z]{2,}|\d{2,})")
_OFFERED = any_case(
    r"(?:\n{1,3}|(?<=[.!?])[)\"”*_]{0,3}\s)\W{0,4}(?:(?:would you like|do you want|do you need|can i (?:help|assist)|is there anything else|anything else i can|want me to|shall i)\b[^\n]{0,160}\?|(?:please )?(?:let me know if|feel free to ask|don'?t hesitate to ask)\b[^\n]{0,120}[.!]?|was this (?:answer )?helpful\?[^\n]{0,30})[\s😊👍👎]{0,6}$"
)
_AFTER = re.compile(
    r"\s{1,4}(?:TERMINATE|\[DONE\]|<DONE>|END OF ANSWER|-{3,100}|={3,100}|\*{3,100}|> Finished chain\.|\[END\]|<END>|#{1,6} ?End)\s{0,4}$"
)
_NOTE_LEADS = (
    "based", "according", "as of", "up to", "to the best of", "as stated", "as mentioned", "as described", "as noted", "as given", "as per", "as shown", "as reported", "from ", "per ", "in the", "in your", "in this", "looking", "using", "drawing",
    "after re", "after checking", "after searching", "i've", "i have", "i searched", "i read", "i checked", "i looked", "i reviewed", "i just", "sure", "certainly", "okay", "ok", "of course", "great",
)  # fmt: skip
_NOTE_HINTS = (
    "\n", "note", "disclaimer", "confiden", "certainty", "terminate", "done]", "would you", "let me", "anything", "this answer", "this response", "this information", "the answer", "the above", "my knowledge", "ai-generated", "ai generated", "information is",
    "feel free", "do you", "can i", "helpful", "want me", "shall i", "hesitate",
)  # fmt: skip
"""How a note before an answer begins, and words of which every note after an answer has one."""
_NOTE_ENDS = ("\n", ". ", "! ", "? ", " (", " [", ".*", "TERMINATE", "[DONE]")
"""Text that comes right before, or belongs to, a note at the end."""
_ROUNDS = 3


def strip_notes(references: tuple[str, ...], answer: str) -> str:
    """Return the answer without notes about itself. Keep notes that express doubt or contain a reference."""
    lowered = answer.lower()
    if any(end in answer for end in _NOTE_ENDS) and any(hint in lowered for hint in _NOTE_HINTS):
        answer = _strip_behind(references, answer)
    if lowered.lstrip(' *_#>"').startswith(_NOTE_LEADS):
        answer = _strip_before(references, answer)
    return answer


def _strip_behind(references: tuple[str, ...], answer: str) -> str:
    for _ in range(_ROUNDS):
        before = answer
        for pattern in (_AFTER, _USAGE_NOTE, _CONFIDENCE_NOTE, _OFFERED, _ABOUT_ANSWER):
            found = pattern.search(answer)
            if found and not (pattern is _ABOUT_ANSWER and _may_be_answer(found[0])):
                answer = _keep_if_safe(references, answer, answer[: found.start()].rstrip())
        if answer == before:
            break
    return answer


def _strip_before(references: tuple[str, ...], answer: str) -> str:
    for pattern in (_LOOKED, _GROUNDED, _UPDATED):
        found = pattern.match(answer)
        if found and not (pattern is _LOOKED and may_retract(found[0])):
            answer = _keep_if_safe(references, answer, answer[found.end() :])
    return answer


def _may_be_answer(note: str) -> bool:
    """Return whether a note may belong to the answer: it expresses doubt, names something, or is not about texts or knowledge."""
    return may_retract(note) or _OWN.search(note) is None or _NAMED.search(note.lstrip()) is not None


# Parts of a copied web page: a title, buttons, links on separate lines.

_PAGE_TITLE = re.compile(
    r"^[^\w\n]{0,4}(?:[A-Z][\w.]{0,20}[ ]){0,4}(?:AI|Assistant|Copilot|AI Overview|Quick Answer|Featured snippet(?: from the web)?|Answer Box)[^\w\n]{0,4}(?:\nLearn more)?\n\s{0,4}(?=\S)"
)
_PAGE_LINE = any_case(
    r"[ \t>*•·_-]{0,8}(?:(?:share|rewrite|related|copy|feedback|show more|read more|learn more|people also ask|view \d{1,3} more|thumb_(?:up|down)|export|save to note|sources?[ ▾]{0,3}|ask a follow-?up\W{0,3}|helpful\?|was this helpful\W{0,3}|"
    r"about featured snippets[^\n]{0,15}|regenerate|\d{1,3} sources?(?: selected)?|(?:\[[A-Z][\w ]{1,24}\] ?){1,5}|[•·])|"
    r"(?:\[?\^?\d{1,3}\^?[\]:.)]{0,2}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})?[ \t]{0,4}(?:\[[^\[\]\n]{0,120}\]\(\S{1,300}\)|<?https?://\S{1,300}(?: › [^\n]{1,60})?)|(?:\[\d{1,3}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})[ \t]{0,4}(?:[\w-]{1,40}\.){1,5}[a-z]{2,6}(?:/\S{0,200})?)?[ \t]*"
)
_SOURCE_COUNT = re.compile(r"[\s]\+\d{1,2}(?:\n[\w .-]{2,30}(?:\n\+\d{1,2})?){1,8}\s{0,4}$")


def strip_page_parts(references: tuple[str, ...], answer: str) -> str:
    """Return the answer without the other parts of its web page, unless only those mention a reference."""
    for cut in (_PAGE_TITLE.sub("", answer), _SOURCE_COUNT.sub("", answer)):
        if cut != answer and not loses_reference(references, answer, cut):
            answer = cut
    lines = answer.split("\n")
    while len(lines) > 1 and _PAGE_LINE.fullmatch(lines[-1]):
        lines.pop()
    return _keep_if_safe(references, answer, "\n".join(lines))


# Footnote digits attached to a word, and words without a space between them.

_MONTHS = "|".join(map(str.capitalize, MONTHS))
_END = r"(?=[.!?]?(?:$|\n|\s+(?=[A-Z“\"])))"
_STUCK_WORD = re.compile(rf"(?<![\w.-])(?P<word>[a-z]{{4,}})(?P<marks>\d{{1,2}}){_END}")
_STUCK_STOP = re.compile(
    r"(?<![a-z])(?P<word>[a-z]{3,})(?<!approx)(?<!chap)(?<!max)(?<!min)(?<!vol)(?<!fig)(?<!sec)(?<!art)(?<!est)(?P<stop>[.!?])\d{1,2}(?:[,-]\d{1,2}){0,3}(?=\s+[A-Z]|\s*$)"
)
_STUCK_YEAR = re.compile(
    rf"(?P<before>\b(?:(?:{_MONTHS})\s+(?:\d{{1,2}},?\s+)?|(?:in|since|until|during)\s+|\d{{4}}\s?(?:and|to|[-–])\s?))(?P<year>(?:1\d|20)\d\d)(?P<marks>\d{{1,2}}){_END}"
)
_STUCK_MONTH = re.compile(rf"\b(?P<word>on|in|from|of|since|by|until|to|between|and)(?=(?:{_MONTHS})\b)")
# The pattern begins with a set of rare characters, which makes the search fast.
_STUCK = re.compile(
    r"[.!?\dJFMASOND](?:(?<=[a-z]\d)|(?<=[a-z][.!?])\d|(?<=\d)\d{4}|(?<=[a-z][JFMASOND])[a-z]{2})"
)
_FEW = 5


def strip_stuck_digits(texts: tuple[str, ...], answer: str) -> str:
    """Return a sentence without footnote digits. Names and numbers that have digits in the question or a reference keep them."""
    if not re.search(r"\d", answer) or not _STUCK.search(answer) or len(answer.split(maxsplit=_FEW)) < _FEW:
        return answer
    known = " ".join(texts)

    def part(match: re.Match[str]) -> str:
        word, marks = match["word"], match["marks"]
        named = re.search(rf"\b{re.escape(word)}[\s-]?\d|(?<!\d){marks}(?!\d)", known, re.IGNORECASE)
        return match[0] if named else word

    def shorten(match: re.Match[str]) -> str:
        number = f"{match['year']}{match['marks']}"
        return match[0] if number in known.replace(",", "") else f"{match['before']}{match['year']}"

    answer = _STUCK_MONTH.sub(r"\g<word> ", answer)
    answer = _STUCK_STOP.sub(r"\g<word>\g<stop>", _STUCK_YEAR.sub(shorten, answer))
    return _STUCK_WORD.sub(part, answer)

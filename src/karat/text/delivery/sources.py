"""Where an answer has it from: marks, links and lists of sources, which say nothing of the answer itself."""

import re

from karat.text.delivery.losing import is_blank, loses

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_LISTED = re.compile(
    r"(?:\n|[.!?)\]”\"]\s+(?=\W*(?:source|reference|citation)s?\W*:))[ \t>#*_\-–—=(\[📚📄🔗📎]*(?:sources?|references?|citations?|cited|works cited|bibliography|footnotes|(?:further|additional) reading|(?:learn|read|see|find out) more|see also|retrieved(?: from| chunks| documents)?|documents?(?: used)?|"
    r"source documents?|sources used|links?|search results|grounding|attributions?|context ids?|chunks?|passages?(?: used)?|based on)(?:[ ](?:used|cited|consulted|and further reading))?[ \t*_)\]]*(?::|\n|\s[-–—]\s).*$",
    re.IGNORECASE | re.DOTALL,
)
_FOOTNOTE = re.compile(
    r"(?P<mark>[†‡¹²³①-⑳]|(?<=[a-z.])\d)[①-⑳¹²³\d]*\s*\n\s*(?P=mark)[.):]?[ ][^\n]{3,}(?:\n\s*[†‡¹²³①-⑳\d][.):]?[ ][^\n]{3,})*\s*$"
)
_GROUNDED = re.compile(
    r"^\[(?=[^\[\]\n]*(?:confiden|ground|source|status|doc|page|p\.|retriev|passage|\d\d:\d\d))[^\[\]\n]{3,80}\]\s+(?=\S)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s\+\d{1,2}(?:\n[\w .-]{2,30}(?:\n\+\d{1,2})?)+\s*$")
_SPACED = re.compile(r"(?<=[^\W\d_]{2})[.!?]?(?P<marks>(?:[ ,]{1,2}\d{1,2}){2,5})(?=\s*(?:\n|$))")
_NOISE = re.compile(
    r"[ \t>*•·_-]*(?:(?:share|rewrite|related|copy|feedback|show more|read more|learn more|more|less|people also ask|view \d+ more|thumb_(?:up|down)|export[^\n]{0,30}|save to note|sources?[ ▾]*|ask a follow-?up\W*|ask[^\n]{0,30}\.{3}|helpful\?|was this helpful\W*|"
    r"about featured snippets|report|like|dislike|regenerate|retry|\d+ sources?(?: selected)?|(?:\[[A-Z][\w ]{1,24}\] ?){1,5}|[•·])|"
    r"(?:\[?\^?\d{1,3}\^?[\]:.)]*|[¹²³⁴⁵⁶⁷⁸⁹⁰]+)?[ \t]*(?:\[[^\[\]\n]*\]\(\S+\)|<?https?://\S+)|(?:\[\d{1,3}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]+)[ \t]*(?:[\w-]+\.){1,5}[a-z]{2,6}(?:/\S*)?)?[ \t]*",
    re.IGNORECASE,
)
"""A line that is a button of a page, a link, or a mark with the name of a site."""
_TITLED = re.compile(
    r"^[^\w\n]*(?:[A-Z][\w.]*[ ]){0,4}(?:AI|Assistant|Copilot|Overview|Quick Answer|Featured snippet(?: from the web)?|Snippet|Answer Box|Bot|Agent|Chat|Search|Wikipedia)(?:[ ][A-Z]\w*){0,2}[^\w\n]*(?:\nLearn more)?\s*\n+(?=\S)"
)
_SAID = re.compile(
    r"\s*[(\[](?:\s*(?:sources?|src|refs?|references?|cited? from|citations?|cite|via|see|from|retrieved from|as per|according to)\b\s*[:#]?\s[^()\[\]\n]{1,120}|\s*(?:source|src|ref|cite|citation|citation needed|link|doc|web|read more|more)\s*)[)\]]",
    re.IGNORECASE,
)
_MARKS = re.compile(
    r"""(?:
      :?contentReference\[oaicite:[^\]]*\](?:\{[^{}]*\})?
    | \[?oai_?cit\w*:\d+[^\]\s]*\]?
    | 【[^【】\n]{0,80}】
    | [\ue200-\ue2ff]*citeturn\w+[\ue200-\ue2ff]* | \ue200[^\ue201]*\ue201
    | \[\s*cite_start\s*\] | \[\s*/?cite(?:_end)?\s*\]
    | \[\[?\s*(?:\^?\d{1,3}\^?(?:\s*[,;–-]\s*\^?\d{1,3}\^?)*)\s*\]?\](?:\([^()\s]*\)\]?)?
    | \[\^[\w-]{1,20}\^?\](?!:)
    | \[\s*@[\w:.-]+(?:\s*;\s*@[\w:.-]+)*(?:,\s*p+\.\s?\d+)?\s*\]
    | [\[({]\s*(?:doc(?:ument)?s?|sources?|src|refs?|references?|chunks?|passages?|pages?|p+\.|cite|citations?|context|file|section|sec\.?|para(?:graph)?|snippet|result|web|search|art(?:icle)?|wiki|kb|note|id|fn|footnote|exhibit|lines?)\s*[#:_.-]?\s*[\w.-]{0,12}\d[\w.:-]{0,20}(?:\s*[,;&–-]\s*(?:(?:and\s+)?(?:doc(?:ument)?|source|chunk|page|p\.|passage|lines?)\s*[#:_.-]?\s*)?[\w.-]{0,12}\d[\w.-]{0,12}){0,6}\s*[\])}]
    | \[[\w .-]{1,60}\.(?:pdf|txt|md|html?|docx?|json|csv|pptx?|xlsx?)(?:[#:,\s][^\[\]\n]{0,30})?\]
    | \([\w .-]{1,60}\.(?:pdf|txt|md|html?|docx?|json|csv|pptx?|xlsx?)(?:[#:,\s][^()\n]{0,30})?\)
    | \[(?:PMID|PMC|doi|ISBN|arXiv|KB|KA|RFC)\s?[:#-][^\[\]\n]{1,40}\]
    | \{\{(?:sfn|r|cite|efn|ref|refn|cn|citation)\b[^{}]*\}\} | <ref(?:\s[^<>]*)?>(?:.*?</ref>)? | <ref(?:\s[^<>]*)?/>
    | </?co(?::\s*[\d,\s]*)?> | </?cite(?:\s[^<>]*)?> | \(cite\s[^<>()]*>
    | \\(?:cite|footnote|parencite|autocite|textcite)[a-z]*\s?(?:\[[^\[\]]*\])*\{[^{}]*\}
    | <sup(?:\s[^<>]*)?>\s*(?:<a[^<>]*>)?\s*[\[(]?\s*[\d,\s]{1,12}[\])]?\s*(?:</a>)?\s*</sup>
    | \(\s*(?:[A-Z][\w.'-]+(?:\s[A-Z][\w.'-]+){0,3}(?:\set\sal\.?)?|\w+\set\sal\.?),?\s(?:n\.d\.|(?:19|20)\d\d[a-z]?,\sp+\.\s?\d+)\s*\)
    | [†‡§①-⑳]+\d{0,2}(?=[\s.,;]|$)
    | (?<=[^\W\d_]{3})(?<!²)[¹](?![⁰¹²³⁴⁵⁶⁷⁸⁹]?\w) | (?<=[.!?,;)”"])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,˒]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*
    )""",
    re.VERBOSE,
)
_WIDE, _LOOSE = re.compile(r"[ \t]{2,}"), re.compile(r" (?=[.,;!?](?:\s|$))")
_RAISED = re.compile(r"(?<=[a-z]{4})[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,˒][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*(?=[\s.,;:!?)]|$)")
_MEASURED = re.compile(
    r"(?:meters?|metres?|miles?|feet|foot|inch(?:es)?|yards?|kilometers?|kilometres?|second|seconds)$",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]*)\]\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)?)(?:\s+\"[^\"]*\")?\)"
)
_SITE = re.compile(
    r"\W*(?:\d+|source|link|here|ref|wikipedia|wiki|read more|more|(?:[\w-]+\.)+[a-z]{2,6}(?:/\S*)?)\W*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\s*[(<\[]?(?:(?:source|see|via|link|from|ref)\s*:?\s*)?(?:https?://|www\.)[^\s()<>\]]+(?:\([^\s()]*\)[^\s()<>\]]*)?[)>\]]?",
    re.IGNORECASE,
)
_NOTED = re.compile(
    r"\n[ \t]*\[(?:\^[\w-]{1,20}\^?|\d{1,3})\]:?[ \t]*(?:https?:|www\.|\"|[A-Z]).*$", re.DOTALL
)
_GLUED = re.compile(r"(?<![\w.-])(?P<word>[A-Z]?[a-z]{3,})(?P<marks>\d{1,3})(?=[.,;!?]?(?:\s|$))")
_GLUED_STOP = re.compile(r"(?<=[a-z]{3}[.!?])\d{1,2}(?:[,-]\d{1,2})*(?=\s|$)")
_GLUED_YEAR = re.compile(
    rf"(?P<before>\b(?:(?:{_MONTHS})\s+(?:\d{{1,2}},?\s+)?|(?:in|since|until|by|of|around|circa|during|from)\s+|\d{{4}}\s*(?:and|to|[-–])\s*))(?P<year>(?:1\d|20)\d\d)(?P<marks>\d{{1,2}})(?=[.,;!?]?(?:\s|$))"
)
_GLUED_MONTH = re.compile(rf"\b(?P<word>on|in|from|of|since|by|until|to|between|and)(?=(?:{_MONTHS})\b)")
_SIGNS = re.compile(r"[\[\]【†‡§①-⑳¹²³⁴⁵⁶⁷⁸⁹⁰\ue200(<{\\]|https?:|www\.|ontentReference|citeturn|oai_?cit")
_DIGIT = re.compile(r"\d")
_STUCK = re.compile(r"[a-z](?:[.!?]?\d|[JFMASOND][a-z]{2})|\d{5}")
_LISTING = ("source", "reference", "citation")
"""What is looked for first: most answers have none of it."""


def strip_sources(references: tuple[str, ...], question: str, answer: str) -> str:
    """Return the answer without what only says where it comes from; whatever a reference has too stays."""
    lowered = answer.lower()
    listed = "\n" in answer or answer.startswith("[") or any(word in lowered for word in _LISTING)
    kept = _strip_lists(references, answer) if listed else answer
    if _SIGNS.search(kept):
        kept = _strip_marks(" ".join(references), question, kept)
    if (kept[-1:].isdigit() or "\n" in kept) and not any(map(str.isdigit, " ".join(references))):
        kept = _SPACED.sub("", kept)
    if _DIGIT.search(kept) and _STUCK.search(kept):
        kept = _unglue(f"{' '.join(references)} {question}", kept)
    return answer if is_blank(kept) else kept


def _strip_lists(references: tuple[str, ...], answer: str) -> str:
    """Take off a list of sources at the end and the titles and buttons of a page, unless that holds the only mention of a reference."""
    for strip in (_TITLED, _GROUNDED, None, _LISTED, _NOTED, _FOOTNOTE, None, _COUNTED):
        cut = _strip_noise(answer) if strip is None else strip.sub("", answer, count=1)
        if cut != answer and not loses(references, answer, cut):
            answer = cut
    return answer


def _strip_noise(answer: str) -> str:
    lines = answer.split("\n")
    while len(lines) > 1 and _NOISE.fullmatch(lines[-1]):
        lines.pop()
    return "\n".join(lines)


def _strip_marks(wanted: str, question: str, answer: str) -> str:
    def drop(match: re.Match[str]) -> str:
        return match[0] if match[0].strip() in wanted else ""

    def name(match: re.Match[str]) -> str:
        return "" if _SITE.fullmatch(match["text"]) else match["text"]

    def lower(match: re.Match[str]) -> str:
        return match[0] if _MEASURED.search(answer[: match.start()]) or match[0] in wanted else ""

    answer = _WIDE.sub(" ", _MARKS.sub(drop, answer))
    if "](" in answer and "](" not in wanted:
        answer = re.sub(r"\(\s*\)|\[\s*\]", "", _LINK.sub(name, answer))
    if not re.search(r"https?:|www\.|\.(?:com|org|net)\b", wanted) and not re.search(
        r"\b(?:url|website|web ?site|web ?page|link|domain|address)\b", question, re.IGNORECASE
    ):
        answer = _ADDRESS.sub(" ", answer)
    answer = _RAISED.sub(lower, answer)
    answer = _SAID.sub(drop, answer)
    return _LOOSE.sub("", _WIDE.sub(" ", answer)).rstrip()


def _unglue(known: str, answer: str) -> str:
    """Take off digits of sources that stick to the last word of a clause, as they do in copied pages, and part words that ran together."""

    def part(match: re.Match[str]) -> str:
        word, marks = match["word"], match["marks"]
        named = re.search(rf"\b{re.escape(word)}[\s-]*\d|(?<!\d){marks}(?!\d)", known, re.IGNORECASE)
        return match[0] if named else word

    def shorten(match: re.Match[str]) -> str:
        number = f"{match['year']}{match['marks']}"
        return match[0] if number in known.replace(",", "") else f"{match['before']}{match['year']}"

    answer = _GLUED_MONTH.sub(r"\g<word> ", answer)
    answer = _GLUED_STOP.sub("", _GLUED_YEAR.sub(shorten, answer))
    return _GLUED.sub(part, answer)

"""Where an answer has it from: marks and lists of sources, which say nothing of the answer itself."""

import re

from karat.text.delivery.losing import is_blank, loses, retracts

_HEAD = r"(?:sources?(?: documents?| used)?|references?|citations?|cited documents|works cited|bibliography|footnotes|(?:further|additional) reading|(?:learn|read) more|see also|retrieved (?:from|chunks|documents)|documents? used|search results|grounding|context ids?|chunk_ids?)"
_LISTED = re.compile(
    rf"(?:\n|(?<=[.!?])\s+(?=\W{{0,3}}(?:source|reference|citation)s?:))[ \t>#*_=(\[📚📄🔗📎–—-]{{0,12}}(?:h\d\. )?{_HEAD}[ \t*_)\]]{{0,4}}(?::|\n)(?P<list>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CITABLE = re.compile(
    r"https?:|www\.|\.(?:pdf|md|txt|docx?|html?|org|com|net|gov|edu|io|json|csv|aspx)\b|\[\d|^\s{0,4}\d{1,2}[.)] |\b(?:doc|chunk|passage|page|kb|id|ref)\w{0,10}[-_ #:]{0,2}\d|wikipedia|britannica|encyclop|n\.d\.|\bp+\. ?\d",
    re.IGNORECASE | re.MULTILINE,
)
"""What a list of sources has somewhere: an address, a file, a number, a place of books."""
_NOTED = re.compile(r"\n[ \t]{0,4}(?P<mark>\[\^?[\w-]{1,20}\^?\]):?[ \t]{0,4}(?=\S).*$", re.DOTALL)
_FOOTNOTE = re.compile(
    r"(?P<mark>[†‡¹²³①-⑳]|(?<=[a-z.])\d)[①-⑳¹²³\d]{0,3}\s{0,3}\n\s{0,3}(?P=mark)[.):]?[ ][^\n]{3,200}(?:\n\s{0,3}[†‡¹²³①-⑳\d][.):]?[ ][^\n]{3,200}){0,8}\s{0,3}$"
)
_STATUS = re.compile(
    r"^\[(?=[^\[\]\n]{0,80}(?:confiden|ground|source|status|doc|page|p\.|retriev|passage|\d\d:\d\d))[^\[\]\n]{3,80}\]\s{1,3}(?=\S)",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"[(\[]\s?(?:(?:sources?|src|refs?|references?|citations?|cite|retrieved from)\s?:\s?[^()\[\]\n]{1,120}|source|citation needed|link)\s?[)\]]",
    re.IGNORECASE,
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
# A number in brackets at the end of a clause, or several that stick to a word; "over [0, 5]" and "a[1]" have others.
_ENDING = r"(?=\s{0,3}(?:$|\n|[.,;!?)]|[A-Z(\[]))"
_NUMBERED = re.compile(
    rf"(?:(?<=[^\W\d_]{{3}})|(?<=[.!?,;)”\"'%])\s?)(?:\[\[?\d{{1,3}}(?:\s?[,–-]\s?\d{{1,3}}){{0,5}}\]?(?:\(\S{{0,200}}\))?\]\s?){{1,8}}{_ENDING}"
    rf"|(?<!\bis)(?<!\bin)(?<!\band)(?<!\bor)(?<!\bto)(?<!\bof)(?<!\bthe)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bat)(?<!\bon)(?<!\bover)(?<!\bwithin)(?<!\bindex)(?<=\w) (?:\[\[?\d{{1,3}}\]?(?:\(\S{{0,200}}\))?\]\s?){{1,8}}{_ENDING}"
)
_RAISED = re.compile(
    r"(?<=[a-z]{4})[¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,˒][¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,4}(?=[\s.,;:!?]|$)|(?<=[.!?,;”\"])[¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,˒]?[¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,4}(?=\s|$)"
)
_COMPUTED = re.compile(
    r"[=^*/+×÷π√∑∫<>]|(?:met(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?|seconds?|radius|area)[¹²³⁴⁵⁶⁷⁸⁹]",
    re.IGNORECASE,
)
_CODED = re.compile(r"[;={}]|\w\(|\b(?:array|list|index|element|int|char|float|vector|size)\b", re.IGNORECASE)
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{0,200})\]\((?:<[^<>\n]{0,300}>|[^()\s]{0,300}(?:\([^()\s]{0,60}\)[^()\s]{0,60})?)(?:\s\"[^\"\n]{0,80}\")?\)"
)
_SITE = re.compile(
    r"\W{0,4}(?:\d{1,3}|source(?: \d{1,3})?|link|here|ref|wikipedia|wiki|read more|more|(?:[\w-]{1,40}\.){1,5}[a-z]{2,6}(?:/\S{0,100})?)\W{0,4}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\s?[(<\[](?:(?:source|see|via|link|ref)\s?:?\s?)?(?:https?://|www\.)[^\s()<>\]]{1,300}[)>\]]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_EMPTY = re.compile(r"\(\s?\)|\[\s?\]")
_WIDE, _LOOSE = re.compile(r"[ \t]{2,}"), re.compile(r" (?=[.,;!?](?:\s|$))")
_SIGNS = re.compile(r"[\[\]【†‡①-⑳¹²³⁴⁵⁶⁷⁸⁹\ue200(<{\\]")
_WORDS = ("ontentReference", "citeturn", "oaicit", "oai_cit")
_HEADS = (
    "source", "reference", "citation", "cited", "bibliography", "footnote", "reading", "learn more",
    "read more", "see also", "retrieved", "documents", "search results", "grounding", "context id", "chunk_id",
)  # fmt: skip
_ASKED = re.compile(
    r"\b(?:sources?|references?|documents?|links?|url|web ?sites?|web ?pages?|citations?|page|line|section|passage|footnotes?)\b",
    re.IGNORECASE,
)
"""Where one is asked for, none is a mere source."""


def strip_sources(references: tuple[str, ...], question: str, answer: str) -> str:
    """Return the answer without what only says where it comes from; whatever a reference has too stays."""
    lowered = answer.lower()
    signed = _has_signs(answer)
    named = ("\n" in answer or "source" in lowered) and any(head in lowered for head in _HEADS)
    if not (signed or named) or _ASKED.search(question):
        return answer
    kept = _strip_lists(references, answer) if named or "\n" in answer or answer.startswith("[") else answer
    if _has_signs(kept):
        kept = _keep(references, kept, _strip_marks(" ".join(references), kept))
    return answer if is_blank(kept) else kept


def _has_signs(text: str) -> bool:
    """Tell whether a sign or word is there of which every mark of a source has one."""
    return _SIGNS.search(text) is not None or any(word in text for word in _WORDS)


def _strip_lists(references: tuple[str, ...], answer: str) -> str:
    """Take off a list of sources at the end, and notes to marks that stand before them."""
    answer = _keep(references, answer, _STATUS.sub("", answer))
    listed = _LISTED.search(answer)
    if listed and _CITABLE.search(listed["list"]) and not retracts(listed["list"]):
        answer = _keep(references, answer, answer[: listed.start()])
    noted = _NOTED.search(answer)
    if noted and noted["mark"] in answer[: noted.start()]:
        answer = _keep(references, answer, answer[: noted.start()])
    return _keep(references, answer, _FOOTNOTE.sub("", answer))


def _keep(references: tuple[str, ...], whole: str, cut: str) -> str:
    return whole if cut == whole or cut.rstrip().endswith(":") or loses(references, whole, cut) else cut


def _strip_marks(wanted: str, answer: str) -> str:
    def drop(match: re.Match[str]) -> str:
        told = match[0].strip(" ()[]")
        return match[0] if told in wanted or any(year in wanted for year in _YEAR.findall(told)) else ""

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
    answer = _SAID.sub(drop, _ADDRESS.sub("", answer))
    return _LOOSE.sub("", _WIDE.sub(" ", answer)).rstrip()

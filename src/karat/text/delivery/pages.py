"""The furniture of a page around an answer that was copied from it: a title, buttons, links on lines of their own."""

import re

from karat.text.delivery.losing import loses

_TITLE = re.compile(
    r"^[^\w\n]{0,4}(?:[A-Z][\w.]{0,20}[ ]){0,4}(?:AI|Assistant|Copilot|AI Overview|Quick Answer|Featured snippet(?: from the web)?|Answer Box)[^\w\n]{0,4}(?:\nLearn more)?\n\s{0,4}(?=\S)"
)
_LINE = re.compile(
    r"[ \t>*•·_-]{0,8}(?:(?:share|rewrite|related|copy|feedback|show more|read more|learn more|people also ask|view \d{1,3} more|thumb_(?:up|down)|export|save to note|sources?[ ▾]{0,3}|ask a follow-?up\W{0,3}|helpful\?|was this helpful\W{0,3}|"
    r"about featured snippets[^\n]{0,15}|regenerate|\d{1,3} sources?(?: selected)?|(?:\[[A-Z][\w ]{1,24}\] ?){1,5}|[•·])|"
    r"(?:\[?\^?\d{1,3}\^?[\]:.)]{0,2}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})?[ \t]{0,4}(?:\[[^\[\]\n]{0,120}\]\(\S{1,300}\)|<?https?://\S{1,300}(?: › [^\n]{1,60})?)|(?:\[\d{1,3}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})[ \t]{0,4}(?:[\w-]{1,40}\.){1,5}[a-z]{2,6}(?:/\S{0,200})?)?[ \t]*",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"[\s]\+\d{1,2}(?:\n[\w .-]{2,30}(?:\n\+\d{1,2})?){1,8}\s{0,4}$")


def strip_page(references: tuple[str, ...], answer: str) -> str:
    """Return the answer without a page's furniture, unless that holds the only mention of a reference."""
    for cut in (_TITLE.sub("", answer), _COUNTED.sub("", answer)):
        if cut != answer and not loses(references, answer, cut):
            answer = cut
    lines = answer.split("\n")
    while len(lines) > 1 and _LINE.fullmatch(lines[-1]):
        lines.pop()
    cut = "\n".join(lines)
    return answer if cut.rstrip().endswith(":") or loses(references, answer, cut) else cut

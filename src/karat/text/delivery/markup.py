"""Marks of HTML around an answer, and what was escaped on its way."""

import html
import re

_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li|tr|h[1-6]|td|th|summary)>", re.IGNORECASE)
_HEAD = re.compile(
    r"<(?P<name>head|style|script|summary)(?:\s[^<>]*)?>.*?</(?P=name)>|<!--.*?-->|<!doctype[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(
    r"</?(?:p|b|i|em|strong|u|span|div|ul|ol|li|h[1-6]|code|pre|blockquote|font|mark|small|a|td|tr|table|tbody|thead|th|html|body|section|article|main|details|speak|prosody|emphasis|voice|say-as)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_PROLOG = re.compile(r"<\?xml[^<>]{0,120}\?>\s{0,4}")
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_TYPESET = re.compile(r"\s*\$+\s*\\(?:text|mathrm|textbf)\{([^{}]*)\}\s*\$+\s*\.?\s*")
_ESCAPED = re.compile(r"^(?:\\n)+|(?:\\n)+$|(?:\\n){2,}")
_INLINE = re.compile(
    r"<(?P<name>b|i|em|strong|u|mark|span)(?:\s[^<>]{0,80})?>(?P<inner>[^<>]*)</(?P=name)>", re.IGNORECASE
)
_BREAK_AT_END = re.compile(r"(?:\s?<br\s?/?>){1,4}\s*$", re.IGNORECASE)
_COLOUR = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_BYTE = re.compile(r"<0x0A>|▁|Ġ|Ċ")


def strip_markup(text: str) -> str:
    """Return a page's text as the page shows it; prose may speak of tags, and keeps all but those that only set its type."""
    if text.lstrip().startswith("<") and "</" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _HEAD.sub("", text)))
    text = _BREAK_AT_END.sub("", _INLINE.sub(r"\g<inner>", text) if "</" in text else text)
    if "&" in text and _ENTITY.search(text):
        text = html.unescape(text)
    typeset = _TYPESET.fullmatch(text) if "\\" in text else None
    text = typeset[1] if typeset else text
    if "\\n" in text and "\n" not in text:
        text = _ESCAPED.sub("\n", text)
    return _BYTE.sub(" ", text) if _BYTE.search(text) else text


def strip_colours(text: str) -> str:
    """Return the text without the codes that colour it in a terminal."""
    return _COLOUR.sub("", text) if "\x1b" in text else text


def strip_prolog(text: str) -> str:
    """Return a document of tags without its declaration, and its text without the marks that keep it as it is."""
    return _PROLOG.sub("", _CDATA.sub(r"\1", text)) if "<?xml" in text or "<![CDATA[" in text else text

"""From what a system delivered to its answer."""

import re

from karat.core.types import Item
from karat.text.clean import strip_invisible
from karat.text.delivery.calls import find_called, find_keyed
from karat.text.delivery.finals import find_final
from karat.text.delivery.losing import is_blank
from karat.text.delivery.markup import strip_colours, strip_markup, strip_prolog
from karat.text.delivery.notes import strip_notes
from karat.text.delivery.objects import find_in_object, find_lined, strip_fence
from karat.text.delivery.pages import strip_page
from karat.text.delivery.sources import strip_sources
from karat.text.delivery.stuck import unstick
from karat.text.delivery.tables import find_in_table
from karat.text.delivery.tags import find_node, find_tagged
from karat.text.delivery.thinking import strip_thinking
from karat.text.delivery.tokens import cut_asked, cut_next_turn, find_final_channel, strip_role, strip_tokens

_LONGEST, _LONGEST_SAID = 200_000, 8_000
_BRIEF = 12
_BLANK = re.compile(r"[\n\x0b\x0c\xa0](?:[^\S\n]*\n){2,}|[^\S\n]{4,}")
_GAP = re.compile(r"(?<=\S)[^\S\n]{2,}(?=\S)")
_SIGNS = re.compile(r"[<\[{(\n\\&`|◁▁:]")
_WORDS = ("assistantfinal", "Answer is", "answer is")
_CODE = re.compile(
    r"\b(?:json|xml|html|yaml|css|sql|regex|python|javascript|typescript|java|bash|shell|syntax|markdown|latex|source code|code snippet|(?:html|xml) tags?|which tag|what tag|web ?page|escape (?:character|sequence)|newline|pseudocode|repl)\b|\w\(\)",
    re.IGNORECASE,
)
"""Questions whose answers may be written in the signs that packing has."""
_CODED = re.compile(r"^\s*[{\[<]|</|\w\([^()]*\)\s*;?$|;\s*$|=>|==")
_NAMED = re.compile(r"[\"'](?:final_?)?answer[\"']\s*:|<(?:final_?)?answer>", re.IGNORECASE)
"""Packing that says what it holds, whatever the answer is written in."""
_FINDERS = (find_called, find_lined, find_in_object, find_in_table, find_keyed)


def unpack(item: Item) -> Item:
    """Return the item with the answer alone, without what was delivered around it; whatever the references hold themselves is no packing."""
    answer, references = item.answer, item.references
    if len(answer) > _LONGEST or answer.strip() in references:
        return item
    said = strip_invisible(strip_colours(answer))
    if _SIGNS.search(said) or any(word in said for word in _WORDS):
        said = _take_out(item.question or "", references, _squeeze(said))
    if "\n" not in said and ("  " in said or "\t" in said or not said.isascii()):
        said = _GAP.sub(" ", said)
    if len(said) <= _LONGEST_SAID:
        said = _strip_around(item.question or "", references, said)
    said = said.strip()
    return item if said == answer or is_blank(said) else Item(item.question, references, said)


def _take_out(question: str, references: tuple[str, ...], answer: str) -> str:
    """Take the answer out of tokens, turns, reasoning and structures."""
    said = strip_tokens(question, strip_thinking(find_final_channel(answer)))
    if len(said) > _LONGEST_SAID:
        return said
    said = strip_role(cut_asked(question, said))
    if _NAMED.search(said) or not _is_code(question, references):
        said = _take_from_structure(said)
    if any(len(reference.split()) > _BRIEF for reference in references):
        return said  # an explanation is all of what explains; of a fact only what gives it is the answer
    return find_final(question, references, cut_next_turn(question, references, said))


def _is_code(question: str, references: tuple[str, ...]) -> bool:
    """Tell whether the answer may be written in signs of its own."""
    return _CODE.search(question) is not None or any(map(_CODED.search, references))


def _take_from_structure(text: str) -> str:
    text = find_node(find_tagged(strip_prolog(text)))
    inner = next((found for find in _FINDERS if (found := find(text)) is not None), None)
    return _squeeze(strip_markup(strip_fence(text) if inner is None else inner))


def _strip_around(question: str, references: tuple[str, ...], text: str) -> str:
    """Take off sources and notes."""
    page = strip_page(references, text) if "\n" in text else text
    text = strip_notes(references, strip_sources(references, question, page))
    return unstick((*references, question), text)


def _squeeze(text: str) -> str:
    """Shorten what is blank: nothing here hangs on how much of it there is."""
    if text.isprintable() and text.isascii() and "    " not in text:
        return text
    return _BLANK.sub(lambda found: "\n\n" if "\n" in found[0] else "   ", text)

"""From what a system delivered to its answer."""

import re
from functools import lru_cache

from karat.core.types import Item
from karat.text.clean import strip_invisible
from karat.text.delivery.calls import find_called, find_keyed
from karat.text.delivery.finals import find_final
from karat.text.delivery.losing import is_blank
from karat.text.delivery.markup import strip_colours, strip_markup
from karat.text.delivery.notes import strip_notes
from karat.text.delivery.objects import find_in_object, find_lined, strip_fence
from karat.text.delivery.sources import strip_sources
from karat.text.delivery.tables import find_in_table
from karat.text.delivery.tags import find_node, find_tagged
from karat.text.delivery.thinking import strip_thinking
from karat.text.delivery.tokens import cut_asked, cut_next_turn, find_final_channel, strip_role, strip_tokens

_LONGEST, _LONGEST_SAID = 200_000, 8_000
_BRIEF = 12
_BLANK = re.compile(r"\n(?:[ \t]*\n){2,}|[ \t]{4,}")
_SIGNS = re.compile(r"[<\[{(\n\\&`|◁▁:]|assistantfinal|[Aa]nswer is")


@lru_cache(maxsize=128)
def unpack(item: Item) -> Item:
    """Return the item with the answer alone, without what was delivered around it; whatever the references hold themselves is no packing."""
    answer = item.answer
    if len(answer) > _LONGEST:
        return item
    question, references = item.question or "", item.references
    if any(answer.strip() == reference.strip() for reference in references):
        return item
    said = strip_invisible(strip_colours(answer))
    said = _take_out(question, references, _squeeze(said)) if _SIGNS.search(said) else said
    if len(said) <= _LONGEST_SAID:
        said = strip_notes(references, strip_sources(references, question, said))
    said = said.strip()
    return item if said == answer or is_blank(said) else Item(item.question, references, said)


def _take_out(question: str, references: tuple[str, ...], answer: str) -> str:
    """Take the answer out of tokens, turns, reasoning and structures."""
    held = "".join(references)
    said = (
        strip_tokens(question, strip_thinking(find_final_channel(answer)))
        if not ("<" in held or "[" in held)
        else answer
    )
    if len(said) > _LONGEST_SAID:
        return said
    said = strip_role(cut_next_turn(question, cut_asked(question, said)))
    if "<" not in held:
        said = _squeeze(strip_markup(find_node(find_tagged(said))))
    if "{" not in held:
        finders = (find_called, find_lined, find_in_object, find_in_table, find_keyed)
        inner = next((found for find in finders if (found := find(said)) is not None), None)
        said = inner if inner is not None else strip_fence(said)
    # An explanation is all of what explains; of a fact only what gives it is the answer.
    is_fact = all(len(reference.split()) <= _BRIEF for reference in references)
    return find_final(references, said) if is_fact else said


def _squeeze(text: str) -> str:
    """Shorten what is blank: nothing here hangs on how much of it there is."""
    return _BLANK.sub(lambda found: "\n\n" if "\n" in found[0] else "   ", text)

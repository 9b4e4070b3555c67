"""From what a system delivered to its answer."""

import re

from karat.core.types import Item
from karat.text.clean import strip_invisible
from karat.text.delivery.finals import find_final
from karat.text.delivery.markup import strip_markup
from karat.text.delivery.notes import strip_notes
from karat.text.delivery.sources import strip_sources
from karat.text.delivery.structured import find_called, find_in_object, find_tagged, strip_fence
from karat.text.delivery.thinking import strip_thinking
from karat.text.delivery.tokens import cut_next_turn, find_final_channel, strip_role, strip_tokens

_LONGEST = 200_000
_SIGNS = re.compile(r"[<\[{(\n\\&`|◁▁:]|assistantfinal|[Aa]nswer is")


def unpack(item: Item) -> Item:
    """Return the item with the answer alone, without what was delivered around it; whatever the references hold themselves is no packing."""
    answer = item.answer
    if len(answer) > _LONGEST:
        return item
    question, references = item.question or "", item.references
    if any(answer.strip() == reference.strip() for reference in references):
        return item
    said = _take_out(question, references, strip_invisible(answer))
    said = strip_notes(references, strip_sources(references, question, said))
    said = said.strip()
    return item if said == answer or not any(map(str.isalnum, said)) else Item(item.question, references, said)


def _take_out(question: str, references: tuple[str, ...], answer: str) -> str:
    """Take the answer out of tokens, turns, reasoning and structures."""
    if not _SIGNS.search(answer):
        return answer
    held = "".join(references)
    said = strip_tokens(strip_thinking(find_final_channel(answer))) if not ("<" in held or "[" in held) else answer
    said = strip_role(cut_next_turn(question, said))
    if "<" not in held:
        said = strip_markup(find_tagged(said))
    if "{" not in held:
        inner = find_called(said) or find_in_object(said)
        said = inner if inner is not None else strip_fence(said)
    return find_final(references, said)

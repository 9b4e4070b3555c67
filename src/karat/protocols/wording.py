"""A wording: the turns of a prompt with placeholders for the items, in one of three forms."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.flow import Message, Prompt, Role
from karat.core.keys import hash_content
from karat.core.types import Item, ProtocolName
from karat.protocols import LEVELS, PROTOCOLS
from karat.protocols.items import plain_fields
from karat.protocols.templates import fencing_tags, render_template, template_names

Form: TypeAlias = Literal["dialogue", "template", "instructions"]
PLACEHOLDERS = ("n_queries", "examples", "question", "reference", "answer")

_PLACEHOLDER = re.compile("{(" + "|".join(PLACEHOLDERS) + ")}")
_TEMPLATE_CODE = re.compile(r"\{[{%#]")
_MOST_IN_A_PROMPT = 32


class Turn(Struct, frozen=True):
    """One turn of the wording, with its placeholders."""

    role: Role
    text: str


class Wording(Struct, frozen=True):
    """A prompt before the items are filled in."""

    protocol: ProtocolName
    form: Form
    turns: tuple[Turn, ...]
    opened: str | None = None
    levels: tuple[int, ...] = LEVELS
    items_per_prompt: int | None = None

    @property
    def version(self) -> str:
        """A content hash, which is part of the judge's identity."""
        turns = [[turn.role, turn.text] for turn in self.turns]
        return hash_content([self.protocol, self.form, turns, self.opened, list(self.levels)])

    @property
    def most_items(self) -> int:
        """How many items a prompt can contain; one if the wording uses placeholders for single fields."""
        whole = self.protocol != "equivalence" and (
            self.form == "instructions" or "examples" in self.placeholders
        )
        return _MOST_IN_A_PROMPT if whole else 1

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The names of the placeholders, in the order of their first use."""
        return _find_placeholders(self.form, tuple(turn.text for turn in self.turns), self.opened or "")

    def render(self, items: tuple[Item, ...], ids: tuple[str, ...] = ()) -> Prompt:
        """Return the prompt with the items filled in; the text before the first item is marked as stable."""
        messages, fixed = list[Message](), True
        for turn in self.turns:
            text, stable = self._fill(turn.text, items, ids)
            messages.append(Message(turn.role, text, stable if fixed else 0))
            fixed = fixed and stable == len(turn.text)
        if self.form == "instructions":
            messages.append(Message("user", PROTOCOLS[self.protocol].show(items, ids)))
        opened = self.opened and self._fill(self.opened, items, ids)[0]
        return Prompt(tuple(messages), opened)

    def _fill(self, text: str, items: tuple[Item, ...], ids: tuple[str, ...]) -> tuple[str, int]:
        if self.form == "instructions":
            return text, len(text)
        if self.form == "template":
            code = _TEMPLATE_CODE.search(text)  # a tag with a dash removes the whitespace before it
            stable = len(text[: code.start()].rstrip()) if code else len(text)
            return _render(text, items[0]), stable
        return self._fill_placeholders(text, items, ids)

    def _fill_placeholders(self, text: str, items: tuple[Item, ...], ids: tuple[str, ...]) -> tuple[str, int]:
        parts = list(_split(text))
        if len(parts) == 1:
            return text, len(text)
        values = self._values(text, items, ids, set(parts[1::2]))
        parts[1::2] = [values[name] for name in parts[1::2]]
        return "".join(parts), len(parts[0])

    def _values(
        self, text: str, items: tuple[Item, ...], ids: tuple[str, ...], names: set[str]
    ) -> dict[str, str]:
        values = {"n_queries": str(len(items))}
        if "examples" in names:
            values["examples"] = PROTOCOLS[self.protocol].show(items, ids)
        if names & {"question", "reference", "answer"}:
            fields = plain_fields(items[0], fencing_tags(text))
            values |= {"question": fields.question, "reference": fields.reference, "answer": fields.answer}
        return values


def _render(text: str, item: Item) -> str:
    """Render a template; it was checked earlier, but may still fail for an item."""
    try:
        return render_template(text, item)
    except Exception as error:  # minijinja has a single class for all template errors
        raise UsageError(f"the prompt template fails for a row: {describe_fault(error)}") from error


@lru_cache(maxsize=64)
def _find_placeholders(form: Form, texts: tuple[str, ...], opened: str) -> tuple[str, ...]:
    text = "\n".join((*texts, opened))
    if form == "template":
        return tuple(sorted(template_names(text), key=text.find))
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


@lru_cache(maxsize=64)
def _split(text: str) -> tuple[str, ...]:
    """Split a text at its placeholders; their names are at every second position."""
    return tuple(_PLACEHOLDER.split(text))


def describe_fault(error: Exception) -> str:
    """Return the template engine's message on one line."""
    return " ".join(str(getattr(error, "detail", None) or error.__cause__ or error).split())

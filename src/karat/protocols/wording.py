"""A wording: the turns of a prompt with the places where the items go, in one of three forms."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.exchange import Message, Prompt, Role
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
    """One turn of the wording, placeholders and all."""

    role: Role
    text: str


class Wording(Struct, frozen=True):
    """A prompt before the items are put in."""

    protocol: ProtocolName
    form: Form
    turns: tuple[Turn, ...]
    opened: str | None = None
    levels: tuple[int, ...] = LEVELS
    items_per_prompt: int | None = None

    @property
    def version(self) -> str:
        """A content hash: another wording is another judge."""
        turns = [[turn.role, turn.text] for turn in self.turns]
        return hash_content([self.protocol, self.form, turns, self.opened, list(self.levels)])

    @property
    def most_items(self) -> int:
        """How many items a prompt of this wording can hold: one where it names the fields themselves."""
        whole = self.protocol != "equivalence" and (
            self.form == "instructions" or "examples" in self.placeholders
        )
        return _MOST_IN_A_PROMPT if whole else 1

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The names that are filled in, in the order of their first use."""
        return _find_placeholders(self.form, tuple(turn.text for turn in self.turns), self.opened or "")

    def render(self, items: tuple[Item, ...], ids: tuple[str, ...] = ()) -> Prompt:
        """Put the items in; what comes before the first of them is the same in every prompt."""
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
            code = _TEMPLATE_CODE.search(text)  # its dash eats the white space before it
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
    """Fill a template in; it was tried before, but an item may be such that it does not work."""
    try:
        return render_template(text, item)
    except Exception as error:  # minijinja has one class for every fault of a template
        raise UsageError(f"the prompt template does not work for a row: {describe_fault(error)}") from error


@lru_cache(maxsize=64)
def _find_placeholders(form: Form, texts: tuple[str, ...], opened: str) -> tuple[str, ...]:
    text = "\n".join((*texts, opened))
    if form == "template":
        return tuple(sorted(template_names(text), key=text.find))
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


@lru_cache(maxsize=64)
def _split(text: str) -> tuple[str, ...]:
    """Cut a text at its placeholders, whose names stand in every second place."""
    return tuple(_PLACEHOLDER.split(text))


def describe_fault(error: Exception) -> str:
    """What the engine says is wrong with a template, on one line."""
    return " ".join(str(getattr(error, "detail", None) or error.__cause__ or error).split())

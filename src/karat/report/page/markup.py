"""HTML as text: every word that comes from data is escaped, and what cannot be seen is named."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import TypeAlias
from urllib.parse import urlencode

from karat.core.messages import name_invisible

_VOID = frozenset({"meta", "input", "br", "hr"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Piece: TypeAlias = "str | Markup | Iterable[Piece] | None"


def render(piece: Piece) -> str:
    """A piece as HTML text; nothing where there is none."""
    if piece is None:
        return ""
    if isinstance(piece, Markup):
        return piece
    if isinstance(piece, str):
        return escape(name_invisible(piece))
    return "".join(render(part) for part in piece)


def tag(name: str, /, *content: Piece, **attributes: str | float | bool | None) -> Markup:
    """An element; `class_` is its class, an underscore in a name is a hyphen, None and False leave an attribute out."""
    opened = "".join(_attribute(key, value) for key, value in attributes.items())
    inner = "".join(render(piece) for piece in content)
    return Markup(f"<{name}{opened}>" if name in _VOID else f"<{name}{opened}>{inner}</{name}>")


def _attribute(key: str, value: str | float | bool | None) -> str:  # noqa: FBT001 - as HTML has them
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(name_invisible(str(value)))}"'


def items_link(run: int, filters: Mapping[str, str]) -> str:
    """The item browser with these filters set, named as its address names them."""
    return f"#items?{urlencode({**({'run': str(run)} if run else {}), **filters})}"

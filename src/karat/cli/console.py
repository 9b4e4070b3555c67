"""Tables on standard output, drawn by rich; a module of its own because rich is slow to import."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Span, Text

from karat.core.messages import name_invisible

_PIPED = 160  # width in columns if the output is not a terminal


class _Page(Console):
    """A console that shows invisible characters by name; its own colours are kept."""

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - types as in rich
        """Return the text of a table cell, so that its measured width is the printed width."""
        return super().render_str(name_invisible(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Return the segments of a line."""
        return super().render(_show(renderable) if isinstance(renderable, Text) else renderable, options)


def show(content: RenderableType) -> None:
    """Print to standard output; brackets and colons in texts are not read as markup."""
    width = None if sys.stdout.isatty() else _PIPED
    _Page(width=width, highlight=False, soft_wrap=False, markup=False, emoji=False).print(content)


def _show(text: Text) -> Text:
    """Return the same text and styles with invisible characters shown by name."""
    if name_invisible(text.plain) == text.plain:
        return text
    starts = [0]
    for character in text.plain:
        starts.append(starts[-1] + len(name_invisible(character)))
    shown = text.blank_copy(name_invisible(text.plain))
    shown.spans = [Span(starts[span.start], starts[span.end], span.style) for span in text.spans]
    return shown

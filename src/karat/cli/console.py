"""Tables on standard output, drawn by rich; apart from `output`, since rich takes long to load."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Span, Text

from karat.core.messages import name_invisible

_PIPED = 160  # columns where the output is no terminal


class _Page(Console):
    """A console that names invisible characters in the text it is given; its own colours stay."""

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - as the console has them
        """Text of a cell, measured and printed as it is shown."""
        return super().render_str(name_invisible(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Pieces of a line."""
        return super().render(_show(renderable) if isinstance(renderable, Text) else renderable, options)


def show(content: RenderableType) -> None:
    """Print to standard output; text is shown as it is, whatever brackets and colons it holds."""
    width = None if sys.stdout.isatty() else _PIPED
    _Page(width=width, highlight=False, soft_wrap=False, markup=False, emoji=False).print(content)


def _show(text: Text) -> Text:
    """The same text and styles with invisible characters named."""
    if name_invisible(text.plain) == text.plain:
        return text
    starts = [0]
    for character in text.plain:
        starts.append(starts[-1] + len(name_invisible(character)))
    shown = text.blank_copy(name_invisible(text.plain))
    shown.spans = [Span(starts[span.start], starts[span.end], span.style) for span in text.spans]
    return shown

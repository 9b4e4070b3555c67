"""Printing tables: as wide as the terminal, and wide enough for a table where there is none."""

import sys

from rich.console import Console, RenderableType

_PIPED = 160


def show(content: RenderableType) -> None:
    """Print to standard output; text is shown as it is, whatever brackets and colons it holds."""
    width = None if sys.stdout.isatty() else _PIPED
    Console(width=width, highlight=False, soft_wrap=False, markup=False, emoji=False).print(content)

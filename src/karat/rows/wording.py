"""How names and foreign messages appear in karat's one-line messages."""

from collections.abc import Sequence

LONGEST_NAME = 80
MOST_NAMES = 40


def one_line(text: str) -> str:
    """Line breaks of any kind become spaces."""
    return " ".join(text.splitlines())


def quote(name: str) -> str:
    """A name in quotes, with invisible characters escaped and overlong ones cut."""
    return repr(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


def list_names(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Names in quotes with commas, and how many more there are beyond the first forty, or as many as are wanted."""
    shown = ", ".join(quote(name) for name in names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown

"""Word lists, written as running text."""


def list_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())

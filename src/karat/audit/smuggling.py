"""Ways of hiding text in text."""

from base64 import b64encode

_LOOKALIKES = str.maketrans("aceopxyijsABCEHKMOPTX", "асеорхуіјѕАВСЕНКМОРТХ")
_TAGS = 0xE0000
_NOTHING = "\u200b"


def hide_in_base64(text: str) -> str:
    """The text in base64."""
    return b64encode(text.encode()).decode()


def hide_in_tags(text: str) -> str:
    """The text in Unicode tag characters, which show nothing."""
    return "".join(chr(_TAGS + ord(letter)) for letter in text if letter.isascii())


def hide_in_lookalikes(text: str) -> str:
    """The text with Cyrillic letters in the place of Latin ones that look the same."""
    return text.translate(_LOOKALIKES)


def split_by_nothing(text: str) -> str:
    """The text with a zero-width space between all letters."""
    return _NOTHING.join(text)

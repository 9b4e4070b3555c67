"""Chat messages as text."""

from typing import Final, cast

from msgspec import UNSET

_BLANK_LINE: Final = "\n\n"


def read_chat(value: object) -> str | None:
    """The text of the user's messages, or of all where none is the user's; None where the value is no chat."""
    if not isinstance(value, list):
        return None
    messages = [_read_message(entry) for entry in cast("list[object]", value)]
    whole = [message for message in messages if message is not None]
    if not whole or len(whole) < len(messages):
        return None
    spoken = [text for role, text in whole if role == "user"] or [text for _, text in whole]
    return _BLANK_LINE.join(text for text in spoken if text)


def unwrap_reply(value: object) -> object:
    """What an assistant's message says, None where it says null; any other value as it is."""
    message = _read_message(value)
    if message is None or message[0] != "assistant":
        return value
    return None if cast("dict[str, object]", value)["content"] is None else message[1]


def _read_message(value: object) -> tuple[str, str] | None:
    """A message's role and text."""
    if not isinstance(value, dict):
        return None
    message = cast("dict[str, object]", value)
    role, text = message.get("role"), _read_content(message.get("content", UNSET))
    return (role, text) if isinstance(role, str) and text is not None else None


def _read_content(content: object) -> str | None:
    """A content's text; of several parts those that have one, and at least one must."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = cast("list[object]", content) if isinstance(content, list) else [content]
    texts = [text for part in parts if (text := _read_part(part)) is not None]
    return _BLANK_LINE.join(texts) if texts or not parts else None


def _read_part(part: object) -> str | None:
    text = cast("dict[str, object]", part).get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else None

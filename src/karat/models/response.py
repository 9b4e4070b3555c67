"""What a server says."""

from msgspec import Struct


class Response(Struct, frozen=True):
    """A status, the headers in lower case, and the body as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

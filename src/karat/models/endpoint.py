"""The address of a model: `openai:MODEL`, `anthropic:MODEL` or `http(s)://host/v1#MODEL`."""

from collections.abc import Mapping
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from karat.core.errors import Part, SetupError, UsageError, option

Kind: TypeAlias = Literal["openai", "anthropic", "compatible"]

_HOMES = {
    "openai": ("https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
}


class Endpoint(Struct, frozen=True):
    """A model at an address; the key is read from the environment and never kept here."""

    kind: Kind
    base_url: str
    model: str

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key."""
        return "KARAT_API_KEY" if self.kind == "compatible" else _HOMES[self.kind][2]

    def find_key(self, environment: Mapping[str, str]) -> str | None:
        """Return the key; only compatible endpoints may have none."""
        key = environment.get(self.key_variable) or None
        if key is None and self.kind != "compatible":
            raise SetupError(
                f"no key for {self.kind}:{self.model}: set {self.key_variable} in the environment"
            )
        if key is not None and not (key.isascii() and key.isprintable()):
            raise SetupError(f"{self.key_variable} holds characters that no key has; set it again")
        return key


def parse_endpoint(judge: str, environment: Mapping[str, str]) -> Endpoint | None:
    """Parse a judge's name as an endpoint, None if it is not one; the SDKs' base URL variables are respected."""
    kind, colon, model = judge.partition(":")
    if colon and kind in ("openai", "anthropic"):
        home, variable, _ = _HOMES[kind]
        if not model:
            raise UsageError(f"judge {judge!r} names no model; write {kind}:MODEL")
        base = _check_base(environment.get(variable) or home, variable)
        if kind == "openai":
            return Endpoint("openai", base if urlsplit(base).path else f"{base}/v1", model)
        return Endpoint("anthropic", base if base.endswith("/v1") else f"{base}/v1", model)
    if judge.startswith(("http://", "https://")):
        base, _, model = judge.partition("#")
        if not model:
            raise UsageError(f"judge {judge!r} names no model; write {base}#MODEL")
        return Endpoint("compatible", _check_base(base, option("judge")), model)
    return None


def _check_base(base: str, where: Part) -> str:
    """Return an address to which paths can be appended; one with a password or query is refused, since it is stored."""
    if "@" in base or "?" in base:
        raise UsageError(
            where, ": leave user, password and query out of the address; keys come from the environment"
        )
    if not _is_address(base):
        raise UsageError(where, f": {base!r} is no address; write http://host:port/v1")
    return base.rstrip("/")


def _is_address(base: str) -> bool:
    try:
        parts = urlsplit(base)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False

"""The endpoint of a model, the parameters sent to it, and those that it refuses."""

from collections.abc import Mapping
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct, structs

from karat.core.errors import Part, SetupError, UsageError, option

Kind: TypeAlias = Literal["openai", "anthropic", "compatible"]

_HOMES = {
    "openai": ("https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
}


class Endpoint(Struct, frozen=True):
    """A model at an address; the key is read from the environment and never stored here."""

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
                f"no API key for {self.kind}:{self.model}; set {self.key_variable} in the environment"
            )
        if key is not None and not (key.isascii() and key.isprintable()):
            raise SetupError(
                f"{self.key_variable} contains characters that are not allowed in a key; set it again"
            )
        return key


def parse_endpoint(judge: str, environment: Mapping[str, str]) -> Endpoint | None:
    """Parse a judge's name as an endpoint, None if it is not one; the SDKs' base URL variables are used."""
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
        raise UsageError(where, f": {base!r} is not a valid address; write http://host:port/v1")
    return base.rstrip("/")


def _is_address(base: str) -> bool:
    try:
        parts = urlsplit(base)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


class Parameters(Struct, frozen=True):
    """Requested parameters; they are part of a judge's identity, even if the endpoint refuses them."""

    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = 1024
    reasoning_effort: str | None = None
    logprobs: bool = False
    structured: bool = False
    prefill: Literal["on", "off", "auto"] = "auto"


class Quirks(Struct, frozen=True):
    """Parameters that an endpoint refused, and its name for the output limit; never part of an identity."""

    refused: frozenset[str] = frozenset()
    limit_name: str = "max_tokens"
    continues: bool = False


_PREFILL_WORDS = (
    "prefill",
    "must end with a user",
    "last message",
    "final message",
    "continue_final_message",
)
_OPTIONAL = {
    "temperature": ("temperature",),
    "seed": ("seed",),
    "reasoning_effort": ("reasoning_effort", "reasoning effort", "effort"),
    "logprobs": ("logprobs",),
    "cache_key": ("prompt_cache_key",),
    "structured": (
        "response_format",
        "json_schema",
        "structured output",
        "output_config",
        "guided",
        "grammar",
    ),
}


def learn(quirks: Quirks, sent: frozenset[str], complaint: str) -> tuple[Quirks, str] | None:
    """Return new quirks and a notice after a refusal; None if the complaint names no parameter that was sent."""
    said = complaint.lower()
    if "max_completion_tokens" in said and "limit" not in quirks.refused:
        other = "max_tokens" if quirks.limit_name == "max_completion_tokens" else "max_completion_tokens"
        renamed = structs.replace(quirks, limit_name=other, refused=quirks.refused | {"limit"})
        return renamed, f"the output limit is sent as {other}"
    if "prefill" in sent and any(word in said for word in _PREFILL_WORDS):
        return structs.replace(
            quirks, continues=False, refused=quirks.refused | {"prefill"}
        ), "the endpoint does not accept a prefilled assistant turn, so its text is appended to the user turn"
    for name, words in _OPTIONAL.items():
        if name in sent and name not in quirks.refused and any(word in said for word in words):
            return structs.replace(
                quirks, refused=quirks.refused | {name}
            ), f"the endpoint does not accept {name}, so it is left out"
    return None

"""The endpoint of a model, the parameters sent to it, and those that it refuses."""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct, structs

from karat.core.errors import Part, SetupError, UsageError, option
from karat.models.providers import COMPATIBLE, PROVIDERS, Kind, Provider


class Endpoint(Struct, frozen=True):
    """A model at an address; the key is read from the environment and never stored here."""

    kind: Kind
    base_url: str
    model: str
    provider: str = ""

    @property
    def traits(self) -> Provider:
        """What is known of the provider; a server that is given by its address has the defaults."""
        return PROVIDERS.get(self.provider or self.kind, COMPATIBLE)

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key."""
        return " or ".join(self.traits.keys)

    def find_key(self, environment: Mapping[str, str]) -> str | None:
        """Return the key; only local servers and those given by their address may have none."""
        variable = next((name for name in self.traits.keys if environment.get(name)), None)
        if variable is None:
            if self.traits.needs_key:
                judge = f"{self.provider or self.kind}:{self.model}"
                raise SetupError(f"no API key for {judge}; set {self.key_variable} in the environment")
            return None
        key = environment[variable]
        if not (key.isascii() and key.isprintable()):
            raise SetupError(f"{variable} contains characters that are not allowed in a key; set it again")
        return key


def parse_endpoint(judge: str, environment: Mapping[str, str]) -> Endpoint | None:
    """Parse a judge's name as an endpoint, None if it is not one; the SDKs' base URL variables are used."""
    if judge.startswith(("http://", "https://")):
        base, _, model = judge.partition("#")
        if not model:
            raise UsageError(f"judge {judge!r} names no model; write {base}#MODEL")
        return Endpoint("compatible", _check_base(base, option("judge")), model)
    name, colon, model = judge.partition(":")
    provider = PROVIDERS.get(name)
    if provider is None or not colon:
        return None
    if not model:
        raise UsageError(f"judge {judge!r} names no model; write {name}:MODEL")
    given, variable = provider.find_address(judge, environment)
    base = _check_base(given, variable)
    if provider.kind == "anthropic":
        return Endpoint("anthropic", base if base.endswith("/v1") else f"{base}/v1", model)
    base = base if urlsplit(base).path else f"{base}/{provider.find_path()}".rstrip("/")
    return Endpoint(provider.kind, base, model, "" if provider.kind == "openai" else name)


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

"""Providers by name: where each one is, which variables hold its key, and where it differs from OpenAI's API.

Every row but the first two is made from the provider's documentation and was never tried against its service.
docs/reference/providers.md shows the same table, and a test compares them.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from karat.core.errors import SetupError, UsageError

Kind: TypeAlias = Literal["openai", "anthropic", "compatible"]

_PLACE: Final = re.compile(r"[\w.:-]+", re.ASCII)


class Place(Struct, frozen=True):
    """A part of an address, such as a region: the first set variable counts; `example` explains it."""

    variables: tuple[str, ...]
    example: str


class Provider(Struct, frozen=True, kw_only=True):
    """One provider; the defaults are those of an unknown OpenAI-compatible server."""

    address: str = ""
    """The base URL; parts in braces come from `places`."""
    override: str = ""
    """The environment variable that replaces the base URL."""
    keys: tuple[str, ...] = ("KARAT_API_KEY",)
    """The environment variables that may hold the key; the first set one counts."""
    needs_key: bool = False
    kind: Kind = "compatible"
    places: Mapping[str, Place] = {}
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed_name: str = "seed"
    alternatives: int = 20
    """How many alternatives per token may be requested."""
    takes_cache_key: bool = False
    prefills: bool | None = None
    """Whether it continues an opened assistant turn; None if the server is asked."""
    lacks: Mapping[str, str] = {}
    """Parameters that it does not offer, each with what is missing."""

    def find_address(self, judge: str, environment: Mapping[str, str]) -> tuple[str, str]:
        """Return the base URL and the variable that it comes from; a missing part of it is a `SetupError`."""
        if given := environment.get(self.override):
            return given, self.override
        parts = {name: self._find_place(name, judge, environment) for name in self.places}
        if parts.get("location") == "global":  # Google's global endpoint has no region in its host
            return self.address.replace("{location}-", "", 1).format(**parts), self.override
        return self.address.format(**parts), self.override

    def find_path(self) -> str:
        """Return the path of the documented address, for one that is given without a path."""
        return self.address.partition("://")[2].partition("/")[2]

    def _find_place(self, name: str, judge: str, environment: Mapping[str, str]) -> str:
        place = self.places[name]
        variable = next((one for one in place.variables if environment.get(one)), None)
        if variable is None:
            raise SetupError(
                f"judge {judge} needs its {name}; set {' or '.join(place.variables)} in the environment, such as {place.example}"
            )
        value = environment[variable]
        if name != "endpoint" and not _PLACE.fullmatch(value):
            raise UsageError(
                f"{variable}: {value!r} is not a valid {name}; write one such as {place.example}"
            )
        return value.rstrip("/").removesuffix("/openai/v1") if name == "endpoint" else value


_NO_LOGPROBS: Final = {"logprobs": "gives no token probabilities"}
_OTHER_LOGPROBS: Final = {"logprobs": "gives token probabilities in a form that karat does not read"}

COMPATIBLE: Final = Provider()
PROVIDERS: Final[dict[str, Provider]] = {
    "openai": Provider(
        address="https://api.openai.com/v1",
        override="OPENAI_BASE_URL",
        keys=("OPENAI_API_KEY",),
        needs_key=True,
        kind="openai",
        limit_name="max_completion_tokens",
        takes_cache_key=True,
        prefills=False,
    ),
    "anthropic": Provider(
        address="https://api.anthropic.com/v1",
        override="ANTHROPIC_BASE_URL",
        keys=("ANTHROPIC_API_KEY",),
        needs_key=True,
        kind="anthropic",
        prefills=True,
        lacks=_NO_LOGPROBS,
    ),
    "gemini": Provider(
        address="https://generativelanguage.googleapis.com/v1beta/openai",
        override="GEMINI_BASE_URL",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        needs_key=True,
        prefills=False,
    ),
    "azure": Provider(
        address="{endpoint}/openai/v1",
        override="AZURE_OPENAI_BASE_URL",
        keys=("AZURE_OPENAI_API_KEY",),
        needs_key=True,
        places={"endpoint": Place(("AZURE_OPENAI_ENDPOINT",), "https://NAME.openai.azure.com")},
        limit_name="max_completion_tokens",
        takes_cache_key=True,
        prefills=False,
    ),
    "bedrock": Provider(
        address="https://bedrock-runtime.{region}.amazonaws.com/openai/v1",
        override="AWS_BEDROCK_BASE_URL",
        keys=("AWS_BEARER_TOKEN_BEDROCK",),
        needs_key=True,
        places={"region": Place(("AWS_REGION", "AWS_DEFAULT_REGION"), "us-west-2")},
        limit_name="max_completion_tokens",
        prefills=False,
    ),
    "vertex": Provider(
        address="https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}/endpoints/openapi",
        override="VERTEX_BASE_URL",
        keys=("GOOGLE_OAUTH_ACCESS_TOKEN",),
        needs_key=True,
        places={
            "project": Place(("GOOGLE_CLOUD_PROJECT",), "my-project"),
            "location": Place(("GOOGLE_CLOUD_LOCATION",), "us-central1 or global"),
        },
        prefills=False,
    ),
    "mistral": Provider(
        address="https://api.mistral.ai/v1",
        override="MISTRAL_BASE_URL",
        keys=("MISTRAL_API_KEY",),
        needs_key=True,
        seed_name="random_seed",
        prefills=False,
        lacks=_NO_LOGPROBS,
    ),
    "groq": Provider(
        address="https://api.groq.com/openai/v1",
        override="GROQ_BASE_URL",
        keys=("GROQ_API_KEY",),
        needs_key=True,
        prefills=False,
        lacks=_NO_LOGPROBS,
    ),
    "together": Provider(
        address="https://api.together.ai/v1",
        override="TOGETHER_BASE_URL",
        keys=("TOGETHER_API_KEY",),
        needs_key=True,
        prefills=False,
        lacks=_OTHER_LOGPROBS,
    ),
    "fireworks": Provider(
        address="https://api.fireworks.ai/inference/v1",
        override="FIREWORKS_BASE_URL",
        keys=("FIREWORKS_API_KEY",),
        needs_key=True,
        alternatives=5,
        prefills=False,
    ),
    "deepseek": Provider(
        address="https://api.deepseek.com",
        override="DEEPSEEK_BASE_URL",
        keys=("DEEPSEEK_API_KEY",),
        needs_key=True,
        prefills=False,
        lacks={"structured": "takes no JSON schema"},
    ),
    "openrouter": Provider(
        address="https://openrouter.ai/api/v1",
        override="OPENROUTER_BASE_URL",
        keys=("OPENROUTER_API_KEY",),
        needs_key=True,
        prefills=False,
    ),
    "xai": Provider(
        address="https://api.x.ai/v1",
        override="XAI_BASE_URL",
        keys=("XAI_API_KEY",),
        needs_key=True,
        limit_name="max_completion_tokens",
        alternatives=8,
        prefills=False,
    ),
    "ollama": Provider(
        address="http://localhost:11434/v1",
        override="OLLAMA_BASE_URL",
        keys=("OLLAMA_API_KEY",),
        prefills=False,
    ),
    "lmstudio": Provider(
        address="http://localhost:1234/v1",
        override="LMSTUDIO_BASE_URL",
        keys=("LM_API_TOKEN",),
        prefills=False,
    ),
    "vllm": Provider(
        address="http://localhost:8000/v1",
        override="VLLM_BASE_URL",
        keys=("VLLM_API_KEY",),
        prefills=True,
    ),
}


def suggest_judge(judge: str, others: tuple[str, ...]) -> str | None:
    """Return the known judge or provider whose name is nearest to a mistyped one; None if none is near."""
    from difflib import get_close_matches

    name, colon, model = judge.partition(":")
    known = PROVIDERS if colon else (*others, *PROVIDERS)
    near = get_close_matches(name.lower(), known, 1, cutoff=0.7)  # the name of a model is near to none
    if not near:
        return None
    return f"{near[0]}:{model or 'MODEL'}" if near[0] in PROVIDERS else near[0]

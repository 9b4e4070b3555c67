"""Providers by name: addresses, keys, and what is sent; nothing leaves the loopback."""

import asyncio
import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asking import ask, make_client

from karat.core.errors import SetupError, UsageError
from karat.core.flow import Completion
from karat.judges import Request, plan_judge
from karat.models import PROVIDERS, Endpoint, HttpTransport, Parameters, find_price, parse_endpoint
from karat.models.wire import openai
from provider import Provider

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "providers.md"
PLACES = {
    "AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/",
    "AWS_REGION": "eu-west-1",
    "GOOGLE_CLOUD_PROJECT": "mine",
    "GOOGLE_CLOUD_LOCATION": "europe-west4",
}
CLOUD = [name for name, known in PROVIDERS.items() if known.needs_key]
LOCAL = [name for name, known in PROVIDERS.items() if not known.needs_key]
SCHEMA = {"type": "object"}


def place(judge: str, environment: dict[str, str]) -> str:
    found = parse_endpoint(judge, environment)
    assert found is not None
    return found.base_url


def send(judge: str, environment: dict[str, str], parameters: Parameters) -> Completion:
    """Send one ask to the endpoint of a judge, with the key of the environment."""
    endpoint = parse_endpoint(judge, environment)
    assert endpoint is not None
    key = endpoint.find_key(environment)

    async def work() -> Any:
        async with HttpTransport(timeout=5.0) as transport:
            client = make_client(endpoint, parameters, transport, key=key)
            return (await client.answer((ask(),)))[0]

    reply = asyncio.run(work())
    assert isinstance(reply, Completion)
    return reply


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_is_called_at_its_address_with_its_own_key(name: str) -> None:
    known = PROVIDERS[name]
    with Provider(lambda _: "Yes") as provider:
        keys = {variable: f"key-of-{variable}" for one in PROVIDERS.values() for variable in one.keys}
        environment = {known.override: provider.base_url, **keys, "KARAT_API_KEY": "key-of-none"}
        assert send(f"{name}:org/m:1", environment, Parameters()).text == "Yes"
        (call,) = provider.calls
    assert call.body["model"] == "org/m:1"
    sent = call.headers["x-api-key"] if name == "anthropic" else call.headers["authorization"]
    assert sent.removeprefix("Bearer ") == f"key-of-{known.keys[0]}"


@pytest.mark.parametrize("name", [name for name in PROVIDERS if name != "anthropic"])
def test_only_documented_parameters_are_sent_under_their_documented_names(name: str) -> None:
    known = PROVIDERS[name]
    parameters = Parameters(seed=7, max_tokens=9, logprobs="logprobs" not in known.lacks)
    with Provider(lambda _: "Yes") as provider:
        send(f"{name}:m", {known.override: provider.base_url, known.keys[0]: "k"}, parameters)
        body = provider.calls[0].body
    limit = "max_completion_tokens" if name in {"openai", "azure", "bedrock", "xai"} else "max_tokens"
    expected = {"model", "messages", "temperature", limit, "random_seed" if name == "mistral" else "seed"}
    expected |= {"prompt_cache_key"} if name in {"openai", "azure"} else set()
    expected |= set() if name in {"mistral", "groq", "together"} else {"logprobs", "top_logprobs"}
    assert set(body) == expected
    assert body.get("top_logprobs", 20) == {"fireworks": 5, "xai": 8}.get(name, 20)


@pytest.mark.parametrize(
    ("name", "option"),
    [(name, option) for name, known in PROVIDERS.items() for option in known.lacks],
)
def test_an_option_that_a_provider_lacks_is_refused_before_any_call(name: str, option: str) -> None:
    environment = dict.fromkeys(PROVIDERS[name].keys, "k")
    request = Request(judge=f"{name}:m", parameters=msgspec.convert({option: True}, Parameters))
    with pytest.raises(UsageError, match=f"^--{option}: the API of {name} "):
        plan_judge(request, environment)


@pytest.mark.parametrize("name", CLOUD)
def test_a_missing_key_is_named(name: str) -> None:
    with pytest.raises(SetupError, match=PROVIDERS[name].keys[0]) as caught:
        plan_judge(Request(judge=f"{name}:m"), PLACES)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", LOCAL)
def test_local_servers_need_no_key_and_are_on_this_machine(name: str) -> None:
    plan = plan_judge(Request(judge=f"{name}:m"), {"KARAT_API_KEY": "k"})
    assert plan.key is None
    assert plan.endpoint is not None
    assert plan.endpoint.base_url.startswith("http://localhost:")


@pytest.mark.parametrize("missing", PLACES)
def test_a_missing_region_project_or_endpoint_is_named(missing: str) -> None:
    name = next(name for name, known in PROVIDERS.items() if missing in str(known.places))
    with pytest.raises(SetupError, match=missing) as caught:
        parse_endpoint(f"{name}:m", {**PLACES, missing: ""})
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("variable", ["AWS_REGION", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"])
@pytest.mark.parametrize("value", ["evil.example/", "a@b", "x?y", "a b"])
def test_a_part_of_an_address_cannot_change_the_host(variable: str, value: str) -> None:
    name = "bedrock" if variable == "AWS_REGION" else "vertex"
    with pytest.raises(UsageError, match=variable):
        parse_endpoint(f"{name}:m", {**PLACES, variable: value})


@pytest.mark.parametrize(
    ("judge", "environment", "expected"),
    [
        ("azure:m", {}, "https://mine.openai.azure.com/openai/v1"),
        ("azure:m", {"AZURE_OPENAI_ENDPOINT": "https://a.b/openai/v1/"}, "https://a.b/openai/v1"),
        ("bedrock:m", {}, "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1"),
        (
            "bedrock:m",
            {"AWS_REGION": "", "AWS_DEFAULT_REGION": "us-east-1"},
            "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1",
        ),
        (
            "vertex:google/m",
            {},
            "https://europe-west4-aiplatform.googleapis.com/v1/projects/mine/locations/europe-west4/endpoints/openapi",
        ),
        (
            "vertex:google/m",
            {"GOOGLE_CLOUD_LOCATION": "global"},
            "https://aiplatform.googleapis.com/v1/projects/mine/locations/global/endpoints/openapi",
        ),
        ("groq:m", {"GROQ_BASE_URL": "https://api.groq.com"}, "https://api.groq.com/openai/v1"),
        ("ollama:m", {"OLLAMA_BASE_URL": "http://h:1"}, "http://h:1/v1"),
        ("deepseek:m", {"DEEPSEEK_BASE_URL": "http://h:1/"}, "http://h:1"),
    ],
)
def test_addresses(judge: str, environment: dict[str, str], expected: str) -> None:
    assert place(judge, {**PLACES, **environment}) == expected


def test_the_documented_path_follows_an_endpoint_without_one() -> None:
    with Provider(lambda _: "Yes") as provider:
        environment = {"AZURE_OPENAI_ENDPOINT": provider.url, "AZURE_OPENAI_API_KEY": "k"}
        assert send("azure:m", environment, Parameters()).text == "Yes"
        assert provider.calls[0].path == "/openai/v1/chat/completions"


@pytest.mark.parametrize("name", [name for name in PROVIDERS if name not in {"openai", "anthropic"}])
def test_the_name_of_a_provider_is_not_part_of_the_identity(name: str) -> None:
    environment = {**PLACES, **dict.fromkeys(PROVIDERS[name].keys, "k")}
    named = plan_judge(Request(judge=f"{name}:m"), environment)
    placed = plan_judge(Request(judge=f"{place(f'{name}:m', environment)}#m"), {})
    assert named.identity == placed.identity
    assert named.fingerprint == placed.fingerprint
    assert named.price is None


def test_models_elsewhere_have_no_known_price() -> None:
    assert find_price(Endpoint("compatible", "http://h/v1", "gpt-5-mini", "azure"), None) is None


@pytest.mark.parametrize(
    ("judge", "near"),
    [
        ("groqq:llama", "groq:llama"),
        ("mistrall:m", "mistral:m"),
        ("Ollama:m", "ollama:m"),
        ("antropic:m", "anthropic:m"),
        ("embeded", "embedded"),
        ("opnai", "openai:MODEL"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(judge: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan_judge(Request(judge=judge), {})
    assert f"unknown judge '{judge}'; did you mean {near}? " in str(caught.value)


def test_cached_tokens_are_read_under_either_name() -> None:
    def cached(**usage: object) -> int:
        counts = {"prompt_tokens": 10, "completion_tokens": 2, **usage}
        body = {"choices": [{"message": {"content": "Yes"}}], "usage": counts}
        return openai.decode(json.dumps(body).encode()).spent.cached_tokens

    assert cached(prompt_cache_hit_tokens=6) == 6
    assert cached(prompt_tokens_details={"cached_tokens": 4}) == 4
    assert cached(prompt_tokens_details={"cached_tokens": 4}, prompt_cache_hit_tokens=6) == 4
    assert cached() == 0


def test_the_page_shows_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = dict[str, str](
        re.findall(
            r"^\| `([a-z]+)` \|(.*) (?:made from its documentation|partly confirmed) \|$", text, re.MULTILINE
        )
    )
    assert list(rows) == list(PROVIDERS)
    for name, known in PROVIDERS.items():
        assert re.findall(r"`([A-Z_]+)`", rows[name].split("|")[0]) == list(known.keys)
        assert f"| `{known.address}` |" in rows[name]
        assert rows[name].lstrip().startswith("none, or ") != known.needs_key
        assert all(f"no `--{option}`" in rows[name] for option in known.lacks)
        assert f"`{known.override}`" in text
        for part, where in known.places.items():
            shown = " or ".join(f"`{variable}`" for variable in where.variables)
            assert f"| `{{{part}}}` of `{name}` | {shown} |" in text
    variables = chain.from_iterable(known.keys for known in PROVIDERS.values())
    assert len(set(variables)) == sum(len(known.keys) for known in PROVIDERS.values())

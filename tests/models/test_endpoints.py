"""Names of judges as endpoints, their keys and their prices."""

import pytest

from karat.core.errors import SetupError, UsageError
from karat.core.types import Spent
from karat.models import Endpoint, Price, find_price, parse_endpoint, parse_price


@pytest.mark.parametrize(
    ("judge", "environment", "expected"),
    [
        ("openai:gpt-5", {}, Endpoint("openai", "https://api.openai.com/v1", "gpt-5")),
        ("openai:m", {"OPENAI_BASE_URL": "http://h:1/v1/"}, Endpoint("openai", "http://h:1/v1", "m")),
        ("openai:m", {"OPENAI_BASE_URL": "http://h:1"}, Endpoint("openai", "http://h:1/v1", "m")),
        (
            "openai:m",
            {"OPENAI_BASE_URL": "http://h/v1beta/openai/"},
            Endpoint("openai", "http://h/v1beta/openai", "m"),
        ),
        (
            "anthropic:c",
            {"ANTHROPIC_BASE_URL": "http://h/claude"},
            Endpoint("anthropic", "http://h/claude/v1", "c"),
        ),
        ("http://h:8/v1#org/m:7b", {}, Endpoint("compatible", "http://h:8/v1", "org/m:7b")),
        ("rules", {}, None),
    ],
)
def test_names(judge: str, environment: dict[str, str], expected: Endpoint | None) -> None:
    """The base URLs of the providers' own SDKs are taken as those take them."""
    assert parse_endpoint(judge, environment) == expected


@pytest.mark.parametrize(
    "judge",
    [
        "openai:",
        "http://h/v1",
        "http://h/v1#",
        "http://#m",
        "http://h:99999/v1#m",
        "http://h:x/v1#m",
        "http://[::1/v1#m",
    ],
)
def test_invalid_judge_names_are_usage_errors(judge: str) -> None:
    with pytest.raises(UsageError):
        parse_endpoint(judge, {})


@pytest.mark.parametrize("judge", ["http://me:hush@h/v1#m", "http://h/v1?key=hush#m"])
def test_keys_in_an_address_are_refused_and_not_repeated(judge: str) -> None:
    """The address is stored and shown, so no key may stand in it."""
    with pytest.raises(UsageError) as caught:
        parse_endpoint(judge, {})
    assert "hush" not in str(caught.value)


def test_keys_come_from_the_environment_only() -> None:
    openai = Endpoint("openai", "https://x/v1", "m")
    assert openai.find_key({"OPENAI_API_KEY": "sk-1"}) == "sk-1"
    assert Endpoint("compatible", "http://x/v1", "m").find_key({}) is None
    with pytest.raises(SetupError, match="OPENAI_API_KEY"):
        openai.find_key({"OPENAI_API_KEY": ""})
    with pytest.raises(SetupError) as caught:
        openai.find_key({"OPENAI_API_KEY": "sk-1\nx: y"})
    assert "sk-1" not in str(caught.value)


def test_prices() -> None:
    """The user's price wins, the table holds for the provider's own endpoint, and others are unknown."""
    own = parse_price("1/2/0.5")
    openai = Endpoint("openai", "https://x/v1", "gpt-5-mini")
    assert find_price(openai, own) == own == Price(1, 2, 0.5)
    assert find_price(openai, None) is not None
    assert find_price(Endpoint("compatible", "http://x/v1", "gpt-5-mini"), None) is None
    spent = own.charge(Spent(1, input_tokens=1_000_000, cached_tokens=400_000, output_tokens=500_000))
    assert spent.cost_usd == pytest.approx(0.6 + 0.2 + 1.0)
    assert parse_price("1/2") == Price(1, 2, 1)


@pytest.mark.parametrize("text", ["", "1", "1/2/3/4", "a/b", "-1/2", "nan/1", "inf/1"])
def test_invalid_prices_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="IN/OUT"):
        parse_price(text)

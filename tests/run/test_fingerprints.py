"""The fingerprint of a judge: what the user requested, without grouping and pacing of calls."""

from pathlib import Path
from typing import Any

import pytest
from running import plan

from karat.core.errors import SetupError, UsageError
from karat.judges import build_request

JUDGE = "http://localhost:8000/v1#m"


@pytest.mark.parametrize(
    "options",
    [
        {"items_per_prompt": 4},
        {"concurrency": 2},
        {"rpm": 5},
        {"tpm": 5000},
        {"attempts": 1},
        {"price": "1/2"},
        {"timeout": 3.0},
        {"via": "batch"},
        {"hedge": True},
    ],
)
def test_pacing_options_do_not_change_the_fingerprint(options: dict[str, Any]) -> None:
    assert plan(JUDGE, **options).fingerprint == plan(JUDGE).fingerprint


def test_all_other_options_change_the_fingerprint(tmp_path: Path) -> None:
    prompt = tmp_path / "p.txt"
    prompt.write_text("Say Yes or No, as JSON: {examples}")
    other = tmp_path / "q.txt"
    other.write_text("Say Yes or No, as JSON, please: {examples}")
    plans = [
        plan(JUDGE),
        plan("http://localhost:8000/v1#n"),
        plan("http://localhost:8001/v1#m"),
        plan("rules"),
        plan("rules", protocol="keypoints"),
        plan(JUDGE, protocol="keypoints"),
        plan(JUDGE, temperature=0.5),
        plan(JUDGE, temperature=None),
        plan(JUDGE, seed=1),
        plan(JUDGE, max_tokens=10),
        plan(JUDGE, reasoning_effort="low"),
        plan(JUDGE, logprobs=True),
        plan(JUDGE, structured=True),
        plan(JUDGE, prefill="off"),
        plan(JUDGE, rules_first=True),
        plan(JUDGE, prompt=prompt, protocol="match"),
        plan(JUDGE, prompt=other, protocol="match"),
    ]
    assert len({one.fingerprint for one in plans}) == len(plans)


def test_api_key_does_not_change_the_fingerprint() -> None:
    one = plan(JUDGE, {"KARAT_API_KEY": "sk-one-secret"})
    assert one.fingerprint == plan(JUDGE).fingerprint
    assert "sk-one-secret" not in str(one.identity)


@pytest.mark.parametrize(
    ("judge", "options", "said"),
    [
        ("gpt-5", {}, "unknown judge"),
        (JUDGE, {"items_per_prompt": 0}, "items-per-prompt 0"),
        (JUDGE, {"items_per_prompt": -1}, "items-per-prompt -1"),
        (JUDGE, {"items_per_prompt": 99}, "1 to [0-9]+ items"),
        (JUDGE, {"items_per_prompt": 2, "protocol": "equivalence"}, "one item"),
        (JUDGE, {"protocol": "vibes"}, "unknown protocol"),
        (JUDGE, {"attempts": 0}, "--attempts must be at least 1"),
        (JUDGE, {"concurrency": 0}, "--concurrency must be at least 1"),
        (JUDGE, {"rpm": 0}, "--rpm must be at least 1"),
        (JUDGE, {"tpm": -1}, "--tpm must be at least 1"),
        (JUDGE, {"timeout": 0}, "--timeout must be at least"),
        (JUDGE, {"timeout": float("inf")}, "--timeout must be at most 3600"),
        (JUDGE, {"price": "cheap"}, "--price"),
        (JUDGE, {"via": "pigeon"}, "use calls or batch"),
        (JUDGE, {"prompt": "/nowhere/p.txt"}, "cannot read the prompt file"),
        ("anthropic:c", {"logprobs": True}, "no token probabilities"),
    ],
)
def test_invalid_options_are_refused_before_anything_is_read(
    judge: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        plan(judge, {"ANTHROPIC_API_KEY": "x"}, **options)


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(UsageError, match="'colour'"):
        build_request("rules", None, {"colour": "red"})  # pyright: ignore[reportArgumentType]


def test_a_missing_key_is_named() -> None:
    with pytest.raises(SetupError, match="OPENAI_API_KEY"):
        plan("openai:gpt-5-mini")

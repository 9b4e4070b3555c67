"""A plan has the identity of its judge before the judge is built."""

import asyncio
from typing import Any

import pytest

from karat.judges import LlmJudge, build_request, make_judge, plan_judge

ENDPOINT = "http://127.0.0.1:1/v1#m"


@pytest.mark.parametrize("protocol", ["match", "equivalence", "keypoints"])
@pytest.mark.parametrize(
    ("judge", "options"),
    [
        ("rules", {}),
        ("embedded", {}),
        (ENDPOINT, {}),
        (ENDPOINT, {"items_per_prompt": 1}),
        (None, {"panel": f"rules,embedded,{ENDPOINT}"}),
        (None, {"panel": "rules,embedded"}),
    ],
)
def test_plan_has_the_identity_and_group_of_its_judge(
    judge: str | None, options: dict[str, Any], protocol: str
) -> None:
    check(judge, options, protocol)


@pytest.mark.parametrize(
    "options", [{"items_per_prompt": 8}, {"items_per_prompt": 8, "permute": 3}, {"rules_first": True}]
)
def test_plan_of_several_items_per_prompt_has_the_group_of_its_judge(options: dict[str, Any]) -> None:
    check(ENDPOINT, options, "match")


def test_abstention_is_part_of_the_identity() -> None:
    check("embedded", {"abstain": 0.9}, "match")


def check(judge: str | None, options: Any, protocol: str) -> None:
    plan = plan_judge(build_request(judge, protocol, options), {})
    made = make_judge(plan)
    assert made.identity == plan.identity
    assert made.group == plan.group
    assert made.shared == any(one.endpoint is not None for one in (plan, *plan.members))
    if isinstance(made, LlmJudge):
        assert made.group == plan.prompt_size
    asyncio.run(made.close())

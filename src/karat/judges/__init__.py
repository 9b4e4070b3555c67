"""Judges: items in, outcomes out."""

from karat.embedded.judge import EmbeddedJudge
from karat.judges.build import (
    FORMS,
    LOCAL,
    Plan,
    Request,
    for_member,
    make_batch_judge,
    make_judge,
    plan_judge,
)
from karat.judges.judge import Judge
from karat.judges.llm import BatchJudge, LlmJudge
from karat.judges.request import build_request, read_prompt_file, unless_default

__all__ = [
    "FORMS",
    "LOCAL",
    "BatchJudge",
    "EmbeddedJudge",
    "Judge",
    "LlmJudge",
    "Plan",
    "Request",
    "build_request",
    "for_member",
    "make_batch_judge",
    "make_judge",
    "plan_judge",
    "read_prompt_file",
    "unless_default",
]

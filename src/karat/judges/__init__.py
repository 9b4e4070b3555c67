"""Judges: items in, outcomes out."""

from karat.judges.embedded import EmbeddedJudge
from karat.judges.judge import Judge
from karat.judges.llm import LlmJudge
from karat.judges.making import FORMS, Plan, Request, make_judge, plan_judge
from karat.judges.options import build_request, read_prompt_file

__all__ = [
    "FORMS",
    "EmbeddedJudge",
    "Judge",
    "LlmJudge",
    "Plan",
    "Request",
    "build_request",
    "make_judge",
    "plan_judge",
    "read_prompt_file",
]

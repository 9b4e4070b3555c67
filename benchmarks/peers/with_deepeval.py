"""deepeval: GEval with given steps (so that none are generated) on its own OpenAI model, 32 items at once."""

import asyncio

from common import Row, limited, run
from deepeval.metrics import GEval
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase, SingleTurnParams

PARAMS = [SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.EXPECTED_OUTPUT]
STEPS = [
    "Check whether the facts in the actual output contradict the expected output.",
    "Punish missing detail.",
]


async def judge(rows: list[Row], base_url: str) -> int:
    """Score every row and return how many got a score."""
    model = OpenAIModel(
        model="m", base_url=base_url, api_key="none", cost_per_input_token=0, cost_per_output_token=0
    )

    async def score(row: Row) -> bool:
        metric = GEval(name="Correctness", evaluation_steps=STEPS, evaluation_params=PARAMS, model=model)
        case = LLMTestCase(
            input=row["question"], actual_output=row["answer"], expected_output=row["reference"]
        )
        return await metric.a_measure(case, _show_indicator=False) is not None

    return sum(await limited(score, rows))


if __name__ == "__main__":
    run("deepeval", lambda rows, base_url: asyncio.run(judge(rows, base_url)))

"""openevals: the correctness judge on a bare asynchronous client, its leanest form, 32 items at once."""

import asyncio

from common import Row, limited, run
from openai import AsyncOpenAI
from openevals.llm import create_async_llm_as_judge
from openevals.prompts import CORRECTNESS_PROMPT


async def judge(rows: list[Row], base_url: str) -> int:
    """Score every row and return how many got a score."""
    client = AsyncOpenAI(base_url=base_url, api_key="none")
    scorer = create_async_llm_as_judge(
        prompt=CORRECTNESS_PROMPT, judge=client, model="m", feedback_key="correctness"
    )

    async def score(row: Row) -> bool:
        found = await scorer(
            inputs=row["question"], outputs=row["answer"], reference_outputs=row["reference"]
        )
        return found["score"] is not None

    return sum(await limited(score, rows))


if __name__ == "__main__":
    run("openevals", lambda rows, base_url: asyncio.run(judge(rows, base_url)))

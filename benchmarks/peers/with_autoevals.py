"""autoevals: Factuality, 32 items at once on one asynchronous client."""

import asyncio

from autoevals import Factuality
from common import Row, limited, run
from openai import AsyncOpenAI


async def judge(rows: list[Row], base_url: str) -> int:
    """Score every row and return how many got a score."""
    scorer = Factuality(model="m", client=AsyncOpenAI(base_url=base_url, api_key="none"))

    async def score(row: Row) -> bool:
        found = await scorer.eval_async(
            output=row["answer"], expected=row["reference"], input=row["question"]
        )
        return found.score is not None

    return sum(await limited(score, rows))


if __name__ == "__main__":
    run("autoevals", lambda rows, base_url: asyncio.run(judge(rows, base_url)))

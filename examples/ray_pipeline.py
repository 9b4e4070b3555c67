"""A Ray Data pipeline that asks a model and grades what it says: questions in, graded answers out.

    python examples/ray_pipeline.py --endpoint http://localhost:8000/v1 --model qwen3-8b

The first step is any stage that adds an answer to each row, such as `ray.data.llm` with vLLM; here it asks an
OpenAI-compatible endpoint, so that no GPU is needed. The second is karat.
"""

import argparse
import json
import os
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

QUESTIONS = [
    {"id": "capital", "question": "What is the capital of France?", "reference": "Paris"},
    {"id": "river", "question": "Which river flows through Vienna?", "reference": "the Danube"},
    {"id": "author", "question": "Who wrote Hamlet?", "reference": "William Shakespeare"},
]


class Answers:
    """Asks an endpoint about every row of a batch, several at a time."""

    def __init__(self, endpoint: str, model: str) -> None:
        self._url = f"{endpoint}/chat/completions"
        self._model = model

    def __call__(self, batch: Any) -> Any:  # noqa: ANN401 - a table of Arrow's
        """The batch with a column of answers."""
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(self._ask, batch.column("question").to_pylist()))
        return batch.append_column("answer", [answers])

    def _ask(self, question: str) -> str:
        body = {
            "model": self._model,
            "messages": [{"role": "user", "content": f"Answer briefly: {question}"}],
        }
        headers = {
            "content-type": "application/json",
            "authorization": f"Bearer {os.environ.get('KARAT_API_KEY', '')}",
        }
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)  # noqa: S310 - the user's own endpoint
        with urllib.request.urlopen(request, timeout=120) as response:  # noqa: S310 - the user's own endpoint
            return json.load(response)["choices"][0]["message"]["content"]


def main() -> None:
    """Ask, grade, and count."""
    import ray

    import karat.ray

    parser = argparse.ArgumentParser(description="ask a model and grade what it says")
    parser.add_argument("--endpoint", default="http://localhost:8000/v1")
    parser.add_argument("--model", default="m")
    parser.add_argument("--address", help="a cluster to join; one is started on this machine if left out")
    given = parser.parse_args()
    ray.init(address=given.address or "local", log_to_driver=False, logging_level="ERROR")
    answered = ray.data.from_items(QUESTIONS).map_batches(
        Answers,
        fn_constructor_args=(given.endpoint, given.model),
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=1),
        num_cpus=0.5,
    )
    rows = karat.ray.grade(answered, judge="embedded", actors=1).take_all()
    for row in rows:
        print(f"{row['id']}: {row['answer']!r} -> {row['value']} ({row['decided_by']})")
    print(f"{sum(row['value'] is True for row in rows)} of {len(rows)} correct")


if __name__ == "__main__":
    main()

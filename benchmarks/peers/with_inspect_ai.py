"""inspect-ai: model_graded_fact on answers that exist already, 32 samples and connections at once."""

from common import CONCURRENCY, Row, run
from inspect_ai import Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import model_graded_fact
from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def recall() -> Solver:
    """Put the answer that is to be judged in place of a model's."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - a solver's signature
        state.output = ModelOutput.from_content("recalled", state.metadata["answer"])
        return state

    return solve


def judge(rows: list[Row], base_url: str) -> int:
    """Score every row and return how many got a score."""
    grader = get_model("openai/m", base_url=base_url, api_key="none", responses_api=False)
    samples = [
        Sample(input=row["question"], target=row["reference"], metadata={"answer": row["answer"]})
        for row in rows
    ]
    [log] = run_eval(
        Task(dataset=samples, solver=recall(), scorer=model_graded_fact(model=grader)),
        model=grader,
        max_connections=CONCURRENCY,
        max_samples=CONCURRENCY,
        display="none",
        log_dir="logs",
    )
    return log.results.scores[0].scored_samples if log.results else 0


if __name__ == "__main__":
    run("inspect-ai", judge)

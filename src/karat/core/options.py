"""The options of a judge, with the same names for the command line and the library."""

from typing import Literal, Protocol, TypedDict


class PathLike(Protocol):
    """A path object, such as a `pathlib.Path`."""

    def __fspath__(self) -> str:
        """The path as text."""
        ...


class Options(TypedDict, total=False):
    """The options of LLM calls and of the embedded judge."""

    prompt: str | PathLike | None
    items_per_prompt: int | Literal["auto"] | None
    temperature: float | None
    seed: int | None
    max_tokens: int
    reasoning_effort: str | None
    attempts: int
    logprobs: bool
    structured: bool
    prefill: Literal["on", "off", "auto"]
    rules_first: bool
    concurrency: int
    rpm: int | None
    tpm: int | None
    timeout: float
    ca_file: str | PathLike | None
    hedge: bool
    price: str | None
    budget: float | None
    panel: str | list[str] | None
    permute: int
    combine: Literal["majority", "unanimous", "mean"]
    via: Literal["calls", "batch"]
    abstain: float | None

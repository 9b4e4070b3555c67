"""Which options go with which judge: what a judge has no use for is refused, not swallowed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from karat.core.errors import UsageError
from karat.models import Parameters

if TYPE_CHECKING:
    from karat.judges.making import Request

_OF_CALLS = (
    "items_per_prompt",
    "permute",
    "attempts",
    "rules_first",
    "concurrency",
    "rpm",
    "tpm",
    "timeout",
    "ca_file",
    "hedge",
    "price",
    "budget",
)


def refuse_misfits(request: "Request") -> None:
    """Refuse options that do not go together, or with one judge alone or with several."""
    given = {"--panel": request.panel, "--permute": request.permute > 1, "--hedge": request.hedge}
    other = next((name for name, there in given.items() if there), None)
    if request.via == "batch" and other is not None:
        raise UsageError(f"--via batch and {other} do not go together; leave one out")
    if request.rules_first and request.protocol != "match":
        raise UsageError(
            f"--rules-first is for match: the rules accept nothing by {request.protocol}; leave it out"
        )
    if request.combine != "majority" and not request.panel:
        raise UsageError("--combine is for panels; name one with --panel, or leave it out")
    if request.abstain is not None and request.panel:
        raise UsageError("--abstain is for the embedded judge alone; leave it or --panel out")


def refuse_what_no_model_needs(request: "Request", why: str) -> None:
    """Refuse what is said about calls to a judge that makes none; `why` names it."""
    option = next(_find_given(request), None)
    if option is not None:
        raise UsageError(
            f"{option} is for LLM judges, and {why}; leave it out, or name one with --judge, such as openai:MODEL"
        )


def _find_given(request: "Request") -> Iterator[str]:
    """The options of calls that are not what they are where nobody says anything."""
    if request.wording is not None:
        yield "--prompt"
    if request.via == "batch":
        yield "--via batch"
    usual = type(request)()
    for name in _OF_CALLS:
        if getattr(request, name) not in (None, getattr(usual, name)):
            yield _show(name)
    for name, value in structs.asdict(request.parameters).items():
        if value not in (None, getattr(Parameters(), name)):
            yield _show(name)


def _show(name: str) -> str:
    return f"--{name.replace('_', '-')}"

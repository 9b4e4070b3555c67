"""A request for a judge: the user's options, checked and combined."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, structs

from karat.core.errors import Part, UsageError, option
from karat.core.options import Options
from karat.core.types import ProtocolName
from karat.judges.panel import Combine
from karat.models import Parameters, Patience, Polling, Price, parse_price
from karat.protocols.promptfile import PromptFile, read_prompt
from karat.protocols.wording import Wording

DEFAULT = "embedded"
_PARAMETERS = ("temperature", "seed", "max_tokens", "reasoning_effort", "logprobs", "structured", "prefill")
_PLAIN = (
    "items_per_prompt",
    "attempts",
    "rules_first",
    "concurrency",
    "rpm",
    "tpm",
    "timeout",
    "hedge",
    "budget",
    "combine",
    "permute",
    "via",
    "abstain",
)
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
_EVEN = 0.5
_LONGEST_PROMPT = 1_000_000
_LEAST = {
    "max_tokens": 1,
    "attempts": 1,
    "concurrency": 1,
    "rpm": 1,
    "tpm": 1,
    "timeout": 0.001,
    "temperature": 0,
    "budget": 0,
    "permute": 1,
}
_MOST = {"timeout": 3600}


class Request(Struct, frozen=True, kw_only=True):
    """All settings of a judge that a user can give."""

    judge: str = "embedded"
    protocol: ProtocolName = "match"
    wording: Wording | None = None
    items_per_prompt: int | Literal["auto"] | None = None
    parameters: Parameters = Parameters()
    attempts: int = 5
    rules_first: bool = False
    concurrency: int = 64
    rpm: int | None = None
    tpm: int | None = None
    timeout: float = 120.0
    ca_file: str | None = None
    hedge: bool = False
    patience: Patience = Patience()
    price: Price | None = None
    budget: float | None = None
    panel: tuple[str, ...] = ()
    combine: Combine = "majority"
    permute: int = 1
    via: Literal["calls", "batch"] = "calls"
    abstain: float | None = None
    polling: Polling = Polling()


def build_request(
    judge: str | None,
    protocol: str | None,
    options: Options,
    notice: Callable[[str], None] = lambda _: None,
) -> Request:
    """Read the prompt file, if there is one, and build the request; the default is the embedded judge, or the panel if one is given."""
    given: dict[str, Any] = {**options}
    _check_options(given)
    panel = _read_panel(options.get("panel"))
    if panel and judge is not None:
        raise UsageError(
            option("panel"),
            " names all judges; leave ",
            option("judge"),
            f" {judge} out, or add it to the panel",
        )
    named = None if protocol is None else known_protocol(protocol)
    path = options.get("prompt")
    wording = None
    if path is not None:
        prompt = read_prompt_file(path, named)
        wording = prompt.wording
        notice(f"{os.fspath(path)}: protocol {wording.protocol}, {prompt.protocol_why}")
        for warning in prompt.warnings:
            notice(warning)
    price, ca_file = options.get("price"), options.get("ca_file")
    return Request(
        judge=DEFAULT if judge is None else judge,
        protocol=wording.protocol if wording else named or "match",
        wording=wording,
        parameters=Parameters(**{name: given[name] for name in _PARAMETERS if name in given}),
        price=None if price is None else parse_price(price),
        ca_file=None if ca_file is None else os.fspath(ca_file),
        panel=panel,
        **{name: given[name] for name in _PLAIN if name in given},
    )


def unless_default(judge: str) -> str | None:
    """Return the name of a judge; None for the default one."""
    return None if judge == DEFAULT else judge


def _read_panel(panel: str | list[str] | None) -> tuple[str, ...]:
    if panel is None:
        return ()
    names = panel.split(",") if isinstance(panel, str) else panel
    if not names:
        raise UsageError(option("panel"), " names no judge; a panel needs two or more different judges")
    return tuple(name.strip() for name in names)


def _check_options(given: dict[str, Any]) -> None:
    unknown = set(given) - set(Options.__annotations__)
    if unknown:
        raise UsageError(f"unknown option {min(unknown)!r}; choose from {', '.join(Options.__annotations__)}")
    if given.get("via", "calls") not in ("calls", "batch"):
        raise UsageError(option("via"), f" {given['via']!r} is not known; use calls or batch")
    abstain = given.get("abstain")
    if abstain is not None and not _EVEN <= abstain <= 1:
        raise UsageError(option("abstain"), f" {abstain} must be a confidence between 0.5 and 1")
    for name, least in _LEAST.items():
        value = given.get(name)
        if value is not None and not value >= least:  # NaN fails this comparison too
            raise UsageError(option(name), f" must be at least {least}, not {value}")
    for name, most in _MOST.items():
        if given.get(name, most) > most:
            raise UsageError(option(name), f" must be at most {most}, not {given[name]}")


def refuse_misfits(request: Request) -> None:
    """Refuse options that cannot be combined, or that do not apply to one judge or to a panel."""
    given = {"panel": request.panel, "permute": request.permute > 1, "hedge": request.hedge}
    other = next((name for name, there in given.items() if there), None)
    if request.via == "batch" and other is not None:
        raise UsageError(
            option("via"), " batch and ", option(other), " cannot be used together; leave one out"
        )
    if request.rules_first and request.protocol != "match":
        raise UsageError(
            option("rules_first"),
            f" works only with match: the rules accept no answers under {request.protocol}; leave it out",
        )
    if request.combine != "majority" and not request.panel:
        raise UsageError(
            option("combine"), " applies only to panels; name one with ", option("panel"), ", or leave it out"
        )
    if request.abstain is not None and request.panel:
        raise UsageError(
            option("abstain"),
            " applies only to a single embedded judge; leave it or ",
            option("panel"),
            " out",
        )


def refuse_what_no_model_needs(request: Request, why: str) -> None:
    """Refuse call options for a judge that makes no calls; `why` names it."""
    given = next(_find_given(request), None)
    if given is not None:
        told = f" applies only to LLM judges, and {why}; leave it out, or name one with "
        raise UsageError(*given, told, option("judge"), ", such as openai:MODEL")


def _find_given(request: Request) -> Iterator[tuple[Part, ...]]:
    """Yield the call options that differ from their defaults."""
    if request.wording is not None:
        yield (option("prompt"),)
    if request.via == "batch":
        yield option("via"), " batch"
    usual = type(request)()
    for name in _OF_CALLS:
        if getattr(request, name) not in (None, getattr(usual, name)):
            yield (option(name),)
    for name, value in structs.asdict(request.parameters).items():
        if value not in (None, getattr(Parameters(), name)):
            yield (option(name),)


def read_prompt_file(path: str | os.PathLike[str], protocol: ProtocolName | None = None) -> PromptFile:
    """Read a prompt file from disk."""
    name = os.fspath(path)
    try:
        with Path(name).open("rb") as file:
            content = file.read(_LONGEST_PROMPT + 1)  # special files may never end
        if len(content) > _LONGEST_PROMPT:
            raise UsageError(
                f"the prompt file {name} is longer than {_LONGEST_PROMPT:,} bytes; make it shorter"
            )
        text = content.decode()
    except OSError as error:
        raise UsageError(f"cannot read the prompt file {name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the prompt file {name} is not UTF-8 (byte {error.start}); save it as UTF-8"
        ) from error
    return read_prompt(text, name, protocol)


def known_protocol(protocol: str) -> ProtocolName:
    """Return the protocol of this name, or refuse it."""
    for known in get_args(ProtocolName):
        if protocol == known:
            return known
    raise UsageError(f"unknown protocol {protocol!r}; choose from {', '.join(get_args(ProtocolName))}")

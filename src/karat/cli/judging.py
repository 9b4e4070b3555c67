"""How a judge is asked, as options that several verbs share."""

from dataclasses import asdict, dataclass
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from karat.cli.paths import READ
from karat.core.options import Options


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """What `karat grade` takes for LLM judges, by the same names."""

    combine: Annotated[
        Literal["majority", "unanimous", "mean"], Parameter(help="how a panel comes to one verdict")
    ] = "majority"
    prompt: Annotated[str | None, Parameter(help="your own prompt file; see karat prompt check"), READ] = None
    items_per_prompt: Annotated[
        int | Literal["auto"] | None,
        Parameter(
            help="items in one prompt: 1 to 32, or auto: as many as agree with verdicts given alone [default: auto]"
        ),
    ] = None
    permute: Annotated[
        int, Parameter(help="judge each item in N different batches and keep the majority")
    ] = 1
    temperature: Annotated[
        float, Parameter(help="sampling temperature; left out where the model refuses it")
    ] = 0.0
    seed: Annotated[int | None, Parameter(help="sampling seed, for endpoints that take one")] = None
    max_tokens: Annotated[
        int, Parameter(help="output limit of one call; widened when a reply is cut off")
    ] = 1024
    reasoning_effort: Annotated[str | None, Parameter(help="low, medium, high …, for models that think")] = (
        None
    )
    attempts: Annotated[int, Parameter(help="how often an item is asked before it stays unjudged")] = 5
    structured: Annotated[
        bool, Parameter(negative="", help="hold the reply to a JSON schema where the endpoint can")
    ] = False
    prefill: Annotated[
        Literal["on", "off", "auto"], Parameter(help="send a prompt's opened assistant turn as one")
    ] = "auto"
    rules_first: Annotated[
        bool, Parameter(negative="", help="let sure accepts by rule skip the call (match)")
    ] = False
    concurrency: Annotated[int, Parameter(help="most calls under way at once")] = 64
    rpm: Annotated[int | None, Parameter(help="most calls per minute")] = None
    tpm: Annotated[int | None, Parameter(help="most tokens per minute")] = None
    timeout: Annotated[float, Parameter(help="seconds to wait for one call")] = 120.0
    ca_file: Annotated[
        str | None, READ, Parameter(help="PEM file of a private authority to trust as well")
    ] = None
    price: Annotated[str | None, Parameter(help="IN/OUT/CACHED in dollars per million tokens")] = None
    budget: Annotated[
        float | None, Parameter(help="stop before a judge has cost more than this many dollars")
    ] = None

    def given(self) -> Options:
        """The options in the vocabulary of the library."""
        return cast("Options", asdict(self))

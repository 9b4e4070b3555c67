"""Options that several commands share."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Annotated, Literal, TypeAlias, cast

from cyclopts import Parameter

from karat.cli.paths import LATEST, READ, STORE
from karat.core.errors import UsageError
from karat.core.options import Options
from karat.report.figures.summary import PASS
from karat.rows import Formulas

StorePath: TypeAlias = Annotated[
    str | None, Parameter(help="where verdicts are kept [default: KARAT_STORE or .karat/karat.db]"), STORE
]
RunNumber: TypeAlias = Annotated[
    int | None, Parameter(help="number of the run [default: the latest]"), LATEST
]
RunOrVerdicts: TypeAlias = Annotated[
    int | str | None,
    Parameter(help="number of the run, or a verdict file or folder of them [default: the latest run]"),
    LATEST,
]
AsJson: TypeAlias = Annotated[bool, Parameter(negative="", help="print JSON instead of tables")]
ClusterColumn: TypeAlias = Annotated[
    str | None, Parameter(help="column whose equal values belong together [default: the question]")
]
FormulaCells: TypeAlias = Annotated[
    Formulas,
    Parameter(
        help="text in CSV and TSV that a spreadsheet would run as a formula: escape it with an apostrophe, or keep it"
    ),
]
DifferentJudges: TypeAlias = Annotated[
    bool,
    Parameter(negative="", help="compare different answers by different judges all the same, with a warning"),
]
Passing: TypeAlias = Annotated[
    int | None,
    Parameter(
        name="--pass", help="from which value on a 0-5 verdict or label counts as correct [default: 4]"
    ),
]
LabelScale: TypeAlias = Annotated[
    str | None, Parameter(help="what numbers among labels mean: LOW-HIGH such as 0-2, or yes/no")
]


def choose_passing(given: int | None, protocols: Iterable[str]) -> int:
    """The limit that was given, or the usual one; refused outside the scale and where nothing is on a scale."""
    if given is None:
        return PASS
    if not 0 <= given <= 5:  # noqa: PLR2004 - the scale
        raise UsageError(f"--pass must lie within 0 and 5, not {given}")
    if all(protocol == "match" for protocol in protocols):
        raise UsageError("--pass is for 0-5 protocols; match says Yes or No, so leave it out")
    return given


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

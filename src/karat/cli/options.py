"""The options of the commands: those that several commands share, and the groups of options of `karat grade`."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Annotated, Literal, TypeAlias, cast

from cyclopts import Parameter

from karat.cli.paths import LATEST, READ, RUN, STORE, WRITTEN
from karat.core.errors import UsageError
from karat.core.options import Options
from karat.report.figures.gates import LEVEL
from karat.report.figures.summary import PASS
from karat.rows import Formulas

StorePath: TypeAlias = Annotated[
    str | None,
    Parameter(help="database for verdicts and runs [default: KARAT_STORE or .karat/karat.db]"),
    STORE,
]
RunOrExport: TypeAlias = Annotated[
    int | str | None,
    Parameter(help="number of the run, or FILE#GRADER of another tool [default: the latest run]"),
    LATEST,
]
RunOrVerdicts: TypeAlias = Annotated[
    int | str | None,
    Parameter(
        help="number of the run, a verdict file or folder of them, or FILE#GRADER of another tool [default: the latest run]"
    ),
    LATEST,
]
AsJson: TypeAlias = Annotated[bool, Parameter(negative="", help="print JSON instead of tables")]
ClusterColumn: TypeAlias = Annotated[
    str | None,
    Parameter(help="column whose equal values form one cluster for the intervals [default: the question]"),
]
FormulaCells: TypeAlias = Annotated[
    Formulas,
    Parameter(
        help="what to do with CSV and TSV text that a spreadsheet would run as a formula: escape puts an apostrophe before it, keep leaves it"
    ),
]
DifferentJudges: TypeAlias = Annotated[
    bool,
    Parameter(negative="", help="compare different answers by different judges anyway, with a warning"),
]
Passing: TypeAlias = Annotated[
    int | None,
    Parameter(
        name="--pass", help="lowest value at which a 0-5 verdict or label counts as correct [default: 4]"
    ),
]
ProtocolChoice: TypeAlias = Annotated[
    str | None, Parameter(help="match (Yes/No), equivalence (0-5) or keypoints (0-5) [default: match]")
]
Combine: TypeAlias = Annotated[
    Literal["majority", "unanimous", "mean"], Parameter(help="how a panel's verdicts are combined")
]
ColumnChoice: TypeAlias = Annotated[
    str | None, Parameter(help="which columns hold which fields, such as question=q,answer=out")
]
OnBadRow: TypeAlias = Annotated[
    Literal["stop", "skip"], Parameter(help="what to do when a row cannot be read")
]
NoInput: TypeAlias = Annotated[
    bool, Parameter(negative="", help="leave the input's own columns out of the output")
]
LabelScale: TypeAlias = Annotated[
    str | None, Parameter(help="scale of numeric labels: LOW-HIGH such as 0-2, or yes/no")
]
_NOT_OFFERED = Parameter(parse=False)


def choose_passing(given: int | None, protocols: Iterable[str]) -> int:
    """Return the given limit or the default; refuse one outside 0 to 5, or without a 0-5 protocol."""
    if given is None:
        return PASS
    if not 0 <= given <= 5:  # noqa: PLR2004 - the scale
        raise UsageError(f"--pass must be between 0 and 5, not {given}")
    if all(protocol == "match" for protocol in protocols):
        raise UsageError("--pass applies only to 0-5 protocols; match gives Yes or No, so leave it out")
    return given


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """Options of LLM calls and of the embedded judge, for every command that takes a judge."""

    prompt: Annotated[str | None, Parameter(help="your own prompt file; see karat prompt check"), READ] = None
    items_per_prompt: Annotated[
        int | Literal["auto"] | None,
        Parameter(
            help="items in one prompt: 1 to 32, or auto: as many as possible without changing verdicts, checked on your rows [default: auto]"
        ),
    ] = None
    permute: Annotated[
        int, Parameter(help="judge each item in N different batches and take the majority verdict")
    ] = 1
    temperature: Annotated[
        float, Parameter(help="sampling temperature; left out if the model refuses it")
    ] = 0.0
    seed: Annotated[int | None, Parameter(help="sampling seed, for endpoints that support one")] = None
    max_tokens: Annotated[int, Parameter(help="output limit of one call; raised if a reply is cut off")] = (
        1024
    )
    reasoning_effort: Annotated[str | None, Parameter(help="low, medium, high …, for reasoning models")] = (
        None
    )
    attempts: Annotated[
        int, Parameter(help="how many times an item is asked before it counts as unjudged")
    ] = 5
    logprobs: Annotated[
        bool, Parameter(negative="", help="compute scores and confidences from token probabilities")
    ] = False
    structured: Annotated[
        bool, Parameter(negative="", help="require replies in a JSON schema, if the endpoint supports it")
    ] = False
    prefill: Annotated[
        Literal["on", "off", "auto"],
        Parameter(help="send the unfinished assistant turn of a prompt file as a prefilled reply"),
    ] = "auto"
    rules_first: Annotated[
        bool, Parameter(negative="", help="accept answers that certain rules decide, without a call (match)")
    ] = False
    concurrency: Annotated[int, Parameter(help="largest number of calls in flight")] = 64
    rpm: Annotated[int | None, Parameter(help="largest number of calls per minute")] = None
    tpm: Annotated[int | None, Parameter(help="largest number of tokens per minute")] = None
    timeout: Annotated[float, Parameter(help="timeout of one call, in seconds")] = 120.0
    ca_file: Annotated[
        str | None, READ, Parameter(help="PEM file of a private certificate authority to trust in addition")
    ] = None
    hedge: Annotated[
        bool,
        Parameter(negative="", help="send a slow call a second time and use the first reply"),
    ] = False
    price: Annotated[str | None, Parameter(help="price as IN/OUT/CACHED in dollars per million tokens")] = (
        None
    )
    budget: Annotated[
        float | None, Parameter(help="stop before the run costs more than this many dollars")
    ] = None
    via: Annotated[
        Literal["calls", "batch"],
        Parameter(
            help="call sends one request per prompt; batch uses the provider's batch API: half the price, up to a day"
        ),
    ] = "calls"
    abstain: Annotated[
        float | None,
        Parameter(help="leave rows undecided if the embedded judge's confidence is below this, 0.5 to 1"),
    ] = None

    def given(self) -> Options:
        """Return the options under the library's parameter names."""
        return cast("Options", asdict(self))


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AuditJudgeOptions(JudgeOptions):
    """The same for `karat audit`; the budget is per judge, and some options are missing."""

    logprobs: Annotated[bool, _NOT_OFFERED] = False
    hedge: Annotated[bool, _NOT_OFFERED] = False
    via: Annotated[Literal["calls", "batch"], _NOT_OFFERED] = "calls"
    abstain: Annotated[float | None, _NOT_OFFERED] = None
    budget: Annotated[
        float | None, Parameter(help="stop before one judge costs more than this many dollars")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """Limits of a run; the exit code is 1 if one is missed."""

    fail_under: Annotated[
        float | None,
        Parameter(
            help="exit 1 if the share correct of all rows is below this, such as 0.8; unjudged rows count as wrong"
        ),
    ] = None
    fail_under_lower: Annotated[
        float | None, Parameter(help="exit 1 if the lower end of that share's 95 % interval is below this")
    ] = None
    baseline: Annotated[
        int | str | None,
        Parameter(
            help="exit 1 if this run is significantly worse than this earlier run or verdict file, paired by question"
        ),
        RUN,
    ] = None
    baseline_level: Annotated[
        float | None,
        Parameter(help=f"significance level of the one-sided test against the baseline [default: {LEVEL:g}]"),
    ] = None

    @property
    def level(self) -> float:
        """Return the significance level of the test against the baseline."""
        return LEVEL if self.baseline_level is None else self.baseline_level

    def given(self) -> dict[str, float | int | str]:
        """Return the given options by name."""
        options = {
            "--fail-under": self.fail_under,
            "--fail-under-lower": self.fail_under_lower,
            "--baseline": self.baseline,
            "--baseline-level": self.baseline_level,
        }
        return {name: value for name, value in options.items() if value is not None}

    def check(self, *, dry_run: bool) -> None:
        """Refuse invalid limits before any file is read."""
        for name, share in (("--fail-under", self.fail_under), ("--fail-under-lower", self.fail_under_lower)):
            if share is not None and not 0 <= share <= 1:
                raise UsageError(f"{name} must be a share between 0 and 1, such as 0.8, not {share:g}")
        if self.baseline_level is not None and self.baseline is None:
            raise UsageError("--baseline-level needs --baseline with a run or verdict file")
        if not 0 < self.level < 0.5:  # noqa: PLR2004 - half is chance
            raise UsageError(
                f"--baseline-level must be above 0 and below 0.5, such as 0.05, not {self.level:g}"
            )
        if dry_run and self.given():
            raise UsageError(
                f"{next(iter(self.given()))} needs verdicts, and --dry-run makes none; leave one of them out"
            )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """All options of `karat grade`, local and on a cluster."""

    judge: Annotated[
        str | None,
        Parameter(
            help="embedded, rules, openai:MODEL, anthropic:MODEL or http://host:port/v1#MODEL [default: embedded]"
        ),
    ] = None
    panel: Annotated[str | None, Parameter(help="several judges instead of one, separated by commas")] = None
    combine: Combine = "majority"
    protocol: ProtocolChoice = None
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help="file to write the verdicts to: .jsonl, .csv, .tsv or .parquet; with --on ray a folder",
        ),
        WRITTEN,
    ] = None
    on: Annotated[
        str,
        Parameter(
            help="here or ray: grade on this machine, or on a Ray cluster; with --references the column by which answers and references belong together, such as id or question_id=id"
        ),
    ] = "here"
    address: Annotated[
        str | None,
        Parameter(help="the Ray cluster to join: auto or host:port [default: start one on this machine]"),
    ] = None
    dedupe: Annotated[
        bool, Parameter(negative="", help="judge identical rows once per cluster, not once per block")
    ] = False
    columns: ColumnChoice = None
    format: Annotated[
        str | None,
        Parameter(
            help="read the files as this format of karat formats, or as a plain table [default: by content]"
        ),
    ] = None
    references: Annotated[
        str | None,
        Parameter(
            help="file of the references, where they stand apart from the answers; --on says by which column [default: id]"
        ),
        READ,
    ] = None
    on_bad_row: OnBadRow = "stop"
    limit: Annotated[int | None, Parameter(help="grade only the first N good rows")] = None
    judging: JudgeOptions = JudgeOptions()
    pass_: Passing = None
    labels: Annotated[
        str | None, Parameter(help="file of labels (id, label, author) to compare the verdicts with"), READ
    ] = None
    label_scale: LabelScale = None
    known_labels: Annotated[
        bool | None,
        Parameter(
            help="use, or stop using, labels of identical rows in other files [default: as in the last run of this file]"
        ),
    ] = None
    cluster: ClusterColumn = None
    retry_unjudged: Annotated[
        bool, Parameter(negative="", help="ask again about rows that were left unjudged")
    ] = False
    fail_on_unjudged: Annotated[
        bool, Parameter(negative="", help="exit 1 if any row is unjudged, including undecided ones")
    ] = False
    dry_run: Annotated[
        bool, Parameter(negative="", help="print the expected calls, tokens and cost, without making calls")
    ] = False
    no_input: NoInput = False
    formulas: FormulaCells = "escape"
    gates: GateOptions = GateOptions()
    json: Annotated[bool, Parameter(negative="", help="print the summary as JSON")] = False
    store: StorePath = None

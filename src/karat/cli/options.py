"""The options of the commands: those that several commands share, and the groups of options of `karat grade`."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Annotated, Literal, TypeAlias, cast

from cyclopts import Group, Parameter

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
    Parameter(help="number or name of the run, or FILE#GRADER of another tool [default: the latest run]"),
    LATEST,
]
RunOrVerdicts: TypeAlias = Annotated[
    int | str | None,
    Parameter(
        help="number or name of the run, a verdict file or folder of them, or FILE#GRADER of another tool [default: the latest run]"
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
# The groups of the options of `karat grade` in its help, in this order.
_INPUT, _JUDGE, _CALLS, _STATISTICS, _LIMITS, _OUTPUT = (
    Parameter(group=Group(title, sort_key=place))
    for place, title in enumerate(
        ("Input", "Judge", "Calls and costs", "Statistics", "Limits for CI", "Output"), 1
    )
)


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

    prompt: Annotated[
        str | None, Parameter(help="your own prompt file; see karat prompt check"), READ, _JUDGE
    ] = None
    items_per_prompt: Annotated[
        int | Literal["auto"] | None,
        Parameter(
            help="items in one prompt: 1 to 32, or auto: as many as possible without changing verdicts, checked on your rows [default: auto]"
        ),
        _JUDGE,
    ] = None
    permute: Annotated[
        int, Parameter(help="judge each item in N different batches and take the majority verdict"), _JUDGE
    ] = 1
    temperature: Annotated[
        float, Parameter(help="sampling temperature; left out if the model refuses it"), _JUDGE
    ] = 0.0
    seed: Annotated[int | None, Parameter(help="sampling seed, for endpoints that support one"), _JUDGE] = (
        None
    )
    max_tokens: Annotated[
        int, Parameter(help="output limit of one call; raised if a reply is cut off"), _JUDGE
    ] = 1024
    reasoning_effort: Annotated[
        str | None, Parameter(help="low, medium, high …, for reasoning models"), _JUDGE
    ] = None
    attempts: Annotated[
        int, Parameter(help="how many times an item is asked before it counts as unjudged"), _JUDGE
    ] = 5
    logprobs: Annotated[
        bool, Parameter(negative="", help="compute scores and confidences from token probabilities"), _JUDGE
    ] = False
    structured: Annotated[
        bool,
        Parameter(negative="", help="require replies in a JSON schema, if the endpoint supports it"),
        _JUDGE,
    ] = False
    prefill: Annotated[
        Literal["on", "off", "auto"],
        Parameter(help="send the unfinished assistant turn of a prompt file as a prefilled reply"),
        _JUDGE,
    ] = "auto"
    rules_first: Annotated[
        bool,
        Parameter(negative="", help="accept answers that certain rules decide, without a call (match)"),
        _JUDGE,
    ] = False
    concurrency: Annotated[int, Parameter(help="largest number of calls in flight"), _CALLS] = 64
    rpm: Annotated[int | None, Parameter(help="largest number of calls per minute"), _CALLS] = None
    tpm: Annotated[int | None, Parameter(help="largest number of tokens per minute"), _CALLS] = None
    timeout: Annotated[float, Parameter(help="timeout of one call, in seconds"), _CALLS] = 120.0
    ca_file: Annotated[
        str | None,
        READ,
        Parameter(help="PEM file of a private certificate authority to trust in addition"),
        _CALLS,
    ] = None
    hedge: Annotated[
        bool, Parameter(negative="", help="send a slow call a second time and use the first reply"), _CALLS
    ] = False
    price: Annotated[
        str | None, Parameter(help="price as IN/OUT/CACHED in dollars per million tokens"), _CALLS
    ] = None
    budget: Annotated[
        float | None, Parameter(help="stop before the run costs more than this many dollars"), _CALLS
    ] = None
    via: Annotated[
        Literal["calls", "batch"],
        Parameter(
            help="call sends one request per prompt; batch uses the provider's batch API: half the price, up to a day"
        ),
        _CALLS,
    ] = "calls"
    abstain: Annotated[
        float | None,
        Parameter(help="leave rows undecided if the embedded judge's confidence is below this, 0.5 to 1"),
        _JUDGE,
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
        float | None, Parameter(help="stop before one judge costs more than this many dollars"), _CALLS
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
        _LIMITS,
    ] = None
    fail_under_lower: Annotated[
        float | None,
        Parameter(help="exit 1 if the lower end of that share's 95 % interval is below this"),
        _LIMITS,
    ] = None
    baseline: Annotated[
        int | str | None,
        Parameter(
            help="exit 1 if this run is significantly worse than this earlier run or verdict file, paired by question"
        ),
        RUN,
        _LIMITS,
    ] = None
    baseline_level: Annotated[
        float | None,
        Parameter(help=f"significance level of the one-sided test against the baseline [default: {LEVEL:g}]"),
        _LIMITS,
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
            help="embedded, rules, PROVIDER:MODEL such as openai:MODEL or ollama:MODEL, or http://host:port/v1#MODEL [default: embedded]"
        ),
        _JUDGE,
    ] = None
    panel: Annotated[
        str | None, Parameter(help="several judges instead of one, separated by commas"), _JUDGE
    ] = None
    combine: Annotated[Combine, _JUDGE] = "majority"
    protocol: Annotated[ProtocolChoice, _JUDGE] = None
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            allow_leading_hyphen=True,
            help="file to write the verdicts to: .jsonl, .csv, .tsv or .parquet; with --on ray a folder",
        ),
        WRITTEN,
        _OUTPUT,
    ] = None
    on: Annotated[
        str,
        Parameter(
            help="here or ray: grade on this machine, or on a Ray cluster; with --references the column by which answers and references belong together, such as id or question_id=id"
        ),
        _INPUT,
    ] = "here"
    address: Annotated[
        str | None,
        Parameter(help="the Ray cluster to join: auto or host:port [default: start one on this machine]"),
        _CALLS,
    ] = None
    dedupe: Annotated[
        bool, Parameter(negative="", help="judge identical rows once per cluster, not once per block"), _CALLS
    ] = False
    columns: Annotated[ColumnChoice, _INPUT] = None
    format: Annotated[
        str | None,
        Parameter(
            help="read the files as this format of karat formats, or as a plain table [default: by content]"
        ),
        _INPUT,
    ] = None
    references: Annotated[
        str | None,
        Parameter(
            help="file of the references, where they stand apart from the answers; --on says by which column [default: id]"
        ),
        READ,
        _INPUT,
    ] = None
    on_bad_row: Annotated[OnBadRow, _INPUT] = "stop"
    limit: Annotated[int | None, Parameter(help="grade only the first N good rows"), _INPUT] = None
    judging: JudgeOptions = JudgeOptions()
    pass_: Annotated[Passing, _STATISTICS] = None
    labels: Annotated[
        str | None,
        Parameter(help="file of labels (id, label, author) to compare the verdicts with"),
        READ,
        _STATISTICS,
    ] = None
    label_scale: Annotated[LabelScale, _STATISTICS] = None
    known_labels: Annotated[
        bool | None,
        Parameter(
            help="use, or stop using, labels of identical rows in other files [default: as in the last run of this file]"
        ),
        _STATISTICS,
    ] = None
    cluster: Annotated[ClusterColumn, _STATISTICS] = None
    retry_unjudged: Annotated[
        bool, Parameter(negative="", help="ask again about rows that were left unjudged"), _JUDGE
    ] = False
    fail_on_unjudged: Annotated[
        bool, Parameter(negative="", help="exit 1 if any row is unjudged, including undecided ones"), _LIMITS
    ] = False
    dry_run: Annotated[
        bool,
        Parameter(negative="", help="print the expected calls, tokens and cost, without making calls"),
        _CALLS,
    ] = False
    no_input: Annotated[NoInput, _OUTPUT] = False
    formulas: Annotated[FormulaCells, _OUTPUT] = "escape"
    gates: GateOptions = GateOptions()
    json: Annotated[bool, Parameter(negative="", help="print the summary as JSON"), _OUTPUT] = False
    store: Annotated[StorePath, _OUTPUT] = None

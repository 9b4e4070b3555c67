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
    str | None, Parameter(help="where verdicts are kept [default: KARAT_STORE or .karat/karat.db]"), STORE
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
ProtocolChoice: TypeAlias = Annotated[
    str | None, Parameter(help="match (Yes/No), equivalence (0-5) or keypoints (0-5) [default: match]")
]
Combine: TypeAlias = Annotated[
    Literal["majority", "unanimous", "mean"], Parameter(help="how a panel comes to one verdict")
]
ColumnChoice: TypeAlias = Annotated[
    str | None, Parameter(help="which column is what, such as question=q,answer=out")
]
OnBadRow: TypeAlias = Annotated[
    Literal["stop", "skip"], Parameter(help="what to do when a row cannot be read")
]
NoInput: TypeAlias = Annotated[
    bool, Parameter(negative="", help="leave the input's own columns out of the output")
]
LabelScale: TypeAlias = Annotated[
    str | None, Parameter(help="what numbers among labels mean: LOW-HIGH such as 0-2, or yes/no")
]
_NOT_OFFERED = Parameter(parse=False)


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
    """How an LLM judge is asked, and how sure the embedded judge has to be; in every command that takes a judge."""

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
    logprobs: Annotated[
        bool, Parameter(negative="", help="scores and confidence from token probabilities")
    ] = False
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
    hedge: Annotated[
        bool,
        Parameter(
            negative="", help="send a call that is slower than most once more, and take the first answer"
        ),
    ] = False
    price: Annotated[str | None, Parameter(help="IN/OUT/CACHED in dollars per million tokens")] = None
    budget: Annotated[
        float | None, Parameter(help="stop before the run has cost more than this many dollars")
    ] = None
    via: Annotated[
        Literal["calls", "batch"],
        Parameter(help="one call per prompt, or the provider's batch API: half the price, up to a day"),
    ] = "calls"
    abstain: Annotated[
        float | None,
        Parameter(help="leave rows undecided that the embedded judge is less sure of than this, 0.5 to 1"),
    ] = None

    def given(self) -> Options:
        """The options in the vocabulary of the library."""
        return cast("Options", asdict(self))


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AuditJudgeOptions(JudgeOptions):
    """The same for `karat audit`, where the budget is that of each judge, and some options are not offered."""

    logprobs: Annotated[bool, _NOT_OFFERED] = False
    hedge: Annotated[bool, _NOT_OFFERED] = False
    via: Annotated[Literal["calls", "batch"], _NOT_OFFERED] = "calls"
    abstain: Annotated[float | None, _NOT_OFFERED] = None
    budget: Annotated[
        float | None, Parameter(help="stop before a judge has cost more than this many dollars")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """The limits of a run; where one is missed the exit code is 1."""

    fail_under: Annotated[
        float | None,
        Parameter(
            help="exit 1 if the share correct of all rows is below this, such as 0.8; unjudged is wrong"
        ),
    ] = None
    fail_under_lower: Annotated[
        float | None, Parameter(help="exit 1 if the 95 % interval of that share begins below this")
    ] = None
    baseline: Annotated[
        int | str | None,
        Parameter(
            help="exit 1 if this run is significantly worse than that run or verdict file, by question"
        ),
        RUN,
    ] = None
    baseline_level: Annotated[
        float | None, Parameter(help=f"level of the one-sided test against the baseline [default: {LEVEL:g}]")
    ] = None

    @property
    def level(self) -> float:
        """The level of the test against the baseline."""
        return LEVEL if self.baseline_level is None else self.baseline_level

    def given(self) -> dict[str, float | int | str]:
        """The options that were given, by their names."""
        options = {
            "--fail-under": self.fail_under,
            "--fail-under-lower": self.fail_under_lower,
            "--baseline": self.baseline,
            "--baseline-level": self.baseline_level,
        }
        return {name: value for name, value in options.items() if value is not None}

    def check(self, *, dry_run: bool) -> None:
        """Refuse limits that mean nothing, before anything is read."""
        for name, share in (("--fail-under", self.fail_under), ("--fail-under-lower", self.fail_under_lower)):
            if share is not None and not 0 <= share <= 1:
                raise UsageError(f"{name} {share:g}: a share between 0 and 1 is wanted, such as 0.8")
        if self.baseline_level is not None and self.baseline is None:
            raise UsageError("--baseline-level is for --baseline; name a run or verdict file with --baseline")
        if not 0 < self.level < 0.5:  # noqa: PLR2004 - half is chance
            raise UsageError(
                f"--baseline-level {self.level:g}: a level above 0 and below 0.5 is wanted, such as 0.05"
            )
        if dry_run and self.given():
            raise UsageError(
                f"{next(iter(self.given()))} needs verdicts, and --dry-run makes none; leave one of them out"
            )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """All options of `karat grade`, on this machine and on a cluster."""

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
            help="write verdicts here: .jsonl, .csv, .tsv or .parquet; with --on ray a folder",
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
        Parameter(
            help="the Ray cluster to join: auto or host:port [default: one on the cores of this machine]"
        ),
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
        str | None, Parameter(help="file of labels (id, label, author) to hold the verdicts against"), READ
    ] = None
    label_scale: LabelScale = None
    known_labels: Annotated[
        bool | None,
        Parameter(
            help="use the labels that were given for identical rows of other files too, or no longer [default: as before]"
        ),
    ] = None
    cluster: ClusterColumn = None
    retry_unjudged: Annotated[
        bool, Parameter(negative="", help="ask again about rows that ended unjudged")
    ] = False
    fail_on_unjudged: Annotated[
        bool, Parameter(negative="", help="exit 1 if any row is unjudged, undecided ones too")
    ] = False
    dry_run: Annotated[bool, Parameter(negative="", help="say what the run would take, and ask nobody")] = (
        False
    )
    no_input: NoInput = False
    formulas: FormulaCells = "escape"
    gates: GateOptions = GateOptions()
    json: Annotated[bool, Parameter(negative="", help="print the summary as JSON")] = False
    store: StorePath = None

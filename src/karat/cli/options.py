"""Options that several commands share."""

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from karat.cli.paths import LATEST, STORE
from karat.core.errors import UsageError
from karat.report.summary import PASS
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

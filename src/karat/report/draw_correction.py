"""The share correct as judged and as corrected, side by side."""

from collections.abc import Iterator

from rich.console import Group as Together
from rich.console import RenderableType
from rich.text import Text

from karat.report.correction import Correction
from karat.report.tables import (
    count,
    explain_dashes,
    make_table,
    show_number,
    show_or_dash,
    show_plain,
)
from karat.report.wording import tell_known


def draw_correction(correction: Correction) -> RenderableType:
    """One line each for the judge, for the judge with its errors taken out, and for the labels alone."""
    table = make_table("share correct", "[95 % interval]", "")
    everything = f"all {correction.rows:,} rows"
    labels = f"{correction.labelled:,} labelled"
    first = {name: "bold" if name == correction.headline else "" for name in ("raw", "corrected", "labels")}
    table.add_row("as judged", show_number(correction.share.raw), "the judged rows", style=first["raw"])
    if correction.selection != "all":
        table.add_row(
            "corrected by labels",
            show_or_dash(correction.share.corrected, show_number),
            f"{everything}, {labels}",
            style=first["corrected"],
        )
    table.add_row(
        "by labels alone",
        show_or_dash(correction.share.labels_alone, show_number),
        f"{everything}, {labels}",
        style=first["labels"],
    )
    if correction.rogan_gladen is not None:
        table.add_row("by Rogan-Gladen", show_number(correction.rogan_gladen), "for labels with another mix")
    if correction.score is not None:
        score = correction.score
        table.add_row("mean score as judged", show_plain(score.raw), "the judged rows", style=first["raw"])
        if correction.selection != "all":
            table.add_row(
                "mean score corrected",
                show_or_dash(score.corrected, show_plain),
                everything,
                style=first["corrected"],
            )
        table.add_row(
            "mean score by labels alone",
            show_or_dash(score.labels_alone, show_plain),
            everything,
            style=first["labels"],
        )
    warning = [] if correction.warning is None else [Text(correction.warning, style="yellow")]
    return Together(table, *warning, *(Text(line, style="dim") for line in _notes(correction)))


def _notes(correction: Correction) -> Iterator[str]:
    share = correction.share
    if why := explain_dashes([share.corrected, share.labels_alone]):
        yield why
    if correction.assumption is not None:
        yield correction.assumption
    if correction.rogan_gladen is not None:
        yield "Rogan-Gladen only assumes that the judge errs as often on the labelled rows as on the others"
    if correction.selection == "planned":
        yield "the labelled rows were drawn by `karat labels plan`, and are weighed by the chance with which they were"
    elif correction.selection == "elsewhere":
        yield (
            "labelled rows were drawn by `karat labels plan` for another run; label the rows from which it did not draw,"
            " or draw for this run too"
        )
    elif correction.selection == "all":
        yield "every row is labelled: the labels themselves are the answer, and nothing is left to correct"
    if correction.ties:
        yield f"people are evenly split over {count(correction.ties, 'row')}: each counts as half right"
    if told := tell_known(correction.known, correction.labelled, correction.known_from):
        yield told
    if correction.outside:
        yield f"{count(correction.outside, 'labelled row')} outside the plan left aside"

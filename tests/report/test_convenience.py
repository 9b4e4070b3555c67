"""Labels outside plans (a convenience sample): corrected shares on data with known truth."""

import io
import json

import msgspec
import numpy as np
import pytest
from making import Make, keep_labels, keep_run, no, row, yes
from marking import crossed, mark, say
from msgspec import structs
from rich.console import Console, RenderableType
from scipy.stats import hypergeom

from karat.core.scored_row import Label, ScoredRow
from karat.report.build import gather
from karat.report.figures.agreement import agree
from karat.report.figures.comparison import Comparison, compare, slice_by
from karat.report.figures.correction import ASSUMPTION, Correction, correct_share, find_mix
from karat.report.load import read_comparison, summarise_run
from karat.report.markdown import write_markdown
from karat.report.terminal.comparison import draw_comparison, draw_slices
from karat.report.terminal.summary import draw_summary
from karat.stats import Estimate
from karat.store import Run, Store

ROWS, LABELLED = 600, 120


class Simulated:
    """Rows of differing difficulty, two to a question. Hard ones are wrong more often, judged worse, and with less confidence."""

    def __init__(self, seed: int, *, shift: float = 0.0) -> None:
        random = np.random.default_rng(seed)
        self.hard = random.random(ROWS)
        self.right = random.random(ROWS) < 0.85 - shift - 0.5 * self.hard
        self.said = np.where(random.random(ROWS) < 1 - 0.4 * self.hard, self.right, ~self.right)
        self.confidence = np.clip(1 - 0.45 * self.hard + random.normal(0, 0.05, ROWS), 0.5, 1.0)
        self.drawn = {int(at) for at in random.choice(ROWS, LABELLED, replace=False)}
        self.easy = {int(at) for at in np.argsort(self.hard)[:LABELLED]}

    @property
    def truth(self) -> float:
        return float(self.right.mean())

    def marks(self, labelled: set[int]) -> list[ScoredRow]:
        return [
            mark(
                at,
                int(self.said[at]),
                say(int(self.right[at])) if at in labelled else (),
                question=at // 2,
                confidence=float(self.confidence[at]),
            )
            for at in range(ROWS)
        ]

    def keep(self, store: Store, labelled: set[int], key: str = "rows") -> Run:
        """The same rows as a run in a store."""
        rows = [row(at, f"{key} answer {at}", question=f"question {at // 2}") for at in range(ROWS)]
        outcomes = [
            (yes if said else no)(confidence=float(sure))
            for said, sure in zip(self.said, self.confidence, strict=True)
        ]
        run = keep_run(store, rows, outcomes, key=key)
        keep_labels(store, run, [(at, Label("anna", float(self.right[at]))) for at in sorted(labelled)])
        return run


def correct(marks: list[ScoredRow]) -> Correction:
    found = correct_share(marks, "match", 4)
    assert found is not None
    return found


def covers(found: Correction, truth: float) -> bool:
    number = found.share.corrected
    return isinstance(number, Estimate) and number.low <= truth <= number.high


def flat(content: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=150, highlight=False, legacy_windows=False)
    console.print(content)
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return " ".join(stream.getvalue().split())


def test_labels_on_rows_drawn_at_random_give_the_headline_and_it_holds_the_truth() -> None:
    """In 99 of 100 samples, and in 95: of 200 fixed ones at least 194 and 184 (the bounds are three deviations below)."""
    simulated = [Simulated(seed) for seed in range(200)]
    found = [(correct(one.marks(one.drawn)), one.truth) for one in simulated]
    assert sum(correction.headline == "corrected" for correction, _ in found) >= 194
    assert sum(covers(correction, truth) for correction, truth in found) >= 184
    assert {correction.assumption for correction, _ in found} == {ASSUMPTION}


def test_labels_on_the_easy_rows_are_not_the_headline() -> None:
    """Corrected by them the share is too high; it is told in every one of these samples."""
    simulated = [Simulated(seed) for seed in range(50)]
    found = [(correct(one.marks(one.easy)), one.truth) for one in simulated]
    assert sum(covers(correction, truth) for correction, truth in found) <= 20
    assert {correction.headline for correction, _ in found} == {"raw"}
    for correction, _ in found:
        assert correction.assumption == ASSUMPTION
        assert correction.number == correction.share.raw
        assert "the labelled rows are not like the others" in (correction.warning or "")
        assert "`karat labels plan`" in (correction.warning or "")


def test_difference_in_confidence_alone_is_detected() -> None:
    """The judge says correct of two thirds of both; it is surer of the labelled ones. Rogan-Gladen would not help."""
    marks = [
        mark(
            at,
            int(at % 3 > 0),
            say(1) if at < 90 else (),
            confidence=(0.9 if at < 90 else 0.8) + at % 7 / 100,
        )
        for at in range(600)
    ]
    found = correct(marks)
    assert [mix.trait for mix in found.mix] == ["confidence"]
    assert (found.headline, found.rogan_gladen) == ("raw", None)
    assert "mean confidence is 0.930 on the labelled rows and 0.830 on the others" in (found.warning or "")


def test_difference_in_having_a_confidence_or_verdict_is_detected() -> None:
    """Nobody labelled a row that the judge left undecided, or one without a confidence."""
    sure = [mark(at, at % 2, say(1) if at < 80 else (), confidence=0.9) for at in range(200)]
    unsure = [mark(200 + at, at % 2) for at in range(200)]
    undecided = [mark(400 + at, None) for at in range(200)]
    assert [mix.trait for mix in correct(sure + unsure).mix] == ["with confidence"]
    assert [mix.trait for mix in correct(sure + undecided).mix] == ["judged"]
    assert correct(sure).mix == ()


@pytest.mark.parametrize(("labelled", "odd"), [(12, 20), (30, 20), (60, 200), (500, 50)])
def test_random_samples_seldom_fail_where_confidences_are_skewed(labelled: int, odd: int) -> None:
    """Of 1,000 rows some have the confidence .5 and the others .98: how often a random sample fails is a finite sum."""
    failing = 0.0
    for found in range(min(labelled, odd) + 1):
        chance = float(hypergeom.pmf(found, 1000, odd, labelled))
        if chance < 1e-5:
            continue
        sure = [0.5] * found + [0.98] * (labelled - found)
        sure += [0.5] * (odd - found) + [0.98] * (1000 - labelled - odd + found)
        rows = [mark(at, 1, say(1) if at < labelled else (), confidence=one) for at, one in enumerate(sure)]
        failing += chance * bool(find_mix(rows, 1))
    assert failing < 0.015


def test_few_labels_cannot_show_that_they_are_representative() -> None:
    marks = [mark(at, int(at % 3 > 0), say(1) if at < 9 else ()) for at in range(300)]
    found = correct(marks)
    assert found.headline == "raw"
    assert "only 9 rows are labelled, too few" in (found.warning or "")
    assert (
        correct([*marks[:9], structs.replace(marks[9], labels=say(1)), *marks[10:]]).headline == "corrected"
    )


def test_where_every_row_is_labelled_nothing_is_assumed() -> None:
    found = correct(crossed(right_yes=50, right_no=2, wrong_yes=28, wrong_no=20))
    assert (found.headline, found.assumption, found.warning) == ("labels", None, None)


@pytest.mark.parametrize("biased", [True, False])
def test_every_output_shows_the_same_headline_with_its_assumption(
    store: Store, make: Make, *, biased: bool
) -> None:
    """On a terminal, as JSON, as markdown and as a page."""
    one = Simulated(3)
    run = one.keep(store, one.easy if biased else one.drawn)
    summary = summarise_run(store, run)
    correction = summary.correction
    assert correction is not None
    raw, corrected = (_shown(number) for number in (correction.share.raw, correction.share.corrected))
    assert summary.headline == correction.headline == ("raw" if biased else "corrected")
    first = raw if biased else corrected
    terminal = flat(draw_summary(summary, "title"))
    assert terminal.startswith(f"title correct {first} % [")
    assert ASSUMPTION in terminal
    report = gather(store, [run], karat="1", now=0.0, passing=4, by=())
    markdown = write_markdown(report)
    (line,) = [line for line in markdown.splitlines() if line.startswith("run 1 · openai:m: **")]
    assert line.startswith(f"run 1 · openai:m: **{first} % [")
    assert ASSUMPTION in markdown
    facts = json.loads(msgspec.json.encode(report))["runs"][0]["summary"]
    assert (facts["headline"], facts["correction"]["assumption"]) == (summary.headline, ASSUMPTION)
    page = make(run).read_text(encoding="utf-8")
    hero = page.partition('class="hero"')[2]
    assert hero.index(f"{first}<small>") < hero.index(f"{corrected if biased else raw}<small>")
    assert ('class="figure second lesser"' in hero) is biased
    assert ('class="figure lesser"' in hero) is not biased
    assert "assume that the labelled rows are like the others" in page
    for text in (terminal, markdown, page):
        assert ("the labelled rows are not like the others" in " ".join(text.split()).lower()) is biased


def _shown(number: object) -> str:
    assert isinstance(number, Estimate)
    return f"{100 * number.value:.1f}"


@pytest.mark.parametrize("biased", [True, False])
def test_comparison_headline_is_the_reliable_figure(store: Store, *, biased: bool) -> None:
    first, second = Simulated(1), Simulated(2, shift=0.2)
    runs = [
        one.keep(store, one.easy if biased else one.drawn, key)
        for one, key in ((first, "first"), (second, "second"))
    ]
    found = read_comparison(store, runs)
    assert isinstance(found, Comparison)
    (pair,) = found.pairs
    headline = "raw" if biased else "corrected"
    assert [side.headline for side in found.sides] == [headline] * 2
    assert [side.assumption for side in found.sides] == [ASSUMPTION] * 2
    assert (pair.headline, pair.assumption) == (headline, ASSUMPTION)
    assert (pair.warning is not None) is biased
    said = flat(draw_comparison(found, "title"))
    assert (said.index("as judged, ") < said.index("corrected by labels, ")) is biased
    assert ASSUMPTION in said
    assert ("first.jsonl: the labelled rows are not like the others" in said) is biased
    markdown = write_markdown(gather(store, runs, karat="1", now=0.0, passing=4, by=()))
    assert (markdown.index("as judged: ") < markdown.index("corrected by labels: ")) is biased


def test_planned_side_gets_no_warning_from_the_other_side() -> None:
    """But their difference is, and it says whose labels are in doubt."""
    one, other = Simulated(1), Simulated(2)
    planned = [
        structs.replace(each, plan=1, chance=0.2, stratum="s")
        if each.labels
        else structs.replace(each, plan=1)
        for each in one.marks(one.drawn)
    ]
    found = compare({"planned": planned, "easy": other.marks(other.easy)}, "match", 4)
    assert [side.headline for side in found.sides] == ["corrected", "raw"]
    assert found.pairs[0].headline == "raw"
    assert (found.pairs[0].warning or "").startswith("easy: the labelled rows are not like the others")


def test_slices_state_the_assumption_too() -> None:
    one = Simulated(4)
    marks = [structs.replace(each, groups=("ab"[each.position % 2],)) for each in one.marks(one.easy)]
    found = slice_by(marks, "topic", "match", 4)
    assert [part.headline for part in found.slices] == ["raw", "raw"]
    said = flat(draw_slices(found, "title"))
    assert ASSUMPTION in said
    assert "a: the labelled rows are not like the others" in said


def test_agreement_says_for_which_rows_it_holds() -> None:
    one = Simulated(5)
    found = agree(one.marks(one.drawn), "match", 4)
    assert "if the labelled rows are like the others" in (found.assumption or "")
    assert agree(one.marks(set(range(ROWS))), "match", 4).assumption is None


def test_a_page_of_several_runs_states_the_assumption(store: Store, make: Make) -> None:
    runs = [Simulated(seed).keep(store, Simulated(seed).drawn, f"file{seed}") for seed in (1, 2)]
    page = make(*runs).read_text(encoding="utf-8")
    assert "The corrected figures assume that the labelled rows are like the others" in page

"""Commands to print: the given one, written out again, and suggested next ones."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from karat.cli.options import GateOptions, GradeOptions, JudgeOptions
from karat.cli.paths import name_option
from karat.report.figures.summary import Summary
from karat.report.same_judge import is_repeat
from karat.store import Run, Store

_MOST: Final = 4
_WIDE: Final = 60  # a longer command does not move the comments of the others
_ASKED_AGAIN: Final = frozenset({"unparseable", "refused", "truncated", "rejected"})


def format_options(
    options: GradeOptions | JudgeOptions | GateOptions, only: Collection[str] | None
) -> list[str]:
    """Return the options that differ from their defaults, as command-line words; `only` restricts them."""
    words = list[str]()
    for field in fields(options):
        value = getattr(options, field.name)
        if isinstance(value, JudgeOptions | GateOptions):
            words += format_options(value, only)
        elif value != field.default and (only is None or field.name in only):
            option = name_option(field.name) if value is not False else f"--no-{field.name.replace('_', '-')}"
            words += [option] if isinstance(value, bool) else [option, str(value)]
    return words


@dataclass(frozen=True)
class Command:
    """The given `karat grade` command: its files and its options."""

    answers: tuple[str, ...]
    options: GradeOptions

    def words(self, only: Collection[str] | None = None) -> list[str]:
        """Return the options as command-line words, all or some of them."""
        return format_options(self.options, only)

    def write(self, *more: str) -> str | None:
        """Return the command with more options; None if its answers came from standard input."""
        if "-" in self.answers:
            return None
        options = self.words()
        return shlex.join(
            ["karat", "grade", *self.answers, *options, *(one for one in more if one not in options)]
        )


def list_next_commands(
    store: Store, run: Run, summary: Summary, command: Command, *, exported: bool
) -> list[str]:
    """Return at most four commands that make sense next, each with a short comment.

    `exported` is true if the verdicts were already written to a file.
    """
    place, view = command.words({"store"}), command.words({"pass_", "cluster", "store"})
    found = list[tuple[str, str]]()

    def add(why: str, *words: str) -> None:
        found.append((shlex.join(["karat", *words]), why))

    if _ASKED_AGAIN & set(summary.unjudged):
        again, why = command.write("--retry-unjudged"), "ask again about the rows without a verdict"
    else:
        again, why = command.write(), "judge the remaining rows"
    causes = set(summary.unjudged)
    if again is not None and "over_budget" not in causes and (_ASKED_AGAIN | {"unavailable"}) & causes:
        found.append((again, why))
    number = str(run.id)
    add("see every row on an HTML page", "report", number, *view)
    if summary.accuracy is not None and summary.accuracy.rows:
        add("see where the judge and the labels differ", "agree", number, *view)
    elif summary.accuracy is None and _can_plan(store, run):
        add("choose rows to label, to correct the share correct", "labels", "plan", number, *place)
    other = find_comparable(store, run)
    if other is not None:
        add(_describe_comparison(other, run), "compare", str(other.id), number, *view)
    if not exported:
        add("write the verdicts to a file", "export", number, "-o", f"verdicts-{run.id}.csv", *place)
    width = max((len(line) for line, _ in found[:_MOST] if len(line) < _WIDE), default=0)
    return [f"{line:<{width}}  # {why}" for line, why in found[:_MOST]]


def _can_plan(store: Store, run: Run) -> bool:
    """Return whether `karat labels plan` can draw rows for the first time and write its file."""
    return store.plan_of(run.dataset).find() is None and not Path(f"labels-{run.id}.csv").exists()


def find_comparable(store: Store, run: Run) -> Run | None:
    """Find the latest earlier run by the same judge on other answers to these questions, or by another judge on the same file."""
    for other in reversed(store.runs()):
        if other.id == run.id or other.finished is None or other.protocol != run.protocol:
            continue
        if other.dataset.id == run.dataset.id:
            return other
        if other.fingerprint != run.fingerprint or is_repeat(store, other, run):
            continue
        if store.share_questions(other.dataset, run.dataset):
            return other
    return None


def _describe_comparison(other: Run, run: Run) -> str:
    if other.dataset.id == run.dataset.id:
        return f"compare with {other.judge} on the same answers"
    return f"compare with {Path(other.dataset.source).name}, paired by question"

"""Check whether two runs have the same judge, and suggest the commands that grade both with one judge."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final, cast

from msgspec import Struct, to_builtins

from karat.core.errors import KaratError, UsageError, option
from karat.judges import build_request, plan_judge
from karat.judges.request import DEFAULT
from karat.models import Parameters
from karat.protocols.promptfile import builtin_wording
from karat.rows import find_columns, parse_columns
from karat.rows.formats.grades import split_grader
from karat.store import Dataset, Run, Store

_VERSIONS: Final = {
    "rules": "rules",
    "card": "weights",
    "talk": "phrases",
    "aliases": "aliases",
    "confidence": "confidences",
}
_HASHES: Final = ("card", "talk", "aliases", "confidence", "prompt")
_LIBRARY: Final = "library"
_STDIN: Final = "<stdin>"
_SEATS: Final = 8  # batch size is not part of a judge's identity, but --permute needs a number
_PROMPT_FILE: Final = "FILE"


class Naming(Struct, frozen=True):
    """How the user refers to runs: verdict files by path, runs by number in a store."""

    files: Mapping[int, str] = {}
    store: str | None = None


def name_files(runs: Sequence[Run], given: Sequence[object], store: str | None) -> Naming:
    """Return the naming of runs that were given as numbers or as paths of verdict files."""
    both = zip(runs, given, strict=True)
    return Naming(
        {run.id: str(one) for run, one in both if one is not None and not isinstance(one, int)}, store
    )


def is_same_judge(first: Run, other: Run) -> bool:
    """Return whether two runs have the same judge: by fingerprint, or by name if a verdict file has no fingerprint."""
    if first.has_name_only or other.has_name_only:
        return first.judge == other.judge
    return first.fingerprint == other.fingerprint


def note_names(first: Run, other: Run) -> tuple[str, ...]:
    """Return a note if only the names of two judges are known to be equal."""
    if first.judge != other.judge or not (first.has_name_only or other.has_name_only):
        return ()
    return (
        f"both sides name the judge {first.judge}; a verdict file does not record its version and settings",
    )


def name_answers(first: Run, other: Run, naming: Naming) -> tuple[str, str]:
    """Return different names for the answers of two runs: their files, or the numbers of the runs."""
    paths = [naming.files.get(run.id, run.dataset.source) for run in (first, other)]
    options = ([PurePath(path).name for path in paths], paths)
    one, two = next(
        (names for names in options if names[0] != names[1]), [f"run {first.id}", f"run {other.id}"]
    )
    return one, two


def name_judges(first: Run, other: Run, naming: Naming) -> tuple[str, str]:
    """Return different names for two judges; equal names are followed by the run or file."""
    if first.judge != other.judge:
        return first.judge, other.judge
    one, two = (
        f"{run.judge} ({PurePath(naming.files[run.id]).name if run.id in naming.files else f'run {run.id}'})"
        for run in (first, other)
    )
    return (one, two) if one != two else (f"{one} 1", f"{two} 2")


def describe_judges(first: Run, other: Run, names: tuple[str, str]) -> str:
    """Describe the judges of two runs, and how two judges of one name differ."""
    one, two = names
    if first.judge != other.judge:
        return f"{one} is judged by {first.judge} and {two} by {other.judge}"
    found = list(_find_differences(first.identity, other.identity))
    kind = (
        "by different versions of it"
        if found and all(name in _VERSIONS for name, _ in found)
        else "with different settings"
    )
    told = ", ".join(dict.fromkeys(words for _, words in found))
    return f"{one} and {two} are both judged by {first.judge}, but {kind}{f' ({told})' if told else ''}"


def warn_of_judges(first: Run, other: Run, names: tuple[str, str]) -> str:
    """Return the warning for comparing runs of different judges."""
    told = describe_judges(first, other, names)
    return f"{told}: a difference may come from the judges and not from the answers"


def refuse_judges(store: Store, first: Run, other: Run, names: tuple[str, str], naming: Naming) -> UsageError:
    """Return the error for runs of different judges, with the commands that make them comparable."""
    return refuse_difference(first, other, names, suggest_one_judge(store, first, other, naming))


def refuse_difference(first: Run, other: Run, names: tuple[str, str], remedy: str) -> UsageError:
    """Return the error for answers judged by different judges, with the remedy."""
    return UsageError(
        f"{describe_judges(first, other, names)}, so a difference could come from the judges and not from the answers; {remedy} (",
        option("different_judges"),
        " compares them anyway)",
    )


def is_repeat(store: Store, first: Run, other: Run) -> bool:
    """Return whether two runs have the same answers and judge, or one is a part of the other."""
    return first.fingerprint == other.fingerprint and store.share_items(first.dataset, other.dataset)


def refuse_repeat(first: Run, other: Run, names: tuple[str, str], naming: Naming) -> UsageError:
    """Return the error for two runs with the same answers and judge, with what can be compared instead."""
    told = describe_repeat(names, (first.dataset.rows, other.dataset.rows), first.judge)
    place = [] if naming.store is None else ["--store", naming.store]
    parts = _command("compare", naming.files.get(first.id, str(first.id)), "--by", "COLUMN", *place)
    return UsageError(
        f"{told}; use {parts} to compare groups of rows, or grade the answers with another judge (",
        option("judge"),
        ") to compare the judges",
    )


def describe_repeat(names: tuple[str, str], rows: tuple[int, int], judge: str) -> str:
    """Describe that two runs have the same answers and judge, or that one is a part of the other."""
    small, large = names if rows[0] <= rows[1] else reversed(names)
    same = (
        f"{names[0]} and {names[1]} have the same answers"
        if rows[0] == rows[1]
        else f"{large} contains all answers of {small}"
    )
    return f"{same}, judged by the same judge ({judge}), so there is nothing to compare"


def suggest_one_judge(store: Store, first: Run, other: Run, naming: Naming) -> str:
    """Return the commands that grade two runs with one judge and compare them, with as little to grade as possible."""
    judges = [found for run in (first, other) if (found := _read_judge(run)) is not None]
    usual = _Judge({} if first.protocol == "match" else {"protocol": first.protocol}, None, None)
    ways = [_Way(store, (first, other), judge, naming) for judge in judges or [usual]]
    return min(ways, key=lambda way: way.effort).describe()


class _Judge(Struct, frozen=True):
    """A judge as options of `karat grade`; `run` is one that it judged, None for the default judge.

    `fingerprint` is the one that these options give now, None if the prompt file is not known.
    """

    options: dict[str, Any]
    run: Run | None
    fingerprint: str | None

    @property
    def name(self) -> str:
        return DEFAULT if self.run is None else self.run.judge

    @property
    def makes_calls(self) -> bool:
        return any(name not in ("embedded", "rules") for name in self.name.split(","))

    def judged(self, run: Run) -> bool:
        """Return whether a run has exactly this judge."""
        if self.run is not None and self.run.has_name_only:
            return is_same_judge(self.run, run)
        return run.fingerprint == (self.fingerprint or (self.run and self.run.fingerprint))


class _Way:
    """One way to obtain two runs of one judge."""

    def __init__(self, store: Store, runs: tuple[Run, Run], judge: _Judge, naming: Naming) -> None:
        self._judge = judge
        self._naming = naming
        self._commands = list[str]()
        known = [] if naming.files else store.runs()
        self._next = max((run.id for run in known), default=0) + 1
        self._sides = [self._find_side(run, known) for run in runs]

    @property
    def effort(self) -> tuple[bool, int, bool]:
        """The cost of this way, for sorting: needs a prompt file, rows to grade, needs calls."""
        unknown = "prompt" in self._judge.options
        return unknown, len(self._commands), self._judge.makes_calls and bool(self._commands)

    def describe(self) -> str:
        then = _command("compare", *self._sides, *self._store())
        if not self._commands:
            return f"both are judged by {self._judge.name} in {then}"
        grade = ", ".join(self._commands)
        if _LIBRARY in self._sides:
            return f"grade both with one judge, such as {grade}"
        return f"grade both with one judge, such as {grade}, then {then}"

    def _find_side(self, run: Run, known: Sequence[Run]) -> str:
        """Return the name of this judge's run on the answers of another run, which may not exist yet."""
        same = [run, *(one for one in known if _has_same_source(one.dataset, run.dataset))]
        found = next((one for one in same if self._judge.judged(one)), None)
        if found is not None:
            return self._naming.files.get(found.id, str(found.id))
        if run.dataset.source == _LIBRARY:
            self._commands.append(f"karat.grade(items, judge={self._judge.name!r})")
            return _LIBRARY
        if run.id in self._naming.files:
            return self._grade_file(self._naming.files[run.id], run)
        self._grade(run.dataset.source, run.dataset)
        self._next += 1
        return str(self._next - 1)

    def _grade_file(self, path: str, run: Run) -> str:
        """Add the commands that grade the answers in a verdict file; a folder is exported to one file first."""
        if run.is_export:
            return self._grade_export(split_grader(path)[0], run.dataset)
        dataset, place = run.dataset, PurePath(path)
        base, ending = str(place.with_suffix("")), place.suffix
        if Path(path).is_dir():
            base, ending = str(place), ".jsonl"
            self._commands.append(_command("export", path, "-o", f"{base}{ending}"))
            path = f"{base}{ending}"
        target = self._name_target(base, ending)
        self._grade(path, dataset, "-o", target)
        return target

    def _grade_export(self, path: str, dataset: Dataset) -> str:
        """Grade the answers in a file of another tool, whose columns are found without options."""
        target = self._name_target(str(PurePath(path).with_suffix("")), ".jsonl")
        skip = ["--on-bad-row", "skip"] if dataset.skipped else []
        words = ["grade", path, *_judge_words(self._judge), *skip, "-o", target]
        self._commands.append(_command(*words, *self._store()))
        return target

    def _name_target(self, base: str, ending: str) -> str:
        return f"{base}-{re.sub(r'[^A-Za-z0-9.]+', '-', self._judge.name).strip('-')}{ending}"

    def _grade(self, path: str, dataset: Dataset, *more: str) -> None:
        words = ["grade", "-" if path == _STDIN else path, *_judge_words(self._judge)]
        columns = _choose_columns(dataset)
        words += ["--columns", columns] if columns else []
        words += ["--on-bad-row", "skip"] if dataset.skipped else []
        self._commands.append(_command(*words, *more, *self._store()))

    def _store(self) -> list[str]:
        return [] if self._naming.store is None else ["--store", self._naming.store]


def _has_same_source(one: Dataset, other: Dataset) -> bool:
    """Return whether two datasets were read from one file; standard input and items in memory never count as one."""
    if other.source in (_LIBRARY, _STDIN):
        return one.id == other.id
    return one.source == other.source


def _command(*words: str) -> str:
    return f"`karat {shlex.join(words)}`"


def _judge_words(judge: _Judge) -> list[str]:
    words = ["--panel" if "," in judge.name else "--judge", judge.name]
    for name, value in judge.options.items():
        words.append(f"--{name.replace('_', '-')}")
        words += [] if value is True else [f"{value:g}" if isinstance(value, float) else str(value)]
    return words


def _choose_columns(dataset: Dataset) -> str:
    """Return the --columns value that selects the dataset's columns; empty if they are found without it."""
    wanted = parse_columns(dataset.columns)
    try:
        found = to_builtins(find_columns(list(dataset.fields), {}))
    except UsageError:
        found = dict[str, Any]()
    usual = {part: column for part, column in found.items() if column is not None}
    if wanted == usual:
        return ""
    return ",".join(f"{part}={wanted.get(part, '')}" for part in {**wanted, **usual})


def _read_judge(run: Run) -> _Judge | None:
    """Return the judge of a run as options; None if no options make such a judge."""
    options = {name: value for name, value in _list_options(run) if value is not None}
    if "prompt" in options:
        return _Judge(options, run, None)
    names = {"panel": run.judge} if "," in run.judge else {}
    wanted = {name: value for name, value in options.items() if name != "protocol"}
    try:
        request = build_request(None if names else run.judge, run.protocol, cast("Any", {**names, **wanted}))
        plan = plan_judge(request, os.environ, paying=False)
    except KaratError:
        return None
    return _Judge(options, run, plan.fingerprint)


def _list_options(run: Run) -> Iterator[tuple[str, Any]]:
    """Yield the options of `karat grade` for the judge of a run that differ from the defaults."""
    identity = run.identity
    members = cast("list[dict[str, Any]]", identity.get("members", [identity]))
    asked = next((member for member in members if "parameters" in member), members[0])
    if run.protocol != "match":
        yield "protocol", run.protocol
    if asked.get("prompt", builtin_wording(run.protocol).version) != builtin_wording(run.protocol).version:
        yield "prompt", _PROMPT_FILE
    usual = to_builtins(Parameters())
    for name, value in asked.get("parameters", {}).items():
        if value != usual.get(name):
            yield name, value
    yield "rules_first", asked.get("rules_first") or None
    yield "abstain", asked.get("abstain")
    if "permute" in asked:
        yield "items_per_prompt", _SEATS
        yield "permute", asked["permute"]
    if identity.get("combine", "majority") != "majority":
        yield "combine", identity["combine"]


def _find_differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields in which two identities differ, with a description."""
    for name in {**one, **other}:
        mine, theirs = one.get(name), other.get(name)
        if mine == theirs:
            continue
        if isinstance(mine, dict) and isinstance(theirs, dict):
            yield from _find_differences(cast("dict[str, Any]", mine), cast("dict[str, Any]", theirs))
        elif isinstance(mine, list) and isinstance(theirs, list):
            for left, right in zip(cast("list[Any]", mine), cast("list[Any]", theirs), strict=False):
                yield from _find_differences(left, right)
        elif name in _HASHES:
            yield name, f"different {_VERSIONS.get(name, 'prompts')}"
        else:
            yield name, f"{name.replace('_', ' ')} {_show(mine)} and {_show(theirs)}"


def _show(value: Any) -> str:  # noqa: ANN401 - identities hold any JSON value
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

"""Paths in command parameters: which are read or written; a command never overwrites its input."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from enum import Enum, auto
from inspect import BoundArguments
from pathlib import Path
from typing import Any, Final, TypeAlias, cast, get_args, get_type_hints

from karat.core.errors import KaratError, UsageError

_JOURNALS: Final = ("", "-wal", "-shm", "-journal")
_CERTIFICATES: Final = "SSL_CERT_FILE"
_SPELLED: Final = {"pass_": "--pass", "output": "-o"}


class Named(Enum):
    """What a parameter names, other than a file to write."""

    READ = auto()  # a file or folder that is read
    RUN = auto()  # a run by its number, or verdict files
    LATEST = auto()  # the same; the latest run if nothing is given
    STORE = auto()


@dataclass(frozen=True)
class Written:
    """A parameter that names a file to write; `usual` is the default path."""

    usual: str | None = None


Mark: TypeAlias = Named | Written
READ, RUN, LATEST, STORE = Named.READ, Named.RUN, Named.LATEST, Named.STORE
WRITTEN = Written()


def name_option(name: str) -> str:
    """Return the option of a parameter, as typed on the command line."""
    return _SPELLED.get(name, f"--{name.replace('_', '-')}")


def list_parameters(command: Callable[..., object]) -> dict[str, Any]:
    """Return the annotations of a command's parameters, with option groups flattened."""
    parameters = inspect.signature(command).parameters.values()
    return _flatten_groups({one.name: one.annotation for one in parameters})


def find_mark(annotation: object) -> Mark | None:
    """Return what a parameter names; None if it names no file, run or store."""
    return next((one for one in get_args(annotation) if isinstance(one, Mark)), None)


def check_paths(command: Callable[..., object], bound: BoundArguments) -> None:
    """Refuse a command that would overwrite a file that it reads, or the answers of a run that it reads.

    An empty path is refused as well: it usually comes from an unset shell variable.
    """
    given = _list_given(bound.arguments)
    marks = {name: find_mark(annotation) for name, annotation in list_parameters(command).items()}
    written = {
        name: given.get(name) or mark.usual for name, mark in marks.items() if isinstance(mark, Written)
    }
    for name in (name for name, mark in marks.items() if mark is not None):
        if any(isinstance(value, str) and not value.strip() for value in _list_values(given.get(name))):
            raise _refuse_empty(command, name)
    if not any(written.values()):
        return
    from karat.rows.atomic_file import is_same_file

    read = list(_list_read(marks, given))
    for name, path in written.items():
        for other, why in read:
            if path and is_same_file(path, other):
                raise UsageError(
                    f"{name_option(name)} {path} would overwrite {other}, {why}; choose another name"
                )


def _flatten_groups(annotations: Mapping[str, Any]) -> dict[str, Any]:
    found = dict[str, Any]()
    for name, annotation in annotations.items():
        if is_dataclass(annotation):
            found |= _flatten_groups(get_type_hints(annotation, include_extras=True))
        else:
            found[name] = annotation
    return found


def _refuse_empty(command: Callable[..., object], name: str) -> UsageError:
    """Name a parameter as in the help: in capitals if it is positional."""
    parameter = inspect.signature(command).parameters.get(name)
    by_place = parameter is not None and parameter.kind is not parameter.KEYWORD_ONLY
    required = (
        parameter is not None
        and parameter.kind is parameter.POSITIONAL_ONLY
        and parameter.default is parameter.empty
    )
    told = name.upper() if by_place else name_option(name)
    return UsageError(f"{told} is empty; give a value{'' if required else ', or leave it out'}")


def _list_given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given arguments by parameter name, with option groups flattened."""
    given = dict[str, Any]()
    for name, value in arguments.items():
        given |= _list_given(vars(value)) if is_dataclass(value) else {name: value}
    return given


def _list_read(marks: Mapping[str, Mark | None], given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every file that a command with these parameters reads, with the reason."""
    from karat.store.locate import find_audit_store, find_store

    store = next((given.get(name) for name, mark in marks.items() if mark is STORE), None)
    for place in dict.fromkeys((find_store(store), find_store(None), find_audit_store(None))):
        yield from ((f"{place}{journal}", "the database of verdicts") for journal in _JOURNALS)
    if certificates := os.environ.get(_CERTIFICATES):
        yield certificates, f"which {_CERTIFICATES} names"
    for name, mark in marks.items():
        values = _list_values(given.get(name))
        if mark is LATEST and not values:
            values = (None,)
        for value in values if isinstance(mark, Named) and mark is not STORE else ():
            if isinstance(value, str):
                yield from ((file, "which the command reads") for file in _list_files(value))
            else:
                yield from _find_answers(store, value)


def _list_values(given: object) -> tuple[Any, ...]:
    """Return all values of a parameter that may have several."""
    if isinstance(given, (list, tuple)):
        return tuple(cast("list[Any]", given))
    return () if given is None else (given,)


def _list_files(path: str) -> list[str]:
    """Return the file itself (without the grader named after it), the files that a pattern matches, and the verdict files and answers of a folder."""
    from karat.rows.collection import list_files
    from karat.rows.formats.grades import split_grader
    from karat.run.verdict_tables import list_verdict_files

    place = split_grader(path)[0]
    found = [str(file) for file in list_verdict_files(Path(place))] if Path(place).is_dir() else [place]
    with suppress(KaratError):  # the command itself says what is wrong with them
        found += list_files([place])
    return found


def _find_answers(store: str | None, number: int | None) -> Iterator[tuple[str, str]]:
    """Yield the file that a run graded; a relative path is relative to this folder or to that of the store."""
    from karat.store import Store
    from karat.store.locate import find_store

    place = Path(find_store(store))
    if not place.exists():
        return
    with suppress(KaratError), Store(str(place)) as opened:  # the command itself reports errors in them
        run = opened.find_run(number)
        for folder in (Path(), place.parent, place.parent.parent):
            yield str(folder / run.dataset.source), f"the answers of run {run.id}"

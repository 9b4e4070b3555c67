"""Files on any filesystem that pyarrow knows: paths of this machine, and s3://, gs:// or hdfs:// addresses."""

import io
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import quote

from msgspec import Struct

from karat.core.errors import UsageError
from karat.core.messages import one_line
from karat.rows.atomic_file import Target
from karat.rows.lines import MEGABYTE
from karat.rows.parquet import load_arrow

FOLDER = "_manifests"
CARD = "_run.json"
PARTS = "_parts"
_WILD = frozenset("*?[")


class File(Struct, frozen=True):
    """An input file: where it is, how it is called beside the others, and how it is known again."""

    path: str
    name: str
    size: int
    changed: int


def locate(place: str) -> tuple[Any, str]:
    """The filesystem of a place, and the path on it."""
    fs = load_arrow("pyarrow.fs")
    if "://" not in place:
        return fs.LocalFileSystem(), str(Path(place).absolute())
    try:
        return fs.FileSystem.from_uri(place)
    except (OSError, ValueError) as error:
        raise UsageError(f"{place}: {one_line(str(error))}") from None


def is_local(place: str) -> bool:
    """Whether a place is a path of this machine."""
    return "://" not in place


def join(place: str, *names: str) -> str:
    """A place within a place."""
    return "/".join((place.rstrip("/"), *names))


@contextmanager
def open_file(place: str) -> Generator[io.BufferedReader]:
    """A file for reading, from any place in it."""
    if is_local(place):
        with Path(place).open("rb", buffering=MEGABYTE) as stream:
            yield cast("io.BufferedReader", stream)
        return
    system, path = locate(place)
    with system.open_input_file(path) as stream:
        yield io.BufferedReader(stream, MEGABYTE)


@contextmanager
def write_file(place: str) -> Generator[BinaryIO]:
    """A file that stands under its name only when it is whole."""
    if is_local(place):
        target = Target(place)
        try:
            yield target.open()
            target.commit()
        except BaseException:
            target.discard()
            raise
        return
    system, path = locate(place)
    beside = f"{path}.tmp"
    with system.open_output_stream(beside) as stream:
        yield stream
    system.move(beside, path)


def read_bytes(place: str) -> bytes | None:
    """What a small file holds; None where there is none."""
    system, path = locate(place)
    try:
        with system.open_input_file(path) as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def make_folder(place: str) -> None:
    """A folder and those above it."""
    system, path = locate(place)
    system.create_dir(path, recursive=True)


def is_file(place: str) -> bool:
    """Whether a place is a file, and thus no folder."""
    system, path = locate(place)
    return system.get_file_info(path).type == load_arrow("pyarrow.fs").FileType.File


def list_names(place: str) -> list[str]:
    """The names of the files right in a folder; none where there is no folder."""
    fs = load_arrow("pyarrow.fs")
    system, path = locate(place)
    found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
    return sorted(one.base_name for one in found if one.type == fs.FileType.File)


def remove(place: str) -> None:
    """A file or folder is gone, whether or not it was there."""
    fs = load_arrow("pyarrow.fs")
    system, path = locate(place)
    kind = system.get_file_info(path).type
    if kind == fs.FileType.Directory:
        system.delete_dir(path)
    elif kind == fs.FileType.File:
        system.delete_file(path)


def find_files(answers: str, endings: Sequence[str], output: str | None = None) -> list[File]:
    """The input files that a path, pattern or folder names, in the order of their names; verdicts are no input."""
    base, pattern = _split_pattern(answers)
    fs = load_arrow("pyarrow.fs")
    system, root = locate(base)
    try:
        info = system.get_file_info(root)
        if info.type == fs.FileType.File and pattern is None:
            return [_file(_absolute(answers), info.base_name, info)]
        if info.type != fs.FileType.Directory:
            raise UsageError(f"{answers}: no such file or folder")
        infos = system.get_file_info(fs.FileSelector(root, recursive=pattern is None or "/" in pattern))
    except OSError as error:
        raise UsageError(f"{answers}: cannot be listed: {one_line(str(error))}") from None
    there = {info.path[len(root) :].strip("/"): info for info in infos if info.type == fs.FileType.File}
    left = _find_verdicts(base, there, output)
    found = {
        name: info
        for name, info in there.items()
        if _is_wanted(name, pattern, endings) and not left.intersection(_list_above(name))
    }
    if not found:
        raise UsageError(f"{answers}: no file there ends in {' '.join(endings)}")
    base = _absolute(base)
    return [
        _file(join(base, name if is_local(base) else quote(name)), name, found[name])
        for name in sorted(found)
    ]


def _find_verdicts(base: str, names: Iterable[str], output: str | None) -> set[str]:
    """The folders that verdicts were written to; of the output itself, only what a run writes there."""
    end = f"/{FOLDER}/{CARD}"
    folders = {name.removesuffix(end) for name in names if name.endswith(end)}
    if output is None or _resolve(base) != _resolve(output):
        return folders
    if read_bytes(join(output, FOLDER, CARD)) is not None:
        folders |= {"", FOLDER, PARTS}
    return folders


def _list_above(name: str) -> Iterator[str]:
    """The folders that a file is in; the outermost counts for the files right in it."""
    names = name.split("/")
    yield from ("/".join(names[:depth]) for depth in range(1, len(names)))
    if len(names) == 1:
        yield ""


def _resolve(place: str) -> str:
    return str(Path(place).resolve()) if is_local(place) else place.rstrip("/")


def _absolute(place: str) -> str:
    return str(Path(place).absolute()) if is_local(place) else place


def _file(place: str, name: str, info: Any) -> File:  # noqa: ANN401 - pyarrow has no type stubs
    return File(place, name, info.size, info.mtime_ns or 0)


def _split_pattern(answers: str) -> tuple[str, str | None]:
    """The folder above the first wild name, and the pattern below it; no pattern where nothing is wild."""
    scheme, mark, rest = answers.rpartition("://")
    names = rest.split("/")
    wild = next((at for at, name in enumerate(names) if _WILD & set(name)), None)
    if wild is None or (not mark and os.path.exists(answers)):  # noqa: PTH110 - a text, not a path yet
        return answers, None
    base = "/".join(names[:wild])
    return (scheme + mark + base) or ("/" if rest.startswith("/") else "."), "/".join(names[wild:])


def _is_wanted(name: str, pattern: str | None, endings: Sequence[str]) -> bool:
    """Whether a name fits; hidden files and those of other tools' bookkeeping do not, unless the pattern names them."""
    if pattern is not None:
        return _fits(name.split("/"), pattern.split("/"))
    told = name.lower().removesuffix(".gz")
    return told.endswith(tuple(endings)) and not any(part[:1] in "._" for part in name.split("/"))


def _fits(names: list[str], patterns: list[str]) -> bool:
    from fnmatch import fnmatchcase

    if not patterns:
        return not names
    if patterns[0] == "**":
        return _fits(names, patterns[1:]) or (bool(names) and _fits(names[1:], patterns))
    return bool(names) and fnmatchcase(names[0], patterns[0]) and _fits(names[1:], patterns[1:])

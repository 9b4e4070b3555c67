"""Files on any filesystem that pyarrow supports: local paths, and s3://, gs:// or hdfs:// addresses."""

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
from karat.rows.containers.lines import MEGABYTE
from karat.rows.containers.parquet import load_arrow
from karat.rows.source import PACKINGS

FOLDER = "_manifests"
CARD = "_run.json"
PARTS = "_parts"
_WILD = frozenset("*?[")


class File(Struct, frozen=True):
    """An input file: its path, its name among the others, and its size and time of change."""

    path: str
    name: str
    size: int
    changed: int


def locate(place: str) -> tuple[Any, str]:
    """Return the filesystem of an address, and the path on it."""
    fs = load_arrow("pyarrow.fs")
    if "://" not in place:
        return fs.LocalFileSystem(), str(Path(place).absolute())
    try:
        return fs.FileSystem.from_uri(place)
    except (OSError, ValueError) as error:
        raise UsageError(f"{place}: {one_line(str(error))}") from None


def is_local(place: str) -> bool:
    """Return whether an address is a local path."""
    return "://" not in place


def join(place: str, *names: str) -> str:
    """Join an address with names."""
    return "/".join((place.rstrip("/"), *names))


@contextmanager
def open_file(place: str) -> Generator[io.BufferedReader]:
    """Open a file for reading, with random access."""
    if is_local(place):
        with Path(place).open("rb", buffering=MEGABYTE) as stream:
            yield cast("io.BufferedReader", stream)
        return
    system, path = locate(place)
    with system.open_input_file(path) as stream:
        yield io.BufferedReader(stream, MEGABYTE)


@contextmanager
def write_file(place: str) -> Generator[BinaryIO]:
    """Open a file for writing; it gets its name only when it is complete."""
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
    """Return the content of a small file; None if there is none."""
    system, path = locate(place)
    try:
        with system.open_input_file(path) as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def make_folder(place: str) -> None:
    """Create a folder and its parents."""
    system, path = locate(place)
    system.create_dir(path, recursive=True)


def is_file(place: str) -> bool:
    """Return whether an address is a file."""
    system, path = locate(place)
    return system.get_file_info(path).type == load_arrow("pyarrow.fs").FileType.File


def list_names(place: str) -> list[str]:
    """Return the names of the files directly in a folder; none if there is no folder."""
    fs = load_arrow("pyarrow.fs")
    system, path = locate(place)
    found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
    return sorted(one.base_name for one in found if one.type == fs.FileType.File)


def remove(place: str) -> None:
    """Remove a file or folder if it exists."""
    fs = load_arrow("pyarrow.fs")
    system, path = locate(place)
    kind = system.get_file_info(path).type
    if kind == fs.FileType.Directory:
        system.delete_dir(path)
    elif kind == fs.FileType.File:
        system.delete_file(path)


def find_files(answers: str, endings: Sequence[str], output: str | None = None) -> list[File]:
    """Return the input files that a path, pattern or folder names, sorted by name; verdict files are left out."""
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
        raise UsageError(f"{answers}: no file found that ends in {' '.join(endings)}")
    base = _absolute(base)
    return [
        _file(join(base, name if is_local(base) else quote(name)), name, found[name])
        for name in sorted(found)
    ]


def _find_verdicts(base: str, names: Iterable[str], output: str | None) -> set[str]:
    """Return the folders that contain verdicts; in the output folder, only what a run writes there."""
    end = f"/{FOLDER}/{CARD}"
    folders = {name.removesuffix(end) for name in names if name.endswith(end)}
    if output is None or _resolve(base) != _resolve(output):
        return folders
    if read_bytes(join(output, FOLDER, CARD)) is not None:
        folders |= {"", FOLDER, PARTS}
    return folders


def _list_above(name: str) -> Iterator[str]:
    """Yield the folders that contain a file; the outermost only for files directly in it."""
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
    """Return the folder above the first wildcard and the pattern below it; None if there is no wildcard."""
    scheme, mark, rest = answers.rpartition("://")
    names = rest.split("/")
    wild = next((at for at, name in enumerate(names) if _WILD & set(name)), None)
    if wild is None or (not mark and os.path.exists(answers)):  # noqa: PTH110 - a text, not a path yet
        return answers, None
    base = "/".join(names[:wild])
    return (scheme + mark + base) or ("/" if rest.startswith("/") else "."), "/".join(names[wild:])


def _is_wanted(name: str, pattern: str | None, endings: Sequence[str]) -> bool:
    """Check whether a file is input; hidden files and files of other tools are not, unless the pattern names them."""
    if pattern is not None:
        return _fits(name.split("/"), pattern.split("/"))
    plain = next(
        (name.lower().removesuffix(end) for end in PACKINGS if name.lower().endswith(end)), name.lower()
    )
    return plain.endswith(tuple(endings)) and not any(part[:1] in "._" for part in name.split("/"))


def _fits(names: list[str], patterns: list[str]) -> bool:
    from fnmatch import fnmatchcase

    if not patterns:
        return not names
    if patterns[0] == "**":
        return _fits(names, patterns[1:]) or (bool(names) and _fits(names[1:], patterns))
    return bool(names) and fnmatchcase(names[0], patterns[0]) and _fits(names[1:], patterns[1:])

"""Read Inspect's `.eval` archives: a zip file with one JSON member for each sample."""

import struct
import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec

from karat.core.errors import UsageError
from karat.core.messages import one_line
from karat.rows.containers.compression import explain_broken, unpack_zstd
from karat.rows.containers.lines import LIMIT, MEGABYTE, TooLong
from karat.rows.row import BadRow, Record

_ZSTD: Final = 93
_LOCAL: Final = struct.Struct(
    "<26xHH"
)  # what stands before a member's bytes: the lengths of its name and extra field
_HEADERS: Final = ("header.json", "_journal/start.json")
_SAMPLES: Final = "samples/"


def is_archive(names: list[str]) -> bool:
    """Check by its members whether a zip file is an Inspect log."""
    return any(name in names for name in _HEADERS) and any(name.startswith(_SAMPLES) for name in names)


def read_header(stream: BinaryIO, name: str) -> dict[str, Any]:
    """Return the log's own facts, such as the model."""
    with _open(stream, name) as archive:
        member = next((one for one in _HEADERS if one in archive.namelist()), None)
        return {} if member is None else _decode(_read(stream, archive, archive.getinfo(member), name), name)


def read_samples(stream: BinaryIO, name: str) -> Iterator[Record | BadRow]:
    """Yield the samples in the order of the archive, numbered from 1."""
    with _open(stream, name) as archive:
        members = [one for one in archive.infolist() if one.filename.startswith(_SAMPLES)]
        for number, member in enumerate((one for one in members if one.filename.endswith(".json")), 1):
            if member.file_size > LIMIT:
                yield BadRow(number, TooLong(member.file_size).describe().replace("line", "sample", 1))
                continue
            try:
                yield number, msgspec.json.decode(_read(stream, archive, member, name), type=dict[str, Any])
            except (ValueError, RecursionError) as error:
                yield BadRow(number, f"broken JSON in {one_line(member.filename)}: {one_line(str(error))}")


def _open(stream: BinaryIO, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except zipfile.BadZipFile as error:
        raise UsageError(f"{name}: not a readable zip file: {one_line(str(error))}") from None


def _read(stream: BinaryIO, archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> bytes:
    """Return the bytes of a member; zipfile does not unpack zstd itself."""
    with explain_broken(f"{name}: {one_line(member.filename)}"):
        try:
            if member.compress_type != _ZSTD:
                return archive.read(member)
            stream.seek(member.header_offset)
            title, extra = _LOCAL.unpack(stream.read(_LOCAL.size))
            stream.seek(title + extra, 1)
            return unpack_zstd(stream.read(member.compress_size))
        except (zipfile.BadZipFile, NotImplementedError, struct.error) as error:
            raise UsageError(
                f"{name}: {one_line(member.filename)} cannot be read: {one_line(str(error))}"
            ) from None


def _decode(content: bytes, name: str) -> dict[str, Any]:
    if len(content) > 64 * MEGABYTE:
        return {}
    try:
        return msgspec.json.decode(content, type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: broken JSON in the archive's header: {one_line(str(error))}") from None

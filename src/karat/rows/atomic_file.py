"""Write a file that appears under its name only when it is complete."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from karat.core.errors import UsageError
from karat.core.messages import one_line
from karat.rows.containers.lines import MEGABYTE


class Target:
    """A file that is written under a temporary name and then renamed; an unwritable path is refused at once."""

    def __init__(self, path: str) -> None:
        self.name = one_line(path)
        self._path = Path(os.path.realpath(path))
        try:
            self._refuse_unwritable()
        except OSError as error:
            raise self.explain(error) from None
        self._stream: BinaryIO | None = None
        self._beside: Path | None = None

    def open(self) -> BinaryIO:
        """Open a temporary file in the same folder, with the permissions of an existing file."""
        try:
            self._beside, self._stream = self._create()
        except OSError as error:
            raise self.explain(error) from None
        return self._stream

    def commit(self) -> None:
        """Sync the file to disk, then rename it."""
        if self._stream is None or self._beside is None:
            return
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()
        self._beside.replace(self._path)
        _sync_folder(self._path.parent)

    def discard(self) -> None:
        """Remove the temporary file and leave the path as it was."""
        if self._stream is not None:
            with suppress(OSError):
                self._stream.close()
        if self._beside is not None:
            self._beside.unlink(missing_ok=True)

    def explain(self, error: OSError) -> UsageError:
        """Return the system's error in one line."""
        return UsageError(f"{self.name}: cannot be written: {error.strerror or one_line(str(error))}")

    def _refuse_unwritable(self) -> None:
        folder = self._path.parent
        if self._path.is_dir():
            raise UsageError(f"{self.name}: is a folder, not a file")
        if self._path.exists() and not self._path.is_file():
            raise UsageError(f"{self.name}: is not a regular file")
        if not folder.is_dir():
            raise UsageError(f"{self.name}: the folder {one_line(str(folder))} does not exist")
        beside, stream = self._create()
        stream.close()
        beside.unlink()

    def _create(self) -> tuple[Path, BinaryIO]:
        beside = self._path.with_name(f".karat-{secrets.token_hex(8)}.tmp")
        stream = beside.open("xb", buffering=MEGABYTE)
        with suppress(OSError):
            beside.chmod(stat.S_IMODE(self._path.stat().st_mode))
        return beside, stream


def is_same_file(path: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Check whether two paths name the same file, also by links; `-` is the file that standard input comes from."""
    try:
        there = os.fstat(0) if other == "-" else Path(other).stat()
        return os.path.samestat(Path(path).stat(), there)
    except (OSError, ValueError):  # one of them is not there yet, or no path
        return other != "-" and os.path.realpath(path) == os.path.realpath(other)


def _sync_folder(folder: Path) -> None:
    # Not every system lets a folder be opened and synced; the rename itself has happened.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

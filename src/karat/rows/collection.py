"""Several files as one input: paths, patterns and folders."""

import glob
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from karat.core.errors import NoRowsError, UsageError, option
from karat.core.keys import hash_content
from karat.core.messages import one_line
from karat.rows.columns import Columns
from karat.rows.containers.contents import KINDS
from karat.rows.formats import MAPPED
from karat.rows.join import Joined
from karat.rows.layout import Layout, flatten
from karat.rows.row import BadRow, Record, Row
from karat.rows.source import PACKINGS, Source, open_file

FILE: Final = "file"
_WILD: Final = frozenset("*?[")
_SHOWN: Final = 3
_NOTHING: Final[Mapping[str, str]] = {}


def list_files(paths: Sequence[str]) -> list[str]:
    """Return the files that paths, patterns and folders name, each once and those of a folder in order."""
    found: dict[str, None] = {}
    for path in paths:
        named = _list_named(path)
        if not named:
            raise NoRowsError(f"{one_line(path)}: no file in it ends in {' '.join(KINDS)}")
        found |= dict.fromkeys(named)
    return list(found)


def _list_named(path: str) -> list[str]:
    if path == "-" or (not Path(path).is_dir() and (Path(path).exists() or not _WILD & set(path))):
        return [path]
    if Path(path).is_dir():
        return sorted(str(one) for one in Path(path).rglob("*") if _is_input(one, Path(path)))
    named = sorted(one for one in glob.glob(path, recursive=True) if Path(one).is_file())  # noqa: PTH207 - any pattern
    if not named:
        raise UsageError(f"{one_line(path)}: no file matches")
    return named


def _is_input(path: Path, folder: Path) -> bool:
    """Check whether a file of a folder is read: by its ending, and no hidden one."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    suffixes = suffixes[:-1] if suffixes and suffixes[-1] in PACKINGS else suffixes
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return bool(suffixes) and suffixes[-1] in KINDS and not hidden and path.is_file()


def open_sources(
    paths: Sequence[str],
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    references: str | None = None,
    on: str | None = None,
) -> Source:
    """Open one input of all files that paths, patterns and folders name, joined with references of another file."""
    files = list_files(paths)
    if "-" in files and len(files) > 1:
        raise UsageError("standard input cannot be read together with files; leave - out")
    if (references is None) != (on is None):
        raise UsageError(option("references"), " FILE and ", option("on"), " COLUMN go together")
    sources = [open_file(file, format=format) for file in files]
    if references is not None and on is not None:
        sources = [Joined(source, open_file(references), on) for source in sources]
    return sources[0] if list(paths) == files and len(files) == 1 else Collection(paths, sources)


def name_files(files: Sequence[str]) -> list[str]:
    """Return a short name for each file, by which its rows are told apart: the last parts that are all unlike."""
    for parts in range(1, 32):
        names = ["/".join(PurePath(file).parts[-parts:]) for file in files]
        if max(Counter(names).values()) == 1:
            return names
    return list(files)


class Collection(Source):
    """Files that are read one after the other; each row bears its file, and the file's name before its id."""

    def __init__(self, paths: Sequence[str], sources: Sequence[Source]) -> None:
        more = len(paths) - _SHOWN
        shown = " ".join(paths[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
        super().__init__(shown, paths[0], "")
        self._sources = list(sources)
        self._named = frozenset(paths)

    @property
    def place(self) -> str:
        """The resolved paths of all files."""
        return "\n".join(source.place for source in self._sources)

    @property
    def unanswered(self) -> int:
        """How many references no answer had in the last reading, of all files together."""
        return sum(source.unanswered for source in self._sources)

    def close(self) -> None:
        """Close all files."""
        for source in self._sources:
            source.close()

    def digest(self) -> str:
        """Return a hash of the bytes of all files."""
        return hash_content([source.digest() for source in self._sources])

    def find_layout(self, chosen: Mapping[str, str]) -> Layout:
        """Return the layout that all files have, or that of rows whose columns are called by their parts."""
        key = repr(sorted(chosen.items()))
        if key not in self._layouts:
            layouts = self._find_layouts(chosen)
            first = layouts[0]
            alike = all(one.columns == first.columns and one.name == first.name for one in layouts)
            titles = dict.fromkeys(one.title for one in layouts)
            parts = {part for one in layouts for part in one.columns.played()}
            mapped = Columns(**{part: column for part, column in MAPPED.played().items() if part in parts})
            self._layouts[key] = first if alike else Layout(mapped, several=tuple(titles))
        return self._layouts[key]

    def _find_layouts(self, chosen: Mapping[str, str]) -> list[Layout]:
        """Return the layouts of the files; files of a folder that hold no rows are left out."""
        found, kept = list[Layout](), list[Source]()
        for source in self._sources:
            try:
                layout = source.find_layout(chosen)
            except NoRowsError as error:
                if source.name in self._named:
                    raise
                self.left_out.append(str(error))
            else:
                found.append(layout)
                kept.append(source)
        if not found:
            raise UsageError(f"{self._shown}: no file holds rows ({'; '.join(self.left_out[:_SHOWN])})")
        self._sources = kept
        return found

    def rows(self, columns: Columns, *, limit: int | None = None) -> Iterator[Row | BadRow]:
        """Yield the rows of all files in order, up to `limit` good ones."""
        chosen = next((one.chosen for one in self._layouts.values() if one.columns == columns), _NOTHING)
        good = 0
        for name, source in zip(name_files([one.name for one in self._sources]), self._sources, strict=True):
            layout = source.find_layout(chosen)
            for row in source.rows(layout.columns) if limit is None or good < limit else ():
                if isinstance(row, BadRow):
                    yield BadRow(row.line, row.problem, source.name)
                    continue
                fields = row.columns if layout.columns == columns else flatten(row, layout.columns)
                yield Row(row.line, f"{name}/{row.id}", row.item, row.system, _add_file(fields, name))
                good += 1
                if good == limit:
                    return

    def records(self) -> Generator[Record | BadRow]:
        """Yield the records of all files."""
        for source in self._sources:
            yield from source.records()


def _add_file(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    free = next(column for column in (FILE, "source_file", "karat_file") if column not in fields)
    return {**fields, free: name}

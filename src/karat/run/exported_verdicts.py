"""Verdicts by graders of other tools, in the files that those tools write."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from karat.core.errors import UsageError
from karat.core.keys import hash_bytes, hash_content, item_key
from karat.core.types import UNTOLD, Outcome, Unjudged, Verdict
from karat.rows import BadRow, Layout, Row, Source, open_sources, write_json
from karat.rows.formats import load_formats
from karat.rows.formats.grades import (
    VERDICTS,
    NotAVerdictError,
    choose_grader,
    explain_score,
    find_tool,
    read_verdict,
)
from karat.run.verdict_tables import Card, Judged
from karat.store.records import EXPORT, VERDICT_FILE


class ExportedVerdicts:
    """The verdicts of one grader in a file or folder of a named format; rows that cannot be read are left out."""

    def __init__(self, path: str, source: Source, layout: Layout, wanted: str | None) -> None:
        self.path = path
        self.columns = layout.columns
        self.skipped = 0
        self._source = source
        self._layout = layout
        grader = choose_grader(path, self._list_graders(), wanted)
        self._grader = grader
        self._judge = f"{_name_tool(layout)}: {grader.title}"
        self.card = self._make_card()

    def __iter__(self) -> Iterator[Judged]:
        for row in self._read_rows():
            grade = cast("Mapping[str, Any]", self._read_grades(row).get(self._grader.name) or {})
            yield Judged(row, self._read_outcome(row, grade))

    def name_judges(self) -> str:
        """Return the judge."""
        return self._judge

    def digest(self) -> str:
        """Return a hash of the rows without the verdicts of this grader; other labels or tags make other rows."""
        digest = blake2b(digest_size=16)
        for row in self._read_rows():
            digest.update(hash_bytes(row.id.encode(), item_key(row.item), write_json(row.columns).encode()))
        return digest.hexdigest()

    def _make_card(self) -> Card:
        """Return the judge, which is known by the verdicts that it gave: another file has another one."""
        digest, name = blake2b(digest_size=16), self._grader.title
        for judged in self:
            outcome = judged.outcome
            said = str(outcome.value) if isinstance(outcome, Verdict) else outcome.cause
            digest.update(hash_bytes(item_key(judged.row.item), said.encode()))
        known = self._layout.name or self._layout.title
        identity = {
            "judge": self._judge, "protocol": "match", "from": VERDICT_FILE, "source": EXPORT, "format": known, "grader": name,
        }  # fmt: skip
        fingerprint = hash_content([EXPORT, known, self._grader.name, self._grader.least, digest.hexdigest()])
        return Card(self._judge, "match", fingerprint, identity)

    def _list_graders(self) -> list[str]:
        names = dict[str, None]()
        for row in self._read_rows():
            names |= dict.fromkeys(self._read_grades(row))
        if not names:
            raise UsageError(
                f"{self.path}: {self._layout.title}: no row carries a grade; "
                f"`karat grade {self.path} -o verdicts.jsonl` grades the answers"
            )
        return list(names)

    def _read_rows(self) -> Iterator[Row]:
        self.skipped = 0
        with closing(self._source):
            for row in self._source.rows(self.columns):
                if isinstance(row, BadRow):
                    self.skipped += 1
                else:
                    yield row

    def _read_grades(self, row: Row) -> Mapping[str, Any]:
        known = self._layout.format
        if known is not None and known.grades is not None:
            return known.grades(row.columns)
        found = row.columns.get(VERDICTS)
        return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}

    def _read_outcome(self, row: Row, grade: Mapping[str, Any]) -> Outcome:
        try:
            value = read_verdict(grade, self._grader.least)
        except NotAVerdictError as score:
            raise explain_score(self.path, row.id, self._grader, score) from None
        reason, error = grade.get("reason"), grade.get("error")
        if value is None and error:
            return Unjudged("unparseable", str(error), UNTOLD)
        if value is None:
            return Unjudged("undecided", f"no grade by {self._grader.shown}", UNTOLD)
        return Verdict(value, float(value), self._judge, reason=reason, spent=UNTOLD)


def find_exported(path: str, wanted: str | None) -> ExportedVerdicts | None:
    """Return the verdicts in a file or folder of a named format; None where it is of none."""
    if not Path(path).exists():
        return None
    source = open_sources([path])
    try:
        layout = source.find_layout({})
    except UsageError as error:
        if any(f"{one.title}: no row" in str(error) for one in load_formats().values()):
            raise
        return None
    if layout.format is None and not layout.title:
        return None
    return ExportedVerdicts(path, source, layout, wanted)


def _name_tool(layout: Layout) -> str:
    """Return the tool that wrote a file; of unlike files, their titles."""
    return layout.title if layout.format is None else find_tool(layout.format, load_formats())

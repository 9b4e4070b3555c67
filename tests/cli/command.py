"""Run the command line as a user does: arguments in, exit code and both streams out."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from karat.cli import main


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one error line on standard error."""
        return self.err.strip().splitlines()[-1]


class Command:
    """Runs `karat` in this process, in the current directory."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Ended:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list[str](arguments))
        streams = self._capsys.readouterr()
        return Ended(int(left.value.code or 0), streams.out, streams.err)

    def refused(self, code: int, *arguments: str) -> str:
        """Run a command that must fail, and return its error line."""
        ended = self(*arguments)
        assert ended.code == code, ended
        lines: Sequence[str] = ended.err.strip().splitlines()
        assert lines[-1].startswith("karat: ")
        assert "Traceback" not in ended.err
        assert ended.out == ""
        return lines[-1]

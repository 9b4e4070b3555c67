"""The exceptions of karat: the caller's mistakes, and problems of the environment.

    KaratError
    ├── UsageError   the user's mistake: wrong option, file, column or row   exit 2
    │   └── NoRowsError      a file without rows                             exit 2
    └── SetupError   missing key, extra or endpoint                          exit 3
        └── StoreLostError   the store was deleted or replaced during a run  exit 3

Failing to judge one row is not an exception: it is an `Unjudged` value.

A message is given in parts. A part that names an option is `option(...)`, so that one error can be printed with the
names of the command line (`--items-per-prompt`) or those of the library (`items_per_prompt`).
"""

from typing import Final, TypeAlias, Union

from msgspec import Struct

_SPELLED: Final = {"passing": "pass"}


class Phrase(Struct, frozen=True):
    """A text that differs between the command line and the library; `str()` is that of the command line."""

    command: str
    library: str

    def __str__(self) -> str:
        return self.command


Part: TypeAlias = Union[str, Phrase, "KaratError"]


def option(name: str) -> Phrase:
    """Return an option by its library name: `items_per_prompt` there, `--items-per-prompt` on the command line."""
    return Phrase(f"--{_SPELLED.get(name, name).replace('_', '-')}", name)


class KaratError(Exception):
    """A message for the user, on one line: what is wrong, where, and what to do.

    Its parts are joined without spaces. An error as a part is replaced by its own parts. `str(error)` uses the names of
    the command line.
    """

    exit_code = 1

    def __init__(self, *parts: Part) -> None:
        plain = list[str | Phrase]()
        for part in parts:
            plain += part.args if isinstance(part, KaratError) else (part,)
        super().__init__(*plain)

    def __str__(self) -> str:
        return "".join(map(str, self.args))

    def use_library_words(self) -> None:
        """Use the parameter names of the library from now on, instead of the options of the command line."""
        self.args = ("".join(part.library if isinstance(part, Phrase) else part for part in self.args),)


class UsageError(KaratError):
    """The user's mistake: an option, a file, a column or a row."""

    exit_code = 2


class NoRowsError(UsageError):
    """A file contains no rows."""


class SetupError(KaratError):
    """A required key, extra or endpoint is missing."""

    exit_code = 3


class StoreLostError(SetupError):
    """The file of the store was moved, deleted or replaced."""

"""Complaints in the words of the library: an option of the command line is a parameter here."""

import re
from collections.abc import Generator
from contextlib import contextmanager

from karat.core.errors import KaratError

_COMMAND = re.compile(r"(`[^`]*`)")
_OUT_BY_OPTION = re.compile(r" with --columns \w+=(?=$|[;,])")
_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")
_CALLED = {"pass": "passing"}


@contextmanager
def in_python() -> Generator[None]:
    """Let what is raised inside speak of parameters; commands in backticks stay as they are."""
    try:
        yield
    except KaratError as error:
        said = translate(str(error))
        if said == str(error):
            raise
        raise type(error)(said) from error


def translate(message: str) -> str:
    """The same complaint with `items_per_prompt` for `--items-per-prompt`."""
    pieces = _COMMAND.split(message)
    return "".join(piece if piece.startswith("`") else _translate(piece) for piece in pieces)


def _translate(text: str) -> str:
    return _OPTION.sub(lambda option: _name(option[1]), _OUT_BY_OPTION.sub("", text))


def _name(option: str) -> str:
    return _CALLED.get(option, option.replace("-", "_"))

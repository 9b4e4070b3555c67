"""What stops a command: the caller's mistakes and the environment.

    KaratError
    ├── UsageError   the user's mistake: wrong option, file, column or row   exit 2
    └── SetupError   missing key, extra or endpoint                          exit 3
        └── StoreLostError   the store was deleted or replaced in mid-run    exit 3

Failing to judge one row is none of these: it is an `Unjudged` value.
"""


class KaratError(Exception):
    """A message for the user, on one line: what is wrong, where, and what to do."""

    exit_code = 1


class UsageError(KaratError):
    """The user's mistake: an option, a file, a column or a row."""

    exit_code = 2


class SetupError(KaratError):
    """A key, an extra or an endpoint that is needed is not there."""

    exit_code = 3


class StoreLostError(SetupError):
    """The file of the store is no longer where it was."""

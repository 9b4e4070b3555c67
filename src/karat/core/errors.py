"""What stops a command: the caller's mistakes and the environment.

    KaratError
    ├── UsageError      the user's mistake: wrong option, file, column or row        exit 2
    ├── SetupError      missing key, extra or endpoint                               exit 3
    └── BudgetReached   the user's ceiling on spend; the same command goes on later  exit 4

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


class BudgetReached(KaratError):  # noqa: N818 - it is a state the user asked for, not an error
    """The spend reached the user's ceiling; nothing is lost and the run can go on."""

    exit_code = 4

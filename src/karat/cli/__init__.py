"""The command line: thin."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code, also when it is stopped while it loads."""
    try:
        from karat.cli.app import run
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run(arguments))


__all__ = ["main"]

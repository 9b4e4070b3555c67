"""The command line."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code; an interrupt while modules load exits with 130."""
    try:
        from karat.cli.app import run
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run(arguments))


__all__ = ["main"]

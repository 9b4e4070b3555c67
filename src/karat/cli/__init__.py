"""The command line: thin."""

from karat.cli.main import main

__all__ = ["main"]

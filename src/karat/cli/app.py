"""The command `karat`: its subcommands, and how errors become messages and exit codes."""

import gc
import logging
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from cyclopts import App, CycloptsError

from karat import __version__
from karat.cli.output import Stream, guard_streams, say
from karat.cli.paths import check_paths
from karat.core.errors import KaratError

app = App(
    name="karat",
    help="Grade answers against reference answers, with an estimate of how reliable the grades are.",
    version=__version__,
    help_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
app.command("karat.cli.commands.grade:grade", name="grade", help="Grade a file of answers.")
app.command(
    "karat.cli.commands.examples:examples", name="examples", help="Copy the example files into a folder."
)
app.command("karat.cli.commands.audit:audit", name="audit", help="Attack a judge and test its consistency.")
app.command("karat.cli.commands.runs:runs", name="runs", help="List the runs, oldest first.")
app.command("karat.cli.commands.runs:export", name="export", help="Write the verdicts of a run to a file.")
app.command(
    "karat.cli.commands.report:report", name="report", help="Write an HTML report of one or more runs."
)
app.command(
    "karat.cli.commands.agree:agree",
    name="agree",
    help="Measure how well the verdicts of a run agree with human labels.",
)
app.command(
    "karat.cli.commands.compare:compare",
    name="compare",
    help="Compare two runs, or groups of rows within one run.",
)
app.command(
    "karat.cli.commands.labels:labels",
    name="labels",
    help="Import human labels, and choose which rows to label next.",
)
app.command("karat.cli.commands.prices:prices", name="prices", help="List the known prices of models.")
app.command(
    "karat.cli.commands.formats:formats",
    name="formats",
    help="List the file formats that are recognised without a flag.",
)
app.command(
    "karat.cli.commands.prompt:prompt",
    name="prompt",
    help="Show the built-in prompts, or check your own prompt file.",
)
_GC_THRESHOLD = 10_000  # with Python's default of 700, garbage collection takes 8 % of a run


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    gc.set_threshold(_GC_THRESHOLD)
    logging.getLogger("stamina").addHandler(logging.NullHandler())
    with suppress(ValueError):  # only the main thread may set signal handlers
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    with guard_streams() as output:
        code = _run(arguments)
        output.flush()
        unwritten = _check_output(output)
        return code or unwritten


def _run(arguments: Sequence[str] | None) -> int:
    try:
        command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
        check_paths(command, bound)
        result = command(*bound.args, **bound.kwargs)
    except CycloptsError as error:
        return _print_error(f"{error} (see {_help_command(arguments)})", 2)
    except KaratError as error:
        return _print_error(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _print_error("interrupted; run the same command again to resume", 130)
    except OSError as error:
        return _print_error(f"system error: {error.strerror or error}", 3)
    return result if isinstance(result, int) else 0


def _check_output(output: Stream) -> int:
    """Return 3 if the output could not be written; a reader that closes the pipe is not an error."""
    if output.failure is None or isinstance(output.failure, BrokenPipeError):
        return 0
    return _print_error(f"the output cannot be written: {output.failure.strerror or output.failure}", 3)


def _help_command(arguments: Sequence[str] | None) -> str:
    given = list(sys.argv[1:] if arguments is None else arguments)
    known = [name for name in given[:1] if not name.startswith("-") and name in set(app)]
    return " ".join(["karat", *known, "--help"])


def _print_error(message: str, code: int) -> int:
    say(" ".join(message.split()))
    return code

"""The command `karat`: its verbs, and how mistakes end."""

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
    help="Grade answers against reference answers, and say how far the grades can be trusted.",
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
    help="Hold the verdicts of a run against the labels of people.",
)
app.command(
    "karat.cli.commands.compare:compare",
    name="compare",
    help="Say which is better: two runs, or the parts of one.",
)
app.command(
    "karat.cli.commands.labels:labels",
    name="labels",
    help="Import human labels, and choose which rows to label next.",
)
app.command(
    "karat.cli.commands.formats:formats",
    name="formats",
    help="List the formats that are read without a flag.",
)
app.command(
    "karat.cli.commands.prices:prices", name="prices", help="List what models cost, as far as it is known."
)
app.command(
    "karat.cli.commands.prompt:prompt",
    name="prompt",
    help="See the built-in prompts, and check one of your own.",
)
_SELDOM = 10_000  # objects between two searches for cycles; every 700, as usual, they take 8 % of a run


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    gc.set_threshold(_SELDOM)
    logging.getLogger("stamina").addHandler(logging.NullHandler())
    with suppress(ValueError):  # only the main thread may say what signals do
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    with guard_streams() as output:
        code = _run(arguments)
        output.flush()
        unwritten = _judge_output(output)
        return code or unwritten


def _run(arguments: Sequence[str] | None) -> int:
    try:
        command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
        check_paths(command, bound)
        result = command(*bound.args, **bound.kwargs)
    except CycloptsError as error:
        return _complain(f"{error} (see {_help_of(arguments)})", 2)
    except KaratError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted; the same command goes on where this one stopped", 130)
    except OSError as error:
        return _complain(f"the system says: {error.strerror or error}", 3)
    return result if isinstance(result, int) else 0


def _judge_output(output: Stream) -> int:
    """Whoever stops reading has read enough; whatever else kept the output from being written is a failure."""
    if output.failure is None or isinstance(output.failure, BrokenPipeError):
        return 0
    return _complain(f"the output cannot be written: {output.failure.strerror or output.failure}", 3)


def _help_of(arguments: Sequence[str] | None) -> str:
    given = list(sys.argv[1:] if arguments is None else arguments)
    known = [name for name in given[:1] if not name.startswith("-") and name in set(app)]
    return " ".join(["karat", *known, "--help"])


def _complain(message: str, code: int) -> int:
    say(" ".join(message.split()))
    return code

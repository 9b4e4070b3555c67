"""Write the store of the present version to `released/VERSION.sql`, and what it says to `released/VERSION.json`.

Run it once for every release, before the version number goes up: `python tests/store/make_released.py`.
"""

import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCE = str(HERE.parents[1] / "src")
sys.path[:0] = [str(HERE.parent), SOURCE]

from batch_provider import Fate  # noqa: E402 - found by the line above
from karat import __version__  # noqa: E402
from karat.cli import main as start_karat  # noqa: E402
from provider import Call, Provider, Reply, read_items  # noqa: E402

PORT = 39187  # the address is part of a judge's fingerprint; nobody need listen there later, as nothing is asked again
JUDGE = f"http://127.0.0.1:{PORT}/v1#m"
RELEASED = HERE / "released"
ROWS = [
    {
        "id": f"r{number}",
        "question": f"What do you see in picture {number % 11}?",
        "reference": [f"a boat with {number % 11} red sails", "a sailing boat"],
        "answer": f"something that floats past buoy {number % 11}" if number != 4 else "",
        "system": "ab"[number % 2],
        "tags": {"größe": number},
        "label": "Yes" if number % 3 else None,
    }
    for number in range(13)
]
LLM = (
    ("answers.jsonl", "--judge", JUDGE, "--items-per-prompt", "3", "--price", "1/2/0.5"),
    ("answers.jsonl", "--judge", JUDGE, "--protocol", "equivalence", "--logprobs"),
    ("answers.jsonl", "--judge", JUDGE, "--protocol", "keypoints"),
    ("answers.jsonl", "--panel", f"{JUDGE}-one,{JUDGE}-two,rules"),
    ("answers.jsonl", "--judge", f"{JUDGE}-batched", "--via", "batch", "--items-per-prompt", "1"),
)
STUCK = ("answers.jsonl", "--judge", f"{JUDGE}-stuck", "--via", "batch", "--items-per-prompt", "1")


def answer(call: Call) -> Reply:
    """Answer by the protocol that is asked for; the first call of all is cut off, and one reply cannot be read."""
    if call.index == 0:
        return Reply(drop=True)
    items = read_items(call.body)
    if "Answer 1" in call.prompt or ("Yes" in call.prompt and "0 to 5" not in call.prompt):
        if "buoy 7" in call.prompt and len(items) == 1:
            return Reply("I cannot tell.")
        return Reply(json.dumps({f"Answer {k}": "Yes" if k % 2 else "No" for k in range(1, len(items) + 1)}))
    tops = [{"token": "4", "logprob": -0.2}, {"token": "5", "logprob": -1.8}]
    return Reply("4", logprobs=[{"token": "4", "logprob": -0.2, "bytes": None, "top_logprobs": tops}])


def fill(folder: Path) -> None:
    """Grade, label and plan in a folder, as a user does."""
    write_rows(folder)
    (folder / "labels.csv").write_text("id,label,author\nr1,No,anna\nr2,Yes,anna\nr2,No,ben\n")
    (folder / "again.csv").write_text("id,label,author\nr1,Yes,anna\n")
    os.chdir(folder)
    os.environ.pop("KARAT_STORE", None)
    with Provider(answer, port=PORT) as provider:
        for arguments in LLM:
            _run("grade", *arguments)
    with Provider(answer, port=PORT, fate=lambda _: Fate(looks=math.inf)) as provider:
        _interrupt(provider)
    _run("grade", "answers.jsonl")
    _run("labels", "add", "1", "labels.csv")
    _run("labels", "add", "1", "again.csv")
    _run("labels", "plan", "1", "--n", "4")


def write_rows(folder: Path) -> None:
    """The file that is graded."""
    lines = [json.dumps({name: value for name, value in row.items() if value is not None}) for row in ROWS]
    (folder / "answers.jsonl").write_text("".join(f"{line}\n" for line in lines))


def describe(folder: Path) -> dict[str, Any]:
    """What the command line says of the store of a folder: runs, verdicts and labels."""
    os.chdir(folder)
    with closing(sqlite3.connect(folder / ".karat/karat.db")) as connection:
        runs = [run for (run,) in connection.execute("SELECT id FROM runs ORDER BY id")]
    verdicts = dict[str, Any]()
    for run in runs:
        _run("export", str(run), "-o", "verdicts.jsonl")
        verdicts[str(run)] = list(_read(folder / "verdicts.jsonl"))
    _run("labels", "list", "1", "--history", "-o", "given.jsonl")
    return {"verdicts": verdicts, "labels": list(_read(folder / "given.jsonl"))}


def dump(path: Path) -> str:
    """A database as SQL, with the marks of its header, which SQLite leaves out."""
    with closing(sqlite3.connect(path)) as connection:
        marks = [
            (name, connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("application_id", "user_version")
        ]
        lines = [*(f"PRAGMA {name}={value};" for name, value in marks), *connection.iterdump()]
    return "".join(f"{line}\n" for line in lines)


def _interrupt(provider: Provider) -> None:
    """Leave a batch out at the provider: the process is killed once it has handed one in."""
    code = "from karat.cli import main; main()"
    env = {**os.environ, "PYTHONPATH": SOURCE}
    with subprocess.Popen([sys.executable, "-c", code, "grade", *STUCK], env=env) as process:
        while not _is_submitted() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert len(provider.batches.made) == 1


def _is_submitted() -> bool:
    with closing(sqlite3.connect(".karat/karat.db")) as connection:
        return bool(connection.execute("SELECT 1 FROM provider_batches WHERE state = 'submitted'").fetchone())


def run_karat(arguments: Sequence[str]) -> int:
    """Run the command line in this process; its exit code."""
    try:
        start_karat(arguments)
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def _run(*arguments: str) -> None:
    code = run_karat(arguments)
    if code > 1:
        raise SystemExit(f"karat {' '.join(arguments)} ended with {code}")


def _read(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text().splitlines())


def main() -> None:
    """Make the two files; those of a version that was released stay as they are."""
    target = RELEASED / f"{__version__}.sql"
    if target.exists():
        raise SystemExit(f"{target} is there already; it is what {__version__} wrote")
    with TemporaryDirectory() as made:
        folder = Path(made)
        fill(folder)
        said = describe(folder)
        text = dump(folder / ".karat/karat.db")
        os.chdir(HERE)
    target.write_text(text)
    target.with_suffix(".json").write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()

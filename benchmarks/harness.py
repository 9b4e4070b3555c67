"""karat against its peers on a loopback endpoint: processor time, speed, memory and characters per item.

Every tool judges the same rows in an environment of its own under .cache/harness. Processor time and speed are slopes
between two sizes, so that start-up does not count. Run it with `make bench-harness DATA=DIR`; it takes minutes.
"""

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import plot
from child import Cost, describe_machine, measure
from endpoint import Served, endpoint
from page import MEASUREMENTS, PICTURES, write_part

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "harness"
SIZES = (500, 2500)
CONCURRENCY = 32
DELAY = 0.02
QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "LANGSMITH_TRACING": "false",
    "NO_PROXY": "127.0.0.1",
    "OPENAI_API_KEY": "none",
}


class Tool(NamedTuple):
    """A tool, what is installed for it, and for karat how many items share a prompt."""

    name: str
    wants: tuple[str, ...]
    per_prompt: int = 0

    @property
    def package(self) -> str:
        return self.wants[0].partition("==")[0] if not self.per_prompt else "karat"

    @property
    def python(self) -> Path:
        return CACHE / self.package / "bin" / "python"


TOOLS = (
    Tool("karat, 1 per prompt", (str(ROOT),), 1),
    Tool("karat, 8 per prompt", (str(ROOT),), 8),
    Tool("autoevals", ("autoevals==0.4.1", "openai")),
    Tool("openevals", ("openevals==0.2.2",)),
    Tool("inspect-ai", ("inspect-ai==0.3.285", "openai")),
    Tool("deepeval", ("deepeval==4.3.1",)),
)


class Run(NamedTuple):
    cost: Cost
    calls: int
    characters: int


class Result(NamedTuple):
    """What one tool took per item, or why it could not be run."""

    tool: Tool
    versions: str = ""
    cpu_ms: float = 0
    low_ms: float = 0
    high_ms: float = 0
    per_second: float = 0
    peak_mb: float = 0
    characters: float = 0
    failure: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of evouna_nq.SPLIT.jsonl.gz")
    parser.add_argument("--repeats", type=int, default=3, help="rounds over all tools; medians are reported")
    parser.add_argument(
        "--tools", help="only these beside karat, such as autoevals,inspect-ai; no page is written then"
    )
    args = parser.parse_args()
    before = describe_machine()
    wanted = None if args.tools is None else {"karat", *args.tools.split(",")}
    tools = [tool for tool in TOOLS if wanted is None or tool.package in wanted]
    failures = {tool.package: install(tool) for tool in tools}
    with tempfile.TemporaryDirectory() as folder, endpoint(delay=DELAY) as served:
        files = write_rows(args.data, Path(folder))
        results = compare(tools, files, served, args.repeats, failures)
    machine = f"{before} before and {os.getloadavg()[0]:.1f} after the run"
    table = draw_table(results)
    print(f"{table}\n{machine}")
    if wanted is None:
        write_page(results, table, machine, args.repeats)
    missed = check(results)
    print("\n".join(missed) or "every demand is met")
    sys.exit(1 if missed else 0)


def install(tool: Tool) -> str:
    """Make the tool's environment where it is missing; the answer says what went wrong."""
    if not tool.python.exists():
        subprocess.run([sys.executable, "-m", "venv", CACHE / tool.package], check=True)
    pip = [tool.python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    again = ["--force-reinstall", "--no-deps", ROOT] if tool.per_prompt and _has_karat(tool) else tool.wants
    done = subprocess.run([*pip, *again], check=False, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"pip: {done.stderr.strip().splitlines()[-1]}"


def _has_karat(tool: Tool) -> bool:
    return (
        subprocess.run(
            [tool.python, "-c", "import karat, aiohttp"], check=False, capture_output=True
        ).returncode
        == 0
    )


def write_rows(data: Path, folder: Path) -> dict[int, Path]:
    """Write the first rows that differ and that no gate takes, so that each costs every tool a judgement."""
    rows = list(read_rows(data))
    if len(rows) < SIZES[-1]:
        sys.exit(f"{data} holds only {len(rows)} usable rows")
    files = {size: folder / f"rows-{size}.jsonl" for size in SIZES}
    for size, path in files.items():
        path.write_text("".join(json.dumps(row) + "\n" for row in rows[:size]), encoding="utf-8")
    return files


def read_rows(data: Path) -> Iterator[dict[str, Any]]:
    """Read dev, then train where dev is used up."""
    from karat.core.types import Item
    from karat.text import check_gate

    seen = set[Item]()
    for split in ("dev", "train"):
        with gzip.open(data / f"evouna_nq.{split}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                item = Item(row["question"], tuple(row["references"]), row["prediction"])
                if item in seen or check_gate(item) is not None:
                    continue
                seen.add(item)
                yield {"id": row["id"], "question": row["question"], "references": row["references"], "answer": row["prediction"]}  # fmt: skip
                if len(seen) == SIZES[-1]:
                    return


def compare(
    tools: list[Tool], files: dict[int, Path], served: Served, repeats: int, failures: dict[str, str]
) -> list[Result]:
    """Run all tools in turn, round by round, so that a change in load meets all of them."""
    runs: dict[tuple[str, int], list[Run]] = {(tool.name, size): [] for tool in tools for size in SIZES}
    broken = {tool.name: failures[tool.package] for tool in tools if failures[tool.package]}
    for at in range(repeats):
        for tool in (tool for tool in tools if tool.name not in broken):
            try:
                for size, path in files.items():
                    runs[tool.name, size].append(run_once(tool, size, path, served))
            except (RuntimeError, ValueError) as error:
                broken[tool.name] = str(error)
            print(
                f"round {at + 1}: {tool.name}: {broken.get(tool.name) or 'done'}", file=sys.stderr, flush=True
            )
    return [
        Result(tool, failure=broken[tool.name])
        if tool.name in broken
        else reckon(tool, *(runs[tool.name, size] for size in SIZES))
        for tool in tools
    ]


def run_once(tool: Tool, size: int, rows: Path, served: Served) -> Run:
    """Let a tool judge a file from an empty folder, and make sure that it judged all of it."""
    served.take()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, **QUIET, "OPENAI_BASE_URL": served.base_url}
        env.pop("PYTHONPATH", None)
        cost = measure(command(tool, rows, served), folder=Path(folder), env=env)
    said = json.loads(cost.said.strip().splitlines()[-1])
    judged = said["judged"] if tool.per_prompt else said["scored"]
    if judged != size:
        raise ValueError(f"judged {judged} of {size} rows")
    return Run(cost, *served.take())


def command(tool: Tool, rows: Path, served: Served) -> list[str | Path]:
    """Say how a tool is started."""
    if not tool.per_prompt:
        script = ROOT / "benchmarks" / "peers" / f"with_{tool.package.replace('-', '_')}.py"
        return [tool.python, script, rows, served.base_url]
    return [
        tool.python.parent / "karat", "grade", rows, "--judge", f"{served.base_url}#m", "--json",
        "--items-per-prompt", str(tool.per_prompt), "--concurrency", str(CONCURRENCY), "--store", "karat.db",
    ]  # fmt: skip


def reckon(tool: Tool, small: list[Run], large: list[Run]) -> Result:
    """Take slopes of each round, and their medians."""
    more = SIZES[1] - SIZES[0]
    cpu = [1000 * (b.cost.cpu - a.cost.cpu) / more for a, b in zip(small, large, strict=True)]
    wall = [(b.cost.wall - a.cost.wall) / more for a, b in zip(small, large, strict=True)]
    return Result(
        tool,
        list_versions(tool),
        statistics.median(cpu),
        min(cpu),
        max(cpu),
        1 / statistics.median(wall),
        statistics.median(run.cost.peak_mb for run in large),
        large[-1].characters / SIZES[1],
    )


def list_versions(tool: Tool) -> str:
    """Name the version of the tool and of the client library under it."""
    names = ("karat", "aiohttp") if tool.per_prompt else (tool.package, "openai")
    script = "import sys; from importlib.metadata import version; print(*(f'{n} {version(n)}' for n in sys.argv[1:]), sep=', ')"
    return subprocess.run(
        [tool.python, "-c", script, *names], check=True, capture_output=True, text=True
    ).stdout.strip()


def draw_table(results: list[Result]) -> str:
    """Write the table, with processor time also as a multiple of karat's at one item per prompt."""
    ours = results[0].cpu_ms
    head = (
        "| tool | CPU ms per item (range) | × karat | items per second | peak RSS, MB | characters per item |\n"
        "|---|---|---|---|---|---|"
    )
    return "\n".join([head, *(_draw_row(result, ours) for result in results)])


def _draw_row(result: Result, ours: float) -> str:
    name = f"**{result.tool.name}**" if result.tool.per_prompt else result.tool.name
    if result.failure:
        return f"| {name} | could not be run: {result.failure.splitlines()[-1][:200]} | | | | |"
    times = f"{result.cpu_ms / ours:.2f}" if ours else ""
    spread = f"{result.cpu_ms:.2f} ({result.low_ms:.2f}–{result.high_ms:.2f})"
    return f"| {name} | {spread} | {times} | {result.per_second:,.0f} | {result.peak_mb:.0f} | {result.characters:,.0f} |"


def check(results: list[Result]) -> list[str]:
    """Hold the figures against what karat promises; peers that did not run promise nothing."""
    found = {result.tool.name: result for result in results if not result.failure}
    one, eight = found["karat, 1 per prompt"], found["karat, 8 per prompt"]
    demands = [
        (name, mine, found[name].cpu_ms / share)
        for name, mine, share in (("autoevals", one, 4), ("inspect-ai", one, 30), ("autoevals", eight, 10))
        if name in found
    ]
    missed = [
        f"missed: {mine.tool.name} takes {mine.cpu_ms:.3f} ms, wanted {most:.3f} by {name}"
        for name, mine, most in demands
        if mine.cpu_ms > most
    ]
    peers = [result for result in found.values() if not result.tool.per_prompt]
    return missed + [
        f"missed: {eight.characters:.0f} characters per item, {peer.tool.name} sends {peer.characters:.0f}"
        for peer in peers
        if eight.characters >= peer.characters
    ]


def write_page(results: list[Result], table: str, machine: str, repeats: int) -> None:
    """Write the part of docs/measurements/speed.md about other tools, and its plot."""
    versions = "; ".join(result.versions for result in results[1:] if result.versions)
    python = ".".join(map(str, sys.version_info[:3]))
    missed = "\n".join(f"- {line}" for line in check(results))
    part = PART.format(
        command=f"python benchmarks/harness.py --data DIR --repeats {repeats}", date=time.strftime("%Y-%m-%d"), machine=machine, python=python, versions=versions, table=table,
        repeats=repeats, demands=missed or "All targets are met.",
    )  # fmt: skip
    write_part(MEASUREMENTS / "speed.md", "peers", part)
    (PICTURES / "harness.svg").write_text(draw_plot(results), encoding="utf-8")


def draw_plot(results: list[Result]) -> str:
    """Draw processor time and characters side by side."""
    ran = [result for result in results if not result.failure]
    panels = (("CPU ms per item", "cpu_ms"), ("Characters sent per item", "characters"))
    parts = list[str]()
    for at, (title, field) in enumerate(panels):
        rows = [plot.Bar(each.tool.name, getattr(each, field), bool(each.tool.per_prompt)) for each in ran]
        parts += plot.bars(20 + 480 * at, 460, title, rows)
    return plot.document(980, 60 + 34 * len(ran), "CPU and characters per item, by tool", parts)


PART = """\
Printed by `{command}` on {date}; {machine}; Python {python}; {versions}.

![CPU time and characters per item](../pictures/harness.svg)

{table}

- Rows: 2,500 of evouna_nq, the same for every tool (the dev part, then the train part). Repeated rows are left out, and so are the few rows that karat's gate decides without a
  call. Every row therefore costs every tool one judgement.
- Endpoint: a loopback server in its own process. It replies after 20 ms, in the form that each tool accepts. It counts characters: the length of the message
  contents, without schemas and tool definitions.
- CPU: user and system time of the tool's process, as the slope between 500 and 2,500 rows, so start-up is not included. Items per second likewise. Peak RSS
  is that of the run over 2,500 rows. All figures are medians of {repeats} rounds over all tools; the range is over the rounds.
- Each tool runs in its own environment with 32 concurrent calls and telemetry off. karat: the command line with its store (each verdict synced to disk). autoevals:
  `Factuality` with an asynchronous client. openevals: `CORRECTNESS_PROMPT` with an asynchronous client. inspect-ai: `model_graded_fact` over
  recorded answers, with its log. deepeval: `GEval` with given steps, which makes one call per item.
- The other tools take one reference; alternatives are joined by " or ".

Targets: at one item per prompt at most 1/4 of the CPU of autoevals and 1/30 of inspect-ai; at eight items at most 1/10 of autoevals, with fewer characters than every other tool.

{demands}
"""


if __name__ == "__main__":
    main()

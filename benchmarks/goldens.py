"""Goldens: outcomes on about 20,000 rows, to check that a change of the code changes no outcome.

python benchmarks/goldens.py make --data DIR     write tests/golden and .cache/goldens/base.jsonl.gz
python benchmarks/goldens.py check --data DIR    compute again and compare; exit 1 if anything differs
python benchmarks/goldens.py diff .cache/goldens/base.jsonl.gz .cache/goldens/latest.jsonl.gz

Committed files hold hashes and numbers, never texts. The records in .cache hold the outcomes row by row, without the rows of
benchmarks/data, many of which are held out. Test parts of --data are never opened.
"""

import argparse
import asyncio
import gzip
import json
import lzma
import math
import os
import re
import struct
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from load import DATA, list_sets, read_lines, read_prompts, read_set

from karat.audit.bank import build_bank, bundled_rows
from karat.core.keys import item_key
from karat.core.types import Item, Outcome, Verdict
from karat.embedded.decide import prepare_item
from karat.embedded.features import measure_features
from karat.judges import Judge, build_request, make_judge, plan_judge, read_prompt_file
from karat.protocols import PROTOCOLS
from karat.protocols.promptfile import builtin_wording
from karat.text import check_gate, is_suspicious

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
RECORDS = ROOT / ".cache" / "goldens"
HUMAN = {
    "beetle": 900, "efficientqa": 1000, "evouna_nq": 1500, "evouna_tq": 1200, "mohler": 400, "saf_de": 300, "saf_en": 300,
    "scientsbank": 1200, "truthfulqa": 1200,
}  # fmt: skip
"""How many rows are taken of each human-judged set."""
PARTS = ("train", "dev")
CHUNK = 100
JUDGED = {
    "rules": ("rules", "match"),
    "embedded": ("embedded", "match"),
    "equivalence": ("embedded", "equivalence"),
    "keypoints": ("embedded", "keypoints"),
}
"""The judge and the protocol of each aspect that is an outcome."""
HASHED = ("unwrapped", "measures", "inputs", *JUDGED)
TOLERANCES = {"logit": 2, "rules_confidence": 2, "embedded_confidence": 2, "equivalence_score": 2}
"""Numeric aspects are kept in thousandths, and may differ by so many."""
CUTS = (0.3, 0.5, 0.75, 0.9, 0.97)
"""Probabilities of the network at which the match judge decides otherwise."""
NEAR_CUT, NEAR_LEVEL = 0.02, 0.01
"""A row is not comparable if a logit or an expected level is this near to where the outcome changes."""
HALFWAY = 2.5
PASSING = 4
LARGEST_LOGIT = 8.0
"""Beyond it a 32-bit probability is too coarse for the tolerance."""
OFFICIAL = ("openai:gpt-4.1-mini", "anthropic:claude-sonnet-4-5")
LOCAL_ENDPOINT = "http://127.0.0.1:8000/v1#local"
_EXPECTED = re.compile(r"Expected value \d+\.\d+")
_READS: ContextVar["Reads | None"] = ContextVar("reads", default=None)


class Row(NamedTuple):
    """One item, where it comes from, and what it should be called."""

    set: str
    key: str
    item: Item
    label: bool | None


class Result(NamedTuple):
    """What karat made of a row: values to compare exactly, numbers in thousandths, and outcomes that are not comparable."""

    values: dict[str, Any]
    numbers: dict[str, int | None]
    near: tuple[str, ...]


class Reads:
    """What the network was given for one row, and what it said; a pair that was read before is not computed again."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, Any]] = {}
        self.asked: list[dict[str, Any]] = []

    def take(self) -> list[dict[str, Any]]:
        """Return what was read since the last call."""
        asked, self.asked = self.asked, []
        return asked


@contextmanager
def watch_network() -> Generator[None]:
    """Record what the network reads. The runtime is the one entry point that no restructuring of karat moves."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    session: Any = onnxruntime.InferenceSession
    run = session.run

    def watched(self: Any, names: Sequence[str], inputs: Mapping[str, Any], *rest: Any) -> list[Any]:  # noqa: ANN401
        reads = _READS.get()
        if reads is None:
            return run(self, names, inputs, *rest)
        told = sha256()
        for name in sorted(inputs):
            told.update(f"{name} {inputs[name].dtype} {inputs[name].shape}".encode() + inputs[name].tobytes())
        key = told.hexdigest()[:16]
        if key not in reads.known or not set(names) <= set(reads.known[key]):
            reads.known[key] = dict(zip(names, run(self, names, inputs, *rest), strict=True))
        reads.asked.append(reads.known[key])
        return [reads.known[key][name] for name in names]

    own = "run" in vars(session)
    session.run = watched
    try:
        yield
    finally:
        if own:
            session.run = run
        else:
            del session.run


def digest(value: Any) -> str:  # noqa: ANN401 - anything that JSON can hold
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:12]


def make_rows(name: str, rows: Iterable[dict[str, Any]]) -> Iterator[Row]:
    for raw in rows:
        label = None if raw["label"] is None else bool(raw["label"])
        yield make_row(name, Item(raw["question"], tuple(raw["references"]), raw["prediction"]), label)


def make_row(name: str, item: Item, label: bool | None) -> Row:  # noqa: FBT001 - a value, not a switch
    return Row(name, digest([item.question, item.references, item.answer]), item, label)


def read_probes() -> Iterator[Row]:
    """Yield the audit bank; only bases and probes that must fail have a label."""
    right = {"right": True, "short": True, "wrong": False}
    for probe in build_bank(bundled_rows()):
        label = right.get(probe.kind) if probe.family == "base" else None
        yield make_row("audit/bank", probe.item, False if probe.effect == "must_fail" else label)


def read_committed() -> dict[str, list[Row]]:
    """Read the rows that come with the repository."""
    sets = {"audit/bank": list(read_probes())}
    known = {split: list_sets(DATA, split) for split in ("dev", "test")}
    for name in sorted({*known["dev"], *known["test"]}):
        for split in (split for split, names in known.items() if name in names):
            full = f"rows/{name}.{split}"
            sets[full] = list(make_rows(full, read_set(DATA, name, split)))
    return {name: sort_rows(rows) for name, rows in sets.items()}


def read_data(data: Path) -> dict[str, list[Row]]:
    """Read a sample of every human-judged set, and all written rows."""
    sets: dict[str, list[Row]] = {}
    for name, count in HUMAN.items():
        paths = [data / f"{name}.{part}.jsonl.gz" for part in PARTS]
        missing = [str(path) for path in paths if not path.exists()]
        if missing:
            sys.exit(f"{missing[0]} does not exist: --data takes the folder of NAME.PART.jsonl.gz")
        rows = [row for path in paths for row in read_lines(path)]
        sets[f"human/{name}"] = sort_rows(make_rows(f"human/{name}", rows))[:count]
    for path in sorted((data / "written").glob("*.jsonl.gz")):
        name = f"written/{path.name.removesuffix('.jsonl.gz')}"
        sets[name] = sort_rows(make_rows(name, read_lines(path)))
    return sets


def sort_rows(rows: Iterable[Row]) -> list[Row]:
    """Order rows by content hash, each item once."""
    return sorted({row.key: row for row in rows}.values(), key=lambda row: row.key)


def make_judges() -> dict[str, Judge]:
    """Build the judges; the environment is left out."""
    requests = {
        aspect: build_request(None if judge == "embedded" else judge, protocol, {})
        for aspect, (judge, protocol) in JUDGED.items()
    }
    return {aspect: make_judge(plan_judge(request, {})) for aspect, request in requests.items()}


async def judge_row(row: Row, judges: Mapping[str, Judge]) -> Result:
    """Compute all aspects of a row; with fewer judges, fewer."""
    taken = prepare_item(row.item)
    ruling = check_gate(taken)
    measures = measure_features(taken.question, taken.references[0], taken.answer)
    values: dict[str, Any] = {
        "unwrapped": [taken.answer, None if ruling is None else ruling.name, is_suspicious(row.item)],
        "measures": sha256(struct.pack(f"<{len(measures)}f", *measures)).hexdigest()[:16],
    }
    numbers: dict[str, int | None] = {}
    reads, near = Reads(), set[str]()
    _READS.set(reads)
    for aspect, judge in judges.items():
        outcome = judge.decide(row.item)
        if outcome is None:
            outcome = (await judge.ask((row.item,)))[0]
        values[aspect] = list_fields(outcome)
        asked = reads.take()
        if is_near(aspect, asked):
            near |= {aspect, "inputs"} if aspect == "embedded" else {aspect}
        verdict = outcome if isinstance(outcome, Verdict) else None
        if aspect == "embedded":
            logits = [find_logit(float(read["match"][0])) for read in asked]
            numbers["logit"] = round(1000 * max(logits)) if logits else None
        if aspect in {"rules", "embedded"}:
            sure = None if verdict is None else verdict.confidence
            numbers[f"{aspect}_confidence"] = None if sure is None else round(1000 * sure)
        if aspect == "equivalence":
            numbers["equivalence_score"] = None if verdict is None else round(1000 * verdict.score)
    if "keypoints" in judges:
        values["inputs"] = sorted(reads.known)
    return Result(values, numbers, tuple(sorted(near)))


def list_fields(outcome: Outcome) -> list[Any]:
    """Return status, value, decided_by, matched_reference, reason and cause; expected values are compared as numbers."""
    reason = outcome.reason and _EXPECTED.sub("Expected value", outcome.reason)
    if isinstance(outcome, Verdict):
        return ["judged", outcome.value, outcome.decided_by, outcome.matched_reference, reason, None]
    return ["unjudged", None, None, None, reason, outcome.cause]


def find_logit(probability: float) -> float:
    sure = min(max(probability, 1e-9), 1 - 1e-9)
    return min(max(math.log(sure / (1 - sure)), -LARGEST_LOGIT), LARGEST_LOGIT)


def is_near(aspect: str, asked: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the network came so near to a threshold that another processor may decide otherwise."""
    if aspect == "embedded":
        logits = [find_logit(float(read["match"][0])) for read in asked]
        return any(abs(logit - find_logit(cut)) < NEAR_CUT for logit in logits for cut in CUTS)
    for read in asked:
        levels: list[float] = read["levels"][0].tolist()
        expected = sum(level * share for level, share in enumerate(levels))
        edge = HALFWAY if aspect == "keypoints" else math.floor(expected) + 0.5
        if abs(expected - edge) < NEAR_LEVEL:
            return True
    return False


def judge_rows(rows: Sequence[Row], judges: Mapping[str, Judge], threads: int = 1) -> list[Result]:
    """Judge rows in one process; progress goes to stderr."""

    async def judge_all() -> list[Result]:
        free, done, begin = asyncio.Semaphore(threads), 0, time.monotonic()

        async def judge_one(row: Row) -> Result:
            nonlocal done
            async with free:
                result = await judge_row(row, judges)
            done += 1
            if done % 500 == 0:
                print(f"{done:,} of {len(rows):,} rows, {time.monotonic() - begin:.0f} s", file=sys.stderr)
            return result

        return list(await asyncio.gather(*map(judge_one, rows)))

    with watch_network():
        return asyncio.run(judge_all())


def split_chunks(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def digest_chunk(
    rows: Sequence[Row], results: Sequence[Result], near: Mapping[str, list[int]]
) -> dict[str, Any]:
    """Digest a chunk of rows; rows that are near a threshold count for the aspects that do not depend on it."""
    chunk: dict[str, Any] = {"rows": digest([row.key for row in rows])}
    for aspect in HASHED:
        if aspect in results[0].values:
            skipped = near.get(aspect, [])
            chunk[aspect] = digest(
                [each.values[aspect] for place, each in enumerate(results) if place not in skipped]
            )
    return chunk


def find_near(results: Sequence[Result]) -> dict[str, list[int]]:
    near: dict[str, list[int]] = defaultdict(list)
    for place, result in enumerate(results):
        for aspect in result.near:
            near[aspect].append(place)
    return dict(near)


def pack_bytes(results: Sequence[Result], aspect: str) -> str:
    """Return a byte for each row: it shows which row of a chunk changed, 255 times of 256."""
    return "".join(sha256(json.dumps(each.values[aspect]).encode()).hexdigest()[:2] for each in results)


def write_goldens(sets: Mapping[str, list[Row]], results: Mapping[str, Result]) -> None:
    digests: dict[str, Any] = {}
    numbers: dict[str, Any] = {}
    for name, rows in sets.items():
        digests[name] = []
        for chunk in split_chunks(rows):
            found = [results[row.set + row.key] for row in chunk]
            near = find_near(found)
            digests[name].append({**digest_chunk(chunk, found, near), **({"near": near} if near else {})})
        found = [results[row.set + row.key] for row in rows]
        numbers[name] = {aspect: [each.numbers[aspect] for each in found] for aspect in TOLERANCES}
        numbers[name] |= {aspect: pack_bytes(found, aspect) for aspect in JUDGED}
    GOLDEN.mkdir(parents=True, exist_ok=True)
    write_json(GOLDEN / "digests.json", digests)
    packed = lzma.compress(json.dumps(numbers, separators=(",", ":")).encode(), preset=9)
    (GOLDEN / "numbers.json.xz").write_bytes(packed)
    write_json(GOLDEN / "fingerprints.json", list_fingerprints())


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON with one line for each entry of the second level, so that changes are easy to see."""
    parts: list[str] = []
    for name, value in content.items():
        inner = value.items() if isinstance(value, dict) else enumerate(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        is_list = not isinstance(value, dict)
        lines = [
            ("" if is_list else f"{json.dumps(key)}: ") + json.dumps(one, separators=(",", ":"))
            for key, one in inner  # pyright: ignore[reportUnknownVariableType]
        ]
        opened, closed = "[]" if is_list else "{}"
        parts.append(f"{json.dumps(name)}: {opened}\n" + ",\n".join(lines) + f"\n{closed}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def write_record(path: Path, sets: Mapping[str, list[Row]], results: Mapping[str, Result]) -> None:
    """Write the outcomes row by row. Rows of benchmarks/data are left out, because many of them are held out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for name, rows in sets.items():
            for row in rows if not name.startswith("rows/") else ():
                found = results[row.set + row.key]
                line = {"set": name, "key": row.key, "label": row.label, **found._asdict()}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


class Golden(NamedTuple):
    """The committed digests and numbers."""

    digests: dict[str, list[dict[str, Any]]]
    numbers: dict[str, dict[str, Any]]


def read_golden() -> Golden:
    digests = json.loads((GOLDEN / "digests.json").read_text(encoding="utf-8"))
    numbers = json.loads(lzma.decompress((GOLDEN / "numbers.json.xz").read_bytes()))
    return Golden(digests, numbers)


class Comparison:
    """What differs from the goldens, by aspect."""

    def __init__(self) -> None:
        self.chunks: Counter[str] = Counter()
        self.other_chunks: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()
        self.other_rows: Counter[str] = Counter()
        self.near: Counter[str] = Counter()
        self.near_other: Counter[str] = Counter()
        self.other_data: list[str] = []
        self.places: dict[str, list[str]] = defaultdict(list)

    @property
    def differs(self) -> bool:
        return bool(self.other_data) or self.other_chunks.total() + self.other_rows.total() > 0

    def compare_chunk(
        self, golden: Golden, name: str, number: int, rows: Sequence[Row], results: Sequence[Result]
    ) -> None:
        """Compare a chunk; where the rows are others, nothing is said about outcomes."""
        known = golden.digests.get(name, [])
        chunk: dict[str, Any] = known[number] if number < len(known) else {"rows": None}
        near: dict[str, list[int]] = chunk.get("near", {})
        found = digest_chunk(rows, results, near)
        if found.pop("rows") != chunk["rows"]:
            self.other_data.append(f"{name} {number}")
            return
        for aspect, told in found.items():
            self.chunks[aspect] += 1
            if told != chunk[aspect]:
                self.other_chunks[aspect] += 1
                self.places[aspect].append(f"{name} {number}")
        numbers = golden.numbers[name]
        for place, result in enumerate(results):
            self._compare_row(numbers, number * CHUNK + place, place, result, near)

    def _compare_row(
        self, numbers: Mapping[str, Any], at: int, place: int, result: Result, near: Mapping[str, list[int]]
    ) -> None:
        for aspect in JUDGED:
            if aspect not in result.values:
                continue
            other = pack_bytes([result], aspect) != numbers[aspect][2 * at : 2 * at + 2]
            if place in near.get(aspect, []):
                self.near[aspect] += 1
                self.near_other[aspect] += other
            else:
                self.rows[aspect] += 1
                self.other_rows[aspect] += other
        for aspect, now in result.numbers.items():
            before = numbers[aspect][at]
            judged = aspect.partition("_")[0] if aspect != "logit" else "embedded"
            if place in near.get(judged, []):
                self.near[aspect] += 1
                continue
            self.rows[aspect] += 1
            if (now is None) != (before is None) or abs((now or 0) - (before or 0)) > TOLERANCES[aspect]:
                self.other_rows[aspect] += 1

    def describe(self) -> list[str]:
        """Return a line for each aspect."""
        lines: list[str] = []
        for aspect in (*HASHED, *TOLERANCES):
            if not (self.chunks[aspect] or self.rows[aspect]):
                continue
            line = f"{aspect}: "
            if self.chunks[aspect]:
                line += f"{self.other_chunks[aspect]} of {self.chunks[aspect]} chunks differ"
            if self.rows[aspect]:
                line += f"{', ' if self.chunks[aspect] else ''}{self.other_rows[aspect]} of {self.rows[aspect]:,} rows differ"
            if self.near[aspect]:
                line += f"; {self.near[aspect]} rows near a threshold are not comparable"
                line += f" ({self.near_other[aspect]} of them differ)" if aspect in JUDGED else ""
            if self.places[aspect]:
                line += (
                    f" [{', '.join(self.places[aspect][:5])}{' …' if len(self.places[aspect]) > 5 else ''}]"
                )
            lines.append(line)
        if self.other_data:
            lines.append(f"other rows than the goldens were made of: {', '.join(self.other_data[:10])}")
        return lines


def compare_sets(golden: Golden, sets: Mapping[str, list[Row]], results: Mapping[str, Result]) -> Comparison:
    comparison = Comparison()
    for name, rows in sets.items():
        for number, chunk in enumerate(split_chunks(rows)):
            found = [results[row.set + row.key] for row in chunk]
            comparison.compare_chunk(golden, name, number, chunk, found)
        missing = len(golden.digests.get(name, [])) - len(list(split_chunks(rows)))
        comparison.other_data += [f"{name}: {missing} chunks fewer"] if missing > 0 else []
    return comparison


def list_fingerprints() -> dict[str, dict[str, str]]:
    """Return what must never change without a new version: fingerprints of judges, keys of items, rendered prompts."""
    items = [row.item for row in sort_rows(make_rows("", read_set(DATA, "everyday", "dev")))]
    with tempfile.TemporaryDirectory() as folder:
        files = write_prompt_files(Path(folder))
        return {
            "judges": dict(fingerprint_judges(files)),
            "items": {str(place): item_key(item).hex() for place, item in enumerate(items[:100])},
            "prompts": dict(render_prompts(items[:6], files)),
        }


def write_prompt_files(folder: Path) -> dict[str, Path]:
    """Return all prompt files by the names that the goldens know them by; those of benchmarks/data are written into a folder."""
    files = {
        path.relative_to(ROOT).as_posix(): path
        for path in (ROOT / "examples/prompts").rglob("*")
        if path.is_file()
    }
    for (protocol, name), text in read_prompts().items():
        path = folder / protocol / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        files[f"benchmarks/prompts/{protocol}/{name}.txt"] = path
    return {name: files[name] for name in sorted(files, key=Path)}


def fingerprint_judges(files: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Yield fingerprints of judges as users ask for them; keys and environment are left out."""
    models = (*OFFICIAL, LOCAL_ENDPOINT)
    options: list[dict[str, Any]] = [
        {}, {"structured": True}, {"logprobs": True}, {"seed": 7, "temperature": 0.5}, {"temperature": None},
        {"max_tokens": 256, "reasoning_effort": "low"}, {"prefill": "off"}, {"prefill": "on"}, {"rules_first": True},
        {"items_per_prompt": 8}, {"items_per_prompt": 8, "permute": 3}, {"concurrency": 2, "attempts": 2, "timeout": 9.0},
        {"via": "batch"}, {"hedge": True}, {"price": "1/2", "budget": 5.0},
    ]  # fmt: skip
    panels = [f"{models[0]},{models[1]}", f"rules,embedded,{models[2]}", "rules,embedded"]
    for protocol in PROTOCOLS:
        for judge in ("rules", "embedded"):
            yield fingerprint(judge, protocol, {})
        yield fingerprint("embedded", protocol, {"abstain": 0.8})
        for judge in models:
            for each in options:
                yield fingerprint(judge, protocol, each)
        for panel in panels:
            for combine in ("majority", "unanimous", "mean"):
                yield fingerprint(None, protocol, {"panel": panel, "combine": combine})
        yield fingerprint(None, protocol, {"panel": panels[0], "items_per_prompt": 4, "permute": 2})
    for name, path in files.items():
        for judge in models:
            yield fingerprint(judge, None, {"prompt": name}, path)


def fingerprint(
    judge: str | None, protocol: str | None, options: dict[str, Any], file: Path | None = None
) -> tuple[str, str]:
    """Return a judge as asked for, and its fingerprint, or that the request is refused; messages may change."""
    from karat import UsageError

    said = " ".join(f"{name}={value}" for name, value in options.items())
    given: Any = {name: str(file) if name == "prompt" else value for name, value in options.items()}
    try:
        request = build_request(None if judge == "embedded" else judge, protocol, given)
        told = plan_judge(request, {}, paying=False).fingerprint
    except UsageError:
        told = "refused"
    return " ".join(filter(None, (judge, protocol, said))), told


def render_prompts(items: Sequence[Item], files: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Yield hashes of prompts with items in them: built-in ones, and those of prompt files."""
    from karat import UsageError

    wordings = {f"built-in {name}": builtin_wording(known.name) for name, known in PROTOCOLS.items()}
    for name, path in files.items():
        try:
            wordings[name] = read_prompt_file(path).wording
        except UsageError:
            continue  # its refusal is among the fingerprints
    for name, wording in wordings.items():
        for count in (1, 3):
            if count > wording.most_items:
                continue
            for start in range(0, len(items), count):
                prompt = wording.render(tuple(items[start : start + count]))
                yield f"{name}, {count} from {start}", digest(msgspec.to_builtins(prompt))
    for name, protocol in PROTOCOLS.items():
        for count in (1, 3):
            told = [protocol.schema(count), protocol.reminder(count), protocol.example_reply(count)]
            yield f"reply contract of {name}, {count}", digest(told)


def compare_fingerprints() -> list[str]:
    """Return a line for each fingerprint that is not as committed."""
    known = json.loads((GOLDEN / "fingerprints.json").read_text(encoding="utf-8"))
    now = list_fingerprints()
    return [
        f"{kind} {name}: {known.get(kind, {}).get(name)} → {now.get(kind, {}).get(name)}"
        for kind in sorted({*known, *now})
        for name in sorted({*known.get(kind, {}), *now.get(kind, {})})
        if known.get(kind, {}).get(name) != now.get(kind, {}).get(name)
    ]


def compute(data: Path, threads: int) -> tuple[dict[str, list[Row]], dict[str, Result]]:
    sets = {**read_committed(), **read_data(data)}
    rows = [row for each in sets.values() for row in each]
    kinds = Counter(row.set.partition("/")[0] for row in rows)
    print(f"{len(rows):,} rows: {dict(kinds)}", file=sys.stderr)
    results = judge_rows(rows, make_judges(), threads)
    if not any(result.numbers["logit"] is not None for result in results):
        sys.exit("no call of the network was seen: watch_network no longer fits how karat calls it")
    return sets, {row.set + row.key: result for row, result in zip(rows, results, strict=True)}


def make(args: argparse.Namespace) -> int:
    sets, results = compute(args.data, args.threads)
    write_goldens(sets, results)
    write_record(RECORDS / f"{args.name}.jsonl.gz", sets, results)
    size = sum(path.stat().st_size for path in GOLDEN.iterdir() if path.is_file())
    print(f"{GOLDEN}: {size:,} bytes; {RECORDS / args.name}.jsonl.gz")
    return 0


def check(args: argparse.Namespace) -> int:
    other = compare_fingerprints()
    sets, results = compute(args.data, args.threads)
    write_record(RECORDS / f"{args.name}.jsonl.gz", sets, results)
    comparison = compare_sets(read_golden(), sets, results)
    print("\n".join(comparison.describe()))
    print(f"fingerprints: {len(other)} differ", *other[:20], sep="\n  ")
    return int(comparison.differs or bool(other))


def read_record(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {(row["set"], row["key"]): row for row in map(json.loads, lines)}


def is_right(aspect: str, value: bool | int, label: bool) -> bool:  # noqa: FBT001 - values, not switches
    said = bool(value) if JUDGED[aspect][1] == "match" else value >= PASSING
    return said == label


def name_change(aspect: str, old: list[Any], new: list[Any], label: bool | None) -> str:  # noqa: FBT001
    """Name what became of an outcome."""
    if old[0] != new[0]:
        return "newly decided" if new[0] == "judged" else "newly undecided"
    if old[0] == "unjudged" or old[1] == new[1]:
        return "same value"
    if label is None:
        return "other value, no label"
    before, after = is_right(aspect, old[1], label), is_right(aspect, new[1], label)
    return "other value, as right" if before == after else "won" if after else "lost"


def show_outcome(fields: list[Any]) -> str:
    status, value, decided_by, matched, reason, cause = fields
    return f"{value} by {decided_by} ({matched}; {reason})" if status == "judged" else f"{cause} ({reason})"


def diff(args: argparse.Namespace) -> int:
    old, new = read_record(args.old), read_record(args.new)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    shown = Counter[str]()
    for place in sorted(old.keys() & new.keys()):
        for aspect, change, line in list_changes(old[place], new[place]):
            totals[f"{place[0]} {aspect}"][change] += 1
            totals[f"all of {place[0].partition('/')[0]} {aspect}"][change] += 1
            shown[f"{place[0]} {aspect}"] += 1
            if shown[f"{place[0]} {aspect}"] <= args.most:
                print(f"{place[0]} {place[1]} {aspect}: {change}: {line}")
    print("\nTotals; people's sets, written rows and the audit bank are never added up")
    for name in sorted(totals):
        print(f"  {name}: {', '.join(f'{count} {change}' for change, count in totals[name].most_common())}")
    alone = len(old.keys() ^ new.keys())
    if alone:
        print(f"  {alone} rows are in one of the records only")
    if not totals:
        print("  no row changed")
    return int(bool(totals or alone))


def list_changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the aspects of a row that changed: the name, what became of it, and a line to read."""
    label = new["label"]
    for aspect in HASHED:
        before, after = old["values"].get(aspect), new["values"].get(aspect)
        if before == after:
            continue
        if aspect in JUDGED:
            change = name_change(aspect, before, after, label)
            near = ", near a threshold" if aspect in {*old["near"], *new["near"]} else ""
            yield aspect, change, f"{show_outcome(before)} → {show_outcome(after)} [label {label}{near}]"
        else:
            yield aspect, "changed", f"{before} → {after} [label {label}]" if aspect != "inputs" else "other"
    for aspect, most in TOLERANCES.items():
        before, after = old["numbers"].get(aspect), new["numbers"].get(aspect)
        if (before is None) != (after is None) or abs((after or 0) - (before or 0)) > most:
            yield aspect, "changed", f"{before} → {after} thousandths"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for run, name, text in (
        (make, "base", "write the goldens"),
        (check, "latest", "compare with the goldens"),
    ):
        command = commands.add_parser(run.__name__, help=text)
        command.add_argument("--data", type=Path, required=True, help="folder of NAME.PART.jsonl.gz")
        command.add_argument("--threads", type=int, default=2, help="rows that are judged at the same time")
        command.add_argument("--name", default=name, help="record to write in .cache/goldens")
        command.set_defaults(run=run)
    command = commands.add_parser("diff", help="list the rows that differ between two records")
    command.add_argument("old", type=Path)
    command.add_argument("new", type=Path)
    command.add_argument("--most", type=int, default=20, help="rows to list of each set and aspect")
    command.set_defaults(run=diff)
    args = parser.parse_args()
    sys.exit(args.run(args))


if __name__ == "__main__":
    main()

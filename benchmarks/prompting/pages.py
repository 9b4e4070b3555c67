"""Make the measured parts of docs/measurements/prompts.md and batch-size.md from the kept replies."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import plot
from msgspec import structs

from karat.core.types import ProtocolName
from karat.stats import Estimate
from prompting.figures import NAMES, Figures, Place, by_place, compute
from prompting.labelled import MADE
from prompting.said import Kept, alike
from prompting.tables import Line, compare, compare_made, compare_sets, level, place_table
from prompting.variants import name_versions, parse_seating

BASELINE = "first"
_MOST_PLACES = 8
_CHIEF = {
    "match": ("kappa", "specificity"),
    "equivalence": ("spearman", "error"),
    "keypoints": ("spearman", "error"),
}


def describe(lines: Sequence[Line], what: str) -> str:
    """What was measured, on what, when, and by which command."""
    one = lines[0].kept
    told = ", ".join(f"{name} {count}" for name, count in _count_rows(lines).items())
    dates = sorted({line.kept.date for line in lines})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    drawn = "right and wrong answers drawn evenly" if one.balance else "as the sets have them"
    return f"`{one.model}`, {one.split} data, {when}; rows: {told}, {drawn}; `{_command(lines, what)}`."


def _count_rows(lines: Sequence[Line]) -> Counter[str]:
    """The sets with the rows of each, which not every line need have."""
    counts = Counter[str]()
    for line in lines:
        counts |= Counter(row.set for row in line.kept.rows)
    return counts


def _command(lines: Sequence[Line], what: str) -> str:
    """The command that measures all of this, or the commands, one for each number of rows; made answers are taken whole."""
    one = lines[0].kept
    counts = _count_rows(lines)
    drawn = sorted({count for name, count in counts.items() if name != MADE}, reverse=True)
    commands = list[str]()
    for place, rows in enumerate(drawn or [0]):
        sets = [name for name, count in counts.items() if (not place if name == MADE else count == rows)]
        options = [f"--protocol {one.protocol}", what, f"--sets {' '.join(sets)}"]
        options += [f"--rows {rows}"] if rows else []
        options += [f"--split {one.split} --seed {one.seed}", *(["--balance"] if one.balance else [])]
        options += ["--logprobs"] if any(row.yes is not None for row in one.rows) else []
        commands.append(f"python benchmarks/prompts.py --data DIR --judge URL#MODEL {' '.join(options)}")
    return "`, then `".join(commands)


def prompts_part(kept: Sequence[Kept], model: Kept, folder: Path) -> str:
    """The wordings of a protocol side by side, in every seating that more than one was measured in, with a plot of the first."""
    names = name_versions(model.protocol)
    found = sorted(alike(kept, model), key=lambda each: _order(names.get(each.version, each.prompt)))
    counts = Counter(each.seating for each in found)
    compared = {seating for seating, count in counts.items() if count > 1} or set(counts)
    parts = list[str]()
    for seating in sorted(compared, key=lambda name: parse_seating(name).size or 99):
        given = [each for each in found if each.seating == seating]
        lines = level([Line(names.get(each.version, each.prompt), each) for each in given])
        prompts = [line.name.removesuffix(" (shipped)") for line in lines]
        what = f"--prompts {' '.join(prompts)} --sizes {seating}"
        parts += [
            f"{parse_seating(seating).describe()} per prompt; {describe(lines, what)}",
            "" if parts else _plot_prompts(lines, model.protocol, folder),
            compare("prompt", lines, model.protocol),
            compare_sets("prompt", lines, model.protocol),
            compare_made("prompt", lines),
        ]
    return "\n\n".join(part for part in parts if part)


def curve_part(kept: Sequence[Kept], model: Kept, folder: Path) -> str:
    """One wording at several seatings: agreement, lean and tokens, by place, and what the batch check found."""
    found = [each for each in alike(kept, model) if each.version == model.version]
    found.sort(key=lambda each: (parse_seating(each.seating).size or 99, parse_seating(each.seating).passes))
    every = [Line(parse_seating(each.seating).describe(), each) for each in found]
    lines, fewer = _split_by_rows(every)
    prompt = name_versions(model.protocol).get(model.version, model.prompt)
    parts = [
        describe(lines, f"--prompts {prompt.removesuffix(' (shipped)')} --curve"),
        _plot_curve(lines, folder),
        compare("items per prompt", lines, model.protocol),
        compare_sets("items per prompt", lines, model.protocol),
        compare_made("items per prompt", lines),
    ]
    if fewer:
        parts += [
            "On the rows that all of these lines have:",
            compare("items per prompt", fewer, model.protocol),
        ]
    for line in every:
        seating = parse_seating(line.kept.seating)
        table = place_table(line.kept, seating.size) if seating.size and seating.size > 1 else ""
        passes = f", every pass of `--permute {seating.passes}` by itself" if seating.passes > 1 else ""
        parts += [f"By place in batches of {seating.size}{passes}:", table] if table else []
    checks = [line.kept.check for line in lines if line.kept.check]
    if checks:
        parts += [
            "The batch check of `--items-per-prompt auto`:",
            "\n".join(f"- {one}" for one in checks[-1]),
        ]
    return "\n\n".join(part for part in parts if part)


def _split_by_rows(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The lines on the rows that all of one pass have; and those that lack some, beside one item per prompt and their own size."""
    if not all(line.made for line in lines):
        lines = [
            Line(name, structs.replace(kept, rows=tuple(Line(name, kept).human))) for name, kept in lines
        ]
    plain = level([line for line in lines if parse_seating(line.kept.seating).passes == 1] or lines)
    wanted = {row.key for row in plain[0].kept.rows}
    whole = [line for line in lines if wanted <= line.kept.by_key.keys()]
    sizes = {parse_seating(line.kept.seating).size for line in lines if line not in whole}
    beside = [line for line in lines if parse_seating(line.kept.seating).size in {1, *sizes}]
    return level(whole), level(beside) if sizes else []


def _order(name: str) -> tuple[bool, str]:
    return not name.startswith(BASELINE), name


def _plot_prompts(lines: Sequence[Line], protocol: ProtocolName, folder: Path) -> str:
    told = [(line.name, compute(line.human, protocol).numbers) for line in lines if line.human]
    parts, x = list[str](), 20
    for name in _CHIEF[protocol]:
        numbers = [(label, numbers.get(name)) for label, numbers in told]
        rows = [
            plot.Span(label, number.value, number.low, number.high, label.endswith("(shipped)"))
            for label, number in numbers
            if isinstance(number, Estimate)
        ]
        if rows:
            parts += plot.spans(x, 480, NAMES[name], rows)
            x += 500
    if not parts:
        return ""
    file = f"prompts-{protocol}.svg"
    height = 90 + 34 * len(lines)
    (folder / file).write_text(
        plot.document(x, height, f"The wordings of {protocol}", parts), encoding="utf-8"
    )
    return f"![The wordings of {protocol}]({file})"


def _plot_curve(lines: Sequence[Line], folder: Path) -> str:
    """Kappa and the rate of Yes by size; tokens by size, and the rate of Yes by place in batches of eight or fewer."""
    seated = [(parse_seating(line.kept.seating), line) for line in lines if line.human]
    plain = [(seating.size, line) for seating, line in seated if seating.size and seating.passes == 1]
    if len(plain) < 2:
        return ""
    told = [(float(size), compute(line.human, "match")) for size, line in plain]
    across = "items per prompt (logarithmic)"
    people = told[0][1].numbers["people"]
    limit = people.value if isinstance(people, Estimate) else None
    tokens = [(size, figures.input_tokens) for size, figures in told]
    agreement = [
        plot.Panel("Agreement with people", [_line("kappa", told, "kappa")], across=across),
        plot.Panel("How often it says Yes", [_line("judge", told, "yes")], limit, "people", across),
    ]
    cost = [plot.Panel("Tokens read per item", [plot.Line("cached ones too", tokens)], across=across)]
    size, line = max(
        (one for one in plain if one[0] <= _MOST_PLACES), key=lambda one: one[0], default=plain[0]
    )
    places = [(float(place.first), place) for place in by_place(line.human, size)]
    if len(places) > 1:
        title = f"Says Yes, by place in batches of {size}"
        cost.append(plot.Panel(title, [_line("judge", places, "yes")], across="place", linear=True))
    return "\n\n".join(
        (
            _draw("Agreement and rate of Yes by items per prompt", "batch-size.svg", agreement, folder),
            _draw(
                "Tokens by items per prompt, and rate of Yes by place", "batch-size-places.svg", cost, folder
            ),
        )
    )


def _draw(title: str, file: str, panels: Sequence[plot.Panel], folder: Path) -> str:
    parts = [part for at, panel in enumerate(panels) for part in plot.lines(20 + 420 * at, 400, 320, panel)]
    (folder / file).write_text(plot.document(20 + 420 * len(panels), 330, title, parts), encoding="utf-8")
    return f"![{title}](../pictures/{file})"


def _line(label: str, told: Sequence[tuple[float, Figures | Place]], name: str) -> plot.Line:
    numbers = [(at, figures.numbers[name]) for at, figures in told]
    known = [(at, number) for at, number in numbers if isinstance(number, Estimate)]
    points = [(at, number.value) for at, number in known]
    return plot.Line(label, points, [(number.low, number.high) for _, number in known])

"""`karat prices`: what is known of what models cost."""

from karat.cli.output import print_json, print_text
from karat.judges import Plan
from karat.run import Forecast, Range, Takes


def prices() -> None:
    """List the prices that costs and budgets are reckoned with."""
    from karat.cli.output import show
    from karat.models import AS_OF, PRICES
    from karat.report.terminal.tables import list_table

    rows = [
        (judge, f"{price.input:g}", f"{price.output:g}", f"{price.cached:g}")
        for judge, price in PRICES.items()
    ]
    show(list_table(("judge", "input", "output", "cached input"), rows))
    show(f"dollars per million tokens, as published on {AS_OF}; --price IN/OUT/CACHED wins")


def show_forecast(found: Forecast, plan: Plan, *, as_json: bool) -> None:
    """Print what a run on this machine would take."""
    if as_json:
        print_json(found)
        return
    head = f"{found.rows:,} rows: {found.known:,} repeats or known from before"
    if plan.endpoint is None:
        print_text(f"{head}; the judge {plan.name} makes no calls; nothing was judged\n")
        return
    print_text(f"{head}, {found.decided:,} decided without a call\n")
    show_takes(found.takes)
    items = f"{found.items_per_prompt} item{'' if found.items_per_prompt == 1 else 's'}"
    checked = " if the batch check finds that safe; the check itself is counted" if found.checks else ""
    print_text(f"expected with {items} per prompt{checked}\n")
    if found.budget_left_usd is not None:
        print_text(f"the budget has ${found.budget_left_usd:,.4f} left; the run stops when it is used up\n")
    print_text("nothing was sent\n")


def show_takes(takes: Takes) -> None:
    """Print a small table."""
    from rich.table import Table

    from karat.cli.output import show

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    for heading in ("at least", "expected", "at most"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, figures in (
        ("calls", takes.calls),
        ("tokens in", takes.input_tokens),
        ("tokens out", takes.output_tokens),
    ):
        table.add_row(name, *(f"{figure:,.0f}" for figure in _list(figures)))
    if takes.cost_usd is None:
        table.add_row("cost", *["unknown"] * 3)
    else:
        table.add_row("cost", *(f"${figure:,.4f}" for figure in _list(takes.cost_usd)))
    show(table)
    if takes.cost_usd is None:
        print_text("give --price IN/OUT to know the cost\n")


def _list(figures: Range) -> tuple[float, float, float]:
    return figures.least, figures.expected, figures.most

"""`karat prices`: list the known prices of models."""


def prices() -> None:
    """List the prices that are used for costs and budgets."""
    from karat.cli.console import show
    from karat.models import AS_OF, PRICES
    from karat.report.terminal.tables import list_table

    rows = [
        (judge, f"{price.input:g}", f"{price.output:g}", f"{price.cached:g}")
        for judge, price in PRICES.items()
    ]
    show(list_table(("judge", "input", "output", "cached input"), rows))
    show(f"dollars per million tokens, as published on {AS_OF}; --price IN/OUT/CACHED overrides them")

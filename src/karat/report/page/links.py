"""Links from a figure to the rows behind it."""

from collections.abc import Mapping
from urllib.parse import urlencode


def items_link(run: int, filters: Mapping[str, str]) -> str:
    """The item browser with these filters set, named as its address names them."""
    return f"#items?{urlencode({**({'run': str(run)} if run else {}), **filters})}"

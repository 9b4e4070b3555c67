"""HTML from templates: every value is escaped, and invisible characters are shown by name.

Template names are those of the files in templates/. Their line breaks and indentation are removed
from the page.
"""

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from karat.core.messages import name_invisible
from karat.report.format import (
    count,
    show_number,
    show_paid,
    show_percent,
    show_plain,
    show_tokens,
    show_value,
)
from karat.report.page.charts import explain
from karat.stats import Estimate, Undefined


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the text itself, which tells the template not to escape it."""
        return self


def render(template: str, /, **values: object) -> Markup:
    """Fill in a template."""
    return Markup(_environment().render_template(template, **values))


def render_text(source: str, /, **values: object) -> Markup:
    """Fill in a template that is given as text; it can use the others."""
    return Markup(_environment().render_str(_tighten(source), "text.html", **values))


@cache
def _environment() -> Any:  # noqa: ANN401 - minijinja's own, imported only where a page is made
    from minijinja import Environment

    return Environment(
        loader=_load,
        finalizer=_escape,
        debug=False,
        undefined_behavior="strict",
        filters={
            "clip": _clip,
            "count": count,
            "digits": format,
            "explain": _explain,
            "show_paid": show_paid,
            "show_percent": show_percent,
            "show_tokens": show_tokens,
            "show_value": show_value,
            "thousands": _thousands,
        },
        tests={
            "estimate": _is_estimate,
            "undefined_number": _is_undefined,
        },
        globals={"show_number": show_number, "show_plain": show_plain},
    )


def _load(name: str) -> str:
    return _tighten(files("karat.report.page").joinpath("templates", name).read_text(encoding="utf-8"))


def _tighten(source: str) -> str:
    """Turn line breaks and indentation between tags into comments: nothing is shown, and line numbers in errors stay right."""
    breaks = r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])"
    return re.sub(breaks, lambda found: "{#" + "\n" * found[0].count("\n") + "#}", source)


def _thousands(number: int) -> str:
    return f"{number:,}"


def _is_estimate(value: object) -> bool:
    return isinstance(value, Estimate)


def _is_undefined(value: object) -> bool:
    return isinstance(value, Undefined)


def _clip(text: str, most: int) -> str:
    """Return a text on one line, cut if it is too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def _explain(values: Iterable[Any], *names: str) -> str:
    """Explain why these attributes of some values are not defined; empty if all are."""
    return explain(getattr(value, name) for value in values for name in names)


def _escape(value: Any) -> str:  # noqa: ANN401 - any value in a template
    if hasattr(value, "__html__"):
        return value
    return Markup("" if value is None else escape(name_invisible(str(value))))

"""The report as one HTML file."""

from karat.report.page.write import make_page

__all__ = ["make_page"]

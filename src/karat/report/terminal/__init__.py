"""Summaries, agreement and comparisons as tables on a terminal."""

"""Grading on a Ray cluster: the same judges over blocks of input, with verdict files instead of a store."""

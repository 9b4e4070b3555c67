"""What `benchmarks/prompts.py` is made of: rows, variants, what was said of the rows, figures and pages."""

"""Read and compare numbers, units, dates and figures."""

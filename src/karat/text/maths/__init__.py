"""Read and compare mathematical expressions."""

"""The families of probes, each made from rows with a right and a wrong answer."""

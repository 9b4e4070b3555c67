"""The goldens are computed by a script of benchmarks, so that folder is on the path."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

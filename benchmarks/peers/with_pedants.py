"""PEDANTS over rows on standard input, one score each; run by benchmarks/judges.py --pedants in an environment of its own.

The package fetches its model files when constructed; offline that fails quietly, and the files laid beside it before are read.
"""

import json
import shutil
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path


def main() -> None:
    """Lay the model files beside the package, read rows, print the scores and the rows a second."""
    with redirect_stdout(sys.stderr):  # the package prints while it loads
        import qa_metrics

        place = Path(qa_metrics.__file__).parent / "classifier"
        place.mkdir(exist_ok=True)
        for file in Path(sys.argv[1]).glob("*.pkl"):
            shutil.copy(file, place)
        from qa_metrics.pedant import PEDANT

        judge = PEDANT()
        rows = [json.loads(line) for line in sys.stdin]
        begin = time.perf_counter()
        said = [float(judge.evaluate(row["references"], row["answer"], row["question"])) for row in rows]
        rate = len(rows) / (time.perf_counter() - begin)
    json.dump({"said": said, "rate": rate}, sys.stdout)


if __name__ == "__main__":
    main()

"""Write the words of the training explanations into the card; the judge is less sure of explanations in which few of them occur.

python -m training.familiar --work WORK --card src/karat/embedded/weights/card.json
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from karat.embedded.confidence import Familiarity, list_content_words
from training.rows import Encoded
from training.train import read

EXPLAINED = ("beetle", "scientsbank", "saf_en", "saf_de")
LOW, HIGH, LEAST = 0.4, 0.6, 0.5
BRIEF, LONG = 5, 10
"""Below a share LOW of known words half of the logit is kept, from HIGH on all of it, for references of LONG words and more. Below .6 the probabilities of left-out sets were .06 to .36 too high, above it .05."""


def gather(train: Sequence[Encoded], without: str = "") -> Familiarity:
    """Return the words of the train rows, without those of one set."""
    texts = {
        text
        for each in train
        if each.row.kind in EXPLAINED and each.row.kind != without
        for text in (each.row.question or "", *each.row.references)
    }
    words = sorted({word for text in texts for word in list_content_words(text)})
    return Familiarity(" ".join(words), LOW, HIGH, LEAST, BRIEF, LONG)


def main(work: Path, card: Path) -> None:
    """Write the words into the card beside the weights."""
    found = gather(read(work, "train"))
    known = json.loads(card.read_text())
    known["familiar"] = {name: getattr(found, name) for name in found.__struct_fields__}
    card.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(found.words.split())} familiar words")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--card", type=Path, required=True, help="card.json beside the exported weights")
    given = asked.parse_args()
    main(given.work, given.card)

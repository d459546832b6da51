"""What each feature of a passage weighs. Written by `--only gold-passages --fit`."""

from collections.abc import Mapping

PASSAGE_WEIGHTS: Mapping[str, float] = {
    "words": 1.85,
    "document": 1.22,
    "meaning": 2.45,
    "score": 2.39,
    "rank": -1.69,
    "beside": 0.93,
    "place": -1.67,
    "beginning": -1.57,
    "window": 2.59,
    "together": 2.41,
    "has kind": 0.74,
}

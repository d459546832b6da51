"""Cosines and differing signs as the engine counts them, by its own scripting language (Painless).

Every distribution of the engine has that; no plugin is needed, and cosines are those of a database
here. A question's numbers are sent as whole numbers in the letters of a text, since the language
reads those without making an object of each: no number is off by more than half of a 16,383rd of
the largest, a hundredth of what keeping the vectors in bytes costs.
https://docs.opensearch.org/2.19/query-dsl/specialized/script-score/
"""

from typing import TYPE_CHECKING

import numpy as np

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.vector_blobs import SCALE_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

VECTOR, SIGNS = "vector", "signs"
"""Fields of a passage: what `store.vector_blobs` makes of its vector, and a bit for each number."""

_LARGEST = 16_383
"""Of a number of the question: with twice as many, no letter is half of a pair."""

_TOGETHER = 8
"""Products that are added in one step of a loop, which the language counts each."""

_COSINE = f"""
def read = doc['{VECTOR}'].value;
byte[] row = read.bytes; String question = params.question;
int first = read.offset; int at = first + {SCALE_BYTES}; int count = question.length(); int n = 0;
long sum = 0L;
for (; n + {_TOGETHER} <= count; n += {_TOGETHER}) {{
  sum += {
    " + ".join(
        f"(question.charAt(n + {k}) - {_LARGEST}) * row[at + n + {k}]" for k in range(_TOGETHER)
    )
};
}}
for (; n < count; n++) {{ sum += (question.charAt(n) - {_LARGEST}) * row[at + n]; }}
float scale = Float.intBitsToFloat((row[first] & 255) | ((row[first + 1] & 255) << 8)
  | ((row[first + 2] & 255) << 16) | ((row[first + 3] & 255) << 24));
return Math.max(0.0, 1.0 + sum * params.step * scale);
"""

_ALIKE = f"""
def read = doc['{SIGNS}'].value;
byte[] row = read.bytes; String question = params.question;
int at = read.offset; int count = question.length(); int differing = 0;
for (int n = 0; n < count; n++) {{
  differing += Integer.bitCount((question.charAt(n) ^ row[at + n]) & 255);
}}
return 8 * count - differing;
"""


def by_cosine(condition: Json, vector: "NDArray[np.float32]") -> Json:
    """Score what holds a condition by its cosine with a vector of length 1, and 1 added to it."""
    step = float(np.abs(vector).max()) / _LARGEST or 1.0
    numbers = np.rint(vector.astype(np.float64) / step).astype(int) + _LARGEST
    return _scored(condition, _COSINE, question="".join(map(chr, numbers.tolist())), step=step)


def by_signs(condition: Json, vector: "NDArray[np.float32]") -> Json:
    """Score what holds a condition by how many signs it shares with a vector."""
    return _scored(condition, _ALIKE, question="".join(map(chr, _packed(vector > 0))))


def cosine_of(score: float) -> float:
    """Read the cosine of a score of `by_cosine`."""
    return score - 1.0


def signs_of(blob: bytes) -> bytes:
    """Give a bit for each number of a vector that is kept so: whether it is above zero."""
    return _packed(np.frombuffer(blob, np.int8, offset=SCALE_BYTES) > 0)


def _packed(are_above: "NDArray[np.bool_]") -> bytes:
    return np.packbits(are_above).tobytes()


def _scored(condition: Json, source: str, **params: object) -> Json:
    script = {"source": source, "params": params}
    return {"script_score": {"query": condition, "script": script}}

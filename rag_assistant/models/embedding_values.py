"""What an embedding model is sent, and rows of length 1 of what it gives."""

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rag_assistant.config import EmbedderSettings
from rag_assistant.text.safe_text import clean_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def named(model: str, settings: EmbedderSettings) -> str:
    """Name a model so that vectors made differently have different names."""
    prefix = settings.passage_prefix.strip()
    return clean_line(f"{model} with {prefix!r}" if prefix else model)


def prepared(texts: Sequence[str], settings: EmbedderSettings) -> list[str]:
    """Put the model's prefix before passages and cut them to the length that is sent."""
    return [_legal(settings.passage_prefix + text[: settings.max_characters]) for text in texts]


def question(text: str, settings: EmbedderSettings) -> str:
    """Put the model's prefix before a question, which is never blank after this."""
    return _legal(settings.query_prefix + (text[: settings.max_characters].strip() or "?"))


def _legal(text: str) -> str:
    """Replace halves of surrogate pairs, which neither JSON in UTF-8 nor a tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def decoded(body: object, count: int) -> "NDArray[np.float32]":
    """Read the reply to `count` texts into rows of length 1. Raises ValueError with the fault.

    Vectors may be lists of numbers or the base64 of little-endian float32, and may come in any
    order if they are numbered. Source: https://platform.openai.com/docs/api-reference/embeddings
    """
    import numpy as np  # noqa: PLC0415 - see above

    items = body.get("data") if isinstance(body, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError("the reply is not of the form that embeddings have")
    if len(items) != count:
        raise ValueError(f"{len(items)} for {count} texts")
    numbers = [item.get("index") for item in items]
    if all(type(number) is int for number in numbers) and len(set(numbers)) == count:
        items = sorted(items, key=lambda item: item["index"])
    rows = [_row(item.get("embedding")) for item in items]
    if len({len(row) for row in rows}) != 1 or not len(rows[0]):
        raise ValueError("they are of different lengths, or empty")
    return unit_rows(np.stack(rows))


def _row(embedding: Any) -> "NDArray[np.float32]":
    import numpy as np  # noqa: PLC0415 - see above

    if isinstance(embedding, str):
        try:
            return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
        except binascii.Error:
            raise ValueError("one is not base64") from None
    if not isinstance(embedding, list) or any(type(n) not in (int, float) for n in embedding):
        raise ValueError("one is not a list of numbers")
    try:
        return np.array(embedding, np.float64).astype(np.float32)
    except OverflowError:
        raise ValueError("one holds a number out of range") from None


def unit_rows(rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Bring rows to length 1. Raises ValueError where one has no direction: NaN, inf, all 0."""
    import numpy as np  # noqa: PLC0415 - see above

    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError("one holds numbers that are none, or only zeros")
    scaled: NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return scaled

"""All readers of secrets together: what any of them finds in a text."""

from rag_assistant.egress.secrets.blocks import blocks
from rag_assistant.egress.secrets.cards import cards
from rag_assistant.egress.secrets.labelled import labelled
from rag_assistant.egress.secrets.labels import labels
from rag_assistant.egress.secrets.scanning import formatted
from rag_assistant.egress.secrets.spans import SecretSpan, without_overlaps
from rag_assistant.egress.secrets.tables import tabled
from rag_assistant.egress.secrets.wires import wired


def secret_spans(text: str) -> list[SecretSpan]:
    """Find the secrets of a text, in their order, none within another."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capitals have two small letters
        lowered = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    found = list(labels(text, lowered))
    return without_overlaps(
        [
            *blocks(text, lowered),
            *formatted(text),
            *wired(text, lowered),
            *cards(text),
            *labelled(text, found),
            *tabled(text, found),
        ]
    )

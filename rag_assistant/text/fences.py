"""Untrusted text fenced in a prompt, so that models and our own code can tell it apart.

Every message draws its own random boundary, which no document can know beforehand; a fence is

    <<<KIND BOUNDARY {"attribute": "value"}
    the text
    BOUNDARY>>>
"""

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from rag_assistant.values.documents import HIDDEN

OMISSION = "[passages left out here]"
"""Stands in a fenced entry where parts of its text were left out."""

KEPT_OUT = "[a passage is hidden here: it reads like instructions to an assistant]"
"""Stands in a prompt in place of words of a document that may be meant for the model."""

UNSEEN = "[words are hidden here: a reader of the document cannot see them]"
"""Stands in a prompt in place of words that a document hides from its readers."""


def mark_of(kind: str) -> str:
    """Give the line that stands in a prompt for a hidden span, by the kind of its suspicion."""
    return UNSEEN if kind == HIDDEN else KEPT_OUT


GAPS = (OMISSION, KEPT_OUT, UNSEEN)
"""What stands in a fenced entry and is not its text."""

_OPENING = re.compile(r"^<<<([a-z]+) ([0-9a-f]{16}) (\{.*\})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fenced:
    """A piece of text read back out of its fence."""

    kind: str
    attributes: Mapping[str, str]
    text: str


def new_boundary() -> str:
    """Draw a boundary: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def kept_boundary(secret: bytes, *texts: str) -> str:
    """Give the boundary of texts that are sent again and again: the same for the same ones.

    So a server can use what it has read of a conversation again; yet without `secret`, which is
    drawn for each model, no text can know its own.
    """
    return blake2b(json.dumps(texts).encode(), key=secret, digest_size=8).hexdigest()


def fence(kind: str, text: str, *, boundary: str, attributes: Mapping[str, str]) -> str:
    """Write `text` in a fence. `kind` is a lower-case word.

    Should the text, against all odds, have the boundary in it, it is broken there.
    """
    told = json.dumps(dict(attributes)).replace(boundary, _broken(boundary))
    inside = text.replace(boundary, _broken(boundary))
    return f"<<<{kind} {boundary} {told}\n{inside}\n{boundary}>>>"


def _broken(boundary: str) -> str:
    return f"{boundary[:8]}-{boundary[8:]}"


def read_fences(message: str) -> list[Fenced]:
    """Read the fences of a message in order. The first boundary met is the message's own.

    Whoever writes a message fences everything untrusted in it, so nothing untrusted stands before
    the first fence.
    """
    found: list[Fenced] = []
    boundary = ""
    position = 0
    while opening := _OPENING.search(message, position):
        boundary = boundary or opening[2]
        end = message.find(f"\n{boundary}>>>", opening.end())
        if opening[2] != boundary or end < 0:
            position = opening.end()
            continue
        text = message[opening.end() + 1 : end]
        found.append(Fenced(opening[1], json.loads(opening[3]), text))
        position = end
    return found

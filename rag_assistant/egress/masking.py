"""Secrets taken out of what is sent: each is replaced by a mark that tells its kind and a number.

The same secret has the same number for as long as one masker is used, so that a model can still
tell two apart, and what was sent before is sent again to the letter.
"""

import re
from collections.abc import Mapping
from typing import Any

from rag_assistant.egress.secret_formats import secret_spans

MARK = re.compile(r"\[masked: [A-Za-z ]{1,24} (?P<number>\d{1,6})\]")
"""What stands in place of a secret."""

_NO_TEXT = frozenset(
    {"model", "type", "role", "id", "call_id", "tool_call_id", "name", "encrypted_content"}
)
"""Keys of a request whose values are the protocol's own and go as they are."""


class Masker:
    """Masks texts. `count` is how many different secrets it met; keep it for one run."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def count(self) -> int:
        """How many different secrets were masked so far."""
        return len(self._numbers)

    def masked(self, text: str, met: set[int] | None = None) -> str:
        """Give a text without its secrets, whose numbers are added to `met`."""
        spans = secret_spans(text)
        if not spans:
            return text
        parts: list[str] = []
        end = 0
        for span in spans:
            secret = text[span.start : span.end]
            number = self._numbers.setdefault(secret, len(self._numbers) + 1)
            if met is not None:
                met.add(number)
            parts += [text[end : span.start], f"[masked: {span.name} {number}]"]
            end = span.end
        return "".join([*parts, text[end:]])

    def restored(self, written: str, text: str) -> str:
        """Give what a model wrote of a text that it was sent masked, with the text's own secrets in
        place of their marks. A mark of a secret that is not in the text stays."""
        if not self._numbers or "[masked: " not in written:
            return written
        secrets = {number: secret for secret, number in self._numbers.items() if secret in text}

        def put_back(mark: re.Match[str]) -> str:
            return secrets.get(int(mark["number"]), mark[0])

        return MARK.sub(put_back, written)


class MaskedBody:
    """The JSON of a request without the secrets of its texts.

    Names, roles and pictures of the protocol go as they are. `characters` are those of the texts,
    `secrets` how many different ones were taken out.
    """

    def __init__(self, body: Any, masker: Masker) -> None:
        self.characters = 0
        self._masker = masker
        self._met: set[int] = set()
        self.body = self._masked(body)

    @property
    def secrets(self) -> int:
        """How many different secrets were taken out."""
        return len(self._met)

    def _masked(self, value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            if key in _NO_TEXT or value.startswith("data:"):
                return value
            text = self._masker.masked(value, self._met)
            self.characters += len(text)
            return text
        if isinstance(value, Mapping):
            return {name: self._masked(inner, name) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._masked(inner, key) for inner in value]
        return value

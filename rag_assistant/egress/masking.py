"""Secrets taken out of what is sent: each is replaced by a mark that tells its kind and a number.

The same secret has the same number for as long as one masker is used, so that a model can still
tell two apart, and what was sent before is sent again to the letter.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rag_assistant.egress.own_fields import NO_FIELDS, OwnFields, Path
from rag_assistant.egress.secrets.finding import secret_spans
from rag_assistant.egress.secrets.known import KnownSecrets
from rag_assistant.egress.secrets.labels import labels
from rag_assistant.egress.secrets.spans import SecretSpan, without_overlaps

MARK = re.compile(r"\[masked: [A-Za-z ]{1,24} (?P<number>\d{1,6})\]")
"""What stands in place of a secret."""

_PICTURE = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/]*={0,2}")
"""A picture within a request (RFC 2397)."""

_SHORTEST_AGAIN = 8
"""Characters of a secret that is looked for again, without what told it: shorter ones are words or
numbers that mean something else elsewhere."""

_MOST_AGAIN = 1000

_SHORTEST_NUMBER = 10**12
"""A number as long as those of cards."""


class Masker:
    """Masks texts. `count` is how many different secrets it met; keep it for one run."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def count(self) -> int:
        """How many different secrets were masked so far."""
        return len(self._numbers)

    def masked(
        self,
        text: str,
        met: set[int] | None = None,
        known: KnownSecrets | None = None,
        label: str = "",
    ) -> str:
        """Give a text without its secrets, whose numbers are added to `met`.

        Those that are `known` are looked for as well; `label` is the key that it is the value of.
        """
        spans = _spans_after(label, text)
        if known:
            spans = without_overlaps([*spans, *known.spans(text)])
        if spans or self._numbers:
            spans = without_overlaps([*spans, *self._again(text, spans)])
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

    def _again(self, text: str, spans: list[SecretSpan]) -> Iterator[SecretSpan]:
        """Find what was told to be secret here or before, where nothing tells it."""
        names = {text[span.start : span.end]: span.name for span in spans}
        for secret in [*names, *self._numbers][:_MOST_AGAIN]:
            if len(secret) < _SHORTEST_AGAIN or secret.isalpha():
                continue
            at = text.find(secret)
            while at >= 0:
                yield SecretSpan(names.get(secret, "secret"), at, at + len(secret))
                at = text.find(secret, at + len(secret))

    def restored(self, written: str, text: str) -> str:
        """Give what a model wrote of a text that it was sent masked, with the text's own secrets in
        place of their marks. A mark of a secret that is not in the text stays."""
        if not self._numbers or "[masked: " not in written:
            return written
        secrets = {number: secret for secret, number in self._numbers.items() if secret in text}

        def put_back(mark: re.Match[str]) -> str:
            return secrets.get(int(mark["number"]), mark[0])

        return MARK.sub(put_back, written)


@lru_cache(maxsize=1024)
def _is_label(key: str) -> bool:
    return any(labels(key, key.lower()))


def _spans_after(label: str, text: str) -> list[SecretSpan]:
    """Find the secrets of a text that stands behind a label, if behind any."""
    if not label or not _is_label(label):
        return secret_spans(text)
    before = f"{label}: "
    spans = (
        SecretSpan(span.name, max(0, span.start - len(before)), span.end - len(before))
        for span in secret_spans(before + text)
    )
    return [span for span in spans if span.end > 0]


class MaskedBody:
    """The JSON of a request without the secrets of its texts.

    All of it is text but for the protocol's `own` fields. `characters` are those of the texts,
    `secrets` how many different ones were taken out.
    """

    def __init__(
        self,
        body: Any,
        masker: Masker,
        known: KnownSecrets | None = None,
        own: OwnFields = NO_FIELDS,
    ) -> None:
        self.characters = 0
        self._masker = masker
        self._known = known
        self._own = own
        self._met: set[int] = set()
        self.body = self._masked(body, ())

    @property
    def secrets(self) -> int:
        """How many different secrets were taken out."""
        return len(self._met)

    def _masked(self, value: Any, path: Path) -> Any:
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, Mapping):
            return {
                self._masker.masked(name, self._met, self._known): self._masked(
                    inner, (*path, name)
                )
                for name, inner in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._masked(inner, (*path, "*")) for inner in value]
        if type(value) is int and value >= _SHORTEST_NUMBER:
            masked = self._masker.masked(str(value), self._met, self._known)
            return value if masked == str(value) else masked
        return value

    def _text(self, value: str, path: Path) -> str:
        if path in self._own.names:
            return value
        if path in self._own.pictures and _PICTURE.fullmatch(value):
            return value
        label = next((key for key in reversed(path) if key != "*"), "")
        text = self._masker.masked(value, self._met, self._known, label)
        self.characters += len(text)
        return text

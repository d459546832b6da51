"""Secrets that the whole text of an entry shows, looked for in what is sent of it.

A passage of the middle of a key has neither edge, and a row of a table no head. What an entry holds
is decided on all of its text; here its secrets are found again in any part that was cut out of it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag_assistant.egress.secrets.finding import secret_spans
from rag_assistant.egress.secrets.spans import SecretSpan

LONGEST_TEXT = 4_000_000
"""Characters of an entry that are looked at."""

MOST_SECRETS = 5_000
"""Secrets of an entry that are looked for in its parts."""

_SHORTEST = 8
"""Characters of a secret, or of a part of one, that is found again."""

_RUN = re.compile(r"[A-Za-z0-9+/=_.-]{8,}")
_BETWEEN = re.compile(r"(?:\\[nr]|[\s>|\"',])*")


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret of an entry: what it is, and its characters."""

    name: str
    text: str


def secrets_of(text: str) -> tuple[Secret, ...]:
    """Give the secrets of an entry's whole text that are long enough to be found again."""
    found: dict[str, Secret] = {}
    for span in secret_spans(text[:LONGEST_TEXT]):
        secret = text[span.start : span.end]
        if len(secret) >= _SHORTEST and not secret.isalpha() and len(found) < MOST_SECRETS:
            found.setdefault(secret, Secret(span.name, secret))
    return tuple(found.values())


class KnownSecrets:
    """Finds given secrets, and parts of them, in a text."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        listed = list(secrets)
        self._whole = listed
        self._names: list[tuple[int, str]] = []
        self._joined = ""
        for secret in listed:
            self._names.append((len(self._joined), secret.name))
            self._joined += secret.text + "\n"

    def spans(self, text: str) -> Iterator[SecretSpan]:
        """Find what stands in a text of the secrets; parts of one with nothing between are one."""
        for secret in self._whole:
            at = text.find(secret.text)
            while at >= 0:
                yield SecretSpan(secret.name, at, at + len(secret.text))
                at = text.find(secret.text, at + len(secret.text))
        if not self._joined:
            return
        open_span: SecretSpan | None = None
        for run in _RUN.finditer(text):
            name = self._name_of(run[0].strip(".-"))
            if not name:
                continue
            if open_span and _BETWEEN.fullmatch(text, open_span.end, run.start()):
                open_span = SecretSpan(open_span.name, open_span.start, run.end())
                continue
            if open_span:
                yield open_span
            open_span = SecretSpan(name, *run.span())
        if open_span:
            yield open_span

    def _name_of(self, run: str) -> str:
        """Give what a run of characters is a part of; empty where of nothing, or where it is a word
        that might stand anywhere."""
        if len(run) < _SHORTEST or (run.isalpha() and len(run) < 2 * _SHORTEST):
            return ""
        at = self._joined.find(run)
        if at < 0:
            return ""
        return next(name for start, name in reversed(self._names) if start <= at)

"""Keys and tokens found in a text by the forms that tell them."""

import re
from collections.abc import Iterator

from rag_assistant.egress.secrets.formats import END, FORMS, INNER, LONG_FORMS, START, SecretFormat
from rag_assistant.egress.secrets.spans import SecretSpan

_INNER_BEFORE, _INNER_AFTER = 100, 400
"""Characters before and after a sign within."""

_BEGINNINGS: dict[str, list[tuple[str, SecretFormat]]] = {}
for _form in FORMS:
    for _prefix in _form.prefixes:
        _BEGINNINGS.setdefault(_prefix[:2], []).append((_prefix, _form))

_INNER_FORMS = tuple((name, sign, re.compile(START + body + END)) for name, sign, body in INNER)
_BEGINNING = re.compile(START + r"[A-Za-z0-9${][A-Za-z0-9./_$S-]")
_LONG_BEGINNING = re.compile(START + r"[5KLc9xyztuvnSMNO]")

_SHORTEST = 16
"""Characters of the shortest form: shorter words, which most are, are passed over at once."""
_LONG = 50


def _no_word() -> re.Pattern[str]:
    """What ordinary words lack and any form has: a digit, a hyphen, or else its own prefix."""
    plain = (prefix for form in FORMS for prefix in form.prefixes if not _DIGIT.search(prefix))
    return re.compile("|".join((_DIGIT.pattern, r"_\w{15}", *map(re.escape, plain))))


_DIGIT = re.compile("[0-9-]")
_NO_WORD = _no_word()


def formatted(text: str) -> Iterator[SecretSpan]:
    """Find what has the form of a key or token."""
    words = [word for word in text.split() if len(word) >= _SHORTEST and _NO_WORD.search(word)]
    at = 0
    for word in words:
        at = text.index(word, at)
        yield from _beginning_in(text, at, at + len(word))
        at += len(word)
    if words:
        yield from _around_signs(text, " ".join(words))


def _beginning_in(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find forms in one word, wherever a part of it begins."""
    for beginning in _BEGINNING.finditer(text, start, end):
        at = beginning.start()
        for prefix, form in _BEGINNINGS.get(beginning[0], ()):
            rest = text.startswith(prefix, at) and form.rest.match(text, at + len(prefix), end)
            if rest and (form.check is None or form.check(rest[0])):
                yield SecretSpan(form.name, at, rest.end())
                break
    if end - start < _LONG:
        return
    for beginning in _LONG_BEGINNING.finditer(text, start, end):
        for form in LONG_FORMS:
            match = form.rest.match(text, beginning.start(), end)
            if match and (form.check is None or form.check(match[0])):
                yield SecretSpan(form.name, *match.span())


def _around_signs(text: str, long_words: str) -> Iterator[SecretSpan]:
    for name, sign, pattern in _INNER_FORMS:
        if sign not in long_words:
            continue
        at = text.find(sign)
        while at >= 0:
            around = max(0, at - _INNER_BEFORE), at + _INNER_AFTER
            for match in pattern.finditer(text, *around):
                if match.start() <= at < match.end():
                    yield SecretSpan(name, *match.span())
            at = text.find(sign, at + len(sign))

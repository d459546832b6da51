"""Writes texts as records, mails, notebooks, subtitles and feeds: a record for each of their parts.

What a format says besides the text, such as the time of an event, is given with the words that it
is shown with.
"""

import base64
import html
import json
import quopri
from collections.abc import Iterable

from scripts.benchmarks.ingest.known_files.texts import KnownText

_SENT = "Mon, 5 Jan 2026 10:00:00 +0000"


def as_vcard(text: KnownText) -> bytes:
    """Write a contact for each part, its words the note."""
    cards = (
        f"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:{_escaped(part.title)}\r\n"
        f"NOTE:{_escaped(' '.join(part.words))}\r\nEND:VCARD\r\n"
        for part in text.parts()
    )
    return "".join(cards).encode()


def as_calendar(text: KnownText) -> bytes:
    """Write an event for each part, on days one after the other."""
    events = (
        f"BEGIN:VEVENT\r\nUID:{number}@example.org\r\nSUMMARY:{_escaped(part.title)}\r\n"
        f"DESCRIPTION:{_escaped(' '.join(part.words))}\r\nEND:VEVENT\r\n"
        for number, part in enumerate(text.parts())
    )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{''.join(events)}END:VCALENDAR\r\n".encode()


def _escaped(words: str) -> str:
    """Escape and fold the value of a line (RFC 5545, 3.3.11 and 3.1: 75 octets at most)."""
    escaped = words.replace("\\", "\\\\").replace(";", r"\;").replace(",", r"\,")
    return "\r\n ".join(escaped[at : at + 20] for at in range(0, len(escaped), 20))


def as_bibtex(text: KnownText) -> bytes:
    """Write a reference for each part, its words the abstract."""
    return "\n".join(
        f"@misc{{key{number},\n  title = {{{part.title}}},\n"
        f"  abstract = {{{_tex(' '.join(part.words))}}}\n}}"
        for number, part in enumerate(text.parts())
    ).encode()


def _tex(words: str) -> str:
    return words.replace("%", r"\%").replace("&", r"\&")


def as_ris(text: KnownText) -> bytes:
    """Write a reference for each part, its words the abstract."""
    return "".join(
        f"TY  - GEN\r\nTI  - {part.title}\r\nAB  - {' '.join(part.words)}\r\nER  - \r\n"
        for part in text.parts()
    ).encode()


def _objects(text: KnownText) -> Iterable[dict[str, str]]:
    for part in text.parts():
        yield {"title": part.title, "text": " ".join(part.words)}


def as_json(text: KnownText) -> bytes:
    """Write a list of objects with a title and a text."""
    return json.dumps([*_objects(text)], ensure_ascii=False, indent=1).encode()


def as_json_lines(text: KnownText) -> bytes:
    """Write an object in each line, what is not ASCII escaped."""
    return "\n".join(map(json.dumps, _objects(text))).encode()


def as_pixi(text: KnownText) -> bytes:
    """Write a database of a chat bot. Raises ModuleNotFoundError without zstandard."""
    import zstandard  # noqa: PLC0415 - nothing else here needs it

    entries = [
        {"id": number, "title": one["title"], "content": one["text"]}
        for number, one in enumerate(_objects(text), 1)
    ]
    return zstandard.compress(json.dumps(entries).encode())


def as_notebook(text: KnownText) -> bytes:
    """Write a notebook: a cell of Markdown for each part."""
    cells = [
        {"cell_type": "markdown", "source": [f"# {part.title}\n\n", "\n\n".join(part.words)]}
        for part in text.parts()
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def as_mail(text: KnownText, *, sign: bytes = b"b") -> bytes:
    """Write a mail whose subject is the title, its body in UTF-8, quoted or in base 64."""
    first, *others = text.parts()
    lines = [*first.words]
    for part in others:
        lines += [part.title, *part.words]
    body = "\n\n".join(lines).encode()
    subject = f"=?utf-8?B?{base64.b64encode(text.title.encode()).decode()}?="
    written = quopri.encodestring(body) if sign == b"q" else base64.encodebytes(body)
    name = "quoted-printable" if sign == b"q" else "base64"
    return (
        f"From: Ann <ann@example.org>\nSubject: {subject}\nDate: {_SENT}\n"
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: {name}\n\n"
    ).encode() + written


def as_emlx(text: KnownText) -> bytes:
    """Write a mail of Apple Mail: its length, the mail, and a list of flags."""
    mail = as_mail(text, sign=b"q")
    flags = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict/></plist>\n'
    return str(len(mail)).encode() + b"\n" + mail + flags


def as_mbox(text: KnownText) -> bytes:
    """Write an archive of one mail."""
    return b"From ann@example.org Mon Jan  5 10:00:00 2026\n" + as_mail(text, sign=b"q") + b"\n"


def said_by_mail(text: KnownText) -> str:
    """Give what a mail shows: who wrote it when, its subject, its body."""
    return f"From: Ann <ann@example.org>\nDate: {_SENT}\nSubject: {text.prose.words}"


def said_by_bibtex(text: KnownText) -> str:
    """Give what references show: title, key and abstract."""
    parts = enumerate(text.parts())
    return "\n".join(f"{p.title}\nKey: key{n}\n{' '.join(p.words)}" for n, p in parts)


def as_subrip(text: KnownText, comma: str = ",") -> bytes:
    """Write subtitles: each piece for four seconds, ten seconds after the one before."""
    cues = (
        f"{number}\n00:{number // 6:02}:{number % 6}0{comma}000 --> "
        f"00:{number // 6:02}:{number % 6}4{comma}000\n{words}\n"
        for number, words in enumerate(text.words.split("\n"))
    )
    return "\n".join(cues).encode()


def as_webvtt(text: KnownText) -> bytes:
    """Write the same for the web."""
    return b"WEBVTT\n\n" + as_subrip(text, ".")


def said_in_subtitles(text: KnownText) -> str:
    """Give what is said, each with its time."""
    lines = enumerate(text.words.split("\n"))
    return "\n".join(f"[00:{n // 6:02}:{n % 6}0] {words}" for n, words in lines)


def as_rss(text: KnownText) -> bytes:
    """Write a feed, an item for each part."""
    items = "".join(
        f"<item><title>{html.escape(part.title)}</title>"
        f"<description>{html.escape('<p>' + html.escape(' '.join(part.words)) + '</p>')}"
        "</description></item>"
        for part in text.parts()
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{items}</channel></rss>'.encode()


def as_atom(text: KnownText) -> bytes:
    """Write a feed of Atom, an entry for each part."""
    entries = "".join(
        f"<entry><title>{html.escape(part.title)}</title>"
        f"<content>{html.escape(' '.join(part.words))}</content></entry>"
        for part in text.parts()
    )
    space = "http://www.w3.org/2005/Atom"
    return f'<?xml version="1.0"?><feed xmlns="{space}">{entries}</feed>'.encode()

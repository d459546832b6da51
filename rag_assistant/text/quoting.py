"""What a mail repeats of the one that it answers: lines after a ">", and what follows the line that
says whose words they are ("On Monday, Ann wrote:", "-----Original Message-----").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST_LINE = 300  # characters of a line that says whose words follow

_WROTE = re.compile(
    r"(?:On|Am|Le|El|Em|Il|Op|Den|W dniu|Dnia)\b.{4,250}?"
    r"(?:wrote|schrieb(?: .{1,80})?|a écrit|escribió|escreveu|ha scritto|schreef(?: .{1,80})?|skrev"
    r"|napisał(?:\(a\))?)\s?:"
    r"|.{2,150}\b(?:wrote|writes|schrieb|a écrit)\s?:",
    re.DOTALL,
)
_ORIGINAL = re.compile(
    r"-{2,}\s?(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Message d'origine"
    r"|Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht"
    r"|Ursprungligt meddelande)\s?-{2,}",
    re.IGNORECASE,
)
_FROM = re.compile(r"[*_]?(?:From|Von|De|Da|Van|Från)[*_]?\s?:[*_]?\s?\S")
_SENT = re.compile(
    r"[*_]?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Inviato|Verzonden|Skickat)[*_]?\s?:"
)


@dataclass(frozen=True, slots=True)
class MailQuote:
    """A span of a mail that quotes another one; `title` is the line that says whose words."""

    start: int
    end: int
    title: str


def quotes_in(text: str, body: int = 0) -> Iterator[MailQuote]:
    """Find the quotes of a mail's text that a line introduces, in order, from `body` on.

    One with marks before its lines ends with them; one without goes on to the next, or to the end.
    """
    lines = list(_lines(text, body))
    at = 0
    open_: tuple[int, str] | None = None  # of a quote without marks
    while at < len(lines):
        found = _introduced(lines, at)
        if found is None:
            at += 1
            continue
        title, after = found
        start = lines[at][0]
        marked = _marked_end(lines, after)
        if marked > after:
            if open_ is None:
                end = lines[marked][0] if marked < len(lines) else len(text)
                yield MailQuote(start, end, title)
            at = marked
        elif _ORIGINAL.match(title) or _FROM.match(title):
            if open_ is not None:
                yield MailQuote(open_[0], start, open_[1])
            open_, at = (start, title), after
        else:
            at = after
    if open_ is not None:
        yield MailQuote(open_[0], len(text), open_[1])


def introduces(line: str) -> bool:
    """Say whether a line says whose words the quote after it has."""
    return bool(_WROTE.fullmatch(line) or _ORIGINAL.match(line) or _FROM.match(line))


def quotes_a_mail(text: str, heading: str) -> bool:
    """Say whether a passage repeats a mail: in lines with marks, or under a line that says so."""
    return bool(apart(text)[1]) or (bool(heading) and introduces(heading))


def apart(text: str) -> tuple[str, str]:
    """Give what a text says itself, and what it quotes in lines with a mark before them."""
    if ">" not in text:
        return text, ""
    own: list[str] = []
    quoted: list[str] = []
    for line in text.split("\n"):
        stripped = line.lstrip()
        if stripped.startswith(">"):
            quoted.append(stripped.lstrip("> "))
        else:
            own.append(line)
    return "\n".join(own), "\n".join(quoted)


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    for line in text[start:].split("\n"):
        yield start, line.strip()
        start += len(line) + 1


def _introduced(lines: list[tuple[int, str]], at: int) -> tuple[str, int] | None:
    """Give the title of a quote that begins on a line, and the line after its introduction."""
    line = lines[at][1]
    if not 4 < len(line) <= _LONGEST_LINE or line.startswith(">"):
        return None
    following = lines[at + 1][1] if at + 1 < len(lines) else ""
    if _ORIGINAL.fullmatch(line):
        return line, at + 1
    if _FROM.match(line) and any(_SENT.match(one) for _, one in lines[at + 1 : at + 3]):
        return line, at + 1
    if line.endswith(":") and _WROTE.fullmatch(line):
        return line, at + 1
    if following.endswith(":") and len(following) <= _LONGEST_LINE and ":" not in line[-1:]:
        joined = f"{line} {following}"
        if line.startswith(("On ", "Am ", "Le ", "El ", "Il ", "Op ")) and _WROTE.fullmatch(joined):
            return joined, at + 2
    return None


def _marked_end(lines: list[tuple[int, str]], at: int) -> int:
    """Give the line after those from `at` on that have a mark; `at` itself where none has."""
    end = at
    while at < len(lines) and (not lines[at][1] or lines[at][1].startswith(">")):
        at += 1
        if lines[at - 1][1]:
            end = at
    return end

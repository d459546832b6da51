"""Subtitles (SubRip .srt, WebVTT .vtt): what is said, in paragraphs that begin with the time they
start at, "[00:01:05] ", so that a quote can be found in the film. Markup and the names in voice
tags are dropped, and lines that rolling captions repeat come once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.values.documents import Document

# https://www.w3.org/TR/webvtt1/#webvtt-timestamp; SubRip writes a comma before the milliseconds.
_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t][^\n]*)?$", re.MULTILINE)
_NUMBER_LINE = re.compile(r"\n[ \t]*\d+[ \t]*\Z")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MARKUP = re.compile(r"</?[A-Za-z][^<>\n]*>|<\d[\d:.]*>|\{\\[^{}\n]*\}")
_LANGUAGE = re.compile(r"^Language:[ \t]*([\w-]{1,35})[ \t]*$", re.MULTILINE | re.IGNORECASE)
_PAUSE = 3.0  # seconds without a word, after which another paragraph begins
_AT_ONCE = 0.1  # seconds
_MOST_ROLLED = 5  # lines: a screen shows no more
_ENOUGH = 300  # characters, after which one ends with its sentence
_LONGEST = 600
_STOPS = (".", "!", "?", "…", "。", "！", "？", '."', '!"', '?"', ".”", "!”", "?”")


@dataclass(frozen=True, slots=True)
class _Cue:
    """What is shown at once: from and until when, in seconds, and its lines."""

    start: float
    end: float
    lines: tuple[str, ...]


def load(source: LoadInput) -> list[Document]:
    """Read subtitles; raises LoadError when no line gives the times of a cue."""
    decoded = decode(source.data)
    text = decoded.text
    is_vtt = text.startswith("WEBVTT")
    cues = list(_cues(text, is_vtt))
    if not cues:
        raise LoadError(
            "no subtitles in it: no line such as 00:01:05,000 --> 00:01:08,000",
            hint="If it is plain text, call it .txt.",
        )
    metadata = {"duration": _clock(max(cue.end for cue in cues))}
    header = text[: text.find("\n\n")] if is_vtt else ""
    if found := _LANGUAGE.search(header):
        metadata["language"] = found[1]
    if decoded.encoding != "utf-8":
        metadata["encoding"] = decoded.encoding
    media_type = "text/vtt" if is_vtt else "application/x-subrip"
    return [Document("\n\n".join(_paragraphs(cues)), media_type, metadata=metadata)]


def _cues(text: str, is_vtt: bool) -> Iterator[_Cue]:
    found = _TIMING.search(text)
    while found:
        following = _TIMING.search(text, found.end())
        payload = text[found.end() : following.start() if following else len(text)]
        if is_vtt:  # what follows a blank line is an identifier, a NOTE or a STYLE
            blank = _BLANK_LINE.search(payload)
            payload = payload[: blank.start()] if blank else payload
        elif following:
            payload = _NUMBER_LINE.sub("", payload.rstrip())
        lines = tuple(line for raw in payload.split("\n") if (line := _plain(raw)))
        yield _Cue(_seconds(*found.groups()[:4]), _seconds(*found.groups()[4:]), lines)
        found = following


def _plain(line: str) -> str:
    import html  # noqa: PLC0415  its table of entities is large

    return " ".join(html.unescape(_MARKUP.sub("", line)).split())


def _seconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction or 0}")


def _paragraphs(cues: list[_Cue]) -> Iterator[str]:
    words: list[str] = []
    start = end = 0.0
    length = 0
    before: _Cue | None = None
    for cue in cues:
        new = cue.lines[_rolled_up(before, cue) :]
        before = cue if cue.lines else before
        if not new:
            end = max(end, cue.end)
            continue
        ends = length >= _ENOUGH and words[-1].endswith(_STOPS)
        if words and (cue.start - end > _PAUSE or ends or length >= _LONGEST):
            yield f"[{_clock(start)}] {' '.join(words)}"
            words, length = [], 0
        if not words:
            start = cue.start
        words += new
        length += sum(map(len, new))
        end = cue.end
    if words:
        yield f"[{_clock(start)}] {' '.join(words)}"


def _rolled_up(before: _Cue | None, cue: _Cue) -> int:
    """Count the first lines of a cue that are the last of the one before, moved up the screen.

    A lone line that comes again is said again, unless it only flashes up, as machines have it.
    """
    if before is None or cue.start - before.end > _AT_ONCE:
        return 0
    most = min(len(before.lines), len(cue.lines), _MOST_ROLLED)
    count = next((n for n in range(most, 0, -1) if before.lines[-n:] == cue.lines[:n]), 0)
    said_again = count == len(before.lines) == len(cue.lines) and cue.end - cue.start > _AT_ONCE
    return 0 if said_again else count


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


LOADER = Loader(
    "subtitles", 1, frozenset({".srt", ".vtt"}), "application/x-subrip", load, plain=True
)

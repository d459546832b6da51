"""Words or a regular expression, letter by letter, in all documents that a query lets through.

Text that is hidden from models is not looked at. An expression is tried in a process of its own,
which is ended when its time is over: what was looked at until then is counted, the rest named.
"""

import json
import os
import re
import subprocess
import sys
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from queue import Empty, SimpleQueue
from time import monotonic

from rag_assistant.errors import LibraryError
from rag_assistant.files.process_keeper import ProcessKeeper
from rag_assistant.library.database import Database
from rag_assistant.library.document_filter import DatedEntry, filtered_documents
from rag_assistant.library.pattern_worker import MEMORY, MOST_SPANS
from rag_assistant.values.documents import Entry, EntryText, Passage

SECONDS = 8.0
"""Time that looking for an expression may take."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """A place where a pattern matches: a passage, and the characters of its text."""

    passage: Passage
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MatchingDocument:
    """A document with its `count` matches, of which the first ones are given."""

    entry: Entry
    date: str
    count: int
    matches: tuple[PatternMatch, ...]


@dataclass(slots=True)
class PatternFindings:
    """What was found in a database: `looked_at` of its `documents` before time was over.

    `entries` are those that were looked at, `hidden` counts places that models may not read.
    """

    documents: int = 0
    looked_at: int = 0
    found: list[MatchingDocument] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    hidden: int = 0


class WrongPattern(LibraryError):
    """A regular expression makes no sense; the message says why."""


def find_pattern(
    database: Database, pattern: str, query: str, *, is_expression: bool, seconds: float = SECONDS
) -> PatternFindings:
    """Look for a pattern, whatever its case, in the documents that a query lets through.

    It blocks, for not much longer than `seconds`. Raises WrongPattern.
    """
    with database.reading() as reader:
        documents = filtered_documents(reader, query).documents
    findings = PatternFindings(len(documents))
    finder = _in_process(pattern, seconds) if is_expression else _exactly(pattern)
    searched = ((one, *_visible_text(database, one.entry)) for one in documents)
    for one, text, count, spans in finder(searched):
        findings.looked_at += 1
        findings.entries.append(one.entry)
        findings.hidden += len(text.hidden)
        if count:
            matches = tuple(_placed(text.passages, spans))
            findings.found.append(MatchingDocument(one.entry, one.date, count, matches))
    return findings


Searched = tuple[DatedEntry, EntryText, str]
Result = tuple[DatedEntry, EntryText, int, Sequence[Span]]
Finder = Callable[[Iterator[Searched]], Iterator[Result]]


def _visible_text(database: Database, entry: Entry) -> tuple[EntryText, str]:
    text = EntryText(entry, tuple(database.passages(entry.id)))
    text = database.for_prompt([text])[0]
    return text, "".join(passage.text for passage in text.passages)


def _exactly(words: str) -> Finder:
    """Look for words, whatever their case; any white space in them stands for any."""
    parts = [re.escape(part) for part in words.split()]
    if not parts:
        raise WrongPattern("There are no words to look for.", hint="Give at least one.")
    plain = re.compile(r"\s+".join(parts), re.IGNORECASE)

    def find(searched: Iterator[Searched]) -> Iterator[Result]:
        for one, text, joined in searched:
            spans = [found.span() for found in plain.finditer(joined)]
            yield one, text, len(spans), spans[:MOST_SPANS]

    return find


def _in_process(pattern: str, seconds: float) -> Finder:
    """Try an expression in a process of its own, until the time is over."""

    def find(searched: Iterator[Searched]) -> Iterator[Result]:
        deadline = monotonic() + seconds
        with _Worker(pattern, seconds) as worker:
            for one, text, joined in searched:
                answer = worker.ask(joined, deadline - monotonic())
                if answer is None:
                    return
                count, spans = answer
                yield one, text, count, spans

    return find


_running: set[subprocess.Popen[bytes]] = set()


def end_workers() -> None:
    """Kill the processes of all searches: for whoever ends the program without waiting for them."""
    for process in list(_running):
        process.kill()


class _Worker:
    """The process that tries one expression; a thread hands it what it is sent."""

    def __init__(self, pattern: str, seconds: float) -> None:
        module = "rag_assistant.library.pattern_worker"
        self._process = subprocess.Popen(
            # -P: nothing is imported from the folder that we stand in.
            [sys.executable, "-P", "-m", module, str(int(seconds) + 2)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._keeper = ProcessKeeper(self._process.pid, MEMORY)
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._number = 0
        self._first = json.dumps(pattern)

    def __enter__(self) -> "_Worker":
        _running.add(self._process)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._keeper.close()
        self._process.kill()
        self._process.wait()
        _running.discard(self._process)
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream:
                    stream.close()

    def ask(self, text: str, seconds: float) -> tuple[int, list[Span]] | None:
        """Give how often the expression matches, and where; None where the time is over.

        Raises WrongPattern.
        """
        if seconds <= 0 or not self._send(text, seconds):
            return None
        try:
            line = self._answers.get(timeout=seconds)
        except Empty:
            return None
        if not line:
            return None
        answer = json.loads(line)
        if isinstance(answer, dict):
            raise WrongPattern(
                f"The expression makes no sense: {answer['error']}.",
                hint="Correct it, or look for plain words.",
            )
        _, count, spans = answer
        return count, [(start, end) for start, end in spans]

    def _send(self, text: str, seconds: float) -> bool:
        """Hand over a text; false where the process does not take it in time."""
        lines = [json.dumps([self._number, text])]
        if not self._number:
            lines.insert(0, self._first)
        self._number += 1
        written = "".join(f"{line}\n" for line in lines).encode()
        # A process that is busy reads nothing: once its time is over it is ended, and writing with
        # it. It is never handed a text before it has answered the one before.
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        try:
            assert self._process.stdin
            self._process.stdin.write(written)
            self._process.stdin.flush()
        except OSError:
            # One that found the expression wrong is gone, and has said so.
            return self._number == 1
        finally:
            timer.cancel()
        return True

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put(b"")


def _placed(passages: Sequence[Passage], spans: Sequence[Span]) -> Iterator[PatternMatch]:
    """Give matches in the joined text of passages as places in them, cut where a passage ends."""
    ends = list(accumulate(len(passage.text) for passage in passages))
    for start, end in spans:
        at = bisect_right(ends, start)
        offset = ends[at] - len(passages[at].text)
        within = min(end - offset, len(passages[at].text))
        yield PatternMatch(passages[at], start - offset, within)

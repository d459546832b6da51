"""Asks the person at the terminal before a tool does more than read.

What will run is shown as it is, cleaned, before the question. Where there is no one to ask, the
answer is no, and a line says how to allow the tool.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from rag_assistant.cli.session import say
from rag_assistant.text.safe_text import clean, clean_line
from rag_assistant.tools.permission import (
    Decision,
    PermissionRequest,
    Permit,
    extent_lines,
    told_in_full,
)

SHOWN_CHARACTERS = 8_000
"""How much of what will run is shown; a longer one is said to be longer."""

_ANSWERS = {
    "o": Decision.ONCE,
    "once": Decision.ONCE,
    "a": Decision.ALWAYS,
    "always": Decision.ALWAYS,
}
_YES = ("y", "yes")
_LASTING = "Allow it? [y]es, from now on, [n]o: "
_QUESTION = "Allow it? [o]nce, [a]lways in this conversation, [n]o: "


def terminal_permit(allowed: Collection[str] = ()) -> Permit:
    """Make what asks the person. Tools named in `allowed` run without a question.

    Questions come one after the other. Anything but once or always is no: another text, the end of
    the input, Ctrl-C (which ends the question, not the run).
    """
    asking = asyncio.Lock()

    async def permit(request: PermissionRequest) -> Decision:
        if request.tool in allowed and not request.from_document:
            # What a command line allows holds for that command.
            return Decision.ONCE if request.heading else Decision.ALWAYS
        answer = None
        if _is_terminal(sys.stdin) and _is_terminal(sys.stderr):
            async with asking:
                question = _LASTING if request.heading else _QUESTION
                answer = await _answer(f"\n{described(request)}\n{question}")
        if request.heading:  # who is told no is told what would allow it
            return Decision.ALWAYS if (answer or "").strip().lower() in _YES else Decision.NO
        if answer is None:
            say(f"{request.tool} was not run: there is no terminal to ask at. {_how(request)}")
            return Decision.NO
        decision = _ANSWERS.get(answer.strip().lower(), Decision.NO)
        if decision is Decision.NO:
            say(f"{request.tool} is not run.")
        return decision

    return permit


def _how(request: PermissionRequest) -> str:
    if request.from_document:
        return "Words of it come from a document, which --allow does not cover: ask at a terminal."
    return f"To let it run, add --allow {request.tool}"


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def described(request: PermissionRequest) -> str:
    """Say what will run, in full, and how far it could go.

    Every line of it begins with a bar, so that none of it can pass for the question.
    """
    whole = clean(told_in_full(request))
    lines = [
        clean_line(request.heading) or f"The model wants to run {clean_line(request.tool)}:",
        *(clean_line(f"{what}: {said}") for what, said in extent_lines(request)),
        *whole[:SHOWN_CHARACTERS].split("\n"),
    ]
    if len(whole) > SHOWN_CHARACTERS:
        lines.append(f"… and {len(whole) - SHOWN_CHARACTERS:,} characters that are not shown")
    return "\n".join([lines[0], *(f"  | {line}" for line in lines[1:])])


class _Lines:
    """Reads lines in a thread, where the loop of events cannot watch a terminal: on Windows.

    What was begun to be read cannot be left: after a question that Ctrl-C ended, the next one takes
    the line.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._give: Callable[[str], object] = lambda _: None
        self._reads = False

    def next(self, give: Callable[[str], object]) -> None:
        """Give the next line that is typed to `give`, in that thread."""
        with self._lock:
            self._give = give
            if self._reads:
                return
            self._reads = True
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            text = sys.stdin.readline()
        except (OSError, ValueError):  # the terminal was closed
            text = ""
        with self._lock:
            give, self._reads = self._give, False
        with suppress(RuntimeError):  # the run is over
            give(text)


_LINES = _Lines()


async def _answer(question: str) -> str:
    """Show a question and read the line typed after it; empty when none comes. Holds up nothing
    else."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()
    descriptor = sys.stdin.fileno()

    def give(text: str) -> None:
        if not typed.done():
            typed.set_result(text)

    def read() -> None:
        try:
            give(os.read(descriptor, 4_096).decode("utf-8", "replace"))
        except OSError:  # the terminal was closed
            give("")

    # Whoever sees the question must be able to answer it, so it is shown last.
    _forget_typed(descriptor)
    watched = True
    try:
        loop.add_reader(descriptor, read)
    except NotImplementedError:  # Windows
        watched = False
    try:
        with _interrupt_means(lambda: loop.call_soon_threadsafe(give, "")):
            if not watched:
                _LINES.next(lambda text: loop.call_soon_threadsafe(give, text))
            sys.stderr.write(question)
            sys.stderr.flush()
            answer = await typed
    finally:
        if watched:
            loop.remove_reader(descriptor)
    if not answer.endswith("\n"):
        sys.stderr.write("\n")  # Ctrl-C or Ctrl-D left the cursor behind the question
    return answer


def _forget_typed(descriptor: int) -> None:
    """Drop what was typed before the question: it was not meant as its answer."""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
        return
    with suppress(ImportError, OSError):
        import termios

        termios.tcflush(descriptor, termios.TCIFLUSH)


@contextmanager
def _interrupt_means(meaning: Callable[[], object]) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda *_: meaning())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

"""The process that runs a model's code: frames come in over its first standard input and go out
over its first standard output; what the code itself prints goes, in its order, to standard error.

`process` starts it as a script by its path, isolated, so it imports the standard library alone. A
frame is a length of eight bytes and so many bytes of JSON, all ASCII: any text fits, lone
surrogates too. The process ends when its input does, and takes with it what the code has started.
"""

import ast
import builtins
import contextlib
import io
import itertools
import json
import linecache
import os
import queue
import shutil
import signal
import struct
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Iterator
from typing import IO, Any

_OURS = (__file__, ast.__file__)

HEAD = struct.Struct(">Q")
"""The length of the JSON that follows, in bytes."""

GRACE_SECONDS = 5.0
"""How long after its time code is ended by the system, should whoever started us not do it."""


def read_frame(stream: IO[bytes], most_bytes: int | None = None) -> dict[str, Any] | None:
    """Read one frame; None at the stream's end, wherever that comes.

    Raises ValueError for a frame longer than `most_bytes`, and for one that is no JSON object.
    """
    head = _read_exactly(stream, HEAD.size)
    if head is None:
        return None
    (length,) = HEAD.unpack(head)
    if most_bytes is not None and length > most_bytes:
        raise ValueError(f"a frame of {length} bytes")
    body = _read_exactly(stream, length)
    if body is None:
        return None
    try:
        values = json.loads(body)
    except RecursionError as error:
        raise ValueError("a frame of too many levels") from error
    if not isinstance(values, dict):
        raise ValueError("a frame that is no object")
    return values


def _read_exactly(stream: IO[bytes], length: int) -> bytes | None:
    """Read so many bytes, in however many pieces they come; None where the stream ends before."""
    pieces: list[bytes] = []
    while length:
        piece = stream.read(min(length, 1 << 20))
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


def write_frame(stream: IO[bytes], values: dict[str, Any]) -> None:
    """Write one frame whole, also to a raw stream that takes it in pieces."""
    body = json.dumps(values, separators=(",", ":")).encode("ascii")
    left = memoryview(HEAD.pack(len(body)) + body)
    while left:
        left = left[stream.write(left) :]
    stream.flush()


class DatabaseError(Exception):
    """A database could not do what the code asked of it."""


class Channel:
    """The frames to and from whoever started us; what the code forks has no part in them."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.runs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._process = os.getpid()
        self._incoming = os.fdopen(os.dup(0), "rb")
        self._outgoing = os.fdopen(os.dup(1), "wb")
        self._printed = os.dup(2)
        self._sending = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any]]] = {}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave)
        threading.Thread(target=self._listen, daemon=True).start()
        # That a process with threads is forked, Python 3.12 and later say; this thread is ours.
        warnings.filterwarnings("ignore", ".* is multi-threaded", DeprecationWarning)

    def _leave(self) -> None:
        for descriptor in (self._incoming.fileno(), self._outgoing.fileno(), self._printed):
            os.close(descriptor)

    def _listen(self) -> None:
        """Hand out what comes in; at the end of it, end, and leave nothing behind."""
        try:
            while (frame := read_frame(self._incoming)) is not None:
                if "code" in frame:
                    self.runs.put(frame)
                else:
                    self._waiting.pop(frame["number"]).put(frame)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
            end_all()

    def _send(self, values: dict[str, Any]) -> None:
        """Send a frame; where the code has closed our way out, end."""
        try:
            with self._sending:
                write_frame(self._outgoing, values)
        except OSError:
            end_all()

    def ask(self, name: str, **arguments: Any) -> Any:
        """Let a database answer. Raises DatabaseError with what it says is wrong."""
        if os.getpid() != self._process:
            raise DatabaseError("Only the process itself can ask the databases, not its children.")
        number = next(self._numbers)
        answer = self._waiting[number] = queue.SimpleQueue()
        self._send({"number": number, "call": name, "arguments": arguments})
        frame = answer.get()
        if "error" in frame:
            raise DatabaseError(frame["error"])
        return frame["value"]

    def mend_streams(self) -> None:
        """Give the code the standard streams it expects, whatever earlier code did to them."""
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, source in ((0, nothing), (1, self._printed), (2, self._printed)):
            os.dup2(source, descriptor)
        if nothing > 2:
            os.close(nothing)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
        sys.stdout, sys.stderr = _text_stream(1), _text_stream(2)

    def finish(self, mark: bytes, done: dict[str, Any]) -> None:
        """Say that a run has ended, in what is printed too. What the code forked ends here."""
        if os.getpid() != self._process:
            os._exit(0)
        try:
            os.write(self._printed, mark)
        except OSError:
            end_all()
        self._send({"done": done})


def _text_stream(descriptor: int) -> io.TextIOWrapper:
    """Open a standard stream so that closing it does not close the descriptor."""
    raw = io.BufferedWriter(io.FileIO(descriptor, "wb", closefd=False))
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", line_buffering=True)


def end_all() -> None:
    """End this process and all that it has started."""
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


class Session:
    """The variables of the conversation, and the code run on them."""

    def __init__(self, channel: Channel, characters: int) -> None:
        self._channel = channel
        self._characters = characters
        # The code's own module: classes it makes are found by their module's name.
        self._module = types.ModuleType("__main__")
        sys.modules["__main__"] = self._module
        functions = (self.search, self.read, self.entries)
        given = {function.__name__: function for function in functions}
        self._variables = vars(self._module)
        self._variables.update(given, __builtins__=builtins, DatabaseError=DatabaseError)

    def search(
        self, query: str, database: str | None = None, limit: int = 10
    ) -> list[dict[str, Any]]:
        """Give the `limit` best entries for any words, of one database or of all."""
        found = self._channel.ask("search", query=query, database=database, limit=limit)
        for note in found["notes"]:
            sys.stderr.write(f"search: {note}\n")
        return list(found["hits"])

    def read(self, id: int, database: str | None = None) -> dict[str, Any]:
        """Give an entry with its whole text; `database` may be left out where there is only one."""
        return dict(self._channel.ask("read", id=id, database=database))

    def entries(self, database: str | None = None, texts: bool = False) -> Iterator[dict[str, Any]]:
        """Give all entries of one database or of all, with their texts or without."""
        start: int | None = 0
        while start is not None:
            found = self._channel.ask("entries", database=database, texts=texts, start=start)
            yield from found["entries"]
            start = found["next"]

    def run(self, code: str, name: str) -> dict[str, Any]:
        """Run code; give the last expression's value or the traceback, as text, where there is."""
        lines = [f"{line}\n" for line in code.split("\n")]
        linecache.cache[name] = (len(code), None, lines, name)
        try:
            value = self._execute(code, name)
            return self._shown("value", "" if value is None else repr(value))
        except SystemExit as leaving:
            given = leaving.code if isinstance(leaving.code, int | str) else ""
            return {"note": f"The code called sys.exit({given!r}); its variables are kept."[:1000]}
        except BaseException as error:  # noqa: BLE001 - whatever the code raises is its result
            return self._shown("error", _traceback_of(error))
        finally:
            _flush(sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)

    def _execute(self, code: str, name: str) -> object:
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), self._variables)
        if not isinstance(last, ast.Expr):
            return None
        return eval(compile(ast.Expression(last.value), name, "eval"), self._variables)

    def _shown(self, kind: str, text: str) -> dict[str, Any]:
        """Cut a value at its end and a traceback at its beginning: what matters stands opposite."""
        cut = max(0, len(text) - self._characters)
        kept = text[cut:] if kind == "error" else text[: self._characters]
        return {kind: kept, f"{kind}_cut": cut} if text else {}


def _traceback_of(error: BaseException) -> str:
    """Write the traceback as Python does, without the lines that are ours."""
    try:
        written = traceback.TracebackException.from_exception(error)
        own = [frame for frame in written.stack if frame.filename not in _OURS]
        written.stack = traceback.StackSummary.from_list(own)
        return "".join(written.format())
    except Exception as failure:  # noqa: BLE001 - out of memory, or a defect of the code's own class
        return f"{type(error).__name__} (its traceback failed: {type(failure).__name__})"


def _flush(*streams: Any) -> None:
    for stream in streams:
        with contextlib.suppress(Exception):  # the code may have put anything there, or closed it
            stream.flush()


def limit_memory(most_bytes: int) -> None:
    """Let allocations beyond `most_bytes` of address space fail, for children too; 0 for no limit:
    `process` knows where the system has one, and watches from outside where not."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    if most_bytes:
        _, allowed = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            most_bytes = min(most_bytes, allowed)
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    with contextlib.suppress(ValueError, OSError):  # it spares the disk, and limits nothing
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _set_alarm(seconds: float) -> None:
    """Let the system end us after so long, 0 for never: code in C may leave no other way."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Run what is asked for until the input ends."""
    limits = json.loads(sys.argv[1])
    mark = limits["mark"].encode()
    sys.argv = [""]
    channel = Channel(limits["folder"])
    limit_memory(limits["memory_bytes"])
    session = Session(channel, limits["characters"])
    for number in itertools.count(1):
        frame = channel.runs.get()
        channel.mend_streams()
        _set_alarm(limits["seconds"] + GRACE_SECONDS)
        done = session.run(frame["code"], f"<run {number}>")
        _set_alarm(0)
        channel.finish(mark, done)


if __name__ == "__main__":
    main()

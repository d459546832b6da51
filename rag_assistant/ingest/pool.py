"""Reads files in worker processes: a crash, a hang or a runaway costs that file only.

Each worker is served by a thread of ours that hands it batches of jobs and passes on what comes
back. Queues are bounded on both sides, so that neither readers nor the writer run ahead.
"""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, astuple, replace
from pathlib import Path
from types import TracebackType

from rag_assistant.files.process_keeper import ProcessKeeper
from rag_assistant.ingest.extraction import Extraction, Job, from_json
from rag_assistant.ingest.loaders import holds_files
from rag_assistant.ingest.worker import WorkerLimits, read_message, write_message

BATCH_FILES, BATCH_BYTES = 32, 1_000_000
"""Files handed over at once: small ones would otherwise spend their time on the way."""

DEFAULT_LIMITS = WorkerLimits()


class ExtractionPool:
    """Worker processes over one folder. To be used in a `with` statement."""

    def __init__(
        self,
        folder: Path,
        workers: int,
        fields: Mapping[str, str],
        limits: WorkerLimits = DEFAULT_LIMITS,
    ) -> None:
        # -P: the folder we stand in may be the very one that is read; nothing is imported from it.
        module = f"{__package__}.worker"
        command = [sys.executable, "-P", "-m", module, str(folder)]
        command += [json.dumps(dict(fields)), json.dumps(asdict(limits))]
        self._jobs: queue.Queue[list[Job] | None] = queue.Queue(maxsize=workers)
        self._results: queue.Queue[Extraction | bytes | Exception] = queue.Queue(4 * workers)
        self._closing = threading.Event()
        self._workers = [_Worker(command, limits, self._closing) for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), daemon=True)
            for worker in self._workers
        ]
        self._threads.append(threading.Thread(target=self._watch_the_clock, daemon=True))

    def __enter__(self) -> "ExtractionPool":
        for worker in self._workers:
            worker.start()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            while thread.is_alive():
                _drain(self._results)
                _offer(self._jobs, None)
                thread.join(0.02)

    def extract(self, jobs: Iterable[Job]) -> Iterator[Extraction]:
        """Read the files of `jobs`; extractions come as they are done, in any order."""
        batches = _batches(jobs)
        batch = next(batches, None)
        unfinished = 0
        while batch or unfinished:
            if batch and _offer(self._jobs, batch):
                unfinished += len(batch)
                batch = next(batches, None)
                continue
            result = self._results.get()
            if isinstance(result, Exception):
                raise result
            if isinstance(result, Extraction):
                answers = [result]
            else:
                answers = [from_json(values) for values in json.loads(result)]
            unfinished -= len(answers)
            yield from answers

    def _serve(self, worker: "_Worker") -> None:
        """Hand batches to one worker until there are no more."""
        try:
            while (batch := self._jobs.get()) is not None and not self._closing.is_set():
                for result in worker.extract(batch):
                    self._results.put(result)
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits for it
            self._results.put(error)
        finally:
            worker.close()

    def _watch_the_clock(self) -> None:
        while not self._closing.wait(0.5):
            for worker in self._workers:
                worker.stop_if_late()


class _Worker:
    """One worker process, started when it is first needed and again after each loss."""

    def __init__(self, command: list[str], limits: WorkerLimits, closing: threading.Event) -> None:
        self._command = command
        self._limits = limits
        self._closing = closing
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: ProcessKeeper | None = None
        self._deadline = float("inf")
        self._late = False
        self._served = False

    def extract(self, batch: list[Job]) -> Iterator[Extraction | bytes]:
        """Read the files of a batch, however often the process is lost over one.

        Gives JSON lists of extractions as they come, and the losses. After a loss the files are
        handed over one by one, so that it is known which one is to blame.
        """
        left = deque([batch])
        retried: Job | None = None
        while left and not self._closing.is_set():
            jobs = left.popleft()
            process = self.start()
            done = 0
            for body, count in self._exchange(process, jobs):
                done += count
                self._served = True
                yield body
            if done == len(jobs) or self._closing.is_set():
                continue
            reason = self._why_lost(process, jobs[done].size)
            ended_itself = process.returncode == 0 and self._served and not done
            self.close()
            if ended_itself:  # to be replaced by a fresh one, as these jobs were on their way
                left.appendleft(jobs)
                continue
            lost = jobs[done:]
            # Limits of time are the file's own. A crash may be an earlier file's doing, or the
            # system's: only a file that loses a fresh process as well is to blame.
            out_of_time = self._out_of_time(lost[0].size)
            own_fault = self._late or reason == out_of_time or lost[0] is retried
            if len(lost) == 1 and own_fault and not lost[0].without and holds_files(lost[0].path):
                # What is attached may be to blame: the mails themselves are read without it.
                retried = None
                left.appendleft([replace(lost[0], without=reason)])
                continue
            if len(lost) == 1 and own_fault:
                yield Extraction(lost[0].path, "failed", reason=reason)
                continue
            retried = lost[0] if len(lost) == 1 else None
            left.extendleft([job] for job in reversed(lost))

    def start(self) -> subprocess.Popen[bytes]:
        """Give the running process, started when there is none."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._late = self._served = False
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            self._keeper = ProcessKeeper(self._process.pid, self._limits.memory_bytes)
        return self._process

    def _exchange(
        self, process: subprocess.Popen[bytes], jobs: list[Job]
    ) -> Iterator[tuple[bytes, int]]:
        """Send jobs; give the answers with their number, as many as come before a loss."""
        assert process.stdin
        assert process.stdout
        answered = 0
        try:
            write_message(process.stdin, [astuple(job) for job in jobs])
            while answered < len(jobs):
                largest = max(job.size for job in jobs[answered:])
                self._deadline = time.monotonic() + self._limits.wall_of(largest)
                if self._keeper:
                    self._keeper.allow(self._limits.cpu_of(largest))
                message = read_message(process.stdout)
                if message is None:
                    return
                answered += message[1]
                yield message
        except OSError:  # a pipe that broke, which Windows calls an invalid argument
            return
        finally:
            self._deadline = float("inf")

    def stop_if_late(self) -> None:
        """End the process when its file has taken too long."""
        if time.monotonic() > self._deadline:
            self._late = True
            self.kill()

    def kill(self) -> None:
        """End the process; the thread that reads from it sees the end of the stream."""
        if self._process:
            self._process.kill()

    def _out_of_time(self, size: int) -> str:
        return f"took more than {self._limits.cpu_of(size)} seconds of processor time"

    def _why_lost(self, process: subprocess.Popen[bytes], size: int) -> str:
        """Say what the file did to a process that no longer answers."""
        try:
            code = process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "made the reader answer nonsense"
        if self._late:
            return f"took longer than {self._limits.wall_of(size):g} seconds"
        memory = f"needed more than {self._limits.memory_bytes / 1024**3:.3g} GB of memory"
        if self._keeper and self._keeper.exceeded:
            return memory if self._keeper.exceeded == "memory" else self._out_of_time(size)
        ended = {
            # By number, because Windows lacks the names: SIGABRT, SIGKILL, SIGSEGV, SIGXCPU; and
            # those of Windows of an access violation, and of a stack that is full.
            -6: f"made the reader abort: it is damaged, or {memory}",
            -9: f"was stopped by the system: it probably {memory}",
            -11: f"made the reader crash: it is damaged, or {memory}",
            -24: self._out_of_time(size),
            0xC0000005: "made the reader crash: it is damaged",
            0xC00000FD: "made the reader crash: it is nested too deeply",
        }
        return ended.get(code, f"made the reader fail (exit code {code})")

    def close(self) -> None:
        """End the process, if there is one, and close its pipes."""
        process, self._process = self._process, None
        if self._keeper:
            self._keeper.close()
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            # What was still to be written to a process that is gone is lost with it.
            with suppress(OSError):
                if stream:
                    stream.close()


def _batches(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    batch: list[Job] = []
    size = 0
    for job in jobs:
        batch.append(job)
        size += job.size
        if len(batch) == BATCH_FILES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _offer(jobs: "queue.Queue[list[Job] | None]", batch: list[Job] | None) -> bool:
    try:
        jobs.put_nowait(batch)
    except queue.Full:
        return False
    return True


def _drain(results: "queue.Queue[Extraction | bytes | Exception]") -> None:
    with suppress(queue.Empty):
        while True:
            results.get_nowait()

"""A watch must tell of every change soon, seldom, and until it is stopped.

The times that people are promised are measured at the usual pace; all else is shown at a fifth of
every wait, which changes nothing but how long the test takes.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from rag_assistant.library.watch import Pace, watch

PATIENCE = 20.0  # seconds: only a failing test waits so long
USUAL = Pace()
FAST = Pace(quiet_ms=50, longest_burst=0.3, poll_ms=200, batch_ms=20, step_ms=10, gone_seconds=0.1)


class Follower:
    """A watch in a thread, and the calls it made."""

    def __init__(
        self, folder: Path, action: Callable[[], None] = lambda: None, pace: Pace = FAST
    ) -> None:
        self.folder = folder
        self.action = action
        self.pace = pace
        # Twice what a call takes to come after a change, and what a busy machine adds.
        self.calm = 2 * (pace.quiet_ms + pace.batch_ms) / 1000 + 0.25
        self.calls: list[float] = []
        self.notes: list[str] = []
        self.failures: list[BaseException] = []
        self.stop = threading.Event()
        self.running = 0
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        try:
            watch(
                self.folder,
                self._changed,
                self.stop,
                note=self.notes.append,
                counts=self.counts,
                pace=self.pace,
            )
        except RuntimeError as error:
            self.failures.append(error)

    def counts(self, path: str) -> bool:
        return not path.startswith("index.db")

    def _changed(self) -> None:
        self.running += 1
        assert self.running == 1
        self.calls.append(time.monotonic())
        try:
            self.action()
        finally:
            self.running -= 1

    def settle(self) -> int:
        """Wait until there was no call for a while; give their number."""
        end = time.monotonic() + PATIENCE
        before, since = len(self.calls), time.monotonic()
        while time.monotonic() < end and time.monotonic() - since < self.calm:
            time.sleep(0.01)
            if len(self.calls) != before:
                before, since = len(self.calls), time.monotonic()
        return len(self.calls)

    def after(self, act: Callable[[], object]) -> float:
        """Act, and give the seconds until the next call."""
        before = len(self.calls)
        begin = time.monotonic()
        act()
        wait_for(lambda: len(self.calls) > before)
        return self.calls[before] - begin


def wait_for(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@contextmanager
def following(
    folder: Path, action: Callable[[], None] = lambda: None, pace: Pace = FAST
) -> Iterator[Follower]:
    follower = Follower(folder, action, pace)
    follower.thread.start()
    try:
        (folder / "first").write_text("before the watch was there")
        wait_for(lambda: len(follower.calls) > 0)
        follower.settle()
        yield follower
    finally:
        follower.stop.set()
        follower.thread.join(PATIENCE)
    assert not follower.thread.is_alive()


@pytest.mark.soak
def test_at_the_usual_pace_a_change_is_told_of_in_half_a_second(tmp_path: Path) -> None:
    """An answer would rest on a file as it was before the person's edit."""
    with following(tmp_path, pace=USUAL) as follower:
        delays = []
        for number in range(3):
            write = partial((tmp_path / "a").write_text, str(number))
            delays.append(follower.after(write))
            follower.settle()
        assert sorted(delays)[1] < 1.0  # the machine may be busy for one of them
        assert max(delays) < 3


@pytest.mark.soak
def test_each_kind_of_change_is_told_of_soon_and_once(tmp_path: Path) -> None:
    """An answer would rest on a file as it was before the person's edit."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_text("old")
    spare = tmp_path / "sub" / ".a.md.swp"
    with following(tmp_path) as follower:
        acts: list[Callable[[], object]] = [
            lambda: (tmp_path / "b.md").write_text("new"),
            lambda: (tmp_path / "sub" / "a.md").write_text("newer"),
            lambda: (spare.write_text("newest"), spare.replace(tmp_path / "sub" / "a.md")),
            lambda: (tmp_path / "b.md").rename(tmp_path / "sub" / "c.md"),
            (tmp_path / "sub" / "c.md").unlink,
            lambda: (tmp_path / "x" / "y" / "z").mkdir(parents=True),
            lambda: (tmp_path / "x" / "y" / "z" / "deep.md").write_text("in a new folder"),
            lambda: shutil.rmtree(tmp_path / "x"),
        ]
        delays = []
        for act in acts:
            delays.append(follower.after(act))
            follower.settle()
        assert sorted(delays)[len(delays) // 2] < 0.5  # the machine may be busy for one of them
        assert max(delays) < 3
        assert len(follower.calls) <= 4 * len(acts)


def test_reading_and_what_does_not_count_is_no_change(tmp_path: Path) -> None:
    """Each indexing would cause the next one, for ever."""

    def index() -> None:
        (tmp_path / "first").read_text()
        list(tmp_path.iterdir())
        (tmp_path / "index.db").write_text(str(time.monotonic_ns()))

    with following(tmp_path, index) as follower:
        before = len(follower.calls)
        index()
        assert follower.settle() == before


def test_a_burst_of_ten_thousand_files_is_few_calls_and_the_last_sees_all(tmp_path: Path) -> None:
    """Unpacking an archive would start thousands of runs, or end in an index without its last."""
    seen: list[int] = []

    def count() -> None:
        seen.append(sum(1 for _ in tmp_path.rglob("*.md")))

    with following(tmp_path, count) as follower:
        before = len(follower.calls)
        begin = time.monotonic()
        for number in range(100):
            (tmp_path / f"d{number}").mkdir()
            for file in range(100):
                (tmp_path / f"d{number}" / f"{file}.md").touch()
        calls = follower.settle() - before
        assert seen[-1] == 10_000
        # A machine that is busy elsewhere leaves quiet moments in what is told of the burst, which
        # may end after the burst does, and each ends in a call.
        seconds = follower.calls[-1] - begin
        assert calls <= seconds / (FAST.quiet_ms / 1000) + 4


@pytest.mark.soak
def test_at_the_usual_pace_a_burst_without_end_is_told_of_every_two_seconds(
    tmp_path: Path,
) -> None:
    """A log file that is written all the time would keep everything else out of the index."""
    with following(tmp_path, pace=USUAL) as follower:
        begin = time.monotonic()
        number = 0
        while time.monotonic() - begin < 4.5:
            (tmp_path / f"log{(number := number + 1) % 7}").write_text(str(number))
            time.sleep(0.02)
        during = [call for call in follower.calls if call > begin]
        gaps = [b - a for a, b in zip([begin, *during], during, strict=False)]
        assert 2 <= len(during) <= 5
        assert max(gaps) < 2.5  # 2, and what a busy machine adds


def test_a_change_during_a_call_leads_to_one_more_and_calls_never_overlap(tmp_path: Path) -> None:
    """A file saved while a run goes on would be missed, or two runs write one index."""
    with following(tmp_path) as follower:
        entered, leave = threading.Event(), threading.Event()

        def slow() -> None:
            entered.set()
            leave.wait(PATIENCE)

        follower.action = slow
        before = len(follower.calls)
        (tmp_path / "a").write_text("1")
        assert entered.wait(PATIENCE)
        for number in range(20):
            (tmp_path / "b").write_text(str(number))
            time.sleep(0.02)
        assert len(follower.calls) == before + 1
        leave.set()
        assert follower.settle() == before + 2


def test_a_folder_that_vanishes_and_comes_back_is_followed_again(tmp_path: Path) -> None:
    """After an unplugged drive or a checkout, changes would never be seen again."""
    folder = tmp_path / "top"
    folder.mkdir()
    with following(folder) as follower:
        shutil.rmtree(folder)
        wait_for(lambda: any("gone" in note for note in follower.notes))
        calls = follower.settle()

        def back() -> None:
            folder.mkdir()
            (folder / "a").write_text("1")

        assert follower.after(back) < 3
        follower.settle()
        assert follower.after(lambda: (folder / "a").write_text("2")) < 3
        assert len(follower.calls) > calls
        follower.settle()
        other = tmp_path / "other"  # another folder takes its place within a moment
        other.mkdir()
        follower.after(lambda: (folder.rename(tmp_path / "away"), other.rename(folder)))
        follower.settle()
        assert follower.after(lambda: (folder / "b").write_text("3")) < 3


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_a_folder_given_as_a_link_is_followed(tmp_path: Path) -> None:
    """Changes would be reported by another path than the one that is waited for."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with following(tmp_path / "link") as follower:
        assert follower.after(lambda: (tmp_path / "real" / "a").write_text("1")) < 3


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_links_and_folders_that_may_not_be_read_hide_no_change(tmp_path: Path) -> None:
    """Half of the folder would not be followed, or the whole machine, over a link to its root."""
    top = tmp_path / "top"
    for name in ("a", "closed", "z/deep"):
        (top / name).mkdir(parents=True)
    (top / "root").symlink_to("/")
    for name in ("a", "z"):
        (top / name / "up").symlink_to("../..")
    (top / "closed").chmod(0)  # root may read it nevertheless
    with following(top) as follower:
        for name in ("a/1", "z/2", "z/deep/3"):
            assert follower.after((top / name).touch) < 3
            follower.settle()
        assert follower.notes == []
        before = len(follower.calls)
        (tmp_path / "outside").touch()
        assert follower.settle() == before


@pytest.mark.parametrize("there", [True, False])
def test_a_stop_is_prompt_with_or_without_the_folder(tmp_path: Path, there: bool) -> None:
    """The program would hang when it is closed."""
    follower = Follower(tmp_path if there else tmp_path / "missing", pace=USUAL)
    follower.thread.start()
    wait_for(lambda: follower.calls or follower.notes)  # the first call, or that it is gone
    time.sleep(0.1)
    begin = time.monotonic()
    follower.stop.set()
    follower.thread.join(PATIENCE)
    assert not follower.thread.is_alive()
    assert time.monotonic() - begin < 1
    assert len(follower.calls) == there  # the call that comes at the beginning


def test_an_exception_of_the_called_ends_the_watch_and_reaches_the_caller(tmp_path: Path) -> None:
    """A failure would be taken for one of the system, and end in polling without a word."""

    def fail() -> None:
        raise RuntimeError("disk full")

    with following(tmp_path, fail) as follower:
        follower.thread.join(PATIENCE)
    assert [str(failure) for failure in follower.failures] == ["disk full"]
    assert follower.notes == []


_LIMITED = """
import sys, threading, time
from pathlib import Path
from rag_assistant.library.watch import Pace, watch
folder, limit, late = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "late"
Path("/proc/sys/user", limit).write_text(sys.argv[4])
stop, notes, calls = threading.Event(), [], []
def grow():
    for number in range(30):
        (folder / f"d{number}").mkdir(exist_ok=True)
if not late:
    grow()
thread = threading.Thread(
    target=watch, args=(folder, lambda: calls.append(1), stop),
    kwargs={"note": notes.append, "pace": Pace(50, 0.3, 200, 20, 10, 0.1)},
)
thread.start()
end = time.monotonic() + 15
while late and not calls and time.monotonic() < end:
    time.sleep(0.05)
if late:
    grow()
while not notes and time.monotonic() < end:
    time.sleep(0.05)
time.sleep(1)  # five looks: until nothing is told of any more
before = len(calls)
(folder / "d29" / "a").write_text("1")
while len(calls) == before and time.monotonic() < end:
    time.sleep(0.05)
told = len(calls) > before
stop.set()
thread.join(15)
print(told, thread.is_alive(), len(notes), notes[0] if notes else "")
"""


def _may_limit() -> bool:
    """Whether a user namespace can be made, whose limits are nobody else's."""
    words = ["unshare", "-Ur", "sh", "-c", "echo 5 > /proc/sys/user/max_inotify_watches"]
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not _may_limit(), reason="needs a user namespace to set inotify's limits in")
@pytest.mark.parametrize(
    ("limit", "when", "number"),
    [
        ("max_inotify_watches", "early", "5"),
        ("max_inotify_watches", "late", "5"),
        ("max_inotify_instances", "early", "0"),
    ],
)
def test_where_the_system_has_no_watches_left_the_folder_is_polled(
    tmp_path: Path, limit: str, when: str, number: str
) -> None:
    """A large folder would be followed in part, without a word."""
    words = ["unshare", "-Ur", sys.executable, "-c", _LIMITED, str(tmp_path), limit, when, number]
    done = subprocess.run(words, capture_output=True, check=True, timeout=60, text=True)
    told, alive, notes, note = done.stdout.strip().split(" ", 3)
    assert (told, alive, notes) == ("True", "False", "1")
    assert "its limit of followed folders is reached" in note
    assert "every 0.2 s" in note

"""What files a folder or a database is made of, in numbers: their kinds, their dates, their sizes.

It is told by names and by what the system says of files: none is opened.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.library.database import Database

SIZES = ((10_000, "under 10 kB"), (100_000, "10–100 kB"), (1_000_000, "100 kB–1 MB"))
"""Upper bounds of the classes of sizes, bytes, with their names; what is larger is the last one."""

LARGEST = "over 1 MB"


@dataclass(frozen=True, slots=True)
class Makeup:
    """How many files there are of each kind, the most frequent first; of each time; of each size.

    `times` are years, or months (2026-03) where all are of one year, without gaps; `sizes` begins
    with the smallest, and leaves out what no file has.
    """

    kinds: tuple[tuple[str, int], ...] = ()
    times: tuple[tuple[str, int], ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()

    @property
    def files(self) -> int:
        """How many there are."""
        return sum(count for _, count in self.kinds)


class MakeupCount:
    """Counts files one after the other."""

    def __init__(self) -> None:
        self._kinds: Counter[str] = Counter()
        self._months: Counter[str] = Counter()
        self._sizes: Counter[str] = Counter()

    def add(self, path: str, size: int, mtime_ns: int) -> None:
        """Count a file: its path, its size in bytes, when it was changed, in nanoseconds."""
        self._kinds[PurePosixPath(path).suffix.lower().lstrip(".") or "text"] += 1
        self._sizes[next((name for most, name in SIZES if size < most), LARGEST)] += 1
        if month := _month(path, mtime_ns):
            self._months[month] += 1

    def so_far(self) -> Makeup:
        """Give what was counted."""
        order = [*(name for _, name in SIZES), LARGEST]
        sizes = tuple((name, self._sizes[name]) for name in order if self._sizes[name])
        return Makeup(tuple(self._kinds.most_common()), _times(self._months), sizes)


def makeup_of(databases: Iterable["Database"]) -> Makeup:
    """Count the indexed files of databases. It blocks: call it in a thread.

    Raises what reading a database does.
    """
    count = MakeupCount()
    for database in databases:
        with database.reading() as reader:
            for path, known in reader.ledger.files().items():
                if known.record.status == "indexed":
                    count.add(path, known.record.size, known.record.mtime_ns)
    return count.so_far()


def _month(path: str, mtime_ns: int) -> str:
    """Give the month of a file: of the date in its name, or else of its last change."""
    from rag_assistant.text.version_names import document_date  # noqa: PLC0415 - 40 ms of patterns

    try:
        changed = datetime.fromtimestamp(mtime_ns / 1e9, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):  # a damaged disk has such times
        changed = ""
    return document_date(path, {}, changed)[0][:7]


def _times(months: Counter[str]) -> tuple[tuple[str, int], ...]:
    years: Counter[str] = Counter()
    for month, count in months.items():
        years[month[:4]] += count
    if not years:
        return ()
    first, last = min(years), max(years)
    if first != last:
        span = [f"{year:04}" for year in range(int(first), int(last) + 1)]
        return tuple((year, years[year]) for year in span)
    named = [month for month in months if len(month) > len(first)]
    if not named:
        return tuple(years.items())
    within = range(int(min(named)[5:]), int(max(named)[5:]) + 1)
    return tuple((month, months[month]) for month in (f"{first}-{one:02}" for one in within))

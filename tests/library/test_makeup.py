"""What files a folder is made of: kinds, dates and sizes, told without opening any."""

import os
from datetime import UTC, datetime
from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.library.makeup import LARGEST, Makeup, MakeupCount, makeup_of
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.tui.drawing.makeup_chart import MakeupChart


def _at(year: int, month: int = 6) -> int:
    return int(datetime(year, month, 1, tzinfo=UTC).timestamp() * 1e9)


def _counted(*files: tuple[str, int, int]) -> Makeup:
    count = MakeupCount()
    for file in files:
        count.add(*file)
    return count.so_far()


def test_files_are_counted_by_kind_time_and_size() -> None:
    """If it fails, a person is shown a folder that is not theirs."""
    made = _counted(
        ("a.md", 10, _at(2021)), ("b.MD", 50_000, _at(2023)), ("c", 2_000_000, _at(2023))
    )
    assert made.kinds == (("md", 2), ("text", 1))
    assert made.times == (("2021", 1), ("2022", 0), ("2023", 2)), "a year without files is a gap"
    assert made.sizes == (("under 10 kB", 1), ("10–100 kB", 1), (LARGEST, 1))
    assert made.files == 3


def test_a_date_in_the_name_goes_before_that_of_the_file() -> None:
    """If it fails, minutes that were copied last week look as if they were of last week."""
    made = _counted(("2019-03-11 minutes.md", 1, _at(2026)), ("2019-05-02.md", 1, _at(2026)))
    assert made.times == (("2019-03", 1), ("2019-04", 0), ("2019-05", 1))


def test_times_that_cannot_be_are_left_out() -> None:
    """If it fails, one file of a damaged disk ends the scan of all."""
    assert _counted(("a.md", 1, 10**30), ("b.md", 1, _at(2020))).times == (("2020-06", 1),)
    assert Makeup() == _counted()


def test_a_database_counts_what_is_indexed(library: Library, tmp_path: Path) -> None:
    """If it fails, the chart has files that nothing can be asked of."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.txt"):
        (folder / name).write_text("The club meets on Mondays.")
        os.utime(folder / name, ns=(_at(2022), _at(2022)))
    (folder / "film.mp4").write_bytes(b"\0\1")
    library.index(folder)
    made = makeup_of([library.database("notes")])
    assert dict(made.kinds) == {"md": 1, "txt": 1}
    assert made.times == (("2022-06", 2),)


def test_the_chart_fits_and_shows_what_is_most() -> None:
    """If it fails, the picture of a folder is torn in a narrow terminal, or says nothing."""
    many = [(f"{n}.{kind}", 1, _at(1990 + n % 30)) for kind in "abcdefgh" for n in range(len(kind))]
    made = _counted(*many, *((f"{n}.pdf", 1, _at(2000 + n)) for n in range(20)))
    for width in (20, 40, 100):
        lines = MakeupChart(made).lines(width)
        assert all(line.cell_length <= width for line in lines)
    shown = Laid((MakeupChart(made),)).content(60).plain
    assert shown.splitlines()[0].startswith("pdf     ████████")
    assert "others  " in shown
    assert "dates   " in shown
    assert not MakeupChart(Makeup()).lines(40)

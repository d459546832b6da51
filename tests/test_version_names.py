"""What names say of versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.text.version_names import document_date, named_version


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("report-v1.docx", "report_v2.docx"),
        ("report.docx", "report_final(1).docx"),
        ("minutes/2025-06-10-draft.md", "minutes/2025-06-10.md"),
        ("report.docx", "Copy of Report.docx"),
        ("report.docx", "archive/report - Copy (2).docx"),
        ("plan 10 June 2025.txt", "plan-20250610-signed.pdf"),
    ],
)
def test_names_of_versions_have_one_stem(one: str, other: str) -> None:
    """Versions would count as different documents."""
    assert named_version(one).stem == named_version(other).stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("minutes/2025-06-10.md", "minutes/2025-07-08.md"),
        ("report.docx", "reports.docx"),
        ("finals.md", "draughts.md"),
        ("a/readme.md", "b/readme.md"),
        ("old.md", "new.md"),
        ("part-1.md", "part-2.md"),
    ],
)
def test_other_names_have_other_stems(one: str, other: str) -> None:
    """Different documents would be taken for versions of one."""
    assert named_version(one).stem != named_version(other).stem


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("2025-06-10-draft.md", "2025-06-10"),
        ("20250610_minutes.md", "2025-06-10"),
        ("minutes 3.6.2025.txt", "2025-06-03"),
        ("10 June 2025.txt", "2025-06-10"),
        ("report-2025-06.pdf", "2025-06"),
        ("budget-2025-26.xlsx", "2025"),
        ("bericht-3-Mai-2025.md", "2025-05-03"),
        ("rapport février 2025.md", "2025-02"),
        ("marketing 2025.md", "2025"),
        ("decorations-2025.md", "2025"),
        ("plot-2014b.md", ""),
        ("part-120256.md", ""),
    ],
)
def test_dates_are_read_from_names(name: str, date: str) -> None:
    """The newest version would not be told from the others."""
    assert named_version(name).date == date


def test_a_date_in_the_name_comes_before_others() -> None:
    """A copy made today would pass for the newest minutes."""
    own = {"date": "2025-05-01T10:00:00"}
    assert document_date("a/2025-06-10.md", own, "2026-01-01") == ("2025-06-10", "name")
    assert document_date("a/minutes.md", own, "2026-01-01T08:00:00") == ("2025-05-01", "document")
    assert document_date("a/minutes.md", {}, "2026-01-01T08:00:00") == ("2026-01-01", "file")


@given(st.text(max_size=60))
def test_any_path_is_read(path: str) -> None:
    """A file with a strange name would stop the indexing."""
    found = named_version(path)
    assert found.stem

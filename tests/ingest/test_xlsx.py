"""Workbooks must give their cells as a person sees them, and cost only what they hold."""

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from tests.examples import examples
from tests.ingest.office_writer import sheet_book
from tests.ingest.reading import outline, read


def test_a_sheet_gives_its_rows_with_values_as_a_person_sees_them() -> None:
    """A search for a date or a percentage would find nothing, or columns be mixed up."""
    formats = (
        '<numFmts><numFmt numFmtId="164" formatCode="[Red]&quot;day&quot; yyyy\\-mm"/>'
        '<numFmt numFmtId="165" formatCode="0.00 &quot;hours&quot;"/></numFmts><cellXfs>'
        + "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, 10, 22, 20, 164, 165, 46))
        + "</cellXfs>"
    )
    shared = (
        "<si><t>Rent</t></si><si><r><t>Te</t></r><r><t>a_x000D_</t></r><rPh><t>x</t></rPh></si>"
    )
    sheet = (
        '<row r="1"><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c>'
        '<c r="E1" t="inlineStr"><is><t>Inline</t></is></c></row><row r="2"/>'
        '<row r="9"><c r="C9" t="str"><f>A1&amp;A2</f><v>formula</v></c>'
        '<c r="D9" t="b"><v>1</v></c><c r="XFD9"><v>0.30000000000000004</v></c></row><row>'
        + "".join(
            f'<c s="{style}"><v>{value}</v></c>'
            for style, value in (
                (1, "43831"), (2, "0.07"), (3, "43831.5"), (4, "0.75"), (5, "59"), (6, "1.5"),
                (7, "1.25"), (1, "1e99"), (99, "8"), (1, "nan"),
            )
        )
        + '<c t="s"><v>77</v></c></row>'
    )  # fmt: skip
    data = sheet_book(sheet, shared=shared, formats=formats, c="comments ../comments.xml")
    document = read("a.xlsx", data)
    assert document.text == (
        "Costs\n\nRent | Tea | | Inline\n| formula | TRUE | 0.3\n"
        "2020-01-01 | 7% | 2020-01-01 12:00:00 | 18:00:00 | 1900-02-28 | 1.5 | 30:00:00 | 1e99 | 8"
        " | nan\n\nComment (B2, Ann): Why so much?"
    )
    assert outline(document) == [(1, "Costs")]
    assert [(page.start, page.number) for page in document.pages] == [(0, 1)]
    assert document.title == ""


@pytest.mark.soak
def test_a_sparse_sheet_and_a_giant_one_cost_what_they_hold() -> None:
    """A kilobyte would fill the memory, or a large sheet be cut off without a word."""
    start = process_time()
    sparse = '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576">'
    sparse += '<c r="XFD1048576"><v>3</v></c></row>'
    assert read("a.xlsx", sheet_book(sparse)).text == "Costs\n\n1 | 2\n3"
    shared = f"<si><t>{'word ' * 6000}</t></si>"
    giant = "<row>" + '<c t="s"><v>0</v></c>' * 20_000 + "</row>"
    document = read("a.xlsx", sheet_book(giant, shared=shared))
    assert len(document.text) == 40_000_000
    assert document.left_out == "sheet Costs: the end of row 1"
    assert process_time() - start < 10


@pytest.mark.soak
def test_a_stream_of_cells_is_read_to_its_end() -> None:
    """The parser's chunks end within cells, and rows of long sheets would be dropped."""
    # As long as what may pass without a row: what a program writes beside its cells is long, too.
    style = f'<row spans="{"1:2 " * 50}">'
    rows = "".join(f'{style}<c><v>{n}</v></c><c t="b"><v>1</v></c></row>' for n in range(80_000))
    assert len(rows) > 16_000_000
    lines = read("a.xlsx", sheet_book(rows)).text.split("\n")
    assert len(lines) == 80_002
    assert lines[-1] == "79999 | TRUE"


@settings(max_examples=examples(60))
@given(st.integers(0, 2_000), st.integers(0, 255))
def test_a_flipped_byte_ends_as_text_or_as_a_reason(at: int, value: int) -> None:
    """A damaged file would be reported as a defect of the loader."""
    data = bytearray(sheet_book('<row><c t="s"><v>0</v></c></row>', shared="<si><t>a</t></si>"))
    data[at % len(data)] = value
    try:
        read("a.xlsx", bytes(data))
    except LoadError as error:
        assert "loader failed" not in error.message

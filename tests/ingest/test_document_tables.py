"""Tables are one value whatever the format: a cell is read with its row's label and its heads."""

import pytest

from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Document
from rag_assistant.values.tables import DocumentTable
from tests.ingest.office_writer import docx, odf, para, sheet_book
from tests.ingest.reading import read

_HTML = """<table><caption>Sales by year</caption>
<thead><tr><th rowspan=2>Region<th colspan=2>2024<th>2023</tr>
<tr><th>Plan<th>Actual<th>Actual</tr></thead>
<tr><td rowspan=2>North<td>10<td>12<td>9</tr><tr><td>11<td>13<td>8</tr>
<tr><td>South<td>20<td>19<td>18</tr></table>"""


def _tc(text: str, settings: str = "") -> str:
    return f"<w:tc><w:tcPr>{settings}</w:tcPr>{para(text)}</w:tc>"


def _docx() -> bytes:
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    wide, restart = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>'
    rows = (
        f"{head}{_tc('Region', restart)}{_tc('2024', wide)}{_tc('2023')}",
        f"{head}{_tc('', '<w:vMerge/>')}{_tc('Plan')}{_tc('Actual')}{_tc('Actual')}",
        f"{_tc('North', restart)}{_tc('10')}{_tc('12')}{_tc('9')}",
        f"{_tc('', '<w:vMerge/>')}{_tc('11')}{_tc('13')}{_tc('8')}",
        f"{_tc('South')}{_tc('20')}{_tc('19')}{_tc('18')}",
    )
    return docx("<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>")


def _odt() -> bytes:
    def cell(text: str, settings: str = "") -> str:
        return f"<table:table-cell {settings}><text:p>{text}</text:p></table:table-cell>"

    covered = "<table:covered-table-cell/>"
    high = 'table:number-rows-spanned="2"'
    rows = (
        cell("Region", high)
        + cell("2024", 'table:number-columns-spanned="2"')
        + covered
        + cell("2023"),
        covered + cell("Plan") + cell("Actual") + cell("Actual"),
        cell("North", high) + cell("10") + cell("12") + cell("9"),
        covered + cell("11") + cell("13") + cell("8"),
        cell("South") + cell("20") + cell("19") + cell("18"),
    )
    heads, body = (
        "".join(f"<table:table-row>{row}</table:table-row>" for row in part)
        for part in (rows[:2], rows[2:])
    )
    return odf(
        f"<table:table><table:table-header-rows>{heads}</table:table-header-rows>{body}"
        "</table:table>"
    )


def _values(document: Document) -> set[tuple[str, str, str]]:
    """Give the values of the only table: the row's label, the column's heads, the words."""
    (table,) = document.tables
    assert all(document.text[c.start : c.end] == c.text for c in table.cells)
    return {
        (" ".join(table.label_of(cell.row)), " ".join(table.heads_of(cell.column)), cell.text)
        for cell in table.cells
        if cell.row >= table.heads and cell.column
    }


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.html", f"<h1>Report</h1>{_HTML}".encode()), ("a.docx", _docx()), ("a.odt", _odt())],
)
def test_cells_over_several_columns_or_rows_keep_heads_and_labels_in_place(
    name: str, data: bytes
) -> None:
    """A value would be named by the head of the column beside it, or by no row."""
    assert _values(read(name, data)) == {
        ("North", "2024 Plan", "10"),
        ("North", "2024 Actual", "12"),
        ("North", "2023 Actual", "9"),
        ("North", "2024 Plan", "11"),
        ("North", "2024 Actual", "13"),
        ("North", "2023 Actual", "8"),
        ("South", "2024 Plan", "20"),
        ("South", "2024 Actual", "19"),
        ("South", "2023 Actual", "18"),
    }


_PLAIN = {("Tea", "Price", "2"), ("Tea", "Stock", "14"), ("Milk", "Price", "1")}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Item,Price,Stock\nTea,2,14\nMilk,1,\n"),
        ("a.tsv", "Item\tPrice\tStock\nTea\t2\t14\nMilk\t1\t\n"),
        ("a.md", "# Shop\n\nItem | Price | Stock\n--- | --- | ---\nTea | 2 | 14\nMilk | 1 |\n"),
        (
            "a.rtf",
            r"{\rtf1\ansi \pard\intbl Item\cell Price\cell Stock\cell\row"
            r"\pard\intbl Tea\cell 2\cell 14\cell\row\pard\intbl Milk\cell 1\cell\cell\row}",
        ),
    ],
)
def test_plain_tables_are_values_too(name: str, text: str) -> None:
    """What is said of a cell would depend on the program that wrote the file."""
    assert _values(read(name, text.encode())) == _PLAIN


def test_rows_of_a_sheet_over_the_heads_are_its_caption() -> None:
    """The title of a sheet would be taken for the head of its labels."""

    def row(*texts: str) -> str:
        cells = (f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts)
        return f"<row>{''.join(cells)}</row>"

    rows = row("Shop in Bern") + row("Item", "Price") + row("Tea", "2") + row("Milk", "1")
    (table,) = read("a.xlsx", sheet_book(f"<sheetData>{rows}</sheetData>")).tables
    assert (table.caption, table.heads_of(1)) == ("Shop in Bern", ("Price",))


def test_passages_of_a_long_table_are_whole_rows_that_say_their_heads_once() -> None:
    """A value would stand in a passage that says neither its row nor what it is."""
    rows = "".join(f"<tr><td>Town {n}<td>{n * 7}<td>{n * 3}" for n in range(200))
    html = (
        f"<h1>Towns</h1><table><caption>Of 2024</caption><tr><th>Name<th>Area<th>Tax{rows}</table>"
    )
    document = read("a.html", html.encode())
    passages = split(document)
    assert len(passages) > 3
    for passage in passages[1:]:
        assert passage.text.startswith("Town ")
        assert passage.location.heading == "Towns › Of 2024 [Name | Area | Tax]"
        assert all(line.count(" | ") == 2 for line in passage.text.splitlines())


@pytest.mark.parametrize(("words", "count"), [(1, 90), (1, 200), (9, 30), (9, 41), (9, 200)])
@pytest.mark.parametrize("around", [1, 60])
def test_a_passage_of_a_long_table_holds_ten_to_twenty_rows(
    words: int, count: int, around: int
) -> None:
    """A row would be torn from the values that belong to it, or drown among too many others."""
    prose = "<p>" + "What was said of it before stands here. " * around
    rows = "".join(f"<tr><td>{'Town ' * words}{n}<td>{n * 7}<td>of {n * 3}" for n in range(count))
    caption = "<caption>Of 2024, in thousands</caption>"
    html = f"{prose}<table>{caption}<tr><th>Name<th>Area<th>Tax{rows}</table>{prose}"
    document = read("a.html", html.encode())
    passages = split(document)
    assert "".join(passage.text for passage in passages) == document.text
    held = [passage.text.count(" | of ") for passage in passages]
    assert sum(held) == count
    assert all(10 <= rows <= 20 for rows in held if rows)
    (first,) = (passage for passage in passages if "Of 2024" in passage.text)
    assert "Name | Area | Tax" in first.text
    assert " | of 0" in first.text
    for passage in passages[passages.index(first) + 1 :]:
        assert passage.text.startswith(("Town", "What"))


def _long_table(name: str) -> str:
    """Write a table of three columns and many rows, under a heading, with a line behind it."""
    rows = [(f"Town {n}", f"{n * 7}", f"{n * 3}") for n in range(200)]
    if name.endswith(".md"):
        lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
        return f"# Towns\n\n| Name | Area | Tax |\n|---|---|---|\n{lines}\nBehind.\n"
    cells = "".join(f"<tr><td>{'<td>'.join(row)}" for row in rows)
    return f"<h1>Towns</h1><table><tr><th>Name<th>Area<th>Tax{cells}</table><p>Behind."


@pytest.mark.parametrize(
    ("quote", "heading"),
    [
        ("1008", "Towns › Town 144 — Area"),
        ("1008 | 432", "Towns › Town 144 — Area, Tax"),
        ("432", "Towns › Town 144 — Tax"),
        ("Town 144 | 1008", "Towns › [Name | Area | Tax]"),
        ("Name | Area", "Towns"),
        ("Behind.", "Towns"),
    ],
)
@pytest.mark.parametrize("name", ["a.html", "a.md"])
def test_the_place_of_a_cell_names_its_row_and_heads(name: str, quote: str, heading: str) -> None:
    """A citation of a number would not say of what it is."""
    passages = split(read(name, _long_table(name).encode()))
    passage = next(one for one in passages if quote in one.text)
    begin = passage.text.index(quote)
    assert passage.place(begin, begin + len(quote)).heading == heading


def test_units_said_with_a_table_are_known() -> None:
    """Thousands would be read as ones."""
    caption = "<caption>Sales (in thousands)</caption>"
    html = f"<table>{caption}<tr><th>Shop<th>2024<tr><td>Bern<td>12<tr><td>Basel<td>9</table>"
    (table,) = read("a.html", html.encode()).tables
    assert (table.caption, table.units) == ("Sales (in thousands)", "in thousands")


def _covered(table: DocumentTable) -> int:
    return sum(cell.rows * cell.columns for cell in table.cells)


@pytest.mark.soak
@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td rowspan=65534 colspan=1000>a<td>b" * 900 + "</table>",
        "<table><tr>" + "<td>a" * 10_000 + "<tr>" + "<td>1" * 10_000 + "</table>",
        "<table><tr><td>a<td>b" * 3_000,
        "<table>" + "<tr><td colspan=-3 rowspan=0>a<td colspan=x>b" * 3 + "</table>",
    ],
)
def test_hostile_spans_cost_no_more_than_their_size(html: str) -> None:
    """A page of a few kilobytes would take the memory or the time of gigabytes."""
    for table in read("a.html", html.encode()).tables:
        assert _covered(table) < 300_000
        assert table.heads_of(1) is not None


def _wide(name: str) -> bytes:
    """Write a table of ten thousand columns, or one within another a hundred times."""
    columns = 10_000
    if name == "a.csv":
        return ("\n".join([",".join(f"c{n}" for n in range(columns)), "1," * columns])).encode()
    if name == "a.xlsx":
        row = "<row>" + "<c><v>1</v></c>" * columns + "</row>"
        return sheet_book(f"<sheetData>{row * 3}</sheetData>")
    if name == "a.md":
        line = "|" + " a |" * columns
        return f"{line}\n{'|' + '-|' * columns}\n{line}\n".encode()
    if name == "a.docx":
        span = _tc("x", '<w:gridSpan w:val="999999999"/><w:vMerge w:val="restart"/>')
        goes_on = _tc("", '<w:gridSpan w:val="999999999"/><w:vMerge/>')
        rows = f"<w:tr>{span * 30}</w:tr>" + f"<w:tr>{goes_on * 30}</w:tr>" * 200
        return docx(f"<w:tbl>{rows}</w:tbl>")
    return ("<table><tr><td>a<td>b<tr><td>" * 100 + "x" + "</table>" * 100).encode()


@pytest.mark.soak
@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.md", "a.docx", "a.html"])
def test_tables_of_no_sane_size_are_read(name: str) -> None:
    """A file of a few kilobytes would hold a reader for minutes, or fill its memory."""
    document = read(name, _wide(name))
    assert document.text
    for table in document.tables:
        assert _covered(table) < 300_000
    for passage in split(document):
        assert len(passage.location.heading or "") < 1_000


@pytest.mark.parametrize(
    ("path", "write"),
    [
        ("a.md", "{}\n\n| Item | 2024 |\n| --- | --- |\n| Loss | 18 |\n"),
        ("a.html", "<p>{}</p><table><tr><th>Item<th>2024</tr><tr><td>Loss<td>18</tr></table>"),
        ("a.docx", ""),
    ],
)
def test_the_line_above_a_table_is_its_caption_where_it_says_so(path: str, write: str) -> None:
    """Values "in thousands" would be shown without that, and sentences be taken for captions."""
    cells = (("Item", "2024"), ("Loss", "18"))
    rows = "".join("<w:tr>" + "".join(map(_tc, one)) + "</w:tr>" for one in cells)
    for line, caption, units in (
        ("Table 2.1: Loss (in thousands)", "Table 2.1: Loss (in thousands)", "in thousands"),
        ("Table 2 shows what was lost.", "", ""),
        ("What was lost", "", ""),
    ):
        data = write.format(line).encode() or docx(f"{para(line)}<w:tbl>{rows}</w:tbl>")
        (table,) = read(path, data).tables
        assert (table.caption, table.units) == (caption, units)


def test_the_heads_of_columns_are_no_part_of_the_units() -> None:
    """A value would be said to be "in thousands Item 2024"."""
    page = _HTML.replace("Sales by year", "Loans in thousands")
    assert read("a.html", page.encode()).tables[0].units == "in thousands"

"""Captions of word processors must belong to the table or picture beside them."""

from rag_assistant.ingest.passages import split
from tests.ingest.office_writer import docx, odf, para, row
from tests.ingest.reading import read

STYLES = (
    '<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="Beschriftung"/></w:style>'
)


def run(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


def field(label: str, number: str) -> str:
    """Make a number that Word counts for each label, and shows as it last counted."""
    marks = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate"))
    begin, middle = marks
    code = f"<w:r><w:instrText> SEQ {label} \\* ARABIC </w:instrText></w:r>"
    return f'{begin}{code}{middle}{run(number)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def caption(label: str, number: str, words: str, settings: str = "") -> str:
    inside = run(f"{label} ") + field(label, number) + run(f": {words}")
    return f"<w:p><w:pPr>{settings}</w:pPr>{inside}</w:p>"


def grid(*words: str) -> str:
    rows = row(para("Year"), para("Sales")) + "".join(row(para(w), para("7")) for w in words)
    return f"<w:tbl>{rows}</w:tbl>"


def picture(told: str) -> str:
    return f'<w:p><w:r><w:drawing><wps:docPr descr="{told}"/></w:drawing></w:r></w:p>'


STYLED, LEADS = '<w:pStyle w:val="Own"/>', "<w:keepNext/>"


def captions(body: str) -> list[str]:
    return [table.caption for table in read("a.docx", docx(body, styles=STYLES)).tables]


def test_a_caption_names_the_table_beside_it_with_the_number_that_is_shown() -> None:
    """ "Table 2-3" would find a line of its own, and its rows not say what they are of."""
    one, two = (caption("Table", f"2-{n}", "Sales", STYLED) for n in (1, 2))
    assert captions(one + grid("a") + "<w:p/>" + two + grid("b")) == [
        "Table 2-1: Sales",
        "Table 2-2: Sales",
    ]
    assert captions(grid("a") + "<w:p/>" + one + grid("b") + two + grid("c")) == [
        "Table 2-1: Sales",
        "Table 2-2: Sales",
        "",
    ]
    leading = caption("Table", "9", "By hand", STYLED + LEADS)
    assert captions(grid("a") + leading + grid("b")) == ["", "Table 9: By hand"]
    assert captions(caption("Table", "1", "Of no style") + grid("a")) == ["Table 1: Of no style"]


def test_what_is_no_caption_names_no_table() -> None:
    """A sentence or an equation beside a table would be said of all its values."""
    equation = f"<w:p>{run('a = b (')}{field('Equation', '1')}{run(')')}</w:p>"
    for beside in (para("Table 1 shows sales."), equation, para("Sales", "<w:keepNext/>")):
        assert captions(beside + grid("a") + beside) == [""]
    apart = caption("Table", "1", "Sales", STYLED) + para("Between.") + grid("a")
    assert captions(apart) == [""]
    figure = caption("Figure", "1", "A map", STYLED)
    assert captions(grid("a") + picture("") + figure) == [""]


def test_a_caption_stays_with_what_is_said_of_its_picture() -> None:
    """A passage would say what a picture shows and not which, or the caption of another one."""
    one, two = (caption("Figure", str(n), words, STYLED) for n, words in ((1, "Map"), (2, "Plan")))
    for body, shown in (
        (picture("Rivers") + one, "Image: Rivers\nFigure 1: Map"),
        (picture("Rivers") + one + picture("Rooms") + two,
         "Image: Rivers\nFigure 1: Map\n\nImage: Rooms\nFigure 2: Plan"),
        (one + picture("Rivers") + two + picture("Rooms"),
         "Figure 1: Map\nImage: Rivers\n\nFigure 2: Plan\nImage: Rooms"),
        (picture("") + one, "Figure 1: Map"),
        (picture("Rivers") + para("Text."), "Image: Rivers\n\nText."),
    ):  # fmt: skip
        assert read("a.docx", docx(body, styles=STYLES)).text == shown


def test_rows_of_a_long_table_are_under_its_caption() -> None:
    """The tenth page of a table would not say what it is a table of."""
    above = caption("Table", "4", "Sales by year", STYLED)
    body = above + grid(*(f"Year {number} of the long list" for number in range(90)))
    document = read("a.docx", docx(body, styles=STYLES))
    later = split(document)[1:]
    assert later and all("Table 4: Sales by year" in (one.location.heading or "") for one in later)


def test_captions_of_opendocument_name_tables_and_pictures() -> None:
    """The same document saved by LibreOffice would lose what it says of its tables."""

    def named(label: str, words: str, inside: str = "") -> str:
        number = f'<text:sequence text:name="{label}">3</text:sequence>'
        return f"<text:p>{inside}{label} {number}: {words}</text:p>"

    cells = "".join(
        f"<table:table-cell><text:p>{word}</text:p></table:table-cell>" for word in ("a", "b")
    )
    table = f"<table:table>{f'<table:table-row>{cells}</table:table-row>' * 2}</table:table>"
    image = "<draw:frame><draw:image/><text:desc>Rivers</text:desc></draw:frame>"
    document = read("a.odt", odf(table + named("Tabelle", "Sales") + named("Map", "All", image)))
    assert document.text == "a | b\na | b\n\nTabelle 3: Sales\n\nMap 3: All\nImage: Rivers"
    assert [one.caption for one in document.tables] == ["Tabelle 3: Sales"]

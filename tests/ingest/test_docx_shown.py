"""What Word shows and its XML does not spell out: numbers, changes, comments, words on pictures."""

import pytest

from rag_assistant.ingest.parsing.office.numerals import numeral
from tests.ingest.office_writer import docx, para, row
from tests.ingest.reading import outline, read


def level(at: int, form: str, pattern: str, more: str = "") -> str:
    """Make a level of a list; `more` are further settings."""
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


def kind(identity: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{identity}">{"".join(levels)}</w:abstractNum>'


def num(identity: int, of: int, more: str = "") -> str:
    return f'<w:num w:numId="{identity}"><w:abstractNumId w:val="{of}"/>{more}</w:num>'


def listed(text: str, number: int, at: int = 0) -> str:
    return para(text, f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>')


LEGAL = kind(
    0,
    level(0, "decimal", "%1.", '<w:pStyle w:val="H1"/>'),
    level(1, "decimal", "%1.%2", '<w:pStyle w:val="Clause"/>'),
    level(2, "lowerLetter", "(%3)"),
    level(3, "lowerRoman", "(%4)"),
)
STYLES = (
    '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
    '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Clause"><w:pPr><w:numPr><w:ilvl w:val="1"/>'
    '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Sub"><w:basedOn w:val="Clause"/></w:style>'
)


def test_headings_and_clauses_have_the_numbers_that_word_shows() -> None:
    """ "What does clause 2.1 say?" would find nothing."""
    body = (
        para("Scope", '<w:pStyle w:val="H1"/>')
        + para("The goods.", '<w:pStyle w:val="Clause"/>')
        + para("Price", '<w:pStyle w:val="H1"/>')
        + para("Payment is due in 30 days.", '<w:pStyle w:val="Sub"/>')
        + listed("in euros;", 1, 2)
        + listed("by transfer", 1, 3)
        + listed("or by cheque.", 1, 2)
        + para("Late payment costs 5 %.", '<w:pStyle w:val="Clause"/>')
        + listed("each month.", 1, 2)
    )
    document = read("a.docx", docx(body, styles=STYLES, numbering=LEGAL + num(1, 0)))
    assert document.text == (
        "1. Scope\n\n  1.1 The goods.\n\n2. Price\n\n  2.1 Payment is due in 30 days.\n"
        "    (a) in euros;\n      (i) by transfer\n    (b) or by cheque.\n"
        "  2.2 Late payment costs 5 %.\n    (a) each month."
    )
    assert outline(document) == [(1, "1. Scope"), (1, "2. Price")]


def test_lists_go_on_and_start_again_as_they_say() -> None:
    """Numbers would differ from those on paper, and an answer would cite the wrong clause."""
    again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{}"/></w:lvlOverride>'.format
    other = f'<w:lvlOverride w:ilvl="0">{level(0, "upperRoman", "%1)")}</w:lvlOverride>'
    numbers = (
        LEGAL
        + LEGAL.replace('Id="0"', 'Id="9"')
        + kind(7, level(0, "bullet", "x"), level(1, "decimal", "%2", '<w:lvlRestart w:val="0"/>'))
        + kind(8, level(0, "upperRoman", "Art. %1"), level(1, "decimal", "%1.%2", "<w:isLgl/>"))
        + num(1, 0) + num(2, 0) + num(3, 0, again(1)) + num(4, 0, again(5)) + num(5, 0, other)
        + num(6, 7) + num(7, 8) + num(8, 9)
    )  # fmt: skip
    items = [
        (1, 0, "1."), (2, 0, "2."), (3, 0, "1."), (3, 0, "2."), (4, 0, "5."), (1, 0, "6."),
        (5, 0, "I)"), (5, 0, "II)"), (6, 0, "-"), (6, 1, "1"), (6, 0, "-"), (6, 1, "2"),
        (8, 2, "(a)"), (8, 1, "1.2"), (8, 0, "2."), (7, 0, "Art. I"),
        (7, 1, "1.1"), (7, 0, "Art. II"), (7, 1, "2.1"), (9, 0, "-"),
    ]  # fmt: skip
    body = "".join(listed("x", number, at) for number, at, _ in items)
    document = read("a.docx", docx(body, numbering=numbers))
    assert [line.strip().rpartition(" ")[0] for line in document.text.split("\n")] == [
        mark for _, _, mark in items
    ]


def test_a_table_shows_the_numbers_of_its_cells() -> None:
    """A first column that Word numbers by itself would be empty."""
    table = "".join(row(listed("", 1), para(word)) for word in ("One", "Two"))
    document = read("a.docx", docx(f"<w:tbl>{table}</w:tbl>", numbering=LEGAL + num(1, 0)))
    assert document.text == "1. | One\n2. | Two"


@pytest.mark.parametrize(
    ("number", "form", "shown"),
    [
        *((4, "lowerRoman", "iv"), (1994, "upperRoman", "MCMXCIV"), (0, "lowerRoman", "0")),
        *((28, "lowerLetter", "bb"), (28, "a", "ab"), (703, "A", "AAA"), (3, "alphaLc", "c")),
        *((7, "decimalZero", "07"), (22, "ordinal", "22nd"), (113, "ordinal", "113th")),
        *((21, "ordinalText", "Twenty-first"), (30, "ordinalText", "Thirtieth")),
        *((12, "ordinalText", "Twelfth"), (42, "cardinalText", "Forty-two")),
        *((10, "chineseCounting", "十"), (205, "japaneseCounting", "二百〇五")),
        *((15, "taiwaneseCounting", "十五"), (3, "unheard of", "3"), (3, "none", "")),
        *((10**9, "lowerLetter", "1000000000"), (10**9, "upperRoman", "1000000000")),
    ],
)
def test_numerals(number: int, form: str, shown: str) -> None:
    """A clause (iv) would be cited as (4), or a hostile number fill the memory."""
    assert numeral(number, form) == shown


def test_comments_say_what_they_are_about_and_changes_are_counted() -> None:
    """Deleted words would be cited, or nobody would know that a text is not settled."""
    run = "<w:r><w:t>{}</w:t></w:r>".format
    body = (
        '<w:p><w:commentRangeStart w:id="4"/>' + run("The price ")
        + '<w:ins w:author="Ann">' + run("of two euros ") + "</w:ins>"
        + '<w:del w:author="Bob"><w:r><w:delText>of one euro </w:delText></w:r></w:del>'
        + run("is fixed") + '<w:commentRangeEnd w:id="4"/>'
        + '<w:r><w:commentReference w:id="4"/></w:r></w:p>'
        + "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + run("Joined ") + "</w:p>"
        + "<w:p>" + run("again.") + "</w:p>"
        + "<w:tbl><w:tr><w:trPr><w:del w:author='Bob'/></w:trPr><w:tc>" + para("gone")
        + "</w:tc></w:tr>" + row(para("stays"), para("here")) + "</w:tbl>"
    )  # fmt: skip
    comment = '<w:comment w:id="4" w:author="Eve">{}</w:comment>'.format(para("Really?"))
    document = read("a.docx", docx(body, comments=comment))
    assert document.text == (
        "The price of two euros is fixed\n\nComment (Eve) on “The price of two euros is fixed”: "
        "Really?\n\nJoined again.\n\nstays | here"
    )
    assert document.metadata["tracked_changes"] == "1 insertion, 2 deletions by Ann, Bob"
    assert document.metadata["comments"] == "1 by Eve"


def test_notes_are_numbered_in_the_order_of_their_references() -> None:
    """ "What does footnote 2 say?" would find nothing."""
    refer = '<w:r><w:t>{}</w:t><w:{}Reference w:id="{}"/></w:r>'.format
    body = (
        f"<w:p>{refer('One', 'footnote', 9)}{refer('two', 'footnote', 3)}</w:p>"
        f"<w:p>{refer('Three', 'endnote', 1)}{refer('four', 'endnote', 2)}</w:p>"
    )
    note = '<w:{} w:id="{}"><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:{}>'.format
    document = read(
        "a.docx",
        docx(
            body,
            footnotes="".join(note("footnote", at, f"Of {at}.", "footnote") for at in (3, 9)),
            endnotes="".join(note("endnote", at, f"End {at}.", "endnote") for at in (1, 2)),
        ),
    )
    assert document.text == (
        "Onetwo\n\nFootnote 1: Of 9.\n\nFootnote 2: Of 3.\n\n"
        "Threefour\n\nEndnote i: End 1.\n\nEndnote ii: End 2."
    )


def test_what_is_said_of_pictures_is_text() -> None:
    """A chart put in as a picture would not be found by the words that describe it."""
    drawing = "<w:r><w:drawing><wps:inline><wps:docPr {}/></wps:inline></w:drawing></w:r>".format
    body = "<w:p><w:r><w:t>See:</w:t></w:r>" + "".join(
        drawing(told)
        for told in (
            'descr="Sales by year&#10;&#10;Description automatically generated"',
            'descr="C:\\logo.png"',
            'name="Picture 3"',
        )
    )
    assert read("a.docx", docx(f"{body}</w:p>")).text == "See:\n\nImage: Sales by year"

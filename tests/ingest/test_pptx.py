"""Presentations must give the words of each slide under its number."""

from rag_assistant.ingest.passages import split
from tests.ingest.office_writer import REL, A, P, rels, zipped
from tests.ingest.reading import read


def test_slides_are_pages_with_their_title_first() -> None:
    """A citation would name the wrong slide, or notes, tables and charts not be found."""

    def shape(kind: str, *lines: str) -> str:
        text = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        ph = f"<p:ph {kind}/>" if kind != "-" else ""
        return f"<p:sp><p:nvSpPr><p:nvPr>{ph}</p:nvPr></p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"

    def slide(shapes: str) -> str:
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        return f'<p:sld xmlns:p="{P}" xmlns:a="{A}">{tree}</p:sld>'

    table = "<a:tbl>" + "".join(
        "<a:tr>" + "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{word}</a:t></a:r></a:p></a:txBody>"
                           "</a:tc>" for word in words) + "</a:tr>"
        for words in (("a", "b"), ("1", "2"))
    ) + "</a:tbl>"  # fmt: skip
    footer, number = shape('type="ftr"', "Our firm"), shape('type="sldNum"', "2")
    data = zipped(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{REL}"><p:sldIdLst>'
            '<p:sldId id="256" r:id="r9"/><p:sldId id="257" r:id="r1"/><p:sldId r:id="r2"/>'
            "</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": rels(
                r1="slide slides/s1.xml", r2="slide slides/s2.xml", r9="slide slides/s9.xml",
                r3="commentAuthors authors.xml",
            ),
            "ppt/authors.xml": '<x><cmAuthor id="0" name="Bo"/></x>',
            "ppt/slides/s9.xml": slide(
                shape('type="body" idx="1"', "One", "Two") + shape('type="title"', "Start") + footer
            ),
            "ppt/slides/s1.xml": slide(""),
            "ppt/slides/s2.xml": slide(
                shape("-", "A box") + f"<p:graphicFrame>{table}</p:graphicFrame>" + footer + number
            ),
            "ppt/slides/_rels/s2.xml.rels": rels(
                n="notesSlide n.xml", c="comments c.xml", h="chart h.xml"
            ),
            "ppt/slides/n.xml": slide(shape('type="body"', "Say hello.") + number),
            "ppt/slides/c.xml": '<x><cm authorId="0"><text>Shorter!</text></cm></x>',
            "ppt/slides/h.xml": f'<c xmlns:a="{A}"><a:p><a:r><a:t>Sales</a:t></a:r></a:p><strCache>'
            "<pt><v>North</v></pt><pt><v>South</v></pt></strCache></c>",
        }
    )  # fmt: skip
    document = read("a.pptx", data)
    assert document.text == (
        "Start\n\n- One\n- Two\n\nOur firm\n\nA box\n\na | b\n1 | 2\n\nSales\n\n"
        "North, South\n\nNotes: Say hello.\n\nComment (Bo): Shorter!"
    )
    assert [(document.text[page.start :][:5], page.number) for page in document.pages] == [
        ("Start", 1),
        ("A box", 3),
    ]
    assert document.title == "Start"
    assert [passage.location.page for passage in split(document)] == [1, 3]


def deck(shapes: str, **parts: str) -> bytes:
    """Make a presentation of one slide; keywords are further parts, by their paths in `ppt`."""
    return zipped(
        {f"ppt/{name}": content for name, content in parts.items()}
        | {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{REL}"><p:sldIdLst>'
            '<p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
            "ppt/_rels/presentation.xml.rels": rels(r1="slide slides/s1.xml"),
            "ppt/slides/s1.xml": f'<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{shapes}'
            "</p:spTree></p:cSld></p:sld>",
        }
    )


def test_numbers_of_lists_and_what_is_said_of_pictures_are_as_on_the_slide() -> None:
    """ "What is step 3?" would find nothing, nor the words that describe a chart."""

    def line(text: str, bullet: str = "", level: int = 0) -> str:
        return f'<a:p><a:pPr lvl="{level}">{bullet}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'

    def auto(scheme: str, start: str = "") -> str:
        begins = f' startAt="{start}"' if start else ""
        return f'<a:buAutoNum type="{scheme}"{begins}/>'

    lines = (
        line("Open", auto("arabicPeriod"))
        + line("slowly", auto("alphaLcParenBoth"), 1)
        + line("gently", auto("alphaLcParenBoth"), 1)
        + "<a:p/>"
        + line("Close", auto("arabicPeriod"))
        + line("again", auto("alphaLcParenBoth"), 1)
        + line("Plain", "<a:buNone/>")
        + line("Anew", auto("arabicPeriod"))
        + line("Fifth", auto("romanUcParenR", "5"))
        + line("Sixth", auto("romanUcParenR", "5"))
        + line("By the shape", "", 2)
    )
    style = f"<a:lstStyle><a:lvl3pPr>{auto('arabicPlain')}</a:lvl3pPr></a:lstStyle>"
    shapes = (
        f"<p:sp><p:txBody>{style}{lines}</p:txBody></p:sp>"
        '<p:pic><p:nvPicPr><p:cNvPr name="Picture 2" descr="Sales by year"/></p:nvPicPr></p:pic>'
    )
    assert read("a.pptx", deck(shapes)).text == (
        "1. Open\n  (a) slowly\n  (b) gently\n2. Close\n  (a) again\n\nPlain\n\n1. Anew\n"
        "V) Fifth\nVI) Sixth\n    1 By the shape\n\nImage: Sales by year"
    )


def test_numbers_that_a_layout_or_the_master_gives_are_shown() -> None:
    """Steps numbered by the template would lose their numbers, or plain text be given a bullet.

    LibreOffice shows the same numbers for a presentation made so.
    """

    def styled(name: str, *levels: str) -> str:
        inside = "".join(f"<a:lvl{at}pPr>{one}</a:lvl{at}pPr>" for at, one in enumerate(levels, 1))
        return f"<{name}>{inside}</{name}>"

    def shape(kind: str, style: str, *lines: tuple[int, str]) -> str:
        text = "".join(
            f'<a:p><a:pPr lvl="{level}"/><a:r><a:t>{line}</a:t></a:r></a:p>'
            for level, line in lines
        )
        holder = f"<p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr>"
        return f"<p:sp>{holder}<p:txBody>{style}{text}</p:txBody></p:sp>"

    def part(name: str, shapes: str, styles: str = "") -> str:
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        return f'<p:{name} xmlns:p="{P}" xmlns:a="{A}">{tree}{styles}</p:{name}>'

    plain, bullet = "<a:buNone/>", '<a:buChar char="x"/>'
    digits, letters = '<a:buAutoNum type="arabicPeriod"/>', '<a:buAutoNum type="alphaLcParenR"/>'
    third = '<a:buAutoNum type="romanLcParenBoth" startAt="3"/>'
    master = part(
        "sldMaster",
        shape('<p:ph type="title"/>', "")
        + shape('<p:ph type="body" idx="1"/>', styled("a:lstStyle", "", "", bullet)),
        "<p:txStyles>"
        + styled("p:titleStyle", '<a:buAutoNum type="romanUcPeriod"/>')
        + styled("p:bodyStyle", digits, letters, digits)
        + styled("p:otherStyle", plain)
        + "</p:txStyles>",
    )
    layout = part(
        "sldLayout",
        shape('<p:ph idx="1"/>', "")
        + shape('<p:ph idx="2"/>', styled("a:lstStyle", third, plain))
        + shape('<p:ph type="subTitle" idx="9"/>', styled("a:lstStyle", plain)),
    )
    slide = (
        shape('<p:ph type="title"/>', "", (0, "Plan"))
        + shape(
            '<p:ph idx="1"/>', "", (0, "First"), (1, "slowly"), (1, "gently"), (0, "Second"),
            (2, "deep"),
        )
        + shape('<p:ph idx="2"/>', "", (0, "Rome"), (1, "plain"), (0, "Athens"))
        + shape('<p:ph type="subTitle" idx="4"/>', "", (0, "Of the kind"))
        + shape("", "", (0, "A box"))
    )  # fmt: skip
    data = deck(
        slide,
        **{
            "slides/_rels/s1.xml.rels": rels(a="slideLayout ../l.xml"),
            "l.xml": layout,
            "_rels/l.xml.rels": rels(a="slideMaster m.xml"),
            "m.xml": master,
        },
    )
    document = read("a.pptx", data)
    assert document.text == (
        "I. Plan\n\n1. First\n  a) slowly\n  b) gently\n2. Second\n    - deep\n\n"
        "(iii) Rome\n\nplain\n\n(iv) Athens\n\nOf the kind\n\nA box"
    )
    assert document.title == "Plan"
    without = deck(slide, **{"slides/_rels/s1.xml.rels": rels(a="slideLayout ../l.xml")})
    assert "- First\n" in read("a.pptx", without).text  # what masters have bullets for is a list
    assert "unreadable" in read("a.pptx", without).metadata

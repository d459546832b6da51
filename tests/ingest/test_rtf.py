"""RTF must be read in the encodings and tables of its writers, and bombs must cost nothing."""

from pathlib import Path
from time import process_time

import pytest

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from tests.ingest.reading import read, refusal

DOCUMENTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "documents" / "office"


def rtf(body: str, fonts: str = "") -> bytes:
    """Write an RTF file of a body, with the table of its fonts."""
    table = rf"{{\fonttbl{{\f0 Arial;}}{fonts}}}"
    return rf"{{\rtf1\ansi\ansicpg1252\deff0{table}{body}}}".encode("latin-1")


def text(body: str, fonts: str = "") -> str:
    """Give the text of a body as it is read."""
    return read("a.rtf", rtf(body, fonts)).text


def test_paragraphs_lines_and_signs_are_read_and_the_hidden_left_out() -> None:
    """Words would be glued, or codes, pictures and deleted words found as text."""
    assert (
        text(
            r"\pard One\emdash two\~three\_four op\-tional\line next\par"
            r"{\*\generator Nobody;}{\pict\wmetafile8 0102}{\v unseen}{\deleted gone}"
            r"{\field{\*\fldinst HYPERLINK x}{\fldrslt a link}} \{brace\}\par}"
        )
        == "One—two three-four optional\nnext\n\na link {brace}"
    )


@pytest.mark.parametrize(
    ("body", "fonts", "expected"),
    [
        (r"Gr\'fc\'dfe", "", "Grüße"),
        (r"\f1 \'cf\'f0\'e8\'e2\'e5\'f2", r"{\f1\fcharset204 Arial;}", "Привет"),
        (r"\f1 \'93\'fa\'96{\b \'7b}", r"{\f1\fcharset128 MS;}", "日本"),
        (r"\f1 \'83A", r"{\f1\fcharset128 MS;}", "ア"),
        (r"\uc1\u1055 ?\u-10179 ?\u-8704 ?.", "", "П😀."),
        (r"\uc2\u24180\'94\'4e abc", "", "年 abc"),
        (r"\uc0\u8364 5", "", "€5"),
        (r"{\uc0 x}\u8364?5", "", "x€5"),
        (r"\ansicpg1250 \'9cl\'b9", "", "ślą"),
    ],
)
def test_characters_of_all_code_pages_are_read(body: str, fonts: str, expected: str) -> None:
    """Texts that are not western would be garbled, and none of their words be found."""
    assert text(body, fonts) == expected


def test_tables_lists_and_headings_keep_their_form() -> None:
    """A figure would lose its row, and a passage its heading."""
    document = read(
        "a.rtf",
        rtf(
            r"{\stylesheet{\s0 Normal;}{\s1\b{\*\x y} heading 1;}{\s2 heading 2;}}"
            r"\pard\s1 The title\par\pard Words.\par"
            r"\pard\intbl a\par b\cell 1\cell\row\pard\intbl c\cell\cell 3\cell\row"
            r"\pard\outlinelevel1 Below\par"
            r"\pard{\listtext\'b7\tab}one\par{\listtext\'b7\tab}two\par"
            r"\pard{\pntext 1.\tab}first\par{\pntext 2.\tab}second\par"
        ),
    )
    assert document.text == (
        "The title\n\nWords.\n\na b | 1\nc | | 3\n\nBelow\n\n- one\n- two\n\n1. first\n2. second"
    )
    assert [(h.start, h.level, h.title) for h in document.headings] == [
        (0, 1, "The title"),
        (document.text.index("Below"), 2, "Below"),
    ]


def test_the_info_group_is_metadata_and_notes_come_last() -> None:
    """Who wrote it and when would be unknown, and a note would break a sentence."""
    document = read(
        "a.rtf",
        rtf(
            r"{\info{\title On \'fcbung}{\author Ann}{\keywords k}"
            r"{\creatim\yr2004\mo3\dy9\hr8\min5}{\revtim\yr1601\mo1\dy1}}"
            r"{\header Secret}{\headerl Secret}"
            r"Before{\footnote\pard The note.} after.\par{\*\annotation Really?}"
        ),
    )
    assert document.text == "Before after.\n\nThe note.\n\nReally?\n\nSecret"
    assert document.title == "On übung"
    assert document.metadata == {
        "author": "Ann",
        "keywords": "k",
        "created": "2004-03-09T08:05:00",
    }


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"just a letter", "just a letter"),
        (b"<html><body><p>a page</p></body></html>", "a page"),
    ],
)
def test_other_formats_under_this_suffix_are_read(data: bytes, expected: str) -> None:
    """Files that old programs named wrongly would be refused."""
    assert read("a.rtf", data).text == expected


@pytest.mark.soak
def test_hostile_files_cost_no_time() -> None:
    """A picture or a bomb would hold up the run."""
    start = process_time()
    assert refusal("a.rtf", b"{\\rtf1 " + b"{" * 200_000) == "nested too deep: groups within groups"
    assert text(r"{\*\unknown " + "{" * 200_000 + "}" * 200_000 + "}seen") == "seen"
    assert text(r"{\pict " + "0123456789abcdef\n" * 1_000_000 + "}seen") == "seen"
    assert text(r"seen\bin2000000000 " + "x") == "seen"
    assert text(r"{\pict\bin5 }}}}}}seen") == "seen"
    assert read("a.rtf", b"{\\rtf1 cut {\\b short").text == "cut short"
    assert "x" in text(r"\u99999999 ?\uc99999 \f-1 \s99 x\ansicpg99999 \cell\row}}}}")
    styles = r"{\stylesheet " + r"{\s1{x" * 50_000 + "}" * 100_001
    assert text(styles + "seen") == "seen"
    assert process_time() - start < 5


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_real_files_are_read_or_have_no_text() -> None:
    """Files of real writers would fail, or their words be garbled."""
    texts = {}
    for path in sorted(DOCUMENTS.glob("*.rtf")):
        loader = loader_for(path.name, b"")
        assert loader is not None
        try:
            (document,) = load(loader, LoadInput(path.name, path.read_bytes()))
            texts[path.stem] = document.text
        except LoadError as error:
            assert error.message == "no text in it", path
    assert len(texts) >= 19
    assert "ゾルゲと尾崎、淡々と最期" in texts["testRTFJapanese"]
    assert "こんにちは" in texts["testRTF-ms932"]
    assert "zażółć gęślą jaźń" in texts["testRTFWindowsCodepage1250"]
    assert "Fee | None" in texts["testRTFTIKA_2899"]
    assert not any("\ufffd" in text for text in texts.values())

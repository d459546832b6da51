"""Word, Excel and PowerPoint files before 2007 must give their text, or a reason, at any damage."""

import random
import struct
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.parsing.office.ole import MAGIC
from scripts.benchmarks.ingest.known_files.ole import (
    CELL,
    HEADING_2,
    ITEM,
    PLAIN,
    ROW_END,
    biff,
    compound,
    label,
    number_cell,
    old_word,
    presentation,
    record,
    sparse_binary_workbook,
    summary,
    word,
    workbook,
)
from tests.ingest.reading import read, refusal

pytest.importorskip("olefile")
pytest.importorskip("python_calamine")

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT.parent / "shared" / "data" / "documents" / "office"


def test_a_word_document_keeps_headings_lists_tables_and_results_of_fields() -> None:
    """Field codes would be found as text, and a figure lose its row."""
    tree = word(
        [
            'Title\rSee \x13 HYPERLINK "x" \x14the \x13 PAGE \x14site\x15\x15 now\x1eor.\r',
            "eins\x07zwei 😀 ü\x07\x07\x07\x07Punkt\rmore\r",
        ],
        [HEADING_2, PLAIN, CELL, CELL, ROW_END, CELL, ROW_END, ITEM, ITEM],
    )
    document = read("a.doc", compound({**tree, "\x05SummaryInformation": summary(author="Jörg")}))
    assert document.text == "Title\n\nSee the site now-or.\n\neins | zwei 😀 ü\n\n- Punkt\n- more"
    assert [(h.start, h.level, h.title) for h in document.headings] == [(0, 2, "Title")]
    assert (document.title, document.metadata) == ("Title", {"author": "Jörg"})


def test_notes_and_margins_of_a_word_document_follow_its_text() -> None:
    """A footnote would be taken for the last sentence, a header be lost or come twice."""
    pieces = ["Text.\x02\r", "\x02The note.\r", "Draft\rDraft\r"]
    tree = word(pieces, [PLAIN] * 4, counts=(7, 11, 12))
    assert read("a.doc", compound(tree)).text == "Text.\n\nThe note.\n\nDraft"


def test_encrypted_files_say_so() -> None:
    """A person would be told that the file is broken, and look for the wrong cure."""
    locked = "password-protected"
    assert refusal("a.doc", compound(word(["x\r"], [PLAIN], flags=0x0100))) == locked
    assert refusal("a.xls", compound({"EncryptedPackage": b"x" * 5000})) == locked
    assert refusal("a.xls", compound({"Workbook": workbook([], [(0x2F, bytes(6))])})) == locked
    user = struct.pack("<HHIIII", 0, 0xFF6, 20, 20, 0xF3D1C4DF, 0)
    assert refusal("a.ppt", compound({"PowerPoint Document": b"", "Current User": user})) == locked


def test_documents_of_word_6_are_read_with_or_without_a_container() -> None:
    """Old archives would not be found."""
    text = "Grüße\ra\x07b\x07\x07\r".encode("cp1252")
    for data in (old_word(text), compound({"WordDocument": old_word(text)})):
        assert read("a.doc", data).text == "Grüße\n\na | b"
    assert read("a.doc", old_word("Привет\r".encode("cp1251"), 0x0419)).text == "Привет"


def package(*names: str) -> bytes:
    """Write a zip with empty members."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return written.getvalue()


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("a.doc", rb"{\rtf1 in RTF}", "in RTF"),
        ("a.doc", b"\r\n<html><body><p>a <b>page</b>", "a page"),
        ("a.xls", b"<table><tr><td>a</td><td>b</td></tr></table>", "a | b"),
        ("a.xls", b"name\tvalue\r\nx\t1\r\n", "name\tvalue\nx\t1\n"),
        ("a.dot", b"digraph { a -> b }", "digraph { a -> b }"),
        ("a.doc", "als Text: ü".encode("utf-16"), "als Text: ü"),
        ("a.doc", b"MIME-Version: 1.0\nContent-Type: text/html\n\n<p>an archive", "an archive"),
        ("a.xls", compound(word(["a letter\r"], [PLAIN])), "a letter"),
    ],
)
def test_other_formats_under_the_old_suffixes_are_read(
    path: str, data: bytes, expected: str
) -> None:
    """Many programs write web pages and RTF under these names; they would be refused."""
    assert expected in read(path, data).text


def test_a_file_that_loaders_hand_to_one_another_is_refused() -> None:
    """One file that no loader takes for its own would go from one to the other for ever."""
    for path in ("a.doc", "a.rtf"):
        assert "nor of another" in refusal(path, b"\n" + MAGIC + bytes(600))


def test_a_presentation_is_read_slide_by_slide() -> None:
    """A citation would name the wrong slide, and each show the master's prompts."""
    document = read("a.ppt", compound(presentation()))
    assert document.text == (
        "First\n\n- one\n- twö\n\nA box\n\nSecond\n\nComment: Ann: Why?\n\nNotes: Say this"
    )
    second = document.text.index("Second")
    assert [(page.start, page.number) for page in document.pages] == [(0, 1), (second, 2)]
    assert [heading.start for heading in document.headings] == [0, second]
    assert document.title == "First"


def test_a_workbook_is_read_sheet_by_sheet() -> None:
    """A citation would name the wrong sheet, and a date be a number nobody searches for."""
    first = label(0, 0, "Tag") + label(0, 2, "Wert") + number_cell(1, 0, 45000.0, 1)
    first += number_cell(1, 1, 3.0) + number_cell(1, 2, 0.25)
    stream = workbook([("Data", first), ("Empty", b""), ("More", label(3, 1, "Ende"))])
    tree = {"Workbook": stream, "\x05SummaryInformation": summary(title="Figures")}
    document = read("a.xls", compound(tree))
    assert document.text == "Data\n\nTag | | Wert\n2023-03-15 | 3 | 0.25\n\nMore\n\nEnde"
    more = document.text.index("More")
    assert [(page.start, page.number) for page in document.pages] == [(0, 1), (more, 3)]
    assert [heading.title for heading in document.headings] == ["Data", "More"]
    assert document.title == "Figures"


def test_two_cells_far_apart_are_refused_before_memory_is_filled() -> None:
    """Calamine holds the cells between them too, and ends the process when it cannot."""
    cells = number_cell(0, 0, 1.0) + number_cell(65_535, 255, 1.0)
    start = process_time()
    said = refusal("a.xls", compound({"Workbook": workbook([("a", cells)])}))
    assert said == "its sheets span 16,777,216 cells, empty ones included"
    assert refusal("a.xlsb", sparse_binary_workbook()).startswith("its sheets span 17,179,869,184")
    assert process_time() - start < 2


@pytest.mark.parametrize(
    "declared",
    [
        biff(0x200, struct.pack("<IIHH2x", 0, 0x7FFFFFFF, 0, 256)),
        biff(0xFC, struct.pack("<II", 0x7FFFFFFF, 0x7FFFFFFF)),
    ],
    ids=["cells", "strings"],
)
def test_a_workbook_that_declares_too_much_is_refused(declared: bytes) -> None:
    """Calamine reserves memory for what is declared, and ends the process when it cannot."""
    data = compound({"Workbook": workbook([("a", declared + label(0, 0, "x"))])})
    assert refusal("a.xls", data) == "broken workbook: it declares more than it can hold"


def test_a_panic_of_the_parser_is_an_error_of_the_file() -> None:
    """A formula that claims more bytes than it has would end the run: it is no Exception."""
    formula = biff(0x06, struct.pack("<HHH8sHI", 0, 0, 0, bytes(8), 0, 0xFFFF))
    data = compound({"Workbook": workbook([("a", formula)])})
    assert refusal("a.xls", data) == "broken workbook: its parts do not fit"


def samples() -> dict[str, bytes]:
    """Give a sound file of each format."""
    cells = label(0, 0, "word") + number_cell(1, 1, 2.0)
    return {
        "a.doc": compound(
            word(["A \x13x\x14text\x15.\r", "ü\x07\x07\r"], [PLAIN, CELL, ROW_END, PLAIN])
        ),
        "a.ppt": compound(presentation()),
        "a.xls": compound({"Workbook": workbook([("Data", cells)])}),
    }


@pytest.mark.parametrize("path", ["a.doc", "a.ppt", "a.xls"])
def test_damaged_files_end_as_text_or_as_a_reason(path: str) -> None:
    """A damaged file would end the run, or be reported as a defect of the program."""
    sound = samples()[path]
    chance = random.Random(path)
    damaged = [sound[:size] for size in range(0, len(sound), len(sound) // 60)]
    for _ in range(400):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 6)):
            place = chance.choice(
                [chance.randrange(len(data)), chance.randrange(33_280, len(data))]
            )
            data[place] = chance.choice([0, 1, 0x7F, 0xFF, chance.randrange(256)])
        damaged.append(bytes(data))
    start = process_time()
    for file in damaged:
        try:
            read(path, file)
        except LoadError as error:
            assert "loader failed" not in error.message, error.message
    assert process_time() - start < 20


def test_hostile_structures_are_refused_in_time() -> None:
    """A small file would take hours or gigabytes."""
    start = process_time()
    sound = bytearray(compound({"WordDocument": b"x" * 5000}))
    struct.pack_into("<I", sound, 44, 1_000_000)
    assert "allocation tables" in refusal("a.doc", bytes(sound))
    tree = dict(word(["x\r"], [PLAIN]))
    table = bytes(tree["1Table"])  # type: ignore[arg-type]
    endless = table[:9] + struct.pack("<i", 0x7FFFFFFF) + table[13:]
    assert "table of its text" in refusal("a.doc", compound({**tree, "1Table": endless}))
    nested = b""
    for _ in range(3_000):
        nested = record(0xF003, nested, holds=True)
    slide = record(1006, nested, holds=True)
    user = struct.pack("<HHIIII", 0, 0xFF6, 20, 20, 0xE391C05F, 0)
    deep = compound({"PowerPoint Document": slide, "Current User": user})
    assert refusal("a.ppt", deep).startswith("nested too deep")
    assert process_time() - start < 3


HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"olefile", "python_calamine"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None
sys.meta_path.insert(0, Hidden())
from pathlib import Path
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.parsing.office.ole import MAGIC
for name in sys.argv[1:]:
    data = Path(name).read_bytes()
    try:
        print(load(loader_for(name, data), LoadInput(name, data))[0].text)
    except LoadError as error:
        print(error.message, "//", error.hint)
"""


def test_without_the_extra_a_person_is_told_how_to_install_it(tmp_path: Path) -> None:
    """A light installation would call the files broken, or fail at its start."""
    names = ["a.doc", "a.ppt", "a.xls", "a.msg", "a.xlsb", "a.rtf"]
    for name in names:
        data = samples().get(name, compound({"__properties_version1.0": bytes(32)}))
        (tmp_path / name).write_bytes(data)
    (tmp_path / "a.xlsb").write_bytes(package("xl/workbook.bin"))
    (tmp_path / "a.rtf").write_bytes(rb"{\rtf1 needs nothing}")
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, *(str(tmp_path / name) for name in names)],
        capture_output=True, text=True, timeout=60, check=True, cwd=ROOT,
    )  # fmt: skip
    wanted = f"needs the extra 'formats' // {how_to_add('formats')}"
    assert done.stdout.splitlines() == [wanted] * 5 + ["needs nothing"]


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_real_files_are_read_or_say_why_not() -> None:
    """Files of real programs would fail, or their words be lost."""
    texts, reasons = {}, {}
    for path in sorted(DOCUMENTS.iterdir()):
        if path.suffix not in (".doc", ".ppt", ".xls", ".xlsb"):
            continue
        loader = loader_for(path.name, b"")
        assert loader is not None
        try:
            (document,) = load(loader, LoadInput(path.name, path.read_bytes()))
        except LoadError as error:
            reasons[path.name] = error.message
            continue
        texts[path.name] = document.text
        for heading in document.headings:
            assert document.text.startswith(heading.title, heading.start), path
    locked = {name for name, reason in reasons.items() if reason == "password-protected"}
    assert locked == {"testWORD_protected_passtika.doc", "testPPT_protected_passtika.ppt"}
    assert {reasons[name] for name in reasons if name not in locked} == {"no text in it"}
    assert len(texts) >= 39
    assert "東京 (とうきょう)" in texts["testWORD_phonetic.doc"]
    assert not any("HYPERLINK" in text for name, text in texts.items() if name.endswith(".doc"))
    assert "Master footer is here" in texts["testPPT_masterFooter.ppt"]
    assert "Click to edit" not in "".join(texts.values())
    assert "date | 2017-03-09" in texts["testEXCEL_various.xlsb"]
    assert "𐌲𐌿𐍄𐌹𐍃𐌺" in texts["testPPT_various.ppt"]

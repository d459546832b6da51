"""Word, Excel and PowerPoint files before 2007 must give their text, or a reason, at any damage."""

import random
import struct
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from tests.ingest.reading import read, refusal

pytest.importorskip("olefile")
pytest.importorskip("python_calamine")

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT.parent / "shared" / "data" / "documents" / "office"
OUTSIDE, LAST = 0xFFFFFFFF, 0xFFFFFFFE
Tree = Mapping[str, "bytes | Tree"]


def chain(data: bytes, unit: int, table: list[int]) -> tuple[int, bytes]:
    """Give the first sector of a stream, and its bytes as whole sectors; add them to a table."""
    count = -(-len(data) // unit)
    if not count:
        return LAST, b""
    first = len(table)
    table.extend([*range(first + 1, first + count), LAST])
    return first, data.ljust(count * unit, b"\0")


def compound(tree: Tree) -> bytes:
    """Write a container (MS-CFB, version 3) with a tree of storages and streams."""
    entries: list[tuple[str, int, int, int, bytes]] = [("Root Entry", 5, OUTSIDE, OUTSIDE, b"")]

    def add(children: Tree) -> int:
        following = OUTSIDE
        for name, content in reversed(children.items()):
            inner = OUTSIDE if isinstance(content, bytes) else add(content)
            data = content if isinstance(content, bytes) else b""
            entries.append((name, 2 if isinstance(content, bytes) else 1, inner, following, data))
            following = len(entries) - 1
        return following

    top = add(tree)
    fat, mini_fat = [0xFFFFFFFD] * 64, list[int]()
    sectors, mini, places = b"", b"", []
    for *_, data in entries:
        if len(data) < 4096:
            first, padded = chain(data, 64, mini_fat)
            mini += padded
        else:
            first, padded = chain(data, 512, fat)
            sectors += padded
        places.append((first, len(data)))
    first, padded = chain(mini, 512, fat)
    sectors += padded
    places[0] = (first, len(mini))
    directory = b""
    for (name, kind, inner, following, _), (first, size) in zip(entries, places, strict=True):
        encoded = name.encode("utf-16-le") + b"\0\0"
        child = top if kind == 5 else inner
        directory += encoded.ljust(64, b"\0") + struct.pack(
            "<HBBIII16xI16xIQ", len(encoded), kind, 1, OUTSIDE, following, child, 0, first, size
        )
    at_directory, padded = chain(directory, 512, fat)
    sectors += padded
    minis = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    at_minis, padded = chain(minis, 512, fat)
    sectors += padded
    assert len(fat) <= 64 * 128
    tables = struct.pack(f"<{len(fat)}I", *fat).ljust(64 * 512, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + struct.pack(
        "<16xHHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 64, at_directory, 0, 4096,
        at_minis, len(padded) // 512, LAST, 0,
    )  # fmt: skip
    header += struct.pack("<109I", *range(64), *[OUTSIDE] * 45)
    return header + tables + sectors


def summary(**values: str) -> bytes:
    """Write a property set of title, subject or author, in UTF-8."""
    numbers = {"title": 2, "subject": 3, "author": 4}
    found = [(1, struct.pack("<IHxx", 2, 65001))]
    for name, value in values.items():
        data = value.encode() + b"\0"
        padded = data.ljust(-(-len(data) // 4) * 4, b"\0")
        found.append((numbers[name], struct.pack("<II", 0x1E, len(data)) + padded))
    pairs, body, place = b"", b"", 8 + 8 * len(found)
    for number, data in found:
        pairs += struct.pack("<II", number, place + len(body))
        body += data
    section = struct.pack("<II", 8 + len(pairs) + len(body), len(found)) + pairs + body
    return struct.pack("<HHI16xI16xI", 0xFFFE, 0, 0, 1, 48) + section


HEADING_2, ITEM = struct.pack("<H", 2), struct.pack("<HHH", 0, 0x460B, 1)
PLAIN, CELL = struct.pack("<H", 0), struct.pack("<HHB", 0, 0x2416, 1)
ROW_END = struct.pack("<HHBHB", 0, 0x2416, 1, 0x2417, 1)


def word(
    pieces: list[str], formats: list[bytes], counts: tuple[int, ...] = (), flags: int = 0
) -> Tree:
    """Write a document of Word 97: its pieces of text, and a format for each paragraph."""
    stream = bytearray(0x800)
    bounds, descriptors, starts = [0], b"", [len(stream)]
    for piece in pieces:
        narrow = piece.isascii()
        place = 2 * len(stream) | 0x40000000 if narrow else len(stream)
        descriptors += struct.pack("<HIH", 0, place, 0)
        for character in piece:
            stream += character.encode("cp1252" if narrow else "utf-16-le")
            if character in "\r\x07":
                starts.append(len(stream))
        bounds.append(bounds[-1] + len(piece.encode("utf-16-le")) // 2)
    stream += bytes(-len(stream) % 512)
    number = len(stream) // 512
    page, end = bytearray(512), 510
    page[511] = len(formats)
    struct.pack_into(f"<{len(formats) + 1}I", page, 0, *starts[: len(formats) + 1])
    for index, data in enumerate(formats):
        padded = data + bytes(1 - len(data) % 2)
        end -= len(padded) + 1
        page[end : end + len(padded) + 1] = bytes([(len(padded) + 1) // 2]) + padded
        page[4 * (len(formats) + 1) + 13 * index] = end // 2
    stream += page
    plc = struct.pack(f"<{len(bounds)}i", *bounds) + descriptors
    table = b"\x02" + struct.pack("<I", len(plc)) + plc
    struct.pack_into("<HH", stream, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", stream, 0x0A, 0x0200 | flags)
    struct.pack_into(
        "<8i", stream, 0x4C, *(counts or (bounds[-1],)), *[0] * (8 - len(counts or (0,)))
    )
    struct.pack_into("<II", stream, 0x102, len(table), 12)
    struct.pack_into("<II", stream, 0x1A2, 0, len(table))
    table += struct.pack("<III", starts[0], len(stream), number)
    return {"WordDocument": bytes(stream), "1Table": table}


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


def old_word(text: bytes, language: int = 0x0409) -> bytes:
    """Write the stream of a document of Word 6."""
    stream = bytearray(0x300)
    struct.pack_into("<HH", stream, 0, 0xA5DC, 101)
    struct.pack_into("<H", stream, 0x06, language)
    struct.pack_into("<II", stream, 0x18, len(stream), len(stream) + len(text))
    return bytes(stream) + text


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


def record(kind: int, content: bytes = b"", instance: int = 0, *, holds: bool = False) -> bytes:
    """Write a record of a presentation."""
    return struct.pack("<HHI", instance << 4 | (0xF if holds else 0), kind, len(content)) + content


def text_atoms(kind: int, text: str) -> bytes:
    """Write a text with its kind: 0 a title, 1 a body, 2 notes, 4 other."""
    return record(3999, struct.pack("<I", kind)) + record(4000, text.encode("utf-16-le"))


def box(*atoms: bytes) -> bytes:
    """Write a shape with a text."""
    return record(0xF004, record(0xF00D, b"".join(atoms)), holds=True)


def presentation() -> Tree:
    """Write two slides, the second with notes and a comment, and a master with a prompt."""
    stream, places = b"", {}
    comment = record(4026, "Ann".encode("utf-16-le")) + record(4026, "Why?".encode("utf-16-le"), 1)
    parts = {
        2: record(1016, box(text_atoms(1, "Click to edit")), holds=True),
        3: record(
            1006,
            record(1007, bytes(16) + struct.pack("<I4x", 0))
            + record(
                1036,
                box(record(3998, struct.pack("<I", 1))) + box(text_atoms(4, "A box")),
                holds=True,
            ),
            holds=True,
        ),
        4: record(
            1006,
            record(1007, bytes(16) + struct.pack("<I4x", 300))
            + box(text_atoms(0, "Second"))
            + record(12000, comment, holds=True),
            holds=True,
        ),
        5: record(1008, box(text_atoms(2, "Say this")) + box(text_atoms(4, "*")), holds=True),
    }
    for number, part in parts.items():
        places[number] = len(stream)
        stream += part

    def named(number: int, identity: int) -> bytes:
        return record(1011, struct.pack("<IIIII", number, 0, 0, identity, 0))

    outline = text_atoms(0, "First") + record(3999, b"\1\0\0\0") + record(4008, b"one\rtw\xf6")
    slides = record(4080, named(3, 256) + outline + named(4, 257), 0, holds=True)
    masters = record(4080, named(2, 100), 1, holds=True)
    notes = record(4080, named(5, 300), 2, holds=True)
    places[1] = len(stream)
    stream += record(1000, masters + slides + notes, holds=True)
    directory = len(stream)
    offsets = [places[number] for number in range(1, 6)]
    stream += record(6002, struct.pack("<I5I", 1 | 5 << 20, *offsets))
    edit = len(stream)
    stream += record(4085, struct.pack("<IIIIIII", 0, 0, 0, directory, 1, 6, 0))
    user = struct.pack("<HHIIII", 0, 0xFF6, 20, 20, 0xE391C05F, edit)
    return {"PowerPoint Document": stream, "Current User": user}


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


def biff(kind: int, content: bytes) -> bytes:
    """Write a record of a workbook."""
    return struct.pack("<HH", kind, len(content)) + content


def number_cell(row: int, column: int, value: float, style: int = 0) -> bytes:
    """Write a cell with a number."""
    return biff(0x203, struct.pack("<HHHd", row, column, style, value))


def label(row: int, column: int, text: str) -> bytes:
    """Write a cell with a text."""
    encoded = text.encode("utf-16-le")
    return biff(0x204, struct.pack("<HHHHB", row, column, 0, len(text), 1) + encoded)


def workbook(
    sheets: list[tuple[str, bytes]], globals_: list[tuple[int, bytes]] | None = None
) -> bytes:
    """Write the stream of a workbook of Excel 97; style 1 is a date."""
    begin = biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    head = begin + b"".join(biff(*extra) for extra in globals_ or [])
    head += biff(0xE0, struct.pack("<HHH14x", 0, 0, 0)) + biff(
        0xE0, struct.pack("<HHH14x", 0, 14, 0)
    )
    bodies, place = b"", len(head) + 4 + sum(4 + 8 + len(name) for name, _ in sheets)
    for name, cells in sheets:
        head += biff(
            0x85, struct.pack("<IHBB", place + len(bodies), 0, len(name), 0) + name.encode()
        )
        sheet = biff(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
        bodies += sheet + cells + biff(0x0A, b"")
    return head + biff(0x0A, b"") + bodies


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


def sparse_binary_workbook() -> bytes:
    """Write the sheet of an .xlsb whose two cells are as far apart as they can be."""
    sheet = b""
    for row, column in ((0, 0), (1_048_575, 16_383)):
        sheet += bytes([0, 4]) + struct.pack("<I", row)
        sheet += bytes([5, 16]) + struct.pack("<IId", column, 0, 1.0)
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.bin", b"")
        archive.writestr("xl/worksheets/sheet1.bin", sheet)
    return written.getvalue()


def test_two_cells_far_apart_are_refused_before_memory_is_filled() -> None:
    """Calamine holds the cells between them too, and ends the process when it cannot."""
    cells = number_cell(0, 0, 1.0) + number_cell(65_535, 255, 1.0)
    start = process_time()
    said = refusal("a.xls", compound({"Workbook": workbook([("a", cells)])}))
    assert said == "its sheets span 16,777,216 cells, empty ones included"
    assert refusal("a.xlsb", sparse_binary_workbook()).startswith("its sheets span 17,179,869,184")
    assert process_time() - start < 2


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
    for data in damaged:
        try:
            read(path, data)
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
    table = bytearray(tree["1Table"])  # type: ignore[arg-type]
    struct.pack_into("<i", table, 9, 0x7FFFFFFF)
    assert "table of its text" in refusal("a.doc", compound({**tree, "1Table": bytes(table)}))
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
    wanted = "needs the extra 'formats' // pip install 'rag-assistant[formats]'"
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

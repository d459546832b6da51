"""Documents of Pages, Numbers and Keynote must be read as their words, or say what would read them;
a hostile one must cost no more than its size.
"""

import struct
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import known_by_name, load, loader_for, stamp_of_skip, stamps_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.parsing.office.snappy import unpacked
from rag_assistant.ingest.walk import FoundFile, walk
from scripts.benchmarks.ingest.known_files.iwork import (
    archive,
    cell,
    decimal,
    document,
    message,
    ref,
    row,
    snappy,
    storage,
    style,
    varint,
)
from tests.ingest.office_writer import zipped
from tests.ingest.pdf_writer import pdf, words
from tests.ingest.reading import outline, read, refusal

BODY = "The 😀 lease\nRent\nThe rent is 950 euros.\u2028It is due in May.\n"
PAGES = {
    "Index/Document.iwa": archive(
        [
            (1, 10000, b"", (3, 2, 7)),
            (2, 2001, storage("Page 1 of 9", kind=1), ()),
            (3, 2001, storage(BODY, [(0, 10), (13, 12), (18, 11)]), (10, 11, 12, 3)),
            (7, 2001, storage("A note at its foot."), ()),
            (8, 2001, storage("Nothing refers to this."), ()),
        ]
    ),
    "Index/DocumentStylesheet.iwa": archive(
        [
            (10, 2022, style("Title"), ()),
            (11, 2022, style("Body"), ()),
            (12, 2022, style("", 13), ()),
            (13, 2022, style("Heading 2"), ()),
        ]
    ),
    "Index/TemplateSlide-1.iwa": b"never read",
}


def numbers() -> bytes:
    """Write a workbook of one sheet with a table and a text."""
    text = cell(3, 8, (1).to_bytes(4, "little"))
    table = message(
        (4, message((3, message((1, message((2, ref(30)))))), (4, ref(31)))), (8, "By month")
    )
    rows = [
        row(1, [cell(2, 1, decimal(12345, -1)), None, cell(5, 4, struct.pack("<d", 86_400.0))]),
        row(0, [text, cell(6, 2, struct.pack("<d", 1.0)), cell(10, 1, decimal(-5, 2))]),
    ]
    objects = [
        (1, 1, message((1, ref(20))), (20,)),
        (20, 2, message((1, "Costs"), (2, ref(21)), (2, ref(24))), (21,)),
        (21, 6000, message((2, ref(22))), ()),
        (22, 6001, table, (30, 31)),
        (24, 2001, storage("A text beside it."), ()),
        (30, 6002, message(*((5, one) for one in rows)), ()),
        (31, 6005, message((3, message((1, 1), (3, "Month – Köln")))), ()),
    ]
    return document({"Index/Document.iwa": archive(objects)})


def keynote() -> bytes:
    """Write a show of two slides, the later one first in the archive."""
    tree = message((2, ref(40)), (2, ref(41)))

    def slide(first: int, title: str, body: str, note: str) -> bytes:
        held = message((5, ref(first + 1)), (6, ref(first + 3)), (27, ref(first + 5)))
        return archive(
            [
                (first, 5, held, (first + 5, first + 1, first + 3)),
                (first + 1, 7, b"", (first + 2,)),
                (first + 2, 2001, storage(title), ()),
                (first + 3, 7, b"", (first + 4, 1)),
                (first + 4, 2001, storage(body), ()),
                (first + 5, 15, b"", (first + 6,)),
                (first + 6, 2001, storage(note, kind=4), ()),
            ]
        )

    return document(
        {
            "Index/Slide-2.iwa": slide(70, "Second", "Two cranes", "Say thanks"),
            "Index/Slide-1.iwa": slide(50, "Harbour", "One crane", ""),
            "Index/Document.iwa": archive(
                [
                    (1, 1, message((2, ref(2))), (2,)),
                    (2, 2, message((3, tree)), (40, 41)),
                    (40, 4, message((2, ref(50))), (50,)),
                    (41, 4, message((2, ref(70))), (70,)),
                ]
            ),
        }
    )


def test_a_document_of_pages_is_its_text() -> None:
    """Letters written on a Mac would be on the ledger, or lack their headings."""
    found = read("lease.pages", document(PAGES))
    assert found.text == (
        "The 😀 lease\n\nRent\n\nThe rent is 950 euros.\n\nIt is due in May.\n\nA note at its foot."
    )
    assert outline(found) == [(1, "The 😀 lease"), (2, "Rent")]
    assert found.title == "The 😀 lease"
    assert found.media_type == "application/vnd.apple.pages"


def test_a_workbook_of_numbers_is_its_rows() -> None:
    """A sum could not be found by the name of its row."""
    found = read("costs.numbers", numbers())
    assert found.text == (
        "Costs\n\nBy month\n\nMonth – Köln | true | -500\n1234.5 | | 2001-01-02\n\n"
        "A text beside it."
    )
    assert outline(found) == [(1, "Costs")]
    assert [page.number for page in found.pages] == [1]


def test_a_show_of_keynote_is_its_slides_in_order() -> None:
    """A citation would name the wrong slide, or its notes stand at another."""
    found = read("show.key", keynote())
    assert found.text == "Harbour\n\nOne crane\n\nSecond\n\nTwo cranes\n\nSay thanks"
    assert outline(found) == [(1, "Harbour"), (1, "Second")]
    assert [(page.start, page.number) for page in found.pages] == [(0, 1), (20, 2)]


def test_a_document_that_is_a_folder_is_read(tmp_path: Path) -> None:
    """Documents kept as packages would be skipped as archives."""
    index = zipped({name.removeprefix("Index/"): data for name, data in PAGES.items()})
    (tmp_path / "Lease.pages").mkdir()
    (tmp_path / "Lease.pages" / "Index.zip").write_bytes(index)
    (tmp_path / "Index.zip").write_bytes(index)
    found = [item.path for item in walk(tmp_path) if isinstance(item, FoundFile)]
    assert found == ["Lease.pages/Index.zip"]
    assert read(found[0], index).title == "Lease"
    assert read("Lease.pages", zipped({"Index.zip": index})).text.startswith("The 😀 lease")


def test_an_older_document_is_read_by_its_preview() -> None:
    """Files of before 2013 have no archives, and most hold a PDF of themselves."""
    old = zipped({"index.xml": "<x/>", "QuickLook/Preview.pdf": pdf([words("Old letter.")])})
    assert read("a.pages", old).text == "Old letter.\n"
    assert refusal("a.pages", zipped({"index.xml": "<x/>"})) == "no text that can be read in it"
    assert refusal("a.key", zipped({".iwpv2": "x"})) == "password-protected"


def test_keys_are_no_presentations() -> None:
    """A private key would be read, and a folder of them be a list of failures."""
    assert loader_for("server.key", b"-----BEGIN PRIVATE KEY-----\n") is None
    assert not known_by_name("server.key")
    assert stamp_of_skip("server.key") in stamps_for("server.key")  # it is not read at each run
    assert "" not in stamps_for("show.key")  # one that no loader knew once is read now
    loader = loader_for("notes.pages", b"plain words")
    assert loader is not None
    assert loader.name == "text"


def test_blocks_are_unpacked_within_their_limit() -> None:
    """A block that lies about its size would fill the memory."""
    data = b"abc" * 50 + b"x" * 500
    assert unpacked(snappy(data), 1_000) == data
    for broken, reason in (
        (snappy(data)[:-3], "broken file"),
        (varint(10) + b"\x02\x01\x00", "broken file"),
        (varint(2_000_000_000), "too large"),
        (varint(5) + b"\0a" + b"\xfe\x01\x00" * 100_000, "broken file"),
        (b"\xff" * 9, "too large"),
        (b"", "broken file"),
    ):
        with pytest.raises(LoadError, match=reason):
            unpacked(broken, 1_000_000)


@given(st.binary(max_size=60), st.integers(0, 2_000), st.sampled_from(["pages", "numbers", "key"]))
def test_any_damage_ends_as_text_or_as_a_reason(noise: bytes, at: int, suffix: str) -> None:
    """A damaged document would end the run."""
    kinds: dict[str, list[tuple[int, int, bytes, tuple[int, ...]]]] = {
        "pages": [(1, 10000, b"", (3,)), (3, 2001, storage(BODY, [(0, 3)]), (1,))],
        "numbers": [(1, 1, message((1, ref(2))), (2,)), (2, 2, message((1, "S"), (2, noise)), ())],
        "key": [(1, 1, message((2, ref(1)), (3, noise)), (1,)), (4, 6001, noise, ())],
    }
    whole = archive(kinds[suffix])
    data = zipped({"Index/Document.iwa": whole[:at] + noise + whole[at:], "Index/b.iwa": whole})
    source = LoadInput(f"a.{suffix}", data)
    loader = loader_for(source.path, data)
    assert loader is not None
    try:
        load(loader, source)
    except LoadError as error:
        assert "loader failed" not in error.message, error.message


@pytest.mark.soak
def test_hostile_documents_cost_no_time() -> None:
    """References in a ring, or a table of cells without end, would hold up the run."""
    start = process_time()
    ring = [(n, 10000, b"", (n + 1, n, 1)) for n in range(1, 20_000)]
    refusal("a.pages", document({"Index/a.iwa": archive(ring)}))
    many = [(1, 1, b"", tuple(range(2, 5_000)))]
    many += [(n, 2001, storage("word"), tuple(range(2, 200))) for n in range(2, 5_000)]
    assert len(read("a.pages", document({"Index/a.iwa": archive(many)})).text) > 10_000
    bomb = (
        b"\0" + (0xFFFF).to_bytes(3, "little") + varint(900_000) + b"\0a" + b"\xfe\x01\0" * 21_842
    )
    assert refusal("a.pages", document({f"Index/{n}.iwa": bomb for n in range(20)}))
    assert process_time() - start < 15

"""Archives of mail and messages of Outlook must give every message, each with who wrote it."""

import struct
from pathlib import Path
from time import process_time

import pytest

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.msg import unpacked_rtf
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.values.documents import Document
from scripts.benchmarks.ingest.known_files.ole import Tree, compound
from tests.ingest.reading import read, refusal

pytest.importorskip("olefile")

DOCUMENTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "documents" / "mail"
FROM = "From ann@example.org Mon Jan  5 10:00:00 2026\n"


def messages(data: bytes) -> list[Document]:
    """Read an archive."""
    loader = loader_for("a.mbox", data)
    assert loader is not None
    return load(loader, LoadInput("a.mbox", data))


def test_each_message_of_an_archive_is_a_document_of_its_own() -> None:
    """A citation would name ten thousand mails, and a message change its entry on each run."""
    archive = (
        f"{FROM}From: Ann <a@b>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nMessage-ID: <1@b>\n\n"
        "Line\n>From here on, quoted.\n>>From two\n\nFrom now on: this is prose.\nAnd more\n\n"
        "From me 2026\nno header follows this line\n\n"
        f"{FROM}From: b@b\nMessage-ID: <1@b>\n\nThe same id.\n\n"
        f"{FROM}From: c@b\nSubject: none\n\nNo id.\n"
    )
    for ends in ("\n", "\r\n"):
        first, second, third = messages(archive.replace("\n", ends).encode())
        assert first.text == (
            "From: Ann <a@b>\nSubject: Grüße\n\n"
            "Line\nFrom here on, quoted.\n>From two\n\nFrom now on: this is prose.\nAnd more\n\n"
            "From me 2026\nno header follows this line"
        )
        assert (first.title, first.metadata["message"]) == ("Grüße", "1")
        assert [found.key for found in (first, second, third)] == ["<1@b>", "<1@b> (2)", "3"]
        assert second.text == "From: b@b\n\nThe same id."
        assert third.metadata == {"from": "c@b", "message": "3"}


def test_separators_of_other_programs_are_known() -> None:
    """Whole archives would be one message."""
    thunderbird = "From - Mon Jan 05 10:00:00 2026\nX-Mozilla-Status: 0001\nFrom: {0}\n\n{0}\n\n"
    exported = "From 1234@xxx Mon Jan 05 10:00:00 +0000 2026\nFrom: {0}\n\n{0}\n\n"
    undated = "From a@b\nFrom: {0}\n\n{0}\n\n"
    for form in (thunderbird, exported, undated):
        found = messages((form.format("a@b") + form.format("c@d")).encode())
        assert [document.metadata["from"] for document in found] == ["a@b", "c@d"]


def test_one_bad_message_costs_no_other() -> None:
    """A single broken mail would keep an archive out of the index."""
    deep = "Content-Type: message/rfc822\n\n" * 3_000
    found = messages(
        f"{FROM}From: a@b\n{deep}\n\n{FROM}\nNo headers.\n\n{FROM}From: c@d\n\nx".encode()
    )
    odd = b"From: a@b\nContent-Type: text/plain; charset=a\0b\n\nGr\xfc\xdfe\n\n"
    damaged = b"From: a@b\nContent-Type: multipart/mixed; boundary*=u\0f'en'xx\n\n--xx\n\n"
    start = FROM.encode()
    assert [
        document.text for document in messages(start + odd + start + damaged + start + odd)
    ] == [
        "From: a@b\n\nGrüße",
        "[This message cannot be read: its headers are damaged]",
        "From: a@b\n\nGrüße",
    ]
    assert [document.text for document in found] == [
        "[This message cannot be read: nested too deep: parts within parts]",
        "No headers.",
        "From: c@d\n\nx",
    ]


def test_what_is_no_archive_is_refused() -> None:
    """Any text could be cut into letters that nobody wrote."""
    assert refusal("a.mbox", b"Dear all").startswith("not a mail archive")


@pytest.mark.soak
def test_large_archives_take_time_in_proportion() -> None:
    """An archive of ten years would take a day."""
    start = process_time()
    many = f"{FROM}From: a@b\nSubject: x\n\nbody\n\n" * 5_000
    assert len(messages(many.encode())) == 5_000
    assert len(messages((FROM + "From: a@b\n\n" + "\n\nFrom " * 500_000).encode())) == 1
    assert len(messages((FROM + "From: a@b\n\n" + "\n\nFrom " + "19 " * 2_000_000).encode())) == 1
    assert process_time() - start < 10


def properties(header: int, **values: int) -> bytes:
    """Write numbers as the properties of a message, recipient or attachment; `x3FFD` is an id."""
    entries = (struct.pack("<HHIQ", 3, int(name[1:], 16), 6, n) for name, n in values.items())
    return bytes(header) + b"".join(entries)


def message(body: Tree) -> bytes:
    """Write a message of Outlook with a body, two recipients and two attachments."""

    def wide(text: str) -> bytes:
        return text.encode("utf-16-le")

    tree: Tree = {
        "__properties_version1.0": properties(
            32, x0039=133802064000000000, x3FFD=1251, x3FDE=65001
        ),
        "__substg1.0_0037001F": wide("Отчёт"),
        "__substg1.0_0C1A001E": "Анна".encode("cp1251"),
        "__substg1.0_5D01001F": wide("anna@example.org"),
        "__substg1.0_1035001F": wide("<7@example.org>"),
        "__recip_version1.0_#00000000": {
            "__properties_version1.0": properties(8, x0C15=1),
            "__substg1.0_3001001F": wide("Bob"),
            "__substg1.0_39FE001F": wide("bob@example.org"),
        },
        "__recip_version1.0_#00000001": {
            "__properties_version1.0": properties(8, x0C15=2),
            "__substg1.0_3001001F": wide("'cc@example.org'"),
            "__substg1.0_3003001F": wide("cc@example.org"),
        },
        "__attach_version1.0_#00000000": {
            "__properties_version1.0": properties(8),
            "__substg1.0_3707001F": wide("plan.pdf"),
            "__substg1.0_370E001F": wide("application/pdf"),
            "__substg1.0_37010102": bytes(5_000),
        },
        "__attach_version1.0_#00000001": {
            "__properties_version1.0": properties(8),
            "__substg1.0_3701000D": {
                "__properties_version1.0": properties(24),
                "__substg1.0_0037001F": wide("Inner"),
            },
        },
    }
    return compound({**tree, **body})


# The first example of MS-OXRTFCP, 3.1.1.
PACKED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232"
    "0af32068656c090020627705b06c647d0a800fa0"
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"__substg1.0_1000001F": "One\r\n\r\n\r\ntwo\r\n".encode("utf-16-le")}, "One\n\ntwo"),
        ({"__substg1.0_1000001E": "Привет".encode("cp1251")}, "Привет"),
        ({"__substg1.0_10130102": "<p>Grüße</p><p>x".encode()}, "Grüße\n\nx"),
        ({"__substg1.0_10090102": PACKED}, "hello world"),
        ({"__substg1.0_10090102": bytes(16)},
         "[The body of this message cannot be read: broken RTF: of an unknown compression]"),
    ],
    ids=["text", "code page", "html", "rtf", "broken"],
)  # fmt: skip
def test_a_message_of_outlook_is_read_as_its_reader_sees_it(body: Tree, expected: str) -> None:
    """Who wrote what to whom, when, and with which attachment, would not be found."""
    document = read("a.msg", message(body))
    assert document.text == (
        "From: Анна <anna@example.org>\nTo: Bob <bob@example.org>\nCc: cc@example.org\n"
        f"Date: 2025-01-01T12:00:00Z\nSubject: Отчёт\n\n{expected}\n\n"
        "Attachment: plan.pdf (application/pdf, 5 kB)\nAttached message: Inner"
    )
    assert document.title == "Отчёт"
    assert document.metadata == {
        "from": "Анна <anna@example.org>",
        "to": "Bob <bob@example.org>",
        "date": "2025-01-01T12:00:00Z",
        "message_id": "<7@example.org>",
        "thread": "<7@example.org>",
    }


def test_a_table_of_a_message_of_outlook_is_a_table() -> None:
    """An offer within a message would be figures of which nobody knows what they are of."""
    page = "<p>Our offer:<table><tr><th>Item<th>Price<tr><td>Roof<td>12<tr><td>Door<td>8</table>"
    plain = "Our offer:\r\nItem\r\nPrice\r\nRoof\r\n12\r\nDoor\r\n8".encode("utf-16-le")
    both = message({"__substg1.0_1000001F": plain, "__substg1.0_10130102": page.encode()})
    document = read("a.msg", both)
    (table,) = document.tables
    assert [document.text[cell.start : cell.end] for cell in table.cells][2:] == [
        "Roof", "12", "Door", "8",
    ]  # fmt: skip


def test_compressed_rtf_is_unpacked_and_never_to_gigabytes() -> None:
    """The bodies of older messages would be lost, or one fill the memory."""
    assert unpacked_rtf(PACKED) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    with pytest.raises(LoadError, match="20 MB"):
        unpacked_rtf(struct.pack("<II4sI", 20, 0x7FFFFFFF, b"LZFu", 0))
    endless = struct.pack("<II4sI", 20, 19_000_000, b"LZFu", 0) + b"\xff\x0d\x0f" * 50_000
    assert len(unpacked_rtf(endless)) < 4_000_000


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_real_mail_is_read() -> None:
    """Mail of real programs would fail, or its words be lost."""
    found: dict[str, list[Document]] = {}
    for path in sorted(DOCUMENTS.iterdir()):
        if path.suffix in (".msg", ".mbox"):
            loader = loader_for(path.name, b"")
            assert loader is not None
            found[path.name] = load(loader, LoadInput(path.name, path.read_bytes()))
    assert len(found) == 11
    assert [document.metadata["message"] for document in found["complex.mbox"]] == ["1", "2", "3"]
    assert all(len(documents) == 1 for name, documents in found.items() if name != "complex.mbox")
    assert "Attachment: pj1.txt (89 bytes)" in found["testMSG_att_doc.msg"][0].text
    assert "中文測試" in found["testMSG_chinese.msg"][0].text
    assert "Company: Fence Co" in found["testMSG_Contact.msg"][0].text

"""What is attached to a mail is found by its words; where it is broken, the mail is read."""

import base64
from pathlib import Path

import pytest

from rag_assistant.ingest.extraction import Extraction, Job, extract
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.worker import WorkerLimits
from tests.ingest.office_writer import docx, para


def mail(*files: tuple[str, str, bytes], headers: str = "", body: str = "See below.") -> bytes:
    """Make a mail with files attached, each its name, media type and bytes."""
    parts = [f"Content-Type: text/plain; charset=utf-8\r\n\r\n{body}"]
    for name, kind, data in files:
        parts.append(
            f'Content-Type: {kind}\r\nContent-Disposition: attachment; filename="{name}"\r\n'
            f"Content-Transfer-Encoding: base64\r\n\r\n{base64.encodebytes(data).decode()}"
        )
    return (
        f"From: ann@example.org\r\nDate: Mon, 5 Jan 2026 10:00:00 +0100\r\nSubject: Plans\r\n"
        f"{headers}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=mm\r\n\r\n"
        + "".join(f"--mm\r\n{part}\r\n" for part in parts)
        + "--mm--\r\n"
    ).encode()


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
HEADERS = "Message-ID: <2@example.org>\r\nReferences: <1@example.org> <x@example.org>\r\n"


def extracted(folder: Path, name: str, data: bytes) -> Extraction:
    (folder / name).write_bytes(data)
    return extract(folder, Job(name), {})


def test_attachments_are_entries_with_the_mail_as_their_place(tmp_path: Path) -> None:
    """A contract that came by mail would be found by its file name only."""
    inner = mail(("deep.txt", "text/plain", b"Deep words"), body="Forwarded.")
    data = mail(
        ("offer.docx", WORD, docx(para("Two thousand euros."))),
        ("notes.txt", "text/plain", "Grüße".encode()),
        ("notes.txt", "text/plain", b"Another of that name"),
        ("other.eml", "application/octet-stream", inner),
        headers=HEADERS,
    )
    found = extracted(tmp_path, "a.eml", data)
    assert [(entry.key, entry.title) for entry in found.entries] == [
        ("", "Plans"),
        ("offer.docx", "The plan"),
        ("notes.txt", "notes.txt"),
        ("notes.txt#2", "notes.txt"),
        ("other.eml", "Plans"),
        ("other.eml / deep.txt", "deep.txt"),
    ]
    assert found.entries[1].passages[0][5] == "Two thousand euros."
    facts = found.entries[1].metadata
    assert (facts["attached_to"], facts["attachment"]) == ("Plans", "offer.docx")
    assert (facts["thread"], facts["message_id"]) == ("<1@example.org>", "<2@example.org>")
    assert facts["author"] == "Ann"  # the document's own facts stay
    assert found.entries[2].metadata["date"] == "2026-01-05T10:00:00+01:00"
    assert "Attachment: offer.docx" in found.entries[0].passages[0][5]


def test_an_attachment_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    """A mail would be lost for its attachment, or nobody know that it was not read."""
    data = mail(
        ("a.docx", WORD, b"no zip"),
        ("b.zip", "application/zip", b"PK\x03\x04\x00\x00"),
        ("c.txt", "text/plain", b"words"),
        ("smime.p7s", "application/pkcs7-signature", b"\x00\x01"),
    )
    found = extracted(tmp_path, "a.eml", data)
    assert [entry.key for entry in found.entries] == ["", "c.txt"]
    told = found.entries[0].metadata["attachments_not_read"]
    assert told.startswith("a.docx: ")
    assert "; b.zip: no loader for .zip files" in told
    assert "p7s" not in told


def test_mails_attached_to_mails_end(tmp_path: Path) -> None:
    """A mail of mails of mails would be read without end."""
    data = b"Subject: last\n\nwords"
    for _ in range(6):
        data = mail(("in.eml", "application/octet-stream", data))
    found = extracted(tmp_path, "a.eml", data)
    assert len(found.entries) == 4
    assert "too deep" in found.entries[-1].metadata["attachments_not_read"]


def test_pictures_within_the_text_are_no_entries(tmp_path: Path) -> None:
    """The logo below each signature would be looked at for words, which takes seconds each."""
    drawn = (
        b"From: a@b\nContent-Type: multipart/related; boundary=mm\n\n--mm\n"
        b"Content-Type: text/plain\n\nwords\n--mm\nContent-Type: image/png; name=logo.png\n"
        b"Content-ID: <logo>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--mm--\n"
    )
    (entry,) = extracted(tmp_path, "a.eml", drawn).entries
    assert "attachments_not_read" not in entry.metadata


def test_messages_of_an_archive_stay_before_their_attachments(tmp_path: Path) -> None:
    """Attachments would take the place of mails where not all of a file is indexed."""
    first = mail(("notes.txt", "text/plain", b"words"), headers="Message-ID: <1@x>\r\n")
    second = b"From: b@x\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\n\nanswer\n"
    third = b"From: b@x\nMessage-ID: <3@x>\nIn-Reply-To: <2@x>\n\nanother\n"
    line = b"From a@x Mon Jan  5 10:00:00 2026\n"
    data = b"\n".join(line + one.replace(b"\r\n", b"\n") for one in (first, second, third))
    found = extracted(tmp_path, "a.mbox", data)
    assert [entry.key for entry in found.entries] == [
        "<1@x>",
        "<2@x>",
        "<3@x>",
        "<1@x> / notes.txt",
    ]
    assert {entry.metadata["thread"] for entry in found.entries} == {"<1@x>"}


@pytest.mark.soak
def test_an_attachment_that_ends_its_reader_costs_itself_only(tmp_path: Path) -> None:
    """A mailbox would be lost for one attachment that takes too long or too much memory."""
    slow = b"<r>" + b"<a>x y</a>" * 800_000 + b"</r>"
    (tmp_path / "a.eml").write_bytes(mail(("slow.xml", "text/xml", slow)))
    limits = WorkerLimits(cpu_seconds=1, seconds_a_megabyte=0.0)
    with ExtractionPool(tmp_path, 1, {}, limits) as pool:
        (found,) = pool.extract([Job("a.eml", size=1)])
    assert [entry.key for entry in found.entries] == [""], found.reason
    told = found.entries[0].metadata["attachments_not_read"]
    assert told == "slow.xml: took more than 1 seconds of processor time"

"""Zipped office files must cost no more than they are worth, nor be lost without a reason."""

import zipfile
from functools import cache
from pathlib import Path
from time import process_time

import pytest

from rag_assistant.errors import LoadError
from rag_assistant.ingest.passages import split
from tests.ingest.office_writer import docx, odf, para, zipped
from tests.ingest.reading import outline, read, refusal

DOCUMENTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "documents"
OFFICE = frozenset(
    """
    .docx .docm .dotx .dotm .pptx .pptm .ppsx .potx .xlsx .xlsm .xltx .odt .ods .odp .ott .fodt
    .fods .fodp
    """.split()
)


@cache
def crowded() -> bytes:
    """Give an archive of one file more than may be in it."""
    return zipped(dict.fromkeys(map(str, range(20_001)), ""), zipfile.ZIP_STORED)


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx", ".odt", ".epub"])
def test_what_is_no_such_file_is_refused_with_a_reason(suffix: str) -> None:
    """A person would not learn that a file has a password, or was cut short."""
    path = "a" + suffix
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    encrypted = ole + "EncryptedPackage".encode("utf-16-le")
    old = ole + "WordDocument".encode("utf-16-le")
    assert refusal(path, encrypted) == refusal(path, ole) == "password-protected"
    assert refusal(path, old) == "an older Office format under a newer suffix"
    assert refusal(path, docx(para("x"))[:-80]) == "broken file: its end is missing"
    assert refusal(path, b"plain words") == "not what its suffix says"
    assert refusal(path, zipped({"other.txt": "x"}))
    assert refusal(path, crowded()) == "more than 20,000 files within the file"


def test_an_encrypted_member_is_told_as_a_password() -> None:
    """The reason would be that the file is broken."""
    data = docx(para("secret"))
    locked = bytearray(data)
    at = -1
    while (at := locked.find(b"PK\x01\x02", at + 1)) >= 0:
        locked[at + 8] |= 1
    assert refusal("a.docx", bytes(locked)) == "password-protected"
    manifest = "<m><e><encryption-data/></e></m>"
    members: dict[str, str | bytes] = {
        "content.xml": b"\x8f\x00",
        "META-INF/manifest.xml": manifest,
    }
    assert refusal("a.odt", zipped(members)) == "password-protected"


@pytest.mark.soak
def test_bombs_and_hostile_markup_are_refused_quickly() -> None:
    """One attachment would fill the memory of the machine, or read files from it."""
    start = process_time()
    bomb = refusal("a.docx", docx("<w:p/>" * 10_000_000))
    assert "unpacks to more than 200 times its size" in bomb
    stored = {"content.xml": "<a>" + "<b/>" * 10_000_000 + "</a>"}
    assert "needs too much memory" in refusal("a.odt", zipped(stored, zipfile.ZIP_STORED))
    text = odf(f"<text:p>{'a' * 11_000_000}</text:p>", method=zipfile.ZIP_STORED)
    assert "a text or name of more than 10 MB" in refusal("a.odt", text)
    entity = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    for encoded in (entity.encode(), entity.encode("utf-16")):
        said = refusal("a.odt", zipped({"content.xml": encoded}))
        assert said == "refused: content.xml declares entities, which no office program does"
    deep = odf("<text:section>" * 5_000 + "<text:p>x</text:p>" + "</text:section>" * 5_000)
    assert refusal("a.odt", deep) == "nested too deep"
    tables = "<w:tbl><w:tr><w:tc>" * 80 + para("deep") + "</w:tc></w:tr></w:tbl>" * 80
    assert read("a.docx", docx(tables)).text == "deep"
    packed = zipped({"content.xml": b"\0" * 50_000_000}, zipfile.ZIP_BZIP2)
    assert refusal("a.odt", packed) == "unknown compression of content.xml"
    assert process_time() - start < 20


def test_a_declared_size_that_lies_is_not_believed() -> None:
    """A bomb that says it is small would be unpacked."""
    data = bytearray(docx("<w:p/>" * 4_000_000))
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    assert refusal("a.docx", bytes(data))


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_real_office_files_end_as_text_with_true_headings_or_as_a_reason() -> None:
    """Files that programs really write would be lost."""
    files = [path for path in sorted(DOCUMENTS.rglob("*")) if path.suffix.lower() in OFFICE]
    reasons: dict[str, str] = {}
    for path in files:
        try:
            document = read(path.name, path.read_bytes())
        except LoadError as error:
            reasons[path.name] = error.message
            continue
        outline(document)
        assert "".join(passage.text for passage in split(document)) == document.text
    assert not [reason for reason in reasons.values() if "loader failed" in reason]
    expected = ("password-protected", "broken file", "not what its suffix", "no text in it")
    assert all(reason.startswith(expected) for reason in reasons.values()), reasons
    assert len(files) - len(reasons) >= 0.75 * len(files)

"""A mail must be read as its reader sees it, and a hostile one must not hold up a run."""

import base64
from time import process_time

import pytest

from tests.ingest.reading import read, refusal


def test_headers_body_and_attachments_are_read() -> None:
    """Who wrote what to whom, when, and with which attachment, would not be found."""
    attached = base64.b64encode(b"x" * 2_500).decode()
    mail = (
        "From: =?iso-8859-1?Q?J=FCrgen?= Kern <j@example.org>\r\n"
        "To: team@example.org\r\nDate: Mon, 5 Jan 2026 10:00:00 +0100\r\n"
        "Subject: =?utf-8?B?R3LDvMOfZQ==?=\r\n =?utf-8?B?IGF1cyBLw7Zsbg==?=\r\n"
        "Message-ID: <1@example.org>\r\nX-Other: not shown\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n"
        "--m\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n"
        "--a\r\nContent-Type: text/plain; charset=iso-8859-1\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\nSch=F6ne Gr=FC=DFe\r\n"
        "--a\r\nContent-Type: text/html\r\n\r\n<p>the same again</p>\r\n--a--\r\n"
        "--m\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n"
        f'Content-Disposition: attachment; filename="plan.pdf"\r\n\r\n{attached}\r\n--m--\r\n'
    )
    document = read("a.eml", mail.encode())
    assert document.text == (
        "From: Jürgen Kern <j@example.org>\nTo: team@example.org\n"
        "Date: Mon, 5 Jan 2026 10:00:00 +0100\nSubject: Grüße aus Köln\n\n"
        "Schöne Grüße\n\nAttachment: plan.pdf (application/pdf, 2 kB)"
    )
    assert document.title == "Grüße aus Köln"
    assert document.metadata == {
        "from": "Jürgen Kern <j@example.org>",
        "to": "team@example.org",
        "date": "2026-01-05T10:00:00+01:00",
        "message_id": "<1@example.org>",
        "thread": "<1@example.org>",
    }


def test_a_mail_of_html_alone_is_read_through_its_text() -> None:
    """Most newsletters and many letters have no plain text."""
    mail = b"From: a@b\nContent-Type: text/html; charset=utf-8\n\n<h1>Hello</h1><p>caf\xc3\xa9</p>"
    assert read("a.eml", mail).text == "From: a@b\n\nHello\n\ncafé"


_TABLE = (
    "<table><tr><th>Item<th>Price<th>Weeks</tr><tr><td>Roof<td>12,400<td>6</tr>"
    "<tr><td>Windows<td>8,150<td>3</tr></table>"
)


def _both(plain: str, page: str) -> bytes:
    """Give a mail of a plain text and a page."""
    return (
        "From: a@b\nContent-Type: multipart/alternative; boundary=m\n\n"
        f"--m\nContent-Type: text/plain\n\n{plain}\n"
        f"--m\nContent-Type: text/html\n\n{page}\n--m--\n"
    ).encode()


def test_a_table_of_a_mail_is_a_table() -> None:
    """An offer within a mail would be figures of which nobody knows what they are of."""
    page = f"<p>Our offer:</p>{_TABLE}<p>Regards"
    hidden = '<p style="font-size:0">nobody sees this</p>'
    alone = b"From: a@b\nContent-Type: text/html\n\n" + (hidden + page).encode()
    for mail in (alone, _both("Our offer:\n\nItem\nPrice\nWeeks\nRoof\n12,400", page)):
        document = read("a.eml", mail)
        (table,) = document.tables
        found = {
            (
                *table.label_of(cell.row),
                *table.heads_of(cell.column),
                document.text[cell.start : cell.end],
            )
            for cell in table.cells
            if cell.row and cell.column
        }
        assert ("Windows", "Price", "8,150") in found
        assert len(found) == 4


@pytest.mark.parametrize(
    ("plain", "page"),
    [
        ("Our offer:\n\n> Item and more\nI agree", f"On Monday, Ann wrote:{_TABLE}"),
        ("Quite other words than those within the page of this mail", _TABLE),
        ("Our news and a picture", "<table><tr><td>Our news<td>and<tr><td>a<td>picture</table>"),
    ],
    ids=["a quote", "other words", "layout"],
)
def test_a_plain_text_is_left_only_for_what_it_does_not_show(plain: str, page: str) -> None:
    """Words would be lost, or those of another mail count for this one."""
    plain = plain.replace("Our offer:", "Hello\nOn Monday, Ann <a@b> wrote:")
    assert plain.split()[-1] in read("a.eml", _both(plain, page)).text
    assert not read("a.eml", _both(plain, page)).tables


def test_a_forwarded_message_is_read_with_its_headers() -> None:
    """What was forwarded would be lost."""
    mail = (
        b"From: a@b\nContent-Type: message/rfc822\n\n"
        b"From: first@b\nSubject: Inner\n\nThe original words"
    )
    assert read("a.eml", mail).text == (
        "From: a@b\n\nFrom: first@b\nSubject: Inner\n\nThe original words"
    )


def test_bytes_that_should_not_be_in_headers_are_read() -> None:
    """Old mails with plain umlauts would be garbled or refused."""
    mail = "From: Jürgen <j@b>\nSubject: Grüße, früh\n\nKörper".encode("latin-1")
    assert read("a.eml", mail).title == "Grüße, früh"


def nested(depth: int) -> bytes:
    """Write multiparts within one another."""
    mail = b"From: a@b\nContent-Type: multipart/mixed; boundary=b0\n\n"
    for level in range(1, depth):
        mail += f"--b{level - 1}\nContent-Type: multipart/mixed; boundary=b{level}\n\n".encode()
    return mail + f"--b{depth - 1}\n\nthe words\n".encode()


def test_parts_nested_beyond_reason_are_refused() -> None:
    """The stack would overflow and end the run."""
    assert "the words" in read("a.eml", nested(50)).text
    assert refusal("a.eml", nested(3_000)) == "nested too deep: parts within parts"
    forwarded = b"From: a@b\n" + b"Content-Type: message/rfc822\n\n" * 3_000
    assert refusal("a.eml", forwarded) == "nested too deep: parts within parts"


@pytest.mark.parametrize(
    "mail",
    [
        b"From: a@b\nSubject: " + b"=?utf-8?q?x?= " * 200_000 + b"\n\nbody",
        b"From: a@b\nTo: " + b"someone@example.org, " * 200_000 + b"\n\nbody",
        b"From: a@b\nSubject: " + b"=" * 1_000_000 + b"\n\nbody",
    ],
    ids=["coded words", "recipients", "equals signs"],
)
def test_endless_headers_cost_no_time(mail: bytes) -> None:
    """The standard library's newer policy needs gigabytes for these."""
    start = process_time()
    assert read("a.eml", mail).text.endswith("body")
    assert process_time() - start < 3


def test_what_is_no_mail_is_refused() -> None:
    """Any text called .eml would become an entry without a sender."""
    assert refusal("a.eml", b"Dear all, this is a letter").startswith("not an e-mail")


@pytest.mark.parametrize("charset", ["a\0b", "hex", "no-such", "utf-8\0"])
def test_a_charset_that_is_none_costs_no_words(charset: str) -> None:
    """The mail would be lost for the name of its encoding, though its bytes tell it."""
    head = f"From: a@b\nContent-Type: text/plain; charset={charset}\n".encode()
    assert read("a.eml", head + b"\nGr\xc3\xbc\xc3\x9fe").text == "From: a@b\n\nGrüße"
    parts = b"From: a@b\nContent-Type: multipart/mixed; boundary=m\n\n--m\n" + head
    assert "Grüße" in read("a.eml", parts + "\nGrüße\n--m--\n".encode()).text


def test_a_boundary_in_no_encoding_is_refused_with_a_reason() -> None:
    """It would be called a defect of the loader, and in an archive end the reading."""
    mail = b"From: a@b\nContent-Type: multipart/mixed; boundary*=u\0f'en'xx\n\n--xx\n\nhi\n"
    assert refusal("a.eml", mail) == "its headers are damaged"

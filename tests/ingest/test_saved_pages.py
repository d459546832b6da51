"""Pages saved as MHTML and mails of Apple Mail must be read as their words, not as source."""

import base64
import quopri
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from tests.ingest.reading import outline, read, refusal

PAGE = (
    '<html lang="de"><head><title>Fahrplan – Köln</title></head><body><nav>Start</nav>'
    "<h1>Fahrplan</h1><p>Der Zug fährt um 9:15 Uhr, und zwar von Gleis 3 in Köln ab.</p>"
    '<iframe src="cid:frame"></iframe></body></html>'
)
FLAGS = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict/></plist>\n'


def saved(page: bytes, head: str = "", charset: str = "utf-8") -> bytes:
    """Write a page as browsers save it, with an image and a frame."""
    picture = base64.b64encode(b"\x89PNG" * 99).decode()
    return (
        (
            "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/plan\r\n"
            "Subject: =?utf-8?Q?Fahrplan?=\r\nDate: Mon, 5 Jan 2026 10:00:00 -0000\r\n"
            f"MIME-Version: 1.0\r\nContent-Type: multipart/related; {head}boundary=b\r\n\r\n"
            f"--b\r\nContent-Type: text/html; charset={charset}\r\nContent-ID: <main@x>\r\n"
            "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        ).encode()
        + quopri.encodestring(page)
        + (
            "\r\n--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            f"{picture}\r\n--b\r\nContent-Type: text/css\r\n\r\nbody {{ color: red }}\r\n"
            "--b\r\nContent-Type: text/html\r\nContent-ID: <frame@x>\r\n\r\n"
            "<p>Words of a frame.</p>\r\n--b--\r\n"
        ).encode()
    )


def test_a_saved_page_is_its_words() -> None:
    """A search would find quoted-printable source and miss every word with an umlaut."""
    document = read("a.mhtml", saved(PAGE.encode()))
    assert document.text == (
        "Fahrplan\n\nDer Zug fährt um 9:15 Uhr, und zwar von Gleis 3 in Köln ab.\n\n"
        "Words of a frame."
    )
    assert outline(document) == [(1, "Fahrplan")]
    assert document.title == "Fahrplan – Köln"
    assert document.metadata == {
        "url": "https://example.org/plan",
        "saved": "2026-01-05T10:00:00",
        "lang": "de",
    }
    assert document.key == ""


def test_the_encoding_is_that_of_the_part() -> None:
    """Pages in the encodings of the nineties would be read as garbage."""
    data = saved(PAGE.replace("–", "-").encode("cp1252"), charset="windows-1252")
    assert "Köln" in read("a.mht", data).text


def test_the_part_that_is_named_as_the_start_comes_first() -> None:
    """A page would begin with the words of a frame."""
    data = saved(PAGE.encode(), 'start="<frame@x>"; ')
    assert read("a.mht", data).text.startswith("Words of a frame.")


def test_a_page_without_an_envelope_is_read_as_a_page() -> None:
    """Browsers that were renamed by hand would cost the page."""
    assert read("a.mht", b"<html><body><p>Plain page.</p></body></html>").text == "Plain page."
    assert refusal("a.mht", b"\0\1\2\3" * 50) == "not a .mhtml file, nor text"
    assert refusal("a.mht", b"MIME-Version: 1.0\r\nSubject: x\r\n\r\nnothing") == "no page in it"


def mail(body: bytes) -> bytes:
    message = b"From: Ann <a@example.org>\nSubject: Rent\n\n" + body
    return b"%-10d\n" % len(message) + message + FLAGS


def test_a_mail_of_apple_mail_is_its_message() -> None:
    """The flags of a program would be words of the mail, and headers not be decoded."""
    document = read("1.emlx", mail(b"The rent is due.\n"))
    assert document.text == "From: Ann <a@example.org>\nSubject: Rent\n\nThe rent is due."
    assert document.title == "Rent"
    assert document.media_type == "message/rfc822"


def test_a_count_that_is_wrong_costs_nothing() -> None:
    """A mail that a program changed would be cut, or show its flags."""
    wrong = mail(b"The rent is due.\n").split(b"\n", 1)[1]
    for count in (b"7\n", b"99999999999\n"):
        assert read("1.partial.emlx", count + wrong).text.endswith("The rent is due.")
    assert refusal("1.emlx", wrong).startswith("not a mail of Apple Mail")


@given(st.binary(max_size=400), st.sampled_from(["a.mht", "a.emlx"]), st.integers(0, 900))
def test_any_bytes_end_as_text_or_as_a_reason(noise: bytes, path: str, at: int) -> None:
    """A damaged file would end the run."""
    whole = saved(PAGE.encode()) if path == "a.mht" else mail(b"words")
    for data in (noise, whole[:at] + noise + whole[at:]):
        loader = loader_for(path, data)
        assert loader is not None
        try:
            load(loader, LoadInput(path, data))
        except LoadError as error:
            assert "loader failed" not in error.message, error.message


def test_hostile_envelopes_cost_no_time() -> None:
    """Parts within parts, or headers without end, would hold up the run."""
    start = process_time()
    nested = b"MIME-Version: 1.0\n" + b"".join(
        b"Content-Type: multipart/related; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2_000)
    )
    refusal("a.mht", nested)
    refusal("a.mht", b"Subject: " + b"=?utf-8?Q?x?= " * 200_000 + b"\n\nx")
    read("a.mht", saved(b"<p>word " * 20_000))
    refusal("a.emlx", b"9" * 1_000_000)
    assert process_time() - start < 10


def test_the_tables_of_a_saved_page_are_known_by_their_cells() -> None:
    """A value of a saved page would be read without its row and its heads."""
    page = "<h1>Fares</h1><p>Per way.</p><table><tr><th>To<th>Fare<tr><td>Köln<td>9 €</table>"
    (table,) = read("a.mhtml", saved(page.encode())).tables
    assert [(cell.row, cell.column, cell.text) for cell in table.cells] == [
        (0, 0, "To"), (0, 1, "Fare"), (1, 0, "Köln"), (1, 1, "9 €"),
    ]  # fmt: skip
    assert (table.heads_of(1), table.label_of(1)) == (("Fare",), ("Köln",))

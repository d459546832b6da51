"""Contacts, events and references must each be found by themselves, with their people and dates."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from tests.ingest.reading import read, read_all

CARDS = (
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Berg;Ann;;Dr.;\r\nFN:Dr. Ann Berg\r\nORG:Harbour Office;"
    "Cranes\r\n"
    "item1.TEL;TYPE=WORK,VOICE:+49 221 1234\r\nEMAIL;TYPE=internet:ann@exa\r\n mple.org\r\n"
    "ADR;TYPE=home:;;Quay 5\\, left;Köln;;50667;Germany\r\nNOTE:Knows the cranes\\nand the keys\r\n"
    "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSk\r\n ZJRgABAQ\r\nUID:u-1\r\nEND:VCARD\r\n"
    "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:L=C3=B6w;Bo\n"
    "TEL;CELL:0170\nEND:VCARD\n"
)
EVENTS = (
    "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Club\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\n"
    "DTSTART:16010101T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    "BEGIN:VEVENT\r\nUID:e1\r\nSUMMARY:Annual meeting\r\n"
    "DTSTART;TZID=Europe/Berlin:20260105T193000\r\nDTEND;TZID=Europe/Berlin:20260105T210000\r\n"
    "RRULE:FREQ=YEARLY\r\nLOCATION:Room 4\\, Quay 5\r\n"
    'ORGANIZER;CN="Berg, Ann":mailto:ann@example.org\r\nATTENDEE;CN=Bo:MAILTO:bo@example.org\r\n'
    "DESCRIPTION:Bring the\r\n  minutes.\\nElection of the board.\r\n"
    "BEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:e1\r\nRECURRENCE-ID:20270105\r\nSUMMARY:Annual meeting\r\n"
    "DTSTART;VALUE=DATE:20270107\r\nEND:VEVENT\r\n"
    "BEGIN:VTODO\r\nUID:t1\r\nSUMMARY:Pay\r\nDUE:20260301T120000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
)
BIB = r"""% my references
@string{jg = "Journal of Glaciology"}
@comment{jabref-meta: x}
@Article{berg2020,
  author = {Berg, Ann and M{\"u}ller, J{\"u}rgen},
  title = {The {Antarctic} ice, 10\% less},
  journal = jg # { A},
  year = 2020, month = mar, pages = "1--9",
  abstract = {It melts. {Nested {braces}}.},
  file = {:/home/x.pdf:PDF}
}
@book{broken, title = {No end, author = {X},
@inproceedings(lind99, title = "A talk", editor = {Lind, Bo}, date = {1999-05-01/1999-05-03}, )
"""
RIS = """TY  - JOUR
TI  - The ice of
      the Antarctic
AU  - Berg, Ann
AU  - Lind, Bo
PY  - 2020/03/05
JO  - Journal of Glaciology
SP  - 1
AB  - It melts.
DO  - 10.1/x
ER  -

TY  - BOOK
T1  - Cranes
A1  - Sund, Eva
Y1  - 1999
ER  -
"""


def test_a_contact_is_read_as_a_person_reads_it() -> None:
    """A number could not be found by its name, and a picture would be words."""
    ann, bo = read_all("a.vcf", CARDS.encode())
    assert ann.text == (
        "Dr. Ann Berg\nOrganisation: Harbour Office, Cranes\nPhone (work): +49 221 1234\n"
        "E-mail: ann@example.org\nAddress (home): Quay 5, left, Köln, 50667, Germany\n\n"
        "Knows the cranes\nand the keys"
    )
    assert (ann.key, ann.title) == ("u-1", "Dr. Ann Berg")
    assert bo.text == "Bo Löw\nPhone (cell): 0170"
    assert bo.key == "Bo Löw"


def test_an_event_is_read_with_its_times_and_people() -> None:
    """What happens when, and with whom, could not be found; alarms would be words of it."""
    meeting, moved, task = read_all("a.ics", EVENTS.encode())
    assert meeting.text == (
        "Annual meeting\nBegins: 2026-01-05 19:30 (Europe/Berlin)\n"
        "Ends: 2026-01-05 21:00 (Europe/Berlin)\nRepeats: FREQ=YEARLY\nPlace: Room 4, Quay 5\n"
        "Organiser: Berg, Ann <ann@example.org>\nWith: Bo <bo@example.org>\n\n"
        "Bring the minutes.\nElection of the board."
    )
    assert meeting.metadata == {
        "date": "2026-01-05T19:30",
        "author": "Berg, Ann <ann@example.org>",
        "calendar": "Club",
    }
    assert [one.key for one in (meeting, moved, task)] == ["e1", "e1 20270105", "t1"]
    assert task.text == "Pay\nDue: 2026-03-01 12:00 UTC"


def test_a_reference_is_read_with_its_fields() -> None:
    """A paper could not be found by its author, or its title would hold commands."""
    berg, broken, lind = read_all("a.bib", BIB.encode())
    assert berg.text == (
        "The Antarctic ice, 10% less\nAuthors: Berg, Ann; Müller, Jürgen\n"
        "Journal: Journal of Glaciology A\nYear: 2020\nMonth: 03\nPages: 1–9\nKey: berg2020\n\n"
        "It melts. Nested braces."
    ).replace("Month: 03", "Month: mar")
    assert berg.key == "berg2020"
    assert berg.metadata == {
        "author": "Berg, Ann; Müller, Jürgen",
        "date": "2020-03",
        "type": "article",
    }
    assert broken.key == "broken"
    assert (lind.title, lind.metadata["date"]) == ("A talk", "1999-05-01")
    assert lind.metadata["author"] == "Lind, Bo"


def test_a_reference_of_a_catalogue_is_read() -> None:
    """Exports of most libraries would be codes of two letters."""
    berg, sund = read_all("a.ris", RIS.replace("\n", "\r\n").encode())
    assert berg.text == (
        "The ice of the Antarctic\nAuthors: Berg, Ann; Lind, Bo\nYear: 2020/03/05\n"
        "Journal: Journal of Glaciology\nFirst page: 1\nDOI: 10.1/x\n\nIt melts."
    )
    assert berg.key == "10.1/x"
    assert berg.metadata["date"] == "2020-03-05"
    assert sund.title == sund.key == "Cranes"


def test_a_single_record_is_the_file_itself() -> None:
    """A file of one contact would lose the id that it had as plain text."""
    assert read("a.vcf", CARDS[: CARDS.index("BEGIN", 9)].encode()).key == ""


def test_a_file_without_records_stays_text() -> None:
    """Genome data is called .vcf as well, and what was indexed before would vanish."""
    for path in ("a.vcf", "a.ics", "a.bib", "a.ris"):
        document = read(path, b"##fileformat=VCFv4.2\n#CHROM POS\n")
        assert document.media_type == "text/plain"
        assert document.text == "##fileformat=VCFv4.2\n#CHROM POS\n"


def test_a_long_title_is_whole_in_the_text() -> None:
    """Words behind the limit of a title would be lost without a word."""
    found = read("a.bib", b"@misc{k, title = {" + b"ice " * 300 + b"floe}}")
    assert len(found.title) == 500
    assert "floe" in found.text


def test_what_does_not_fit_is_counted() -> None:
    """A large address book would end without a word."""
    cards = "".join(f"BEGIN:VCARD\nFN:Person {n}\nEND:VCARD\n" for n in range(100))
    loader = loader_for("a.vcf", b"x")
    assert loader is not None
    documents = load(loader, LoadInput("a.vcf", cards.encode(), most=2_100))
    assert len(documents) == 11
    assert "cards 12 to" in documents[-1].left_out


@given(
    st.lists(
        st.sampled_from(
            ["BEGIN:VCARD", "END:VCARD", "FN:x", "\n", " ", ";", ":", '"', "=", "BEGIN:VEVENT",
             "END:VEVENT", "SUMMARY:é", "@article{", "}", "{", "k,", "title", "#", "TY  - JOUR",
             "TI  - a", "ER  -", "\\", "N;ENCODING=QUOTED-PRINTABLE:=C3", "DTSTART:20260105"]
        ),
        max_size=40,
    ).map("".join),
    st.sampled_from("vcf ics bib ris".split()),
)  # fmt: skip
def test_any_records_end_as_text_or_as_a_reason(text: str, suffix: str) -> None:
    """A damaged export would end the run, or two records have one key."""
    source = LoadInput(f"a.{suffix}", text.encode())
    loader = loader_for(source.path, source.data)
    assert loader is not None
    try:
        documents = load(loader, source)
    except LoadError as error:
        assert "loader failed" not in error.message, error.message
        return
    assert len({document.key for document in documents}) == len(documents)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.vcf", b"BEGIN:VCARD\nFN:x\nEND:VCARD\n" * 20_000),
        ("a.vcf", b"BEGIN:VCARD\nNOTE:" + b"word " * 50_000 + b"\nEND:VCARD\n"),
        ("a.vcf", b"BEGIN:VCARD\nFN" + b";A=\"" * 500_000 + b":x\nFN:y\nEND:VCARD\n"),
        ("a.vcf", b"BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:" + b"=\n" * 500_000 + b"x\nEND:VCARD"),
        ("a.ics", b"BEGIN:VEVENT\n" * 300_000 + b"SUMMARY:x\n"),
        ("a.ics", b"BEGIN:VEVENT\n" + b"ATTENDEE:mailto:a@b.c\n" * 100_000 + b"END:VEVENT\n"),
        ("a.bib", b"@article{k, title = " + b"{" * 500_000),
        ("a.bib", b"@a{k,title={x}}\n" * 20_000),
        ("a.bib", b"@a{k," + b"a" * 100_000 + b"\n@b{c, title = {x}}"),
        ("a.bib", b"@a{k, title = " + b'"x" # ' * 200_000),
        ("a.bib", b"@string{a = {x}}\n" * 20_000 + b"@b{c, title = a # a}"),
        ("a.ris", b"TY  - JOUR\nTI  - x\n" + b"rest\n" * 50_000 + b"ER  - \n"),
    ],
)  # fmt: skip
def test_hostile_records_cost_no_time(path: str, data: bytes) -> None:
    """An export without ends would hold up the run."""
    start = process_time()
    read_all(path, data)
    assert process_time() - start < 10

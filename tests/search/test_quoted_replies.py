"""A thread is found by the mail that says it, not by each answer that quotes it."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases

ASKED = (
    "The turbine of the northern plant needs new bearings before the winter.\n"
    "Supplier Kessler offers ceramic bearings for four thousand euros each.\n"
)


def message(number: int, sender: str, text: str, answers: str = "") -> bytes:
    head = f"In-Reply-To: <{answers}@x>\nReferences: <1@x>\n" if answers else ""
    return (
        f"From {sender} Mon Jan  5 10:0{number}:00 2026\nFrom: {sender}\nSubject: Plant\n"
        f"Date: Mon, 5 Jan 2026 10:0{number}:00 +0000\nMessage-ID: <{number}@x>\n{head}\n{text}\n"
    ).encode()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root: Path = tmp_path_factory.mktemp("thread")
    folder = root / "mails"
    folder.mkdir()
    marked = "".join(f"> {line}\n" for line in ASKED.splitlines())
    outlook = f"From: ann@x\nSent: Monday\nTo: all\nSubject: Plant\n\n{ASKED}"
    mails = [
        message(1, "ann@x", ASKED),
        message(
            2, "bob@x", f"Bearings, bearings! Ask Olsen too.\n\nOn Mon, ann@x wrote:\n{marked}", "1"
        ),
        message(3, "eve@x", f"Bearings can wait until March.\n\n{outlook}", "2"),
        message(4, "dan@x", "On Sun, old@x wrote:\n> The crane is rented from Holm.\n\nNoted."),
    ]
    (folder / "all.mbox").write_bytes(b"\n".join(mails))
    made = Library(root / "home")
    made.index(folder)
    return made


def senders(library: Library, text: str) -> list[str]:
    database = library.database("mails")
    hits = search_databases([database], text, 5).hits
    return [database.entry(hit.entry_id).metadata["from"] for hit in hits]


def test_the_mail_that_says_it_stands_before_those_that_quote_it(library: Library) -> None:
    """An answer of one line would be the best hit for all that it quotes."""
    for text in ("ceramic bearings of Kessler", "bearings bearings turbine northern plant"):
        assert senders(library, text)[0] == "ann@x"


def test_an_answer_is_found_by_its_own_words(library: Library) -> None:
    """Answers would be lost beside what they quote."""
    assert senders(library, "Olsen bearings")[0] == "bob@x"
    assert senders(library, "bearings wait until March")[0] == "eve@x"


def test_what_is_quoted_of_a_mail_that_is_not_there_is_found(library: Library) -> None:
    """The only copy of a mail may be a quote in its answer."""
    assert senders(library, "Who rents out the crane?")[0] == "dan@x"


def test_a_quote_names_whose_words_it_has(library: Library) -> None:
    """Ann's words would be cited as Bob's; nothing of a quote is lost from reading."""
    database = library.database("mails")
    hit = search_databases([database], "crane rented Holm", 1).hits[0]
    assert hit.location.heading == "On Sun, old@x wrote:"

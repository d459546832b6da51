"""What a mail quotes of another one is told from what it says."""

import pytest

from rag_assistant.text.quoting import apart, introduces, quotes_in

OUTLOOK = (
    "From: Ann Lee <ann@x.org>\nSent: Monday, January 5, 2026 10:00\nTo: Bob\nSubject: Price\n\n"
    "What does it cost?\n"
)
ORIGINAL = "-----Original Message-----\n"


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        (
            "Two.\n\nOn Mon, Ann wrote:\n> What does it cost?\n> Ann\n\nBob\n",
            ["On Mon, Ann wrote:\n> What does it cost?\n> Ann\n"],
        ),
        ("Two.\n\nOn Mon, Ann <a@x>\nwrote:\n\n> What?", ["On Mon, Ann <a@x>\nwrote:\n\n> What?"]),
        ("Zwei.\nAm 5. Januar schrieb Ann:\n>Was?\n", ["Am 5. Januar schrieb Ann:\n>Was?\n"]),
        (f"Two.\n\n{OUTLOOK}", [OUTLOOK]),
        (f"Two.\n{ORIGINAL}{OUTLOOK}", [ORIGINAL, OUTLOOK]),
        ("Ann wrote: it costs two.\nShe wrote:\nI know.", []),
        ("> only\n> marks", []),
        ("From: here to there\nit is far.", []),
    ],
)
def test_quotes_are_found_with_their_ends(text: str, quotes: list[str]) -> None:
    """What Bob says after a quote would be told as Ann's words, or a quote as his."""
    found = list(quotes_in(text))
    assert [text[one.start : one.end] for one in found] == quotes
    assert all(introduces(one.title) for one in found)
    assert list(quotes_in(text, len(text))) == []


def test_marked_lines_are_parted_from_the_others() -> None:
    """Words of a quote would count as the writer's own."""
    assert apart("a\n> b\n>> c\nd > e") == ("a\nd > e", "b\nc")


def test_a_long_text_of_introductions_ends() -> None:
    """A hostile mail would hold up a run: what is tried for each line is bounded."""
    assert list(quotes_in(("On " + "schrieb " * 30 + ":\n") * 300)) == []

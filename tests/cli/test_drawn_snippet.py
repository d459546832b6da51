"""A snippet on a terminal has words, and no signs of Markdown around them."""

from rag_assistant.cli.drawn_snippet import drawn_snippet

SNIPPET = """# Fees of 2026
| what | euro |
|------|-----:|
| **Mooring** | `120` |
> A [late](https://example.org) payment costs *ten* more."""


def words(path: str) -> str:
    return "".join(str(part if isinstance(part, str) else part.text)
                   for part in drawn_snippet(SNIPPET, path, "late mooring"))  # fmt: skip


def test_signs_of_markdown_are_not_drawn() -> None:
    """Bars and asterisks stood between the words of every hit."""
    said = "Fees of 2026 what · euro Mooring · 120 A late payment costs ten more."
    assert words("fees.md") == said


def test_what_is_no_markdown_keeps_its_signs() -> None:
    """A name with stars, or a line of code, would be another one."""
    assert words("fees.txt").startswith("# Fees of 2026 | what")


def test_words_that_were_looked_for_are_marked() -> None:
    """Without them nobody sees why a document was found."""
    parts = list(drawn_snippet(SNIPPET, "fees.md", "late mooring"))
    assert [part.text for part in parts if not isinstance(part, str)] == ["Mooring", "late"]

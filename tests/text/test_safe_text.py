"""What untrusted text may do to a terminal, and to the eyes of its reader."""

import pytest

from rag_assistant.text.safe_text import REPLACEMENT, clean, clean_line


@pytest.mark.parametrize(
    "character",
    [
        "\x1b",
        "\x07",
        "\x9b",
        "\r",
        "\u200b",
        "\u202e",
        "\u2066",
        "\u061c",
        "\ufeff",
        "\U000e0041",
        "\u180e",
        "\u206a",
        "\ufff9",
        "\U0001d173",
        "\U000e0080",
    ],
)
def test_what_steers_hides_or_reorders_is_seen(character: str) -> None:
    """A document could move the cursor, or say something that nobody sees."""
    assert clean(f"a{character}b") == f"a{REPLACEMENT}b"


def test_honest_text_stays() -> None:
    """Marks would stand in the middle of plain words, of other scripts and of flags."""
    wales = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
    for text in ("naïve – 10\u00a0%\tx\n", "می\u200cخواهم", "क्\u200dष", wales, "👩\u200d🔬"):
        assert clean(text) == text
    assert clean("infor\u00admation") == "infor-mation"
    for text in ("\u845b\U000e0100\u98fe", "❤\ufe0f!"):
        assert clean(text) == text
    assert clean("a\U000e0148\U000e0149") == f"a\U000e0148{REPLACEMENT}"
    assert clean(f"{wales}\U000e0041") == f"{wales}{REPLACEMENT}"
    assert clean_line("a\r\nb \u2029 c") == f"a b {REPLACEMENT} c"

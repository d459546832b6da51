"""Folded text must read as the text does, and lead back to it."""

from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.injection.folding import flat, fold


def test_what_reads_alike_folds_alike() -> None:
    """An order in other letters would not be compared with the words of the rules."""
    for written in ("Café Ｎoir", "cafe\u0301 no\u200bir", "саfé nоіr", "𝒄𝒂𝒇𝒆 \u00adnoir"):
        assert fold(written).text == "cafe noir", written
    assert flat("One\n  TWO\u00a0three") == "one two three"
    assert fold("".join(chr(0xE0000 + ord(c)) for c in "Hid")).text == "hid"


def test_other_scripts_stay_as_they_are() -> None:
    """Words of a language would be taken apart, and cost time."""
    for written in ("한국어", "नमस्ते", "ガギグ", "العربية"):
        assert fold(written).text == written


@given(st.text())
def test_every_offset_leads_back_into_the_text(text: str) -> None:
    """A span would be marked in another place than the words that were found."""
    folded = fold(text)
    origins = [folded.origin(at) for at in range(len(folded.text) + 1)]
    assert origins == sorted(origins)
    assert all(0 <= origin <= len(text) for origin in origins[:-1])
    for at, character in enumerate(folded.text):
        if text.isascii():
            assert character == text[folded.origin(at)].lower()

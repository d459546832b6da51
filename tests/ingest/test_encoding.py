"""Text must come out as it was written, and what is no text must be refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode, is_strict_text
from tests.ingest.reading import read, refusal

GERMAN = "Größe und Straße: schöne Grüße aus München, übermäßig „früh“ geöffnet – für 5 €.\n"
JAPANESE = (
    "会議の議事録をお送りします。次回の打ち合わせは来週の火曜日です。よろしくお願いします。\n"
)
CHINESE = "请查看附件中的会议记录。下次会议将在下星期二举行，请准时参加，谢谢大家的合作。\n"
RUSSIAN = "Протокол собрания прилагается. Следующая встреча состоится во вторник.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-32"),
        (GERMAN, "cp1252"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (CHINESE, "gb18030"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
    ],
)
@pytest.mark.parametrize("repeated", [3, 20_000])
def test_text_of_many_encodings_is_read_as_written(text: str, encoding: str, repeated: int) -> None:
    """Words would be stored as garbage and never be found."""
    if encoding == "utf-16":  # the mark of the other byte order
        data = b"\xfe\xff" + (text * repeated).encode("utf-16-be")
    else:
        data = (text * repeated).encode(encoding)
    assert read("a.txt", data).text == text * repeated


@pytest.mark.parametrize("data", [b"\x7fELF\x02\x01\x01" + bytes(9), bytes(range(256)) * 9])
def test_a_binary_file_called_text_is_refused(data: bytes) -> None:
    """An index would fill with noise."""
    assert refusal("a.txt", data) == "not text: looks like a binary file"


def test_line_ends_become_one_kind_and_lines_keep_their_numbers() -> None:
    """A citation would name the wrong line."""
    assert read("a.txt", b"one\r\ntwo\r\n\r\nfour").text == "one\ntwo\n\nfour"
    assert read("a.txt", b"one\rtwo\r").text == "one\ntwo\n"


def test_a_declared_encoding_is_believed_unless_the_bytes_are_utf8() -> None:
    """Pages whose head is wrong would be garbled, or those whose head is right be guessed at."""
    assert decode("Grüße".encode(), "iso-8859-1").text == "Grüße"
    assert decode("Привет".encode("koi8_r"), "koi8-r").text == "Привет"
    assert decode("日本".encode("iso2022_jp"), "ISO-2022-JP").text == "日本"
    for hostile in ("idna", "unicode_escape", "zlib", "rot13", "utf-7", "no such", "a\0b", ""):
        assert decode(b"plain \\u0041", hostile).text == "plain \\u0041"


@given(st.binary(max_size=300), st.sampled_from(["", "utf-16", "cp1252", "big5", "hz", "latin-1"]))
def test_any_bytes_give_storable_text_or_a_load_error(data: bytes, declared: str) -> None:
    """A file could end a run, or its text be refused by the store."""
    try:
        text = decode(data, declared).text
    except LoadError as error:
        assert error.message
    else:
        text.encode("utf-8")


@pytest.mark.parametrize(
    ("head", "strict"),
    [
        (b"plain words\n\tindented\r\n", True),
        ("é".encode() * 40_000 + b"x", True),
        (b"x" + "é".encode() * 40_000, True),  # the head ends within a character
        ("\ufeffwords".encode("utf-16"), True),
        (b"caf\xe9", False),
        (b"a\0b", False),
        (b"\x1b[0m", False),
        (b"\xff\xfe\x00", False),
        (b"\xff\xfe\x00\xd8\x00\x00", False),
    ],
)
def test_only_what_is_text_beyond_doubt_is_taken_without_a_suffix(
    head: bytes, strict: bool
) -> None:
    """Programs and images of unknown kinds would be indexed as text."""
    assert is_strict_text(head) is strict

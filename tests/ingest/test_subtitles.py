"""Subtitles must read as what is said, with the time at which to look for it."""

from time import process_time

import pytest

from tests.ingest.reading import read, refusal

SRT = """1
00:01:05,000 --> 00:01:07,500
<i>Good evening,</i>

2
00:01:07,600 --> 00:01:09,000
{\\an8}and welcome &amp; <font color="red">hello</font>.

3
01:02:03,000 --> 01:02:05,000
- 2 < 3, isn't it?
- It is.
"""

VTT = """WEBVTT - A film
Language: en

NOTE not said

STYLE
::cue { color: red }

intro
00:05.000 --> 00:07.000 align:start
<v Roger Bingham>We are in <c.loud>New</c> York<00:00:06.000> City

NOTE
again not said

00:07.000 --> 00:09.000
City
and <b>more</b>
"""


def test_cues_become_paragraphs_with_their_time() -> None:
    """A quote could not be found in the film."""
    document = read("a.srt", SRT.replace("\n", "\r\n").encode())
    assert document.text == (
        "[00:01:05] Good evening, and welcome & hello.\n\n[01:02:03] - 2 < 3, isn't it? - It is."
    )
    assert document.metadata == {"duration": "01:02:05"}
    assert document.title == ""


def test_notes_styles_and_voices_of_webvtt_are_left_out() -> None:
    """Words that nobody says would be quoted."""
    document = read("a.vtt", VTT.encode())
    assert document.text == "[00:00:05] We are in New York City City and more"
    assert document.metadata == {"duration": "00:00:09", "language": "en"}
    assert document.media_type == "text/vtt"


def test_the_lines_that_roll_up_are_said_once() -> None:
    """Captions made by machines show each line twice or three times."""
    cues = ["one line", "one line\nthe next", "the next\nthe last"]
    text = "WEBVTT\n\n" + "\n\n".join(
        f"00:0{n}.000 --> 00:0{n + 1}.000\n{cue}" for n, cue in enumerate(cues)
    )
    assert read("a.vtt", text.encode()).text == "[00:00:00] one line the next the last"


def test_what_is_said_twice_is_kept_twice() -> None:
    """An answer repeated for weight would be lost."""
    text = "1\n00:00:01,0 --> 00:00:02,0\nNo.\n\n2\n00:00:02,0 --> 00:00:03,0\nNo.\n"
    assert read("a.srt", text.encode()).text == "[00:00:01] No. No."


def test_long_speech_is_parted_at_a_sentence() -> None:
    """An hour without a pause would bear one time."""
    cue = "This is a sentence of some forty letters."
    text = "\n\n".join(
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n{cue}"
        for n in range(1, 100)
    )
    paragraphs = read("a.srt", text.encode()).text.split("\n\n")
    assert len(paragraphs) > 10
    assert all(paragraph.endswith("letters.") for paragraph in paragraphs)


def test_cues_without_blank_lines_or_with_them_inside_are_read() -> None:
    """Files made by hand would lose words or show their numbers."""
    text = "1\n00:00:01,0 --> 00:00:02,0\nOne\n2\n00:00:02,0 --> 00:00:03,0\n\nTwo\n\nthree\n"
    assert read("a.srt", text.encode()).text == "[00:00:01] One Two three"


def test_other_files_are_refused() -> None:
    """A text would be cut up at times that it does not have."""
    assert refusal("a.srt", b"Just a text").startswith("no subtitles in it")


@pytest.mark.soak
def test_hostile_files_cost_no_time() -> None:
    """A search for the times would take the square of the length."""
    start = process_time()
    refusal("a.vtt", b"WEBVTT\n\n" + b"00:00:01.000 --> " * 200_000)
    read("a.srt", b"1\n00:00:01,0 --> 00:00:02,0\nx" + b"<a" * 500_000)
    read("a.srt", b"00:00:01,0 --> 00:00:02,0\nx\n" * 50_000)
    read("a.srt", b"00:00:01,0 --> 00:00:02,0\nx" + b"\n \n" * 500_000)
    assert process_time() - start < 10

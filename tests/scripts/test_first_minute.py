"""The frames of the first minute: what a new user presses, and one moving picture of it."""

import re
from collections import Counter
from pathlib import Path
from xml.dom import minidom

import pytest

from scripts.first_minute import FOLDER, frames, moving
from scripts.screenshot import copied


async def test_the_first_minute_is_a_picture_that_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, README shows a beginning that nobody comes through any more, or a torn one."""
    monkeypatch.setenv("HOME", str(tmp_path))
    copied(FOLDER, tmp_path)
    pictures = await frames(tmp_path)
    words = [re.sub(r"<[^>]+>|&#160;", " ", picture) for picture in pictures]
    told = ("Which folder", "29 readable", "29 files of manual", "[1]", "quote found")
    for picture, expected in zip(words, told, strict=True):
        assert expected in " ".join(picture.split()), expected
    whole = moving(pictures)
    minidom.parseString(whole)
    ids = Counter(re.findall(r'\bid="([^"]+)"', whole))
    assert max(ids.values()) == 1, "a clip of one frame would cut another"
    assert str(tmp_path) not in whole

"""Databases of Pixi must be read entry by entry under the ids that they have."""

import json

import pytest

from tests.ingest.reading import read, read_all, refusal


def zst(value: object) -> bytes:
    """Compress JSON."""
    zstandard = pytest.importorskip("zstandard", reason="the extra 'formats' is not installed")
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return bytes(zstandard.ZstdCompressor().compress(data))


PIXI = {"title": "Ferns", "content": "They grow.", "id": 12, "source": "https://example.org"}


def test_an_entry_of_pixi_keeps_its_id() -> None:
    """The ids that people and bots know it by would change."""
    (document,) = read_all("a.zst", zst(PIXI))
    assert (document.wanted_id, document.key) == (12, "12")
    assert (document.title, document.text) == ("Ferns", "They grow.")
    assert document.metadata == {"source": "https://example.org"}


@pytest.mark.parametrize("identifier", [0, -3, 1.5, "7", True, None, 10**30, "x"])
def test_an_id_that_no_store_can_keep_is_only_a_key(identifier: object) -> None:
    """The store would refuse it, or another entry would get it."""
    (document,) = read_all("a.zst", zst({**PIXI, "id": identifier}))
    assert document.wanted_id is None


def test_a_database_of_pixi_may_hold_many_entries() -> None:
    """All but one would be lost, or all be one."""
    other = {"title": "Moss", "content": "Too.", "id": 3}
    empty = {"title": "", "content": "", "id": 4}
    listed = read_all("a.zst", zst([PIXI, other, empty]))
    assert [(d.key, d.wanted_id) for d in listed] == [("12", 12), ("3", 3)]
    assert listed[0].metadata["records_not_read"] == "record 3: no text in it"
    mapped = read_all("a.zst", zst({"ferns": PIXI, "moss": {"content": "Too."}}))
    assert [(d.key, d.text) for d in mapped] == [("12", "They grow."), ("moss", "Too.")]


def test_two_frames_in_a_row_are_one_content() -> None:
    """What was appended by a second writer would be lost."""
    data = json.dumps(PIXI).encode()
    assert read("a.zst", zst(data[:20]) + zst(data[20:])).text == "They grow."


def test_zst_of_another_kind_or_broken_is_refused() -> None:
    """A bomb would fill the memory, and an archive be taken for a database."""
    assert "unpacks to far more" in refusal("a.zst", zst(b" " * 50_000_000))
    assert refusal("a.zst", b"not zstd").startswith("broken zstd file")
    assert refusal("a.zst", zst(PIXI)[:-4]).startswith(("broken zstd", "not a Pixi database"))
    assert refusal("a.zst", zst(b"ustar, a tar")).startswith("not a Pixi database")
    assert refusal("a.zst", zst([1, 2])) == "not a Pixi database: there are no entries in it"

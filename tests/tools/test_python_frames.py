"""The framing between us and the process that runs code: any value must arrive as it was sent."""

import io
import json
import os
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.tools.python_session.worker import HEAD, read_frame, write_frame

TEXTS = st.text(st.characters())  # any code point, lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
FRAMES = st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=5)


class Dripping(io.RawIOBase):
    """A stream that gives its bytes in pieces of any size, as a pipe may."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self._data, self._sizes = data, sizes

    def read(self, size: int = -1, /) -> bytes:
        piece = min(size, self._sizes.pop(0) if self._sizes else size)
        given, self._data = self._data[:piece], self._data[piece:]
        return given


@given(FRAMES, st.lists(st.integers(1, 9), max_size=200))
def test_frames_arrive_as_they_were_sent_however_the_pipe_cuts_them(
    frames: list[dict[str, Any]], sizes: list[int]
) -> None:
    """Code or an entry's text would arrive changed, or one frame run into the next."""
    sent = io.BytesIO()
    for frame in frames:
        write_frame(sent, frame)
    stream = Dripping(sent.getvalue(), sizes)
    assert [read_frame(stream) for _ in frames] == frames  # type: ignore[arg-type]
    assert read_frame(stream) is None  # type: ignore[arg-type]


@given(st.dictionaries(TEXTS, VALUES, max_size=4), st.data())
def test_a_frame_that_breaks_off_is_the_end(frame: dict[str, Any], data: st.DataObject) -> None:
    """Half a frame, of a process that died over it, would be taken for a whole one."""
    sent = io.BytesIO()
    write_frame(sent, frame)
    cut = data.draw(st.integers(0, len(sent.getvalue()) - 1))
    assert read_frame(io.BytesIO(sent.getvalue()[:cut])) is None


def test_a_frame_larger_than_any_pipe_passes_unbuffered() -> None:
    """A long text would be cut where a raw stream takes only a part of it."""
    incoming, outgoing = os.pipe()
    frame = {"text": "päge\ud800" * 1_000_000}
    with os.fdopen(incoming, "rb", 0) as reading, os.fdopen(outgoing, "wb", 0) as writing:
        thread = threading.Thread(target=write_frame, args=(writing, frame))
        thread.start()
        assert read_frame(reading) == frame
        thread.join()


@pytest.mark.parametrize(
    "body",
    [b"{", b"[1]", b"7", b"\xff\xfe", b"[" * 100_000, b""],
    ids=["broken", "list", "number", "binary", "deep", "empty"],
)
def test_nonsense_is_refused(body: bytes) -> None:
    """What a broken process writes would end the run with an error of ours."""
    with pytest.raises(ValueError):
        read_frame(io.BytesIO(HEAD.pack(len(body)) + body))


def test_a_frame_beyond_the_limit_is_refused_unread() -> None:
    """A process could take all memory of ours by announcing a frame of that size."""
    with pytest.raises(ValueError, match="frame of"):
        read_frame(io.BytesIO(HEAD.pack(1 << 60)), 1_000)
    assert read_frame(io.BytesIO(HEAD.pack(2) + b"{}"), 2) == json.loads("{}")

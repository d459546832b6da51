"""Garbage is collected while nobody types."""

import gc
import weakref

from rag_assistant.tui.terminal.idle_collection import (
    MOST_SHORT_ROUNDS,
    SHORT_ROUNDS,
    IdleCollection,
    begin_without,
)


class _Person:
    """Somebody at the keys."""

    quiet_seconds = 0.0


def _make_garbage() -> None:
    while gc.get_count()[2] < SHORT_ROUNDS:
        kept: list[list[object]] = [[] for _ in range(10_000)]
        kept.append(kept)  # type: ignore[arg-type]


def test_a_long_round_waits_for_a_pause() -> None:
    """If it fails, scrolling and typing stand still every few pages, or memory grows for ever."""
    ours = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as Python comes
    before = gc.get_threshold()
    typing = _Person()
    collection = IdleCollection(typing)
    collection.start()
    try:
        assert gc.get_threshold()[2] == MOST_SHORT_ROUNDS
        _make_garbage()
        assert not collection.look()
        typing.quiet_seconds = 5.0
        assert collection.look()
        assert gc.get_count()[2] < SHORT_ROUNDS
        assert not collection.look()
    finally:
        collection.stop()
        after = gc.get_threshold()
        gc.set_threshold(*ours)
    assert after == before


class _Cycle:
    """Garbage that only a round can find."""

    def __init__(self) -> None:
        self.itself = self


def test_a_start_collects_nothing_and_what_it_left_goes_in_the_first_pause() -> None:
    """If it fails, the first picture waits for garbage, or the garbage of the start stays."""
    typing = _Person()
    collection = IdleCollection(typing)
    gone: list[int] = []
    begin_without()
    try:
        assert not gc.isenabled()
        weakref.finalize(_Cycle(), gone.append, 1)
        collection.start()
        assert gc.isenabled()
        _make_garbage()
        assert not gone
        typing.quiet_seconds = 5.0
        assert collection.look()
        assert gone
        assert gc.get_freeze_count()
    finally:
        collection.stop()
    assert gc.isenabled()
    assert not gc.get_freeze_count()

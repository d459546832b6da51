"""Slow and silent models: what is waited for, for how long, and what is said meanwhile."""

from typing import Any

import pytest

from rag_assistant.config import ModelSettings, Wire
from rag_assistant.errors import ModelError
from rag_assistant.models import openai_model, silence
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.silence import silence_of
from rag_assistant.values.messages import (
    Reply,
    ReplyDelta,
    ReplyPending,
    ReplyPiece,
    Request,
    UserMessage,
)
from scripts.benchmarks.shared.model_replies import Answer, Events, Script, Silence, rendered
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest

ALIVE = b": keep-alive\n\n"
THOUGHT = {"choices": [{"index": 0, "delta": {"reasoning_content": "Hm. "}}]}


def after(*before: Any, pause: float = 0.1) -> Any:
    """A stream that begins with other things, and takes its time for everything."""

    def script(request: SeenRequest) -> Script:
        begun, end = rendered(Answer("Thirty ", "days."), request.path)
        return Events((*before, *begun, *end), pause=pause)

    return script


async def pieces_of(server: ScriptedServer, wire: Wire = "chat") -> list[ReplyPiece]:
    """Ask with a time-out of 0.3 seconds."""
    model = OpenAIModel("slow", server.settings(wire, timeout_seconds=0.3), {})
    try:
        return [piece async for piece in model.stream(Request((UserMessage("Hm?"),)))]
    finally:
        await model.aclose()


def words(pieces: list[ReplyPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, ReplyDelta))


@pytest.mark.parametrize("wire", ["chat", "responses"])
async def test_a_reply_may_take_longer_than_any_silence(wire: Wire) -> None:
    """Else a model that reads or writes slowly is given up although it works."""
    with ScriptedServer(after(*[ALIVE] * 6)) as server:
        assert words(await pieces_of(server, wire)) == "Thirty days."


async def test_it_is_said_that_a_model_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a person cannot tell a slow model from a program that hangs."""
    for module in (silence, openai_model):
        monkeypatch.setattr(module, "TOLD_SECONDS", 0.05)
    with ScriptedServer(after(ALIVE, ALIVE)) as server:
        first, *others = await pieces_of(server)
        assert isinstance(first, ReplyPending)
        assert not first.is_working
        assert isinstance(others[-1], Reply)
        assert words(others) == "Thirty days."
    with ScriptedServer(after(*[THOUGHT] * 3, pause=0.04)) as server:
        signs = [piece for piece in await pieces_of(server) if isinstance(piece, ReplyPending)]
        assert any(sign.is_working for sign in signs)


async def test_silence_ends_the_wait_also_after_signs_of_life() -> None:
    """Else a server that died is waited for without end."""
    stalled = Events((ALIVE, ALIVE), then="stall", pause=0.1)
    for script in (Silence(), stalled, Answer("Thirty ", then="stall")):
        told = pytest.raises(ModelError, match=r"stayed silent for 0\.3 seconds")
        with ScriptedServer(script) as server, told:
            await pieces_of(server)


def test_a_model_on_this_machine_has_time_by_what_it_reads() -> None:
    """Else a processor that reads 6,000 tokens at 30 a second is given up after two minutes."""
    payload = {"messages": [{"role": "user", "content": "word " * 4_800}]}
    here = ModelSettings("m", "http://127.0.0.1:11434/v1")
    assert silence_of(here, payload) > 6_000 / 30 * 3
    assert silence_of(ModelSettings("m", "https://api.example/v1"), payload) == 120
    asked = ModelSettings("m", "http://127.0.0.1:11434/v1", timeout_seconds=7)
    assert silence_of(asked, payload) == 7, "what the person set stands"

"""What leaves this machine, in the interface: asked before, told after, set in the library."""

import asyncio

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.ledger import Departure, EgressLedger
from rag_assistant.tui.library.screen import LibraryScreen
from rag_assistant.tui.main import main_screen
from rag_assistant.tui.permission import card as permission_card
from rag_assistant.tui.permission.card import PermissionCard
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.egress.elsewhere import configured, far, player
from tests.tui.hosting import hosted
from tests.tui.screen import NARROW, opened


@pytest.mark.parametrize("size", [(140, 40), NARROW])
async def test_a_person_is_asked_before_text_leaves_and_told_after(
    assistant: Assistant, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, documents go to a company unasked, or nobody sees that they did."""
    monkeypatch.setattr(permission_card, "INERT_SECONDS", 0.05)
    monkeypatch.setattr(main_screen, "QUIET_SECONDS", 0.05)
    library = assistant.library
    with ScriptedServer(player("staff")) as server:
        asked = Assistant(library, configured({"far": far(server)}), {})
        async with opened(asked, size) as shown:
            await shown.type_and_send("How long is parental leave?")
            await shown.until(lambda: isinstance(shown.app.focused, PermissionCard), "the card")
            card = shown.main.query_one(PermissionCard)
            assert "Send text of staff to 0.0.0.0" in shown.text()
            assert "from now on" in shown.text()
            assert server.requests == []
            await asyncio.sleep(permission_card.INERT_SECONDS + 0.1)
            await shown.pilot.press("y")
            exchange = shown.exchanges[0]
            await shown.until(lambda: exchange.state.over, "the answer")
            await shown.settle()
            await shown.until(lambda: "sent to 0.0.0.0" in shown.text(), "where it went")
            await shown.ask("And again?")
            assert not card.display
        assert exchange.state.answer
        [sent] = exchange.state.answer.sent
        assert sent.requests > 1
    assert EgressLedger(library.home).by_day_and_host()
    assert {name for name, _ in EgressLedger(library.home).allowed()} == {"staff"}  # from now on


async def test_the_library_sets_where_text_may_go_and_tells_what_left(assistant: Assistant) -> None:
    """If it fails, a person cannot close a database from here, or see what went out of it."""
    home = assistant.library.home
    async with hosted(LibraryScreen(assistant)) as shown:
        assert "you are asked before its text goes elsewhere" in shown.words("#browse-detail")
        await shown.press("l")
        await shown.until(
            lambda: "Nothing has left this computer." in shown.words("#browse-remark"), "no record"
        )
        await shown.press("e")
        await shown.sees("Privacy of staff")
        await shown.press("up", "enter")
        await shown.until(
            lambda: "goes only to models on this computer" in shown.words("#browse-detail"),
            "the policy",
        )
        assert Gate(home, Config()).policy("staff") == "local"
        EgressLedger(home).write(
            Departure(
                "api.example.com", "m", "answer", ("staff",), (("staff", 1),), 12_400, 13_000, 2
            )
        )
        await shown.press("l")
        said = "sent to api.example.com: 1 request, 1 document, 12,400 characters, 2 secrets masked"
        await shown.until(lambda: said in shown.words("#browse-remark"), "the record")

"""Questions over HTTP: whole, as events, and after what was said before."""

import asyncio
from pathlib import Path

from rag_assistant.egress.clients import Client
from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.egress.policies import set_policy
from rag_assistant.http_api.bounds import Bounds
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.http_api.conftest import PATIENCE, QUESTION, MakeApi, Running, error_of, events_in


async def test_an_answer_is_cited_from_the_documents(api: Running) -> None:
    """A program would have an answer, and not know what bears it out."""
    answer = (await api.post("/v1/ask", {"question": QUESTION})).json()
    assert "sixteen weeks" in answer["answer"]
    cited = answer["citations"][0]
    assert (cited["path"], cited["verified"]) == ("leave/parental.md", True)
    assert cited["uri"].startswith("rag://handbook/")


async def test_what_is_done_comes_as_events_and_the_answer_last(api: Running) -> None:
    """A program could not show that something is going on, or would read words that were then
    withheld."""
    response = await api.post("/v1/ask", {"question": QUESTION, "stream": True})
    assert response.headers["content-type"].startswith("text/event-stream")
    events = events_in(response.text)
    assert [name for name, _ in events[:-1]] == ["progress"] * (len(events) - 1)
    assert "sixteen" not in str(events[:-1])
    name, answer = events[-1]
    assert (name, "sixteen weeks" in answer["answer"]) == ("answer", True)
    other = await api.post("/v1/ask", {"question": "x", "stream": True, "databases": ["diary"]})
    name, told = events_in(other.text)[-1]
    assert (name, told["error"]["code"]) == ("error", "database_not_found")


async def test_a_client_that_goes_away_ends_its_run(
    silent: ScriptedServer, serving: MakeApi
) -> None:
    """The model would be paid for an answer that nobody waits for, and the place stay taken."""
    chat = {"model": "rag-assistant", "messages": [{"role": "user", "content": QUESTION}]}
    async with serving(Bounds(runs=1)) as api:
        for number, (place, body) in enumerate(
            (
                ("/v1/ask", {"question": QUESTION}),
                ("/v1/ask", {"question": QUESTION, "stream": True}),
                ("/v1/chat/completions", chat),
                ("/v1/chat/completions", {**chat, "stream": True}),
            )
        ):
            asking = asyncio.create_task(api.post(place, body))
            await until_asked(silent, number + 1)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            hung_up = silent.requests[number].hung_up
            assert await asyncio.to_thread(hung_up.wait, PATIENCE), (place, body)


async def test_a_server_that_is_stopped_ends_its_runs(
    silent: ScriptedServer, serving: MakeApi
) -> None:
    """It would wait for a model that says nothing."""
    async with serving() as api:
        whole = asyncio.create_task(api.post("/v1/ask", {"question": QUESTION}))
        stream = asyncio.create_task(api.post("/v1/ask", {"question": QUESTION, "stream": True}))
        await until_asked(silent, 2)
        await api.api.close()
        assert (await whole).status_code == 503
        assert error_of(await whole)["code"] == "stopping"
        name, told = events_in((await stream).text)[-1]
        assert (name, told["error"]["code"]) == ("error", "stopping")
        for one in silent.requests:
            assert await asyncio.to_thread(one.hung_up.wait, PATIENCE)


async def test_more_questions_than_there_is_room_for_are_told_to_wait(
    silent: ScriptedServer, serving: MakeApi
) -> None:
    """A loop in a program could fill the machine with runs."""
    async with serving(Bounds(runs=1, waiting=1, waiting_seconds=0.3)) as api:
        running = asyncio.create_task(api.post("/v1/ask", {"question": QUESTION}))
        await until_asked(silent, 1)
        waiting = asyncio.create_task(api.post("/v1/ask", {"question": QUESTION}))
        busy = await waiting  # its turn does not come
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
        assert error_of(busy)["code"] == "busy"
        found = await api.get("/v1/search", params={"q": "leave"})
        assert found.status_code == 200  # what needs no model goes on
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_run_that_takes_too_long_is_stopped(
    silent: ScriptedServer, serving: MakeApi
) -> None:
    """A model that says nothing would hold a place for ever."""
    async with serving(Bounds(run_seconds=1.0)) as api:
        response = await api.post("/v1/ask", {"question": QUESTION})
        assert (response.status_code, error_of(response)["code"]) == (504, "took_too_long")
        for one in silent.requests:  # none where the machine was too busy to come so far
            assert await asyncio.to_thread(one.hung_up.wait, PATIENCE)


async def test_what_was_said_before_goes_to_no_model_that_may_not_have_it(
    silent: ScriptedServer, serving: MakeApi, home: Path
) -> None:
    """A conversation that a client brings may hold words of any database that it was handed."""
    config = (home / "config.toml").read_text()
    # 0.0.0.0 counts as another machine, and leads to this one.
    far = config.replace("local = true\n", "").replace("http://127.0.0.1", "http://0.0.0.0")
    (home / "config.toml").write_text(far)
    set_policy(home, "handbook", "any")
    EgressLedger(home).allow(["diary"], Client("HTTP", "reader").label)
    past = [{"question": "What of the gate?", "answer": "Painted green."}]
    body = {"question": QUESTION, "past": past, "databases": ["handbook"]}
    async with serving() as api:
        asking = asyncio.create_task(api.post("/v1/ask", body))
        await until_asked(silent, 1)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert QUESTION in str(silent.requests[0].body)
        assert "Painted green" not in str([one.body for one in silent.requests])


async def until_asked(server: ScriptedServer, times: int) -> None:
    """Wait until a model was asked so often."""
    async with asyncio.timeout(PATIENCE):
        while len(server.requests) < times:
            await asyncio.sleep(0.02)

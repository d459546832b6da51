"""Search, entries and databases over HTTP, as programs get them."""

from pathlib import Path

from rag_assistant.egress.clients import Client
from rag_assistant.egress.ledger import EgressLedger
from tests.clients.conftest import ORDER, SECRET
from tests.http_api.conftest import Running, error_of

LABEL = Client("HTTP", "reader").label


async def test_a_database_is_found_searched_and_read(api: Running) -> None:
    """A program could not get from a question to the words of a document."""
    databases = (await api.get("/v1/databases")).json()["databases"]
    assert [one["name"] for one in databases] == ["handbook"]
    found = (await api.get("/v1/search", params={"q": "parental leave", "limit": 2})).json()
    best = found["hits"][0]
    assert (best["path"], best["rank"], len(found["hits"])) == ("leave/parental.md", 1, 2)
    place = f"/v1/databases/{best['database']}/entries/{best['id']}"
    read = (await api.get(place)).json()
    words = "".join(one["quote"] for one in read["documents_found"][0]["passages"])
    assert "sixteen weeks of leave at full pay" in words
    outline = (await api.get(f"{place}/outline")).json()
    assert [one["part"] for one in outline["parts"]] == ["Parental leave", "Applying"]
    part = next(one["at"] for one in outline["parts"] if one["part"] == "Applying")
    rest = (await api.get(place, params={"start": part})).json()
    assert "FORM-PL-3" in str(rest)


async def test_entries_are_listed_and_counted(api: Running) -> None:
    """A program could only see what a search happens to find."""
    place = "/v1/databases/handbook/entries"
    whole = (await api.get(place, params={"limit": 100})).json()
    paths = [one["path"] for one in whole["documents_found"]]
    count = whole["documents"]
    assert count == len(paths)
    assert {"crane.md", "leave/annual.md", "leave/parental.md"} < set(paths)
    some = (await api.get(place, params={"query": "path:leave", "limit": 1})).json()
    assert (some["documents"], some["of"], len(some["documents_found"])) == (2, count, 1)
    later = (await api.get(place, params={"limit": 100, "offset": count - 2})).json()
    assert len(later["documents_found"]) == 2


async def test_a_local_database_is_not_there_until_it_is_allowed(api: Running, home: Path) -> None:
    """A program that sends text on would be handed what is to stay on this machine."""
    asked = (
        "/v1/databases/diary/entries",
        "/v1/databases/diary/entries/1",
        "/v1/databases/diary/entries/1/outline",
        "/v1/search?q=gate&database=diary",
        "/v1/models/rag-assistant/diary",
    )
    nowhere = [error_of(await api.get(place.replace("diary", "nowhere"))) for place in asked]
    for place, other in zip(asked, nowhere, strict=True):
        response = await api.get(place)
        assert response.status_code == 404
        assert error_of(response)["message"].replace("diary", "nowhere") == other["message"]
    assert "painted" not in (await api.get("/v1/search?q=garden gate")).text
    body = {"question": "When was the garden gate painted?"}
    assert "Sunday" not in (await api.post("/v1/ask", body)).text
    EgressLedger(home).allow(["diary"], LABEL)
    assert "painted" in (await api.get("/v1/search?q=garden gate")).text
    assert "painted" in (await api.get("/v1/databases/diary/entries/1")).text


async def test_what_is_hidden_or_secret_is_not_handed_out(api: Running) -> None:
    """Text written for models would steer the program's model, and a key would be sent on."""
    listed = (await api.get("/v1/databases/handbook/entries?limit=100")).json()
    ids = [one["id"] for one in listed["documents_found"]]
    texts = [
        await api.get("/v1/search", params={"q": "crane fee previous instructions"}),
        await api.get("/v1/search", params={"q": f"storage harbour {SECRET}"}),
        *[await api.get(f"/v1/databases/handbook/entries/{one}") for one in ids],
        await api.post("/v1/ask", {"question": "What opens the storage of the harbour?"}),
    ]
    said = "\n".join(one.text for one in texts)
    assert "forty euros" in said
    assert SECRET not in said.replace(f'"query":"storage harbour {SECRET}"', "")
    assert ORDER not in said


async def test_what_was_handed_out_is_on_record(api: Running, home: Path) -> None:
    """A person could not see what which program was given."""
    await api.get("/v1/search?q=parental leave")
    await api.post("/v1/ask", {"question": "How long is parental leave?"})
    day = next(one for one in EgressLedger(home).by_day_and_host() if one.host == LABEL)
    assert day.requests == 2
    assert {"hits", "ask"} <= set(day.models)
    assert day.databases == ("handbook",)


async def test_what_is_not_there_is_told_with_the_next_step(api: Running) -> None:
    """A program would have to guess what was wrong."""
    for place, code, words in (
        ("/v1/databases/handbook/entries/99999", "entry_not_found", "Search to see the ids"),
        ("/v1/databases/nowhere/entries", "database_not_found", "There are: handbook"),
        ("/v1/nothing", "not_found", "/openapi.json"),
        ("/", "not_found", "/openapi.json"),
    ):
        response = await api.get(place)
        error = error_of(response)
        assert (response.status_code, error["code"]) == (404, code)
        assert words in error["message"]
    wrong = await api.link.put("/v1/search")
    assert (wrong.status_code, error_of(wrong)["code"]) == (405, "wrong_method")
    assert "GET" in wrong.headers["allow"]

"""The description of the interface says what the interface does."""

import asyncio
import importlib.util
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rag_assistant.http_api.bounds import Bounds
from tests.http_api.conftest import QUESTION, MakeApi, Running

SECONDS = 900

CASES = "25"
"""Cases that are made for each operation at most, in each of the ways in which they are made."""


async def test_what_is_given_is_as_described(api: Running) -> None:
    """A program that was made by the description would not understand what it gets."""
    described = (await api.get("/openapi.json")).json()
    assert described["openapi"] == "3.1.0"
    assert described["servers"] == [{"url": api.origin}]
    place = "/v1/databases/{database}/entries/{id}"
    chat = {"model": "rag-assistant", "messages": [{"role": "user", "content": QUESTION}]}
    for path, asked, body in (
        ("/v1/databases", "/v1/databases", None),
        ("/v1/search", "/v1/search?q=leave", None),
        ("/v1/databases/{database}/entries", "/v1/databases/handbook/entries", None),
        (place, "/v1/databases/handbook/entries/1", None),
        (f"{place}/outline", "/v1/databases/handbook/entries/1/outline", None),
        ("/v1/models", "/v1/models", None),
        ("/v1/models/{id}", "/v1/models/rag-assistant", None),
        ("/v1/ask", "/v1/ask", {"question": QUESTION}),
        ("/v1/chat/completions", "/v1/chat/completions", chat),
    ):
        way = "post" if body else "get"
        response = await (api.post(asked, body) if body else api.get(asked))
        assert response.status_code == 200
        given = described["paths"][path][way]["responses"]["200"]["content"]["application/json"]
        Draft202012Validator(given["schema"]).validate(response.json())
        operation = described["paths"][path][way]
        if body:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            Draft202012Validator(schema).validate(body)
    assert set(described["paths"]) == {
        "/v1/databases", "/v1/search", "/v1/databases/{database}/entries", place,
        f"{place}/outline", "/v1/models", "/v1/models/{id}", "/v1/ask", "/v1/chat/completions",
    }  # fmt: skip


@pytest.mark.soak
@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.skipif(
    importlib.util.find_spec("schemathesis") is None, reason="schemathesis is not installed"
)
async def test_what_fits_the_description_is_taken_and_what_does_not_is_refused(
    serving: MakeApi, tmp_path: Path
) -> None:
    """The description would promise what is not kept, or a request end in an internal error."""
    async with serving(Bounds(burst=10**9, rate=1e9)) as api:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()",
            "run", f"{api.origin}/openapi.json", "-H", f"Authorization: Bearer {api.token}",
            "--max-examples", CASES, "--no-color", "--seed", "1",
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, cwd=tmp_path,
        )  # fmt: skip
        said, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    assert process.returncode == 0, said.decode()[-4_000:]
    assert b"9 selected / 9 total" in said

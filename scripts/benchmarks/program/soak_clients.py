"""The users of a soak's servers: a program over HTTP, one over MCP, and a page of a browser."""

import asyncio
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from websockets.sync.client import connect
from websockets.typing import Origin

SECONDS = 120
"""What one request or command may take."""

Asked = Callable[[str, str, random.Random], str]
"""Asks the server at an address, with a token; says what was wrong, "" if nothing was."""


class Clients:
    """Ask the questions of a database beside those of one that changes."""

    def __init__(self, questions: Sequence[str], database: str, changing: str) -> None:
        self._questions, self._database = questions, database
        self._databases = (database, changing)

    def over_http(self, address: str, token: str, chance: random.Random) -> str:
        """Search, list, or ask; where it is told to come back later, wait."""
        asked = urlencode({"q": chance.choice(self._questions), "database": self._any(chance)})
        entries = f"/v1/databases/{self._any(chance)}/entries"
        path = chance.choice((f"/v1/search?{asked}", "/v1/databases", entries, "/v1/ask"))
        body = {"question": chance.choice(self._questions), "databases": [self._database]}
        request = Request(
            address.removesuffix("/v1") + path,
            data=json.dumps(body).encode() if path == "/v1/ask" else None,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        try:
            with urlopen(request, timeout=SECONDS) as reply:
                reply.read()
        except HTTPError as error:
            time.sleep(1)
            return "" if error.code == 429 else f"{path}: {error.code}, {error.read()!r}"
        return ""

    def over_mcp(self, address: str, token: str, chance: random.Random) -> str:
        """Connect, search, list and ask, and leave."""
        return asyncio.run(self._over_mcp(address, token, chance))

    async def _over_mcp(self, address: str, token: str, chance: random.Random) -> str:
        question, anywhere = chance.choice(self._questions), self._any(chance)
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=SECONDS) as link,
            Client(streamable_http_client(address, http_client=link)) as client,
        ):
            for tool, given in (
                ("search", {"query": question, "database": anywhere}),
                ("list_documents", {"database": anywhere}),
                ("ask", {"question": question, "databases": [self._database]}),
            ):
                said = await client.call_tool(tool, given)
                if said.is_error:
                    return f"{tool} over MCP: {said.content}"
        return ""

    def in_a_page(self, address: str, _: str, chance: random.Random) -> str:
        """Open the interface as a browser does, ask, wait for the answer, and close the page."""
        origin, secret = address.split("/#")
        place = f"ws{origin.removeprefix('http')}/ws?width=100&height=30"
        until = time.monotonic() + SECONDS
        with connect(place, origin=Origin(origin), max_size=None) as page:
            page.send(secret)
            steps = [("sk your documents", f"{chance.choice(self._questions)}\r"), ("details", "")]
            for sign, typed in steps:
                drawn = ""
                while sign not in drawn:
                    try:
                        piece = page.recv(max(0.0, until - time.monotonic()))
                    except TimeoutError:
                        return f"a page never showed {sign!r}, but {_words(drawn)[-300:]!r}"
                    if isinstance(piece, str):
                        return f"a page ended: {piece}"
                    drawn += piece.decode("utf-8", "replace")
                page.send(json.dumps(["stdin", typed]))
        return ""

    def _any(self, chance: random.Random) -> str:
        return chance.choice(self._databases)


def _words(drawn: str) -> str:
    """Give what was drawn without what moves the cursor and colours it."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", drawn)

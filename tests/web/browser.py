"""Headless Chromium, driven by its DevTools protocol: what a page shows, and what it asks for."""

import asyncio
import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from tests.web.processes import PATIENCE, until

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
NO_CHROMIUM = "there is no Chromium here to test with (Debian: apt-get install chromium)"

_OPTIONS = """
--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-default-apps --disable-dev-shm-usage
--remote-debugging-port=0 --window-size=1280,800
""".split()

_READ = """function() {
    const terminal = this[0].terminal, held = terminal.buffer.active, lines = [];
    for (let y = 0; y < terminal.rows; y++)
        lines.push(held.getLine(held.baseY + y).translateToString(true));
    return lines.join("\\n");
}"""

_READ_BY_GROUND = """function() {
    const terminal = this[0].terminal, held = terminal.buffer.active, words = new Map();
    for (let y = 0; y < terminal.rows; y++) {
        const line = held.getLine(held.baseY + y);
        for (let x = 0; x < terminal.cols; x++) {
            const cell = line.getCell(x), ground = cell.getBgColorMode() + cell.getBgColor();
            words.set(ground, (words.get(ground) || "") + (cell.getChars() || " "));
        }
        for (const [ground, said] of words) words.set(ground, said + " ");
    }
    return [...words.values()].join("\\n");
}"""


class Refused(Exception):
    """The browser could not do what it was asked: the page may be giving way to the next."""


class Tab:
    """A page, every address it has asked for, by HTTP or WebSocket, and what its console says."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._terminal = ""
        self.requested: list[str] = []
        self.complaints: list[str] = []

    async def read(self) -> None:
        """Take what the browser says, until it is closed."""
        async for message in self._socket:
            match json.loads(message):
                case {"id": number} as answer:
                    self._waiting.pop(number).set_result(answer)
                case {"method": "Network.requestWillBeSent", "params": {"request": request}}:
                    self.requested.append(request["url"])
                case {"method": "Network.webSocketCreated", "params": {"url": url}}:
                    self.requested.append(url)
                case {
                    "method": "Runtime.exceptionThrown"
                    | "Log.entryAdded"
                    | "Page.javascriptDialogOpening"
                    | "Runtime.consoleAPICalled",
                    "params": told,
                }:
                    self.complaints.append(str(told))

    async def send(self, method: str, **given: Any) -> dict[str, Any]:
        """Ask the browser for something."""
        number = next(self._numbers)
        asked = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps({"id": number, "method": method, "params": given}))
        answer = await asyncio.wait_for(asked, PATIENCE)
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def value(self, expression: str) -> Any:
        """Evaluate JavaScript in the page."""
        given = await self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        return given["result"].get("value")

    async def open(self, address: str) -> None:
        """Go to an address."""
        self._terminal = ""
        await self.send("Page.navigate", url=address)

    async def click(self, selector: str) -> None:
        """Click in the middle of what a selector finds first, once it is in sight."""
        found = f"document.querySelector({json.dumps(selector)})"
        await self.value(f"{found}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        middle = "(box => [box.x + box.width / 2, box.y + box.height / 2])"
        x, y = await self.value(f"{middle}({found}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            await self.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )

    async def press(self, key: str, code: int, *, text: str = "", control: bool = False) -> None:
        """Press a key; `code` is what Windows calls it."""
        more = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
        kind = "keyDown" if text else "rawKeyDown"
        await self.send("Input.dispatchKeyEvent", type=kind, text=text, **more)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **more)

    async def type(self, text: str) -> None:
        """Type a text, key after key."""
        for letter in text:
            await self.press(letter, ord(letter.upper()), text=letter)

    async def picture(self, path: Path) -> None:
        """Keep a picture of the page."""
        path.write_bytes(base64.b64decode((await self.send("Page.captureScreenshot"))["data"]))

    # xterm.js draws on a canvas, which holds no text, and textual.js keeps its terminal to itself:
    # the scope of its load handler leads to the class, and the class to what was made of it.

    async def _find_terminal(self) -> str:
        handler = await self.send("Runtime.evaluate", expression="window.onload")
        given = await self.send(
            "Runtime.getProperties", objectId=handler["result"]["objectId"], ownProperties=True
        )
        scopes = next(each for each in given["internalProperties"] if each["name"] == "[[Scopes]]")
        for scope in await self._values_in(scopes["value"]["objectId"]):
            for found in await self._values_in(scope["objectId"]):
                if "sendPing()" in found.get("description", ""):
                    return await self._made_of(found["objectId"])
        raise Refused("there is no terminal in the page")

    async def _values_in(self, thing: str) -> list[dict[str, Any]]:
        given = await self.send("Runtime.getProperties", objectId=thing, ownProperties=True)
        values = [each["value"] for each in given["result"] if "value" in each]
        return [value for value in values if "objectId" in value]

    async def _made_of(self, kind: str) -> str:
        prototype = await self.send(
            "Runtime.callFunctionOn",
            objectId=kind,
            functionDeclaration="function() { return this.prototype; }",
        )
        found = await self.send(
            "Runtime.queryObjects", prototypeObjectId=prototype["result"]["objectId"]
        )
        return str(found["objects"]["objectId"])

    async def _ask_terminal(self, function: str) -> str:
        self._terminal = self._terminal or await self._find_terminal()
        given = await self.send(
            "Runtime.callFunctionOn",
            objectId=self._terminal,
            functionDeclaration=function,
            returnByValue=True,
        )
        return str(given["result"]["value"])

    async def text(self) -> str:
        """Give what the terminal in the page shows, line by line."""
        return await self._ask_terminal(_READ)

    async def by_ground(self) -> list[str]:
        """Give what the terminal shows on each colour of ground, levelled to single spaces."""
        shown = await self._ask_terminal(_READ_BY_GROUND)
        return [" ".join(words.split()) for words in shown.split("\n")]

    async def notice(self) -> str:
        """Give what the page says over the terminal, "" while it says nothing."""
        shown = "getComputedStyle(document.getElementById('notice')).display !== 'none'"
        said = "document.getElementById('said').textContent"
        return str(await self.value(f"document.getElementById('said') && {shown} ? {said} : ''"))

    async def sees(self, words: str, where: Callable[[], Awaitable[str]] | None = None) -> str:
        """Wait until some words are to be seen; give all that is."""
        seen = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while words not in seen:
                    await asyncio.sleep(0.05)
                    try:
                        seen = await (where or self.text)()
                    except Refused:
                        self._terminal = ""
        except TimeoutError:
            raise AssertionError(f"never came: {words}\n{seen}") from None
        return seen


@contextmanager
def browser(folder: Path) -> Iterator[int]:
    """Start a browser with nothing in it; gives the port of its DevTools."""
    command = [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder}", "about:blank"]
    quiet = subprocess.DEVNULL
    started = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        told = folder / "DevToolsActivePort"
        asyncio.run(until(lambda: told.exists() and "\n" in told.read_text(), "the browser"))
        yield int(told.read_text().split()[0])
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


@asynccontextmanager
async def new_tab(port: int) -> AsyncGenerator[Tab, None]:
    """Open a page that shares no cookie with any other of the browser."""
    async with httpx2.AsyncClient(trust_env=False) as client:
        told = (await client.get(f"http://127.0.0.1:{port}/json/version")).json()
    async with _connected(told["webSocketDebuggerUrl"]) as whole:
        made = await whole.send("Target.createBrowserContext")
        context = made["browserContextId"]
        target = await whole.send(
            "Target.createTarget", url="about:blank", browserContextId=context
        )
        async with _connected(f"ws://127.0.0.1:{port}/devtools/page/{target['targetId']}") as tab:
            for part in ("Page", "Network", "Runtime", "Log"):
                await tab.send(f"{part}.enable")
            yield tab
        await whole.send("Target.disposeBrowserContext", browserContextId=context)


@asynccontextmanager
async def _connected(link: str) -> AsyncGenerator[Tab, None]:
    async with connect(link, max_size=None, proxy=None) as socket:
        tab = Tab(socket)
        reading = asyncio.create_task(tab.read())
        yield tab
    await reading

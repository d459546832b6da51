"""`run_python` as a model meets it: off until enabled, asked for, and over whole databases."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.config import ToolSettings
from rag_assistant.errors import ConfigError, ToolFailed
from rag_assistant.library.library import Library
from rag_assistant.tools.python_session import provider as provider_module
from rag_assistant.tools.python_session import worker
from rag_assistant.tools.python_session.database_calls import DatabaseCalls
from rag_assistant.tools.python_session.process import Holding, PythonLimits, holding
from rag_assistant.tools.python_session.provider import PythonProvider
from rag_assistant.tools.toolkit import Toolkit, ToolOutput
from rag_assistant.values.messages import ToolCall
from tests.conftest import write_files

ENABLED = ToolSettings(run_python=True, python_seconds=20)


@asynccontextmanager
async def toolkit(
    library: Library, environ: Mapping[str, str] = os.environ
) -> AsyncGenerator[Toolkit, None]:
    """Give the tools of a run over all databases."""
    provider = PythonProvider(ENABLED, environ)
    try:
        tools, notes = await provider.tools(library.databases())
        assert not notes
        yield Toolkit(tools)
    finally:
        await provider.aclose()


def call(code: str) -> ToolCall:
    return ToolCall("c1", "run_python", json.dumps({"code": code}))


def read(output: ToolOutput) -> dict[str, Any]:
    return dict(json.loads(output.text))


def index_notes(library: Library, folder: Path, notes: int) -> Library:
    """Make two databases: numbered notes, of which each seventh speaks of the harbour; a memo."""
    files = {
        f"note{n:04}.txt": f"Note {n}. " + ("The harbour is open." if n % 7 == 0 else "Nothing.")
        for n in range(notes)
    }
    library.index(write_files(folder / "notes", files))
    library.index(write_files(folder / "memos", {"memo.md": "# Memo\n\nThe harbour closes."}))
    return library


@pytest.fixture
def two(library: Library, tmp_path: Path) -> Library:
    """Two databases, of 40 notes and of one memo."""
    return index_notes(library, tmp_path, 40)


async def test_it_is_not_there_until_it_is_enabled(indexed: Library) -> None:
    """A model could have code run by a person who never thought of it."""
    assert await PythonProvider(ToolSettings()).tools(indexed.databases()) == ((), ())


async def test_a_call_waits_for_leave_and_shows_the_code_to_the_letter(indexed: Library) -> None:
    """The person would agree to something else than what runs."""
    code = "# says [b]nothing[/b]\nprint('a\\tb')\n\n1"
    async with toolkit(indexed) as tools:
        wanted = tools.permission_for(call(code))
        assert wanted
        assert wanted.explanation == code
        assert wanted.extent == holding().extent(PythonLimits(20.0, 0))


def test_the_question_says_what_the_code_is_kept_from() -> None:
    """A person would take code for harmless that can read all files, or refuse what cannot."""
    limits = PythonLimits(30.0, 0)
    kept = Holding(True, True, True, True, True).extent(limits)
    assert (kept.network, kept.time) == ("none", "at most 30 seconds")
    assert kept.files == "those indexed here, through search alone"
    free = Holding(network=True, programs=True).extent(limits)
    assert free.network == "none"
    assert free.files == (
        "all of yours (this system does not prevent it); your environment, keys too (this system"
        " does not prevent it)"
    )
    assert free.time.endswith("programs it starts may go on (this system does not prevent it)")
    nothing = Holding().extent(limits).network
    assert nothing.startswith("any (this system does not prevent it); other programs of yours can")


async def test_it_counts_over_a_whole_database(library: Library, tmp_path: Path) -> None:
    """An answer to "how many" would be a guess from a handful of hits."""
    async with toolkit(index_notes(library, tmp_path, 1_300)) as tools:
        code = (
            "about = [e for e in entries('notes', texts=True) if 'harbour' in e['text']]\n"
            "print(len(about), len(list(entries('notes'))), len(list(entries())))\n"
            "sorted(e['path'] for e in about)[-1]"
        )
        output = await tools.run(call(code))
        assert output.ok
        assert read(output) == {"output": "186 1300 1301\n", "value": "'note1295.txt'"}


async def test_it_searches_and_reads(two: Library) -> None:
    """Code could not find or read what the model's other tools can."""
    async with toolkit(two) as tools:
        code = (
            "hit = search('harbour closes', limit=3)[0]\n"
            "entry = read(hit['id'], hit['database'])\n"
            "hit['database'], hit['path'], entry['title'], entry['text'], entry['media_type']"
        )
        value = read(await tools.run(call(code)))["value"]
        assert value == (
            "('memos', 'memo.md', 'Memo', '# Memo\\n\\nThe harbour closes.', 'text/markdown')"
        )
        texts = "all(read(e['id'], 'notes')['text'] == e['text'] for e, _ in zip("
        same = await tools.run(call(f"{texts}entries('notes', texts=True), range(20)))"))
        assert read(same)["value"] == "True"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("read(1)", "read: say of which database: memos, notes."),
        ("read(999_999, 'notes')", "No entry has the id 999999."),
        ("read('1', 'notes')", "read: id must be a whole number, not '1'."),
        ("read(True, 'notes')", "must be a whole number"),
        ("read(10**30, 'notes')", "must be a whole number"),
        ("search('x', 'secrets')", "no database 'secrets' here. The databases are: memos, notes."),
        ("search('x', limit=0)", "limit must be from 1 to 1000. Use entries() for all."),
        ("search(7)", "search: query must be a text."),
        ("list(entries(['notes']))", "There is no database ['notes'] here."),
        ("search(object())", "not JSON serializable"),
    ],
)
async def test_a_wrong_question_raises_in_the_code(two: Library, code: str, said: str) -> None:
    """Code could not catch it, and the model not read what to do instead."""
    async with toolkit(two) as tools:
        output = await tools.run(call(code))
        assert not output.ok
        assert said in read(output)["error"]
        assert said.partition(".")[0] in output.summary
        caught = f"try: {code}\nexcept Exception as e: print('caught')\n1"
        assert read(await tools.run(call(caught))) == {"output": "caught\n", "value": "1"}


async def test_only_the_databases_of_the_run_answer(two: Library) -> None:
    """A question to one database would let code read another."""
    provider = PythonProvider(ENABLED)
    try:
        tools, _ = await provider.tools([two.database("memos")])
        first = await Toolkit(tools).run(call("x = read(1)['title']\nx, len(list(entries()))"))
        assert read(first)["value"] == "('Memo', 1)"
        assert not (await Toolkit(tools).run(call("read(1, 'notes')"))).ok
        tools, _ = await provider.tools([two.database("notes")])
        second = await Toolkit(tools).run(call("x, len(list(entries()))"))
        assert read(second)["value"] == "('Memo', 40)"  # variables stay, databases change
    finally:
        await provider.aclose()


async def test_several_threads_of_the_code_may_ask_at_once(two: Library) -> None:
    """Answers would go to the wrong thread."""
    async with toolkit(two) as tools:
        code = (
            "from concurrent.futures import ThreadPoolExecutor\n"
            "ids = [e['id'] for e, _ in zip(entries('notes'), range(40))]\n"
            "with ThreadPoolExecutor(8) as pool:\n"
            "    found = list(pool.map(lambda i: read(i, 'notes')['id'], ids))\n"
            "found == ids"
        )
        assert read(await tools.run(call(code))) == {"value": "True"}


def test_no_frame_is_trusted(indexed: Library) -> None:
    """Code that writes frames of its own would bring us down, or extent past the functions."""
    calls = DatabaseCalls(indexed.databases())
    for name in ("_read", "remove", "__class__", "answer", ""):
        with pytest.raises(ToolFailed, match="no function"):
            calls.answer(name, {})
    for name in ("search", "read", "entries"):
        with pytest.raises(ToolFailed):
            calls.answer(name, {"query": None, "unknown": 1})
    assert calls.answer("entries", {"start": 10**9}) == {"entries": [], "next": None}
    assert len(calls.answer("entries", {"start": -5})["entries"]) == 4


async def test_a_result_can_be_sent_to_any_model(indexed: Library) -> None:
    """A lone surrogate in the output would end the next request with an encoding error."""
    async with toolkit(indexed) as tools:
        code = "class X:\n    def __repr__(self): return '\\ud800'\nX()"
        output = await tools.run(call(code))
        output.text.encode()
        assert read(output) == {"value": "\ud800"}


@pytest.mark.parametrize(
    ("code", "summary"),
    [
        ("1 + 1", "2"),
        ("print('a')\nprint('b')", "b"),
        ("x = 1", "no output"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("'x' * 500", f"'{'x' * 99}…"),
    ],
)
async def test_one_line_tells_the_person_what_came_of_it(
    indexed: Library, code: str, summary: str
) -> None:
    """A person would not see that the code failed."""
    async with toolkit(indexed) as tools:
        output = await tools.run(call(code))
        assert output.summary == summary
        assert output.ok is ("/" not in code)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (replace(ENABLED, python_megabytes=64), "python_megabytes is 64. Give Python 128 or more."),
        (replace(ENABLED, python_seconds=0.0), "python_seconds is 0. Give a number above 0."),
        (replace(ENABLED, python_seconds=float("nan")), "python_seconds is nan"),
    ],
)
async def test_limits_that_nothing_runs_in_are_named(
    indexed: Library, settings: ToolSettings, named: str
) -> None:
    """Every run would fail for no reason that a person could see."""
    with pytest.raises(ConfigError) as caught:
        await PythonProvider(settings).tools(indexed.databases())
    assert named in str(caught.value)


async def test_python_runs_in_the_least_memory_that_may_be_set(indexed: Library) -> None:
    """The lower limit would be one that nothing runs in."""
    least = provider_module.LEAST_MEGABYTES
    provider = PythonProvider(replace(ENABLED, python_megabytes=least))
    try:
        tools, _ = await provider.tools(indexed.databases())
        code = "import csv, json, re, statistics, collections, datetime\nlen(list(entries()))"
        assert read(await Toolkit(tools).run(call(code))) == {"value": "4"}
    finally:
        await provider.aclose()


def test_the_process_starts_without_the_package() -> None:
    """Each conversation's first run would wait for what it has no use for."""
    probe = (
        "import sys, runpy\nsys.argv = ['', 'x']\n"
        f"try: runpy.run_path({worker.__file__!r}, run_name='__main__')\n"
        "except ValueError: pass\n"  # 'x' holds no limits
        "print([m for m in sys.modules if m.startswith(('rag_assistant', 'asyncio'))])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", probe], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"

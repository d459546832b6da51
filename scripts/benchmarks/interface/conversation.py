"""How a long conversation feels: widgets, memory, and the time that scrolling and streaming take.

Each length is measured in a process of its own. Times are of the processor, of the whole interface:
layout and drawing to a terminal that is not there. A page takes all that is done from its key to
QUIET later. Keys come as from a terminal, not as from Textual's pilot: waiting for it has every
widget run a callback, twice for each key.
"""

import argparse
import asyncio
import resource
import time
from functools import partial
from pathlib import Path

from textual.events import Key

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import TextDelta
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem
from rag_assistant.values.messages import Usage
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.program import apart
from scripts.benchmarks.shared.timing import milliseconds_of

SIZE = (140, 40)
PAGES = 60
TOKENS = 240
QUIET = 0.2
"""Seconds from one page to the next."""

ITEM = EvidenceItem("handbook", 1, "Leave", "leave.md", "eight days", Location(0, 10), False)
ANSWER = """Technicians may carry over **eight days** of leave into the next leave year [1].

The days must be used by 30 September, after which they lapse [2]. In short:

- `leave` is counted in working days,
- up to four extra days can be bought between 1 and 21 February,
- what is carried over *cannot* be paid out.

| year | days | lapse |
|------|-----:|-------|
| 2023 | 8    | 30 September |
| 2024 | 8    | 30 September |

```python
print(min(days, 8))
```

Nothing else is said about it in the handbook, and the council's minutes do not mention it.
"""


def answered(number: int) -> RunState:
    """Give a question with its answer, of the length that answers usually have."""
    citations = (Citation(1, ITEM), Citation(2, ITEM))
    question = f"Question {number}: how many days of leave may technicians carry over?"
    answer = Answer(question, ANSWER, citations, (), Coverage(), "m", Usage(), 4_100)
    state = RunState(question, ("handbook",), Phase.ANSWERED, text=ANSWER, answer=answer)
    state.citations = list(citations)
    return state


async def measure(questions: int, home: Path) -> dict[str, float]:
    """Fill the conversation and measure it."""
    app = AssistantApp(Assistant(Library(home), Config(), {}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        conversation = app.screen.query_one(ConversationView)
        states = [answered(number) for number in range(questions)]

        async def load() -> None:
            conversation.resume(states)
            await pilot.pause()

        loading = await milliseconds_of(load, time.process_time)
        conversation.focus()
        await pilot.pause()

        async def page(key: str) -> None:
            app.post_message(Key(key, None))
            await asyncio.sleep(QUIET)

        keys = ["pageup"] * PAGES + ["pagedown"] * PAGES
        pages = [await milliseconds_of(partial(page, key), time.process_time) for key in keys]
        await page("end")
        streamed = Exchange(RunState("And now?"))
        conversation.add(streamed)
        streamed.start()
        await pilot.pause()
        words = (ANSWER * 4).split(" ")[:TOKENS]
        before = time.process_time()
        for word in words:
            streamed.apply(TextDelta(f"{word} "))
            await asyncio.sleep(0.02)
        await pilot.pause()
        token = (time.process_time() - before) * 1000 / len(words)
        widgets = len(list(app.screen.walk_children()))
        sizes = iter([(80, 24), SIZE] * 3)

        async def turn() -> None:
            await pilot.resize_terminal(*next(sizes))
            await pilot.pause()

        resizes = [await milliseconds_of(turn, time.process_time) for _ in range(6)]
    return {
        "widgets": widgets,
        "load": loading,
        "page p50": percentile(pages, 0.5),
        "page p95": percentile(pages, 0.95),
        "page max": max(pages),
        "token": token,
        "resize p50": percentile(resizes, 0.5),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measured_alone(questions: int, home: Path) -> dict[str, float]:
    """Measure one length."""
    return asyncio.run(measure(questions, home))


def report_of(lengths: list[int], scratch: Path) -> Report:
    """Measure conversations of several lengths; the goals are those of 150 answers."""
    found = {
        length: apart(measured_alone, length, scratch / f"home-{length}") for length in lengths
    }
    figures = []
    for length, one in found.items():
        figures += [
            Figure(f"{length} answers: widgets", one["widgets"], "", "<= 400"),
            Figure(f"{length} answers: memory", one["memory"], "MiB", "<= 120"),
            Figure(f"{length} answers: scrolling by a page, p95", one["page p95"], "ms", "<= 50"),
            Figure(f"{length} answers: a streamed token", one["token"], "ms", "<= 2"),
        ]
    names = list(next(iter(found.values())))
    rows = [[str(n), *(f"{one[name]:.1f}" for name in names)] for n, one in found.items()]
    return Report(figures, [table(["answers", *names], rows)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let lengths be chosen."""
    parser.add_argument("--questions", type=int, nargs="+", default=[10, 150, 500])


def measured(options: argparse.Namespace) -> Report:
    """Measure each length."""
    return report_of(options.questions, options.scratch)

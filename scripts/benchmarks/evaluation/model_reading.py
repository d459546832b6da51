"""What a model is shown by one search, and what that costs, played over HTTP by a script.

The script knows nothing but what it is sent: it searches for the question as it stands, and answers
with the sentence of the passages that has most of the question's words, and its number. Of the
questions that did not serve for tuning: how often the words that answer were among those shown, how
many requests it took, and how many tokens they had. Calls are made natively, and for the demo
folders in both forms of text as well. Tokens are those that policies estimate; with an --embedder
folder also those of its tokenizer, the WordPiece of BERT, over the whole JSON that is sent.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_assistant.agents.citations import sources_in
from rag_assistant.agents.context import TOKENS_PER_MESSAGE, estimate
from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.library.library import Library
from rag_assistant.text.fences import read_fences
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import content_terms
from scripts.benchmarks.search.gold_questions import sets
from scripts.benchmarks.shared.asking import answer_of
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.model_replies import Answer, Call, Script
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from scripts.benchmarks.shared.places import read_lines
from scripts.benchmarks.shared.program import with_vectors

MOST_CALLS, MOST_TOKENS = 2.3, 5_500

SHOWN = {"demo": 0.93, "COVID-QA": 0.90}
"""The share of questions whose answer is to be among the words shown."""

FORMS: Mapping[str, Mapping[str, Any]] = {
    "native": {},
    "tag": {"native_tools": False},
    "line": {"native_tools": False, "call_form": "line"},
}

LONG = 4
"""Words of a quote that is looked for without regard to where its first and last word begin."""

WITH_VECTORS = "native, and vectors"
"""How questions are called where a search knows the vectors of an embedder as well."""

_WRITTEN = {
    "tag": '<tool-call tool="{}">{}</tool-call>',
    "line": 'TOOL_CALL: {{"tool_name": "{}", "parameters": {}}}',
}

Line = Mapping[str, Any]
Count = Callable[[str], int]
"""Counts the tokens of a text."""


@dataclass(slots=True)
class Reader:
    """A model that searches once and answers from what it is shown; it keeps what it was sent."""

    form: str
    question: str = ""
    database: str = ""
    shown: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    def begin(self, question: str, database: str) -> None:
        """Forget the question before."""
        self.question, self.database = question, database
        self.shown, self.tokens, self.sent = [], [], []

    def reply(self, request: SeenRequest) -> Script:
        """Search, or answer."""
        self.tokens.append(sent_tokens(request.body))
        self.sent.append(request.text())
        results = [
            fenced.text
            for message in request.body["messages"]
            for fenced in read_fences(message.get("content") or "")
            if fenced.kind == "result"
        ]
        if not results:
            return self._call(f"search_{self.database}_database", {"keyword": self.question})
        sources = [source for text in results for source in sources_in(text)]
        quotes = [quote for source in sources for quote in source["quotes"]]
        # Words that answer may begin in one passage and end in the next one.
        self.shown = [
            quote["quote"]
            for source in sources
            for quote in sorted(source["quotes"], key=lambda one: int(one["at"]))
        ]
        return Answer(self._said(quotes))

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        written = json.dumps(arguments, ensure_ascii=False)
        if self.form == "native":
            return Answer(calls=(Call(name, written),))
        return Answer(_WRITTEN[self.form].format(name, written))

    def _said(self, quotes: Sequence[Mapping[str, Any]]) -> str:
        asked = set(content_terms(self.question))
        sentences = (
            (len(asked & set(content_terms(quote["quote"][begin:end]))), quote, begin, end)
            for quote in quotes
            for begin, end in sentences_of(quote["quote"])
        )
        best = max(sentences, key=lambda one: one[0], default=None)
        if best is None:
            return "The documents do not hold the answer."
        _, quote, begin, end = best
        return f"{' '.join(quote['quote'][begin:end].split())} [{quote['cite']}]"


def sent_tokens(body: Mapping[str, Any]) -> int:
    """Estimate the tokens of a request of Chat Completions."""
    count = 0
    for message in body["messages"]:
        count += TOKENS_PER_MESSAGE + estimate(message.get("content") or "")
        for call in message.get("tool_calls", ()):
            count += estimate(call["function"]["name"] + call["function"]["arguments"])
    for tool in body.get("tools", ()):
        told = tool["function"]
        count += estimate(told["name"] + told["description"] + json.dumps(told["parameters"]))
    return count


@dataclass(frozen=True, slots=True)
class Played:
    """A question that was played: whether its answer was shown and was cited, and what it cost."""

    shown: bool
    cited: bool
    requests: int
    tokens: int
    counted: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked."""
    parser.add_argument("--questions", type=int, default=150, help="of each set, at most")


def measured(options: argparse.Namespace) -> Report:
    """Play all sets natively, and the demo folders in each form."""
    home = options.scratch / "home"
    library = Library(home)
    rows: list[list[str]] = []
    figures: list[Figure] = []
    by_group: dict[tuple[str, str], list[Played]] = {}
    count = _counter(options.embedder)
    known = [*sets(options), *_squad(options)]
    for group, name, folder, lines in known:
        library.index(folder, name=name)
        asked = _asked(lines, options.questions)
        for form in FORMS if group == "demo" else ["native"]:
            played = _play(library, name, form, asked, count)
            by_group.setdefault((group, form), []).extend(played)
    if options.embedder:
        of_goals = [one for one in known if one[0] in SHOWN]
        library = with_vectors(home, options.embedder, [name for _, name, _, _ in of_goals])
        for group, name, _, lines in of_goals:
            played = _play(library, name, "native", _asked(lines, options.questions), count)
            by_group.setdefault((group, WITH_VECTORS), []).extend(played)
    for (group, form), played in by_group.items():
        rows.append(_row(group, form, played))
        if form in ("native", WITH_VECTORS):
            figures += _figures(group if form == "native" else f"{group}, vectors", played)
    head = ("questions", "calls", "of", "requests", "tokens", "p95", "WordPiece")
    skipped = [] if options.embedder else ["no --embedder folder was given: no other tokenizer"]
    return Report(figures, [table((*head, "answer shown", "cited"), rows)], skipped)


def _asked(lines: Sequence[Line], most: int) -> Sequence[Line]:
    """Give about so many of the questions that have an answer, evenly."""
    asked = [line for line in lines if line.get("answerable", True) and _gold(line)]
    return asked[:: max(1, -(-len(asked) // most))]


def _counter(embedder: Path | None) -> Count:
    """Give what counts tokens by the tokenizer of an embedder's folder; 0 without one."""
    if embedder is None:
        return lambda _: 0
    from tokenizers import Tokenizer  # noqa: PLC0415 - of the extra `semantic`

    tokenizer = Tokenizer.from_file(str(embedder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text).ids)


def _squad(options: argparse.Namespace) -> Iterator[tuple[str, str, Path, Sequence[Line]]]:
    """Give SQuAD's articles 6 to 10 by name."""
    folder: Path = options.data / "squad"
    if folder.is_dir():
        documents = folder / "documents"
        kept = {path.name for path in sorted(documents.iterdir())[5:10]}
        lines = read_lines(folder / "questions.jsonl")
        yield "SQuAD", "squad", documents, [one for one in lines if set(one["relevant"]) & kept]


def _play(
    library: Library, name: str, form: str, asked: Sequence[Line], count: Count
) -> list[Played]:
    reader = Reader(form)
    with ScriptedServer(reader.reply) as server:
        models = {"reader": server.settings(**FORMS[form])}
        config = Config(model="reader", helper=EXTRACTIVE, models=models, fallback=False)
        assistant = Assistant(library, config, {})
        return asyncio.run(_played(assistant, reader, name, asked, count))


async def _played(
    assistant: Assistant, reader: Reader, name: str, asked: Sequence[Line], count: Count
) -> list[Played]:
    played: list[Played] = []
    for line in asked:
        reader.begin(line["question"], name)
        answer = await answer_of(assistant, line["question"], [name])
        cited = [citation.item.quote for citation in answer.citations]
        played.append(
            Played(
                _holds(reader.shown, _gold(line)),
                _holds(cited, _gold(line)),
                len(reader.tokens),
                sum(reader.tokens),
                sum(map(count, reader.sent)),
            )
        )
    await assistant.aclose()
    return played


def _gold(line: Line) -> Sequence[str]:
    """Give the wordings of an answer; a quote where there is none."""
    return line.get("answers") or line.get("quotes") or ()


def _holds(texts: Sequence[str], gold: Sequence[str]) -> bool:
    """Say whether texts hold one of the wordings; a long one may begin or end within a word.

    Some of COVID-QA's quotes do ("t was proposed that ...").
    """
    held = _spaced(" ".join(texts))
    wanted = map(_spaced, gold)
    return any((one.strip() if len(one.split()) >= LONG else one) in held for one in wanted)


def _spaced(text: str) -> str:
    words = " ".join(re.findall(r"\w+", text.casefold()))
    return f" {words} "


def _row(group: str, form: str, played: Sequence[Played]) -> list[str]:
    count = len(played)
    tokens = [one.tokens for one in played]
    return [
        group,
        form,
        str(count),
        f"{sum(one.requests for one in played) / count:.2f}",
        f"{sum(tokens) / count:,.0f}",
        f"{percentile(tokens, 0.95):,.0f}",
        f"{sum(one.counted for one in played) / count:,.0f}",
        f"{sum(one.shown for one in played) / count:.3f}",
        f"{sum(one.cited for one in played) / count:.3f}",
    ]


def _figures(group: str, played: Sequence[Played]) -> list[Figure]:
    count = len(played)
    least = SHOWN.get(group.removesuffix(", vectors"))
    goal = f">= {least:.2f}" if least else ""
    requests = sum(one.requests for one in played) / count
    tokens = sum(one.tokens for one in played) / count
    shown = sum(one.shown for one in played) / count
    return [
        Figure(f"{group}: the answer is among the words shown", shown, goal=goal),
        Figure(f"{group}: requests a question", requests, goal=f"<= {MOST_CALLS}"),
        Figure(f"{group}: input tokens a question", tokens, goal=f"<= {MOST_TOKENS}"),
    ]

"""Kept conversations as JSON and as Markdown, both safe to open: what was said stays text.

In the Markdown an answer keeps its lists, tables and code, but no link, image, HTML or control
character in it is alive; everything else is escaped.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict

from rag_assistant.history.decoding import role_of
from rag_assistant.history.kept import KeptCitation, KeptConversation, KeptExchange, Summary
from rag_assistant.text.blocks import Block, BlockKind
from rag_assistant.text.markdown import blocks
from rag_assistant.text.safe_text import clean, clean_line
from rag_assistant.values.coverage import coverage_statement
from rag_assistant.values.documents import Location
from rag_assistant.values.json_shapes import Json, citation_json, coverage_json, evidence_json
from rag_assistant.values.messages import Message

_MARKUP = re.compile(r"([\\`*_\[\]<>&~|!$])")
_BLOCK = re.compile(r"^([#+=-]|\d+(?=[.)]))")
_FENCE = re.compile(r"`{3,}|~{3,}")
_LANGUAGE = re.compile(r"[\w+#.-]*")


def summary_json(summary: Summary) -> Json:
    """Give a conversation as a line of a list."""
    return asdict(summary)


def conversation_json(kept: KeptConversation) -> Json:
    """Give a whole conversation."""
    return {
        **summary_json(kept.summary),
        "exchanges": [_exchange_json(exchange) for exchange in kept.exchanges],
    }


def _exchange_json(exchange: KeptExchange) -> Json:
    return {
        "ordinal": exchange.ordinal,
        "question": exchange.question,
        "answer": exchange.answer,
        "state": exchange.state,
        "reason": exchange.reason,
        "started": exchange.started,
        "elapsed_ms": exchange.elapsed_ms,
        "databases": list(exchange.databases),
        "model": exchange.model,
        "usage": asdict(exchange.usage),
        "usage_by_model": [asdict(used) for used in exchange.usage_by_model],
        "cost": exchange.cost,
        "citations": [
            {**citation_json(kept.citation), "text_hash": kept.text_hash, "wrong": kept.wrong}
            for kept in exchange.citations
        ],
        "evidence": [evidence_json(evidence) for evidence in exchange.evidence],
        "messages": [_message_json(message) for message in exchange.messages],
        "coverage": exchange.coverage and coverage_json(exchange.coverage),
    }


def _message_json(message: Message) -> Json:
    return {"role": role_of(message), **asdict(message)}


def conversation_markdown(kept: KeptConversation, describe: Callable[[Location], str]) -> str:
    """Give a whole conversation with numbered sources; `describe` says where a quote stands."""
    summary = kept.summary
    head = [summary.started[:16].replace("T", " ") + " UTC", ", ".join(summary.databases)]
    lines = [f"# {escaped(summary.title)}", "", escaped(" · ".join([*head, summary.model]))]
    for exchange in kept.exchanges:
        lines += ["", f"## {exchange.ordinal}. {escaped(exchange.question)}", ""]
        lines += [safe_markdown(exchange.answer)] if exchange.answer else []
        if exchange.state != "answered" or exchange.reason:
            told = " ".join(filter(None, [f"({exchange.state})", exchange.reason]))
            lines += ["", f"*{escaped(told)}*"]
        if exchange.citations:
            lines += ["", "### Sources"]
        for citation in exchange.citations:
            lines += _source(citation, describe)
        if exchange.coverage:
            lines += ["", escaped(coverage_statement(exchange.coverage))]
    return "\n".join(lines) + "\n"


def _source(kept: KeptCitation, describe: Callable[[Location], str]) -> Iterator[str]:
    item = kept.citation.item
    place = describe(item.location) if item.verified else "NOT FOUND in the source"
    marked = "MARKED WRONG" if kept.wrong else ""
    source = f"{item.database} {item.entry_id}: {item.path}"
    where = " · ".join(filter(None, [source, place, marked]))
    yield ""
    yield f"\\[{kept.citation.marker}\\] {escaped(item.title)} ({escaped(where)})"
    yield ""
    yield f"> {escaped(item.quote)}"


def escaped(text: str) -> str:
    """Give a text as one line of Markdown that shows it as it is."""
    return _BLOCK.sub(_escape_block, _MARKUP.sub(r"\\\1", clean_line(text)))


def _escape_block(found: re.Match[str]) -> str:
    """Take the meaning from what would begin a heading, a list or a rule."""
    return f"{found[1]}\\" if found[1].isdigit() else f"\\{found[1]}"


def safe_markdown(text: str) -> str:
    """Give Markdown of a model without live links, images and HTML.

    What stands between fences is put at the beginning of the line, where every reader of Markdown
    agrees on what is code and on where it ends; elsewhere, and in quotes, the signs are taken out
    of play.
    """
    text = clean(text)
    lines: list[str] = []
    end = quoted = 0
    for block in blocks(text, {BlockKind.QUOTE, BlockKind.FENCE}, answer=True):
        if block.kind is BlockKind.QUOTE:
            quoted = max(quoted, block.end)
        elif block.start >= quoted:
            lines += map(_inert, text[end : block.start].splitlines())
            lines += _fenced(text, block)
            end = block.end
    return "\n".join([*lines, *map(_inert, text[end:].splitlines())]).strip("\n")


def _fenced(text: str, block: Block) -> Iterator[str]:
    """Write fenced code anew, behind the sign of the item that it may begin."""
    opening = _FENCE.search(text, block.start)
    assert opening  # the block has one
    yield _inert(text[block.start : opening.start()].rstrip())  # some readers want an empty line
    code = [text[start:end] for start, end in block.words]
    language = _LANGUAGE.match(block.info)
    # Indented far enough a fence does not close the code, but here it may be no more.
    runs = [found[0] for line in code for found in _FENCE.finditer(line)]
    longest = max((len(run) for run in runs if run[0] == opening[0][0]), default=0)
    fence = opening[0][0] * max(len(opening[0]), longest + 1)
    yield from (fence + (language[0] if language else ""), *code, fence, "")


def _inert(line: str) -> str:
    return line.replace("<", "&lt;").replace("](", "]&#40;").replace("]:", "]&#58;")

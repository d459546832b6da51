"""A server's answer to a call as the result of a tool: fenced, bounded, and text only.

What was cut or left out is said after the fence, in our words; what reads like instructions to an
assistant is hidden as in documents, and the person is told.
"""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rag_assistant.injection.cutting import for_models
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.toolkit import ToolOutput

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock

RESULT_CHARACTERS = 20_000
"""How much of one result a model reads."""

SUMMARY_CHARACTERS = 80


def as_output(result: "CallToolResult", tool: str, hide: Callable[[str], str]) -> ToolOutput:
    """Give the output of a call of `tool`; `hide` takes out of it what is never shown."""
    texts, notes = _texts(result.content)
    structured = result.structured_content
    if structured is not None and not _repeats(texts, structured):
        texts.append(json.dumps(structured, ensure_ascii=False))
    whole = hide("\n\n".join(texts)).encode("utf-8", "replace").decode()
    text, reasons = for_models(whole[:RESULT_CHARACTERS])
    if len(whole) > RESULT_CHARACTERS:
        notes.append(
            f"[Cut: the result has {len(whole):,} characters, these are the first "
            f"{RESULT_CHARACTERS:,}. Ask for less, or for another part.]"
        )
    if not (whole.strip() or notes):
        notes.append("[The result is empty.]")
    parts = [fence("result", text, boundary=new_boundary(), attributes={"tool": tool}), *notes]
    said = _line(text) or clean_line(notes[0] if notes else "[The result is empty.]")
    if result.is_error:
        parts.insert(0, "Error: the tool failed and says why. Call it otherwise, or go on without.")
        return ToolOutput("\n".join(parts), f"failed: {said}", ok=False)
    hidden = f"{len(reasons)} hidden, the result {reasons[0]}: " if reasons else ""
    is_cut = len(whole) > RESULT_CHARACTERS
    cut = f"{RESULT_CHARACTERS:,} of {len(whole):,} characters: " if is_cut else ""
    return ToolOutput("\n".join(parts), f"{cut}{hidden}{said}")


def _texts(content: "Sequence[ContentBlock]") -> tuple[list[str], list[str]]:
    """Give the texts of a result, and a note for each part that is no text."""
    texts: list[str] = []
    notes: list[str] = []
    for block in content:
        match block.type:
            case "text":
                texts.append(block.text)
            case "image" | "audio":
                notes.append(_left_out(block.type, block.mime_type, block.data))
            case "resource_link":
                texts.append(f"{block.title or block.name}: {block.uri}")
            case "resource" if hasattr(block.resource, "text"):
                texts.append(f"{block.resource.uri}\n{block.resource.text}")
            case "resource":
                kind = block.resource.mime_type or "unknown"
                notes.append(_left_out("file", kind, block.resource.blob))
    return texts, notes


def _left_out(what: str, media_type: str, data: str) -> str:
    size = max(1, len(data) * 3 // 4 // 1024)
    return f"[Left out: {what} of type {clean_line(media_type)[:60]}, {size:,} kB. Only text fits.]"


def _repeats(texts: list[str], structured: Any) -> bool:
    """Whether structured content only says again what the texts say, as the protocol advises."""
    values = [_parsed(text) for text in texts]
    return bool(texts) and structured in (
        values[0],
        {"result": values[0]},
        {"result": texts[0]},
        {"result": values},
        {"result": texts},
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _line(text: str) -> str:
    line = clean_line(text.strip()[: 4 * SUMMARY_CHARACTERS])
    if len(line) > SUMMARY_CHARACTERS:
        line = line[: SUMMARY_CHARACTERS - 1].rstrip() + "…"
    return line

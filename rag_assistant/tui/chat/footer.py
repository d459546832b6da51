"""The last line of an answer: how far it can be trusted, what was searched, what it took.

It is one line at any width: what matters least gives way first, and the details have all of it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from textual.content import Content

from rag_assistant.tui.chat.fault_blocks import DETAILS
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.layout import Either, Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, SEPARATOR, WARN, letters, seconds
from rag_assistant.tui.drawing.unsupported import HARD_SIGN, SIGN
from rag_assistant.values.coverage import Coverage, coverage_details, coverage_statement
from rag_assistant.values.evidence import Answer, ModelUsage, QuoteState

DRAFTED = ("d", "what the model wrote", "details")
WIDEST_KIND = 10
"""Cells of what a part is: database, left out, scope, search, read, limit."""


class _Fact(NamedTuple):
    """Something to say, and how soon it gives way: 0 never."""

    said: Content
    gives_way: int = 0


def footer_blocks(state: RunState, answer: Answer, *, unfolded: bool) -> list[LayoutBlock]:
    """Give the line, and all parts of what was searched where they are wanted."""
    coverage = answer.coverage
    facts = list(_facts(state, answer))
    levels = sorted({fact.gives_way for fact in facts} - {0})
    lines = [
        joined([f.said for f in facts if f.gives_way <= level], SEPARATOR)
        for level in (*reversed(levels), 0)
    ]
    details = _details(answer)
    keys = joined(filter(None, (details, _failures(coverage))), plain("  "))
    rows = [Row(line, keys) for line in lines]
    blocks: list[LayoutBlock] = [Either((*rows, Row(lines[-1], details)))]
    if unfolded and coverage.databases:
        said = one_line(coverage_statement(coverage), QUIET)
        blocks.append(Indented(Text(said), plain("▾ ", QUIET)))
        for kind, text in coverage_details(coverage):
            head = plain(f"  {kind.ljust(WIDEST_KIND)}", QUIET)
            blocks.append(Indented(Text(one_line(text)), head))
    return blocks


def _details(answer: Answer) -> Content:
    if not answer.coverage.databases:
        return EMPTY
    withheld = answer.draft.strip() and answer.refusal and not answer.refusal.by_model
    return letters([DRAFTED if withheld else DETAILS])


def _failures(coverage: Coverage) -> Content:
    """Give the way to the files that could not be read."""
    unread = coverage.entries_failed + coverage.files_partial
    if not unread:
        return EMPTY
    words = f" {unread:,} file{'' if unread == 1 else 's'} unread"
    return clickable(joined([plain("f", "bold"), plain(words, WARN)]), {"action": "failures"})


def _facts(state: RunState, answer: Answer) -> Iterator[_Fact]:
    if answer.voice or not answer.unsupported:
        yield from map(_Fact, _checked(state))
    if hard := sum(one.support.is_hard for one in answer.sentences):
        differ = "sentence differs" if hard == 1 else "sentences differ"
        yield _Fact(plain(f"{HARD_SIGN} {hard} {differ}", WARN))
    if soft := sum(one.support.is_soft for one in answer.sentences):
        yield _Fact(plain(f"{SIGN} {soft} not confirmed word for word", QUIET), 2)
    yield from _seen(answer.coverage)
    if answer.confidence_words:
        yield _Fact(plain(answer.confidence_words, QUIET), 1)
    if answer.usage.total_tokens:
        yield _Fact(one_line(_tokens(answer), QUIET), 6)
    if answer.cost is not None:
        yield _Fact(plain(f"cost {answer.cost:.4f}", QUIET), 5)
    yield _Fact(plain(seconds(answer.elapsed_ms / 1000), QUIET), 4)


def _seen(coverage: Coverage) -> Iterator[_Fact]:
    """Say how much was searched; what was not, in any case."""
    if not coverage.databases:
        return
    entries = coverage.entries_indexed
    if not (coverage.searches or coverage.entries_read):
        if not coverage.tallies:
            yield _Fact(plain("nothing searched", QUIET))
    elif any(seen.unfinished for seen in coverage.by_database):
        yield _Fact(plain(f"searched {entries:,} so far", WARN))
    else:
        what = "document" if entries == 1 else "documents"
        yield _Fact(plain(f"{entries:,} {what} searched", QUIET), 3)
    if coverage.left_out:
        yield _Fact(one_line(f"left out: {', '.join(o.database for o in coverage.left_out)}", WARN))
    if coverage.limits:
        yield _Fact(plain("limit reached", WARN))


def _tokens(answer: Answer) -> str:
    """Count tokens; where more than one model had a part, each by what it did."""
    used = [used for used in answer.usage_by_model if used.usage.total_tokens]
    whole = f"{answer.usage.total_tokens:,} tokens".replace(",", " ")
    return f"{whole} ({', '.join(map(_share, used))})" if len(used) > 1 else whole


def _share(used: ModelUsage) -> str:
    return f"{used.role} {used.usage.total_tokens:,}".replace(",", " ")


def _checked(state: RunState) -> list[Content]:
    """Count the quotes by how they stand to their sources."""
    counts = Counter(state.marks.values())
    if not counts:
        return [plain("○ nothing cited", WARN)]
    parts: list[Content] = []
    for quote, count in sorted(counts.items(), key=lambda pair: list(QuoteState).index(pair[0])):
        sign, _, words = quote.words.partition(" ")
        if quote is QuoteState.FOUND:
            parts.append(plain(f"{sign} {count} quote{'' if count == 1 else 's'} found", GOOD))
        else:
            parts.append(plain(f"{sign} {count} {words}", WARN))
    return parts

"""How a question of an evaluation looks: a line of a table, and the whole of it beside the list."""

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from rag_assistant.evaluation.measuring.ranking import FOUND
from rag_assistant.evaluation.measuring.verdicts import Verdict, difference, share
from rag_assistant.evaluation.running.kept_sets import JudgedRun, LastRuns
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, QUIET, WARN
from rag_assistant.tui.lists.pick_list import FactRow, PickItem

NOT_MEASURED = plain("–", QUIET)
_WIDTHS = (5, 6, 5, 6)
_TITLES = ("found", "answer", "cited", "since")


def table(verdicts: Sequence[tuple[Verdict, Verdict | None]]) -> tuple[PickItem, ...]:
    """Give a line for each question, now and before, below heads; columns without figures go."""
    if not verdicts:
        return ()
    rows = [_cells(now, before) for now, before in verdicts]
    shown = [n for n in range(len(_TITLES)) if any(row[n] is not NOT_MEASURED for row in rows)]
    heads = _columns([plain(title, QUIET) for title in _TITLES], shown)
    items = [PickItem(FactRow(plain("  question", QUIET), (heads,)))]
    for (now, _), cells in zip(verdicts, rows, strict=True):
        mark = plain("! ", WARN) if now.wrong else plain("  ")
        left = joined([mark, one_line(now.question)])
        items.append(PickItem(FactRow(left, (_columns(cells, shown),)), now.id))
    return tuple(items)


def _cells(now: Verdict, before: Verdict | None) -> list[Content]:
    rank = NOT_MEASURED
    if now.rank is not None:
        rank = plain(f"#{now.rank}", GOOD) if now.rank else plain("✗", BAD)
    return [rank, _mark(now.answered), _mark(now.cited), _since(before, now)]


def _columns(cells: Sequence[Content], shown: Sequence[int]) -> Content:
    padded = [
        joined([plain(" " * max(0, _WIDTHS[n] - cells[n].cell_length)), cells[n]]) for n in shown
    ]
    return joined(padded, plain("  "))


def _mark(right: bool | None) -> Content:
    if right is None:
        return NOT_MEASURED
    return plain("✓", GOOD) if right else plain("✗", BAD)


def _since(before: Verdict | None, now: Verdict) -> Content:
    if before is None:
        return NOT_MEASURED
    move = difference(before, now)
    if not move:
        return plain("=", QUIET)
    return plain("better", GOOD) if move > 0 else plain("worse", BAD)


def summary(runs: LastRuns) -> Content:
    """Say what the last run found, and what it had found before."""
    last = runs.last
    if last is None:
        return plain("not run yet", QUIET)
    before = _shares(runs.before) if runs.before else {}
    parts = [
        f"{name} {now}" + (f" (was {before[name]})" if before.get(name, now) != now else "")
        for name, now in _shares(last).items()
        if now
    ]
    return one_line(" · ".join(parts), QUIET)


def when(run: JudgedRun) -> Content:
    """Say when a run ended."""
    return plain(datetime.fromtimestamp(run.at).strftime("%d %B %Y, %H:%M"), QUIET)


def _shares(run: JudgedRun) -> dict[str, str]:
    return {
        "found": share([each.found for each in run.verdicts]),
        "answer": share([each.answered for each in run.verdicts]),
        "cited": share([each.cited for each in run.verdicts]),
    }


MADE = "by this program: misspelt words and odd turns in it are meant"


def explained(
    now: Verdict, before: Verdict | None, *, made: bool = False
) -> tuple[LayoutBlock, ...]:
    """Give the whole of a question; `made` is one that no person wrote."""
    told = [
        ("wanted", plain(_wanted(now))),
        ("found", _found(now)),
        ("answer", _answered(now)),
        ("citations", _cited(now)),
    ]
    if before:
        told.append(("before", _before(before)))
    if made:
        told.append(("made", plain(MADE, QUIET)))
    blocks: list[LayoutBlock] = [Text(one_line(now.question, "bold")), Divider()]
    blocks += [Indented(Text(said), plain(f"{what:<10}", QUIET)) for what, said in told]
    if now.answer:
        blocks += [Divider(), Text(plain(now.answer))]
    return tuple(blocks)


def _wanted(verdict: Verdict) -> str:
    if not verdict.answerable:
        return "no document: the right answer is that there is none"
    return ", ".join(verdict.wanted) or "–"


def _found(verdict: Verdict) -> Content:
    if not verdict.answerable:
        return plain("nothing is to be found", QUIET)
    if verdict.rank is None:
        return plain("it is not known which documents are right", QUIET)
    if verdict.rank:
        return plain(f"at rank {verdict.rank}", GOOD)
    return plain(f"not among the first {FOUND}", BAD)


def _answered(verdict: Verdict) -> Content:
    if not verdict.outcome:
        return plain("not asked: a asks", QUIET)
    said = one_line(verdict.outcome)
    if verdict.answered is None:
        return said
    if verdict.outcome != "answered" and verdict.answerable:
        right, wrong = "", "but it is in the documents"
    elif not verdict.answerable:
        right, wrong = "as it should: it is not in the documents", "but it is not in the documents"
    else:
        right, wrong = "with the expected words", "without the expected words"
    why = plain(right, GOOD) if verdict.answered else plain(wrong, BAD)
    return joined([said, why], plain(", "))


def _cited(verdict: Verdict) -> Content:
    if verdict.cited is None:
        return NOT_MEASURED
    return plain("all in their sources", GOOD) if verdict.cited else plain("not all found", BAD)


def _before(verdict: Verdict) -> Content:
    said = [_found(verdict) if verdict.rank is not None else EMPTY]
    said += [_answered(verdict) if verdict.outcome else EMPTY]
    return joined([part for part in said if part], plain("; ")) or NOT_MEASURED

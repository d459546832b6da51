"""`rag-assistant history recheck`: which kept answers rest on sources that changed, and ask again.

The exit code is 0 where all that was checked stands, 1 where something does not.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.asking_again import AnswerDifference, AskedAgain, answer_difference
from rag_assistant.cli.conversations import place_of, say_notes
from rag_assistant.cli.main import Exit
from rag_assistant.cli.permission import terminal_permit
from rag_assistant.cli.session import assistant_of, library_of, print_json, print_prose, say
from rag_assistant.errors import HistoryError, RagError, in_full
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.source_check import SourceState
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.events import Answered, Note, Stopped
from rag_assistant.values.evidence import Answer, Citation
from rag_assistant.values.json_shapes import answer_json, citation_json
from rag_assistant.verification.recheck import (
    CheckedAnswer,
    CheckedCitation,
    checked_json,
    recheck,
)
from rag_assistant.verification.word_changes import as_marked_text, word_changes


def run_recheck(store: ConversationStore, options: Namespace) -> int:
    """Check kept answers, and ask again where that is wanted."""
    if options.all and options.id:
        say("rag-assistant history recheck: name a conversation, or give --all")
        return Exit.USAGE
    try:
        checked = list(_checked(store, options))
        changed = [answer for answer in checked if not answer.stands]
        if options.ask_again and changed:
            return _ask_again(store, options, checked, changed)
        if options.json:
            print_json(_report(checked))
        else:
            _print_all(checked, changed)
            if changed:
                say(f"Ask again: rag-assistant history recheck {changed[0].place} --ask-again")
        return Exit.FAILED if changed else Exit.DONE
    finally:
        say_notes(store)


def _checked(store: ConversationStore, options: Namespace) -> Iterator[CheckedAnswer]:
    library = library_of(options)
    if options.id:
        place = place_of(store, options.id)
        return recheck(library, store, [place.conversation], place.ordinal)
    every = [summary.id for summary in store.conversations(max(1, store.count()))]
    return recheck(library, store, every)


def _report(checked: list[CheckedAnswer]) -> dict[str, Any]:
    changed = [checked_json(answer) for answer in checked if not answer.stands]
    return {"checked": len(checked), "changed": changed}


def _print_all(checked: list[CheckedAnswer], changed: list[CheckedAnswer]) -> None:
    for answer in changed:
        asked = answer.exchange.started[:10]
        print_prose(f"{answer.place:>6}  {asked}  {clean_line(answer.exchange.question)}")
        for citation in answer.changed:
            _print_citation(citation)
    if not checked:
        say("No kept answer cites anything.")
    elif not changed:
        say(f"{_answers(len(checked))} checked: all stand.")
    else:
        say(f"{_answers(len(checked))} checked: {len(changed)} rest on sources that changed.")


def _answers(number: int) -> str:
    return f"{number} answer{'' if number == 1 else 's'}"


def _print_citation(checked: CheckedCitation) -> None:
    item, check = checked.citation.item, checked.check
    where = f"{item.title} ({item.database} {item.entry_id}: {check.path or item.path})"
    told = ": ".join(filter(None, [check.state.value, check.why]))
    print_prose(f"        [{checked.citation.marker}] {clean_line(where)}: {clean_line(told)}")
    if check.state is SourceState.REWORDED and check.now:
        changes = as_marked_text(word_changes(item.quote, check.now))
        print_prose(f"            {clean_line(changes)}")
    else:
        print_prose(f"            “{clean_line(item.quote)}”")


# Asking again


def _ask_again(
    store: ConversationStore,
    options: Namespace,
    checked: list[CheckedAnswer],
    changed: list[CheckedAnswer],
) -> int:
    if not options.json:
        _print_all(checked, changed)
    if not options.yes and not _agreed(len(changed)):
        say("Nothing was asked.")
        return Exit.FAILED
    outcomes = asyncio.run(_ask_all(store, options, changed))
    if options.json:
        report = _report(checked)
        for told, outcome in zip(report["changed"], outcomes, strict=True):
            told["again"] = outcome
        print_json(report)
    return Exit.FAILED if any("stopped" in outcome for outcome in outcomes) else Exit.DONE


def _agreed(count: int) -> bool:
    """Ask the person. Raises HistoryError where there is nobody to ask."""
    questions = f"{count} question{'' if count == 1 else 's'}"
    if not sys.stdin.isatty():
        raise HistoryError(f"This asks {questions} again.", hint="Say that you mean it: --yes.")
    sys.stderr.write(f"Ask {questions} again? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


async def _ask_all(
    store: ConversationStore, options: Namespace, changed: list[CheckedAnswer]
) -> list[dict[str, Any]]:
    assistant = assistant_of(options)
    outcomes: list[dict[str, Any]] = []
    try:
        for answer in changed:
            again = await asyncio.to_thread(AskedAgain, store, answer.conversation, answer.exchange)
            try:
                end = await _end_of(again, assistant, options)
            except RagError as error:  # one that cannot be asked leaves the others to be asked
                say(f"{answer.place} could not be asked again: {error}")
                outcomes.append({"stopped": str(error)})
                continue
            outcomes.append(_told(answer, again, end, quiet=options.json))
    finally:
        await assistant.aclose()
    return outcomes


async def _end_of(
    again: AskedAgain, assistant: Assistant, options: Namespace
) -> Answered | Stopped:
    permit = terminal_permit(())
    async with aclosing(again.events(assistant, options.model, permit)) as events:
        async for event in events:
            match event:
                case Answered() | Stopped():
                    return event
                case Note(text, was_streamed=False, is_plan=False):
                    say(text)
    raise HistoryError("The run ended without an answer.", hint="Try again.")


def _told(
    before: CheckedAnswer, again: AskedAgain, end: Answered | Stopped, *, quiet: bool
) -> dict[str, Any]:
    """Tell how the new answer differs, and give it for scripts."""
    answer: Answer = end.answer if isinstance(end, Answered) else end.partial
    cited = tuple(kept.citation for kept in before.exchange.citations)
    difference = answer_difference(before.exchange.answer, cited, answer)
    number = again.recorder.conversation
    if not quiet:
        print_prose(f"\n{before.place} asked again, kept as conversation {number}:")
        _print_difference(difference)
        if isinstance(end, Stopped):
            say(in_full(end.reason, end.hint))
    stopped = {"stopped": end.reason} if isinstance(end, Stopped) else {}
    return {
        "conversation": number,
        **answer_json(answer),
        "changes": [asdict(change) for change in difference.words],
        "citations_gone": [citation_json(one) for one in difference.gone],
        "citations_new": [citation_json(one) for one in difference.new],
        **stopped,
    }


def _print_difference(difference: AnswerDifference) -> None:
    if difference.is_none:
        print_prose("The answer is the same, by the same sources.")
        return
    print_prose(as_marked_text(difference.words))
    for sign, citations in (("-", difference.gone), ("+", difference.new)):
        for citation in citations:
            print_prose(f"{sign} {_cited(citation)}")


def _cited(citation: Citation) -> str:
    item = citation.item
    where = f"{item.title} ({item.database} {item.entry_id}: {item.path})"
    return clean_line(f"[{citation.marker}] {where} “{item.quote}”")

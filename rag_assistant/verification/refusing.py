"""Knowing when not to answer: an answer is judged, and one that is not borne out is withheld.

It is the same for every model. What the model wrote is kept as a draft; in its place the answer
says what was searched, what comes nearest, and how to find more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag_assistant.claims.confidence import Judgement, judged
from rag_assistant.errors import RagError
from rag_assistant.library.other_words import other_words
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.text.about_databases import is_about_databases
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.evidence import Answer, EvidenceItem, Refusal
from rag_assistant.verification.nearest import as_items
from rag_assistant.verification.signals import Looked, look

REFUSAL = "The documents do not hold the answer to this, as far as can be told"
"""How every refusal begins."""

_NOTHING_CITED = "nothing that was found is cited for what the model wrote"
_NOTHING_READ = "what was found was not read"
_NOTHING_VERIFIED = "none of the quotes it cites was found in its source"
_REASONS = {
    "words": "what was found has too little of what the question says",
    "together": "words that belong together in the question stand apart in what was found",
    "margin": "no document stands out from the others that were found",
    "rank": "what comes first in a search for the question is not what is cited",
    "known": "words of the question stand in no document",
}
"""What speaks against an answer where a signal is low."""

MOST_REASONS = 2

THRESHOLD = 0.12
"""Least likelihood of an answer that is given; `--only refusal --fit` shows other choices.

A wrong refusal costs a look at the draft, a wrong answer costs trust; but what is given is marked
with its confidence, and most questions that people ask have an answer. So it is as high as it can
be while one in twenty right answers to the tuning questions is withheld at most.
"""


def with_judgement(
    answer: Answer, found: SearchedDatabases, run_cache: RunCache, *, ended: bool = True
) -> Answer:
    """Give an answer with its confidence; where it is too low, a refusal in its place.

    An answer that was not searched for, or rests on other tools as well, is given in any case, and
    so is what there is of one whose run has not `ended` by itself.
    """
    searched = bool(answer.coverage.searches_made)  # what failed says nothing of the documents
    if not (searched or answer.citations) or is_about_databases(
        answer.question, answer.coverage.databases
    ):
        return answer
    try:
        looked = look(answer, found.databases, run_cache)
        judgement = _judgement(answer, looked)
        if answer.citations:
            answer = replace(answer, confidence=judgement.confidence, signals=judgement.signals)
        withheld = (
            judgement.likelihood < THRESHOLD
            and ended
            and searched
            and not answer.coverage.other_tools
        )
        return _refused(answer, found, looked, judgement) if withheld else answer
    except RagError as error:
        unjudged = f"How far the answer is borne out could not be judged: {error}"
        return replace(answer, objections=(*answer.objections, unjudged))


def _judgement(answer: Answer, looked: Looked) -> Judgement:
    """Judge by the signals; what cites nothing that is in its source cannot be right."""
    if any(citation.item.verified for citation in answer.citations):
        return judged(looked.values)
    return Judgement(0.0)


def _refused(
    answer: Answer, found: SearchedDatabases, looked: Looked, judgement: Judgement
) -> Answer:
    nearest = as_items(looked.hits)
    refusal = Refusal(
        reason=_reason(answer, judgement),
        searched=_searched(answer.coverage),
        nearest=nearest,
        widen=tuple(_ways_to_widen(answer.coverage, found, looked.unknown)),
        citations=answer.citations,
    )
    return replace(
        answer,
        text=_in_words(refusal),
        citations=(),
        sentences=(),
        disagreements=(),
        confidence=judgement.confidence,
        refusal=refusal,
        draft=answer.text,
    )


def _reason(answer: Answer, judgement: Judgement) -> str:
    if not answer.coverage.entries_read and any(one.hits for one in answer.coverage.searches_made):
        return _NOTHING_READ
    if not answer.citations:
        return _NOTHING_CITED
    if not judgement.signals:
        return _NOTHING_VERIFIED
    worst = sorted(judgement.signals, key=lambda signal: signal.share)[:MOST_REASONS]
    return ", and ".join(_REASONS[signal.name] for signal in worst if signal.share < 0)


def _searched(coverage: Coverage) -> tuple[str, ...]:
    made = dict.fromkeys((one.database, one.words) for one in coverage.searches_made)
    return tuple(f"{database} for “{words}”" for database, words in made)


def _ways_to_widen(
    coverage: Coverage, found: SearchedDatabases, unknown: Sequence[str]
) -> Iterator[str]:
    """Give next steps, one line each, the likeliest to help first."""
    others = other_words(found.databases, unknown)
    for word in unknown[:3]:
        instead = f"; near it: {', '.join(others[word])}" if word in others else ""
        yield f"No document has the word “{word}”{instead}."
    for scope in coverage.scope:
        yield f"Only some documents of {scope.database} were searched: ask the whole of it."
    rest = [name for name in found.known if name not in coverage.databases]
    if rest:
        yield f"Not searched: {', '.join(rest)}. Ask there, too."
    for seen in coverage.by_database:
        if seen.failed:
            files = "1 file" if seen.failed == 1 else f"{seen.failed} files"
            yield (
                f"{files} of {seen.database} could not be read: "
                f"rag-assistant databases info {seen.database}"
            )
        if seen.partial:
            files = "1 file" if seen.partial == 1 else f"{seen.partial} files"
            yield (
                f"{files} of {seen.database} too long to be indexed as a whole: "
                f"rag-assistant databases info {seen.database}"
            )
    if not unknown:
        yield "Ask in other words: those that the documents would use."


def _in_words(refusal: Refusal) -> str:
    lines = [f"{REFUSAL}: {refusal.reason}."]
    if refusal.searched:
        lines.append(f"Searched: {'; '.join(refusal.searched)}.")
    if refusal.nearest:
        lines.append(f"The nearest to it: {', '.join(map(_name_of, refusal.nearest))}.")
    return "\n\n".join([*lines, "\n".join(f"- {step}" for step in refusal.widen)]).strip()


def _name_of(item: EvidenceItem) -> str:
    page = f", page {item.location.page}" if item.location.page else ""
    return f"{item.title or item.path}{page}"

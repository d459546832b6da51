"""Knowing when not to answer: an answer is judged, and one that nothing bears out is withheld.

What the model wrote is kept as a draft; in its place the answer says what was searched, what comes
nearest, and how to find more. Whether the right place was found lowers the confidence of a model's
answer and never withholds it; the built-in model, which copies, has a gate of its own by that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag_assistant.claims.confidence import Judgement, judged
from rag_assistant.claims.refusals import is_refusal
from rag_assistant.config import EXTRACTIVE
from rag_assistant.errors import RagError
from rag_assistant.library.other_words import other_words
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.text.about_databases import is_about_databases
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.evidence import Answer, EvidenceItem, Refusal
from rag_assistant.values.support import Support
from rag_assistant.verification.answer_confidence import judge_model_answer
from rag_assistant.verification.cited_sources import cited_sources
from rag_assistant.verification.nearest import as_items
from rag_assistant.verification.presupposed import presupposed
from rag_assistant.verification.signals import Looked, look

REFUSAL = "The documents do not hold the answer to this, as far as can be told"
"""How every refusal begins."""

REFUSED_BY_MODEL = "The documents do not hold the answer"
"""What stands over a refusal of the model's own."""

_ALL_OPPOSED = "the sources say otherwise on everything that the model wrote"
_NOTHING_CITED = "nothing that was found is cited for what the model wrote"
_NOTHING_READ = "what was found was not read"
_NOTHING_VERIFIED = "none of the quotes it cites was found in its source"
_REASONS = {
    "chosen": "no sentence stands out from the others that were found",
    "fits": "what was found has too little of what the question says",
    "words": "what was found has too little of what the question says",
    "together": "words that belong together in the question stand apart in what was found",
    "margin": "no document stands out from the others that were found",
    "rank": "what comes first in a search for the question is not what is cited",
    "known": "words of the question stand in no document",
    "lead": "no document stands out from the others that were found",
    "found": "no passage that was found holds much of what the question says",
    "found_together": "words that belong together in the question stand apart in what was found",
    "kind": "what is cited has nothing of the kind that is asked for",
    "borne_out": "not all that it says is confirmed by what was read",
    "quotes": "not all of its quotes stand in their sources to the letter",
    "agreement": "the sources disagree",
}
"""What speaks against an answer where a signal is low."""

MOST_REASONS = 2

LOW = 3
"""The confidence up to which an answer says that the right place may not have been found."""

THRESHOLD = 0.16
"""Least likelihood of an answer that is given; `--only refusal --fit` shows other choices.

A wrong refusal costs a look at the draft, a wrong answer costs trust; but what is given is marked
with its confidence, and most questions that people ask have an answer. So it is as high as it can
be, in steps of .04, while one in twenty right answers to the tuning questions is withheld at most.
"""


def with_judgement(
    answer: Answer, found: SearchedDatabases, run_cache: RunCache, *, ended: bool = True
) -> Answer:
    """Give an answer with its confidence; where nothing bears it out, a refusal in its place.

    A model's own refusal stays as it is, under a line that says so. An answer that was not searched
    for, or rests on other tools as well, is given in any case, and so is what there is of one whose
    run has not `ended` by itself.
    """
    searched = bool(answer.coverage.searches_made)  # what failed says nothing of the documents
    if not (searched or answer.citations) or is_about_databases(
        answer.question, answer.coverage.databases
    ):
        return answer
    may_refuse = ended and searched and not answer.coverage.other_tools
    try:
        by_model = answer.model != EXTRACTIVE
        looked = look(answer, found.databases, run_cache, closely=by_model)
    except RagError as error:
        unjudged = f"How far the answer is borne out could not be judged: {error}"
        return replace(answer, objections=(*answer.objections, unjudged))
    missing = presupposed(answer.question, cited_sources(answer, run_cache))
    told = [one.words for one in missing]
    if not by_model:
        answer = replace(answer, objections=(*answer.objections, *told))
        return _gated(answer, found, looked, may_refuse=may_refuse)
    if ended and is_refusal(answer.text):
        return _by_model(answer, found, looked)
    if may_refuse and (reason := _why_withheld(answer)):
        return _refused(answer, found, looked, reason)
    judgement = judge_model_answer(answer, looked.values, presupposes_more=bool(missing))
    alone = "lead" not in looked.values  # there is hardly another place
    if answer.citations and judgement.confidence <= LOW and not alone:
        told.append(_doubt(answer, found, looked, judgement))
    answer = replace(answer, objections=(*answer.objections, *told))
    return _with_confidence(answer, judgement)


def _doubt(answer: Answer, found: SearchedDatabases, looked: Looked, judgement: Judgement) -> str:
    """Say that the right place may not have been found, why, and how to look further."""
    why = _worst(judgement)
    step = next(_ways_to_widen(answer.coverage, found, looked.unknown))
    return f"This may not be the right place{f': {why}' if why else ''}. {step}"


def _with_confidence(answer: Answer, judgement: Judgement) -> Answer:
    if not answer.citations:
        return answer
    return replace(answer, confidence=judgement.confidence, signals=judgement.signals)


def _gated(answer: Answer, found: SearchedDatabases, looked: Looked, *, may_refuse: bool) -> Answer:
    """Judge what the built-in model gives by retrieval; it copies, so its words prove nothing."""
    verified = any(citation.item.verified for citation in answer.citations)
    own = {signal.name: signal.value for signal in answer.signals}
    judgement = judged({**looked.values, **own}) if verified else Judgement(0.0)
    answer = _with_confidence(answer, judgement)
    if not may_refuse or judgement.likelihood >= THRESHOLD:
        return answer
    reason = _reason(answer, judgement)
    return _refused(answer, found, looked, reason, judgement.confidence, copied=True)


def _why_withheld(answer: Answer) -> str:
    """Say why an answer in a model's words is not given; "" where anything speaks for it.

    What is not confirmed word for word may be right, and withholds nothing.
    """
    states = [s.support for s in answer.sentences if s.support is not Support.NO_CLAIM]
    if states and all(state.is_hard for state in states):
        return _ALL_OPPOSED
    verified = any(citation.item.verified for citation in answer.citations)
    elsewhere = any(state in (Support.IN_ENTRY, Support.COMPUTED) for state in states)
    if not states or verified or elsewhere:
        return ""
    return _NOTHING_VERIFIED if answer.citations else _NOTHING_CITED


def _by_model(answer: Answer, found: SearchedDatabases, looked: Looked) -> Answer:
    """Let a model's own refusal stand, with what was searched and what comes nearest."""
    refusal = replace(
        _refusal(answer, found, looked, "the model that answers says so"), by_model=True
    )
    return replace(
        answer,
        text=_in_words(refusal, answer.text),
        sentences=(),
        disagreements=(),
        refusal=refusal,
        draft=answer.text,
    )


def _refused(
    answer: Answer,
    found: SearchedDatabases,
    looked: Looked,
    reason: str,
    confidence: int = 0,
    *,
    copied: bool = False,
) -> Answer:
    refusal = replace(_refusal(answer, found, looked, reason), copied=copied)
    return replace(
        answer,
        text=_in_words(refusal),
        citations=(),
        sentences=(),
        disagreements=(),
        confidence=confidence,
        refusal=refusal,
        draft=answer.text,
    )


def _refusal(answer: Answer, found: SearchedDatabases, looked: Looked, reason: str) -> Refusal:
    return Refusal(
        reason=reason,
        searched=_searched(answer.coverage),
        nearest=as_items(looked.hits),
        widen=tuple(_ways_to_widen(answer.coverage, found, looked.unknown)),
        citations=answer.citations,
    )


def _reason(answer: Answer, judgement: Judgement) -> str:
    if not answer.coverage.entries_read and any(one.hits for one in answer.coverage.searches_made):
        return _NOTHING_READ
    if not answer.citations:
        return _NOTHING_CITED
    if not judgement.signals:
        return _NOTHING_VERIFIED
    return _worst(judgement)


def _worst(judgement: Judgement) -> str:
    """Say what speaks against an answer most."""
    against = [s for s in sorted(judgement.signals, key=lambda s: s.share) if s.share < 0]
    told = dict.fromkeys(_REASONS[signal.name] for signal in against if signal.name in _REASONS)
    return ", and ".join([*told][:MOST_REASONS])


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


def _in_words(refusal: Refusal, said: str = "") -> str:
    """Write a refusal, with what the model itself `said` in the place of a reason."""
    lines = [f"{REFUSED_BY_MODEL}.", said.strip()] if said else [f"{REFUSAL}: {refusal.reason}."]
    if refusal.searched:
        lines.append(f"Searched: {'; '.join(refusal.searched)}.")
    if refusal.nearest:
        lines.append(f"The nearest to it: {', '.join(map(_name_of, refusal.nearest))}.")
    return "\n\n".join([*lines, "\n".join(f"- {step}" for step in refusal.widen)]).strip()


def _name_of(item: EvidenceItem) -> str:
    page = f", page {item.location.page}" if item.location.page else ""
    return f"{item.title or item.path}{page}"

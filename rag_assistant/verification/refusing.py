"""Knowing when not to answer: an answer is judged, and one that nothing bears out is withheld.

What the model wrote is kept as a draft; in its place the answer says what was searched, what comes
nearest, and how to find more. Whether the right place was found lowers the confidence of a model's
answer and never withholds it. Of the built-in model, which copies, nothing is withheld: what it
quotes has a voice (`voices.py`).
"""

from dataclasses import replace

from rag_assistant.claims.confidence import Judgement
from rag_assistant.claims.refusals import is_refusal
from rag_assistant.config import EXTRACTIVE
from rag_assistant.errors import RagError
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.text.about_databases import is_about_databases
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.evidence import Answer, EvidenceItem, Refusal
from rag_assistant.values.support import Support
from rag_assistant.verification.answer_confidence import judge_model_answer
from rag_assistant.verification.cited_sources import cited_sources
from rag_assistant.verification.nearest import as_items
from rag_assistant.verification.presupposed import presupposed
from rag_assistant.verification.signals import Looked, look
from rag_assistant.verification.voices import with_voice
from rag_assistant.verification.widening import searched, ways_to_widen, worst

REFUSAL = "The documents do not hold the answer to this, as far as can be told"
"""How every refusal begins."""

REFUSED_BY_MODEL = "The documents do not hold the answer"
"""What stands over a refusal of the model's own."""

_ALL_OPPOSED = "the sources say otherwise on everything that the model wrote"
_NOTHING_CITED = "nothing that was found is cited for what the model wrote"
_NOTHING_READ = "what was found was not read"
_NOTHING_QUOTED = "nothing that was found shares a telling word with the question"
_NOTHING_VERIFIED = "none of the quotes it cites was found in its source"

LOW = 3
"""The confidence up to which an answer says that the right place may not have been found."""


def with_judgement(
    answer: Answer, found: SearchedDatabases, run_cache: RunCache, *, ended: bool = True
) -> Answer:
    """Give an answer with its confidence; where nothing bears it out, a refusal in its place.

    A model's own refusal stays as it is, under a line that says so. An answer that was not searched
    for, or rests on other tools as well, is given in any case, and so is what there is of one whose
    run has not `ended` by itself.
    """
    made = bool(answer.coverage.searches_made)  # what failed says nothing of the documents
    if not (made or answer.citations) or is_about_databases(
        answer.question, answer.coverage.databases
    ):
        return answer
    may_refuse = ended and made and not answer.coverage.other_tools
    by_model = answer.model != EXTRACTIVE
    judged = answer if by_model else replace(answer, citations=answer.citations[:1])
    try:
        looked = look(judged, found.databases, run_cache, closely=by_model)
    except RagError as error:
        unjudged = f"How far the answer is borne out could not be judged: {error}"
        return replace(answer, objections=(*answer.objections, unjudged))
    missing = presupposed(answer.question, cited_sources(answer, run_cache))
    told = [one.words for one in missing]
    if not by_model and (answer.citations or not may_refuse):
        answer = replace(answer, objections=(*answer.objections, *told))
        return with_voice(answer, found, looked, names_more=bool(missing), ended=ended)
    if by_model and ended and is_refusal(answer.text):
        return _by_model(answer, found, looked)
    if may_refuse and (reason := _why_withheld(answer)):
        draft = answer.text if by_model else ""  # the built-in one says only that nothing is there
        return _refused(replace(answer, text=draft), found, looked, reason)
    judgement = judge_model_answer(answer, looked.values, presupposes_more=bool(missing))
    alone = "lead" not in looked.values  # there is hardly another place
    if answer.citations and judgement.confidence <= LOW and not alone:
        told.append(_doubt(answer, found, looked, judgement))
    answer = replace(answer, objections=(*answer.objections, *told))
    return _with_confidence(answer, judgement)


def _doubt(answer: Answer, found: SearchedDatabases, looked: Looked, judgement: Judgement) -> str:
    """Say that the right place may not have been found, why, and how to look further."""
    why = worst(judgement)
    step = next(ways_to_widen(answer.coverage, found, looked.unknown))
    return f"This may not be the right place{f': {why}' if why else ''}. {step}"


def _with_confidence(answer: Answer, judgement: Judgement) -> Answer:
    if not answer.citations:
        return answer
    return replace(answer, confidence=judgement.confidence, signals=judgement.signals)


def _why_withheld(answer: Answer) -> str:
    """Say why an answer in a model's words is not given; "" where anything speaks for it.

    What is not confirmed word for word may be right, and withholds nothing.
    """
    if answer.model == EXTRACTIVE:
        hits = any(one.hits for one in answer.coverage.searches_made)
        return _NOTHING_READ if hits and not answer.coverage.entries_read else _NOTHING_QUOTED
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


def _refused(answer: Answer, found: SearchedDatabases, looked: Looked, reason: str) -> Answer:
    refusal = _refusal(answer, found, looked, reason)
    return replace(
        answer,
        text=_in_words(refusal),
        citations=(),
        sentences=(),
        disagreements=(),
        refusal=refusal,
        draft=answer.text,
    )


def _refusal(answer: Answer, found: SearchedDatabases, looked: Looked, reason: str) -> Refusal:
    return Refusal(
        reason=reason,
        searched=searched(answer.coverage),
        nearest=as_items(looked.hits),
        widen=tuple(ways_to_widen(answer.coverage, found, looked.unknown)),
        citations=answer.citations,
    )


def _in_words(refusal: Refusal, said: str = "") -> str:
    """Write a refusal, with what the model itself `said` in the place of a reason."""
    lines = [f"{REFUSED_BY_MODEL}.", said.strip()] if said else [f"{REFUSAL}: {refusal.reason}."]
    if refusal.searched:
        lines.append(f"Searched: {'; '.join(refusal.searched)}.")
    if refusal.nearest:
        lines.append(
            f"The nearest to it: {', '.join(dict.fromkeys(map(_name_of, refusal.nearest)))}."
        )
    return "\n\n".join([*lines, "\n".join(f"- {step}" for step in refusal.widen)]).strip()


def _name_of(item: EvidenceItem) -> str:
    page = f", page {item.location.page}" if item.location.page else ""
    return f"{item.title or item.path}{page}"

"""Measures of an answer against what is right for its question, and of refusing to answer."""

from collections.abc import Iterable, Mapping, Sequence

from rag_assistant.assistant.past import without_markers
from rag_assistant.evaluation.measuring.report import Metrics
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.measuring.voices import documents, voice_measures
from rag_assistant.evaluation.measuring.wording import (
    bears_out,
    contains_answer,
    exact_match,
    quote_recall,
    quote_token_recall,
    same_words,
    token_f1,
)
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.runs.outcomes import AnswerOutcome
from rag_assistant.values.support import Sentence, Support

Pair = tuple[Question, AnswerOutcome]

ANSWER_MEASURES = (
    "quote_recall",
    "quote_token_recall",
    "evidence_quote_recall",
    "citation_precision",
    "citation_recall",
    "citation_verified",
    "token_f1",
    "exact_match",
    "answer_contains",
    "sentences_verbatim",
    "sentences_supported",
    "sentences_computed",
    "sentences_in_entry",
    "sentences_unconfirmed",
    "sentences_contradicted",
    "sentences_nowhere",
    "sentences_no_claim",
)
"""The names of what `answer_measures` may give, in the order of a report; where there was a judge,
`judged_right` is one more, and of the built-in model there are `VOICE_MEASURES`."""

VERDICTS: Mapping[str, float] = {"right": 1.0, "partly": 0.5, "wrong": 0.0}
"""What the verdict of a judge counts."""


def answer_measures(question: Question, outcome: AnswerOutcome) -> Mapping[str, float]:
    """Measure an answer by the references that its question has, each from 0 to 1.

    A question that was refused, or whose run broke off, has the measures of what there is: 0 where
    references are missed. What there is nothing to measure by is left out.
    """
    answer = outcome.answer
    cited = [citation.item for citation in answer.citations]
    measured: dict[str, float] = {}
    if question.answerable and question.quotes:
        quotes = [item.quote for item in cited]
        seen = [item.quote for evidence in answer.evidence for item in evidence.items]
        measured["quote_recall"] = quote_recall(question.quotes, quotes)
        measured["quote_token_recall"] = quote_token_recall(question.quotes, quotes)
        measured["evidence_quote_recall"] = quote_recall(question.quotes, seen)
    measured |= _citation_measures(question, outcome)
    if cited:
        measured["citation_verified"] = sum(item.verified for item in cited) / len(cited)
    if question.answerable and question.answers:
        text = without_markers(answer.text)
        measured["token_f1"] = token_f1(text, question.answers)
        measured["exact_match"] = exact_match(text, question.answers)
        measured["answer_contains"] = contains_answer(text, question.answers)
    measured |= support_shares(answer.sentences)
    measured |= voice_measures(question, outcome)
    if outcome.judgement and outcome.judgement.verdict:
        measured["judged_right"] = VERDICTS[outcome.judgement.verdict]
    return measured


def _citation_measures(question: Question, outcome: AnswerOutcome) -> dict[str, float]:
    """Precision and recall of the citations, by reference quotes, or else by relevant documents.

    With C the citations, R the reference quotes and c ~ r where `same_words`: precision is
    |{c: some r, c ~ r}| / |C|, not measured where nothing is cited, recall |{r: some c, c ~ r}| /
    |R|. Without quotes R are the documents of grade 1 or more, and c ~ r where c is of r. The
    names are those of ALCE (Gao et al. 2023, arXiv 2305.14627), which has a model of entailment
    judge whether each sentence follows from what it cites; here nothing is asked of a model, and
    what is cited is compared with what a person said is the right place.
    """
    if not question.answerable:
        return {}
    if question.quotes:
        references = list(question.quotes)
        cited = [citation.item.quote for citation in outcome.answer.citations]
        pairs = [[same_words(quote, reference) for reference in references] for quote in cited]
    else:
        references = [document for document, grade in question.relevant.items() if grade > 0]
        pairs = [
            [document == reference for reference in references] for document in documents(outcome)
        ]
    if not references:
        return {}
    recall = sum(map(any, zip(*pairs, strict=True))) / len(references)
    measured = {"citation_precision": sum(map(any, pairs)) / len(pairs)} if pairs else {}
    return {**measured, "citation_recall": recall}


def support_shares(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Share of an answer's claims by what they rest on, and of its sentences that claim nothing.

    Claims are all sentences but those; an answer without any has no shares of them.
    """
    states = [sentence.support for sentence in sentences]
    if not states:
        return {}
    claims = [state for state in states if state is not Support.NO_CLAIM]
    shares = {"sentences_no_claim": 1 - len(claims) / len(states)}
    if not claims:
        return shares
    shares["sentences_verbatim"] = sum(one.verbatim for one in sentences) / len(claims)
    for state in Support:
        if state is not Support.NO_CLAIM:
            shares[f"sentences_{state.value}"] = claims.count(state) / len(claims)
    return shares


def rightness(question: Question, outcome: AnswerOutcome) -> float | None:
    """Say how right an answer is, from 0 to 1; None where there is no answer, or no telling.

    The verdict of a judge counts where there is one. Otherwise an answer to a question that has
    none is wrong, and any other is right where its text and what it cites `bears_out` a reference.
    """
    if outcome.outcome != "answered":
        return None
    if not question.answerable:
        return 0.0
    if outcome.judgement and outcome.judgement.verdict:
        return VERDICTS[outcome.judgement.verdict]
    if not (question.quotes or question.answers):
        return None
    said = [citation.item.quote for citation in outcome.answer.citations]
    said.append(without_markers(outcome.answer.text))
    return float(bears_out(said, question.quotes, question.answers))


def refusal_metrics(pairs: Sequence[Pair]) -> Metrics:
    """Give how often questions were answered, refused and broken off, and whether rightly.

    `answered` is of the answerable questions, `stopped` of all; see the functions for the others.
    """
    refusals = [(outcome.outcome == "refused", asked.answerable) for asked, outcome in pairs]
    return {
        "answered": mean([out.outcome == "answered" for asked, out in pairs if asked.answerable]),
        "refusal_precision": refusal_precision(refusals),
        "refusal_recall": refusal_recall(refusals),
        "stopped": mean([outcome.outcome == "stopped" for _, outcome in pairs]),
    }


def refusal_precision(outcomes: Iterable[tuple[bool, bool]]) -> float | None:
    """Of the questions refused, the share that cannot be answered; None when none was refused.

    Each outcome says whether the question was refused and whether it is answerable. Source: the
    no-answer questions of SQuAD 2.0, Rajpurkar et al. 2018, arXiv 1806.03822, as precision.
    """
    refused = [answerable for was_refused, answerable in outcomes if was_refused]
    return refused.count(False) / len(refused) if refused else None


def refusal_recall(outcomes: Iterable[tuple[bool, bool]]) -> float | None:
    """Of the questions that cannot be answered, the share refused; None when there are none."""
    unanswerable = [was_refused for was_refused, answerable in outcomes if not answerable]
    return unanswerable.count(True) / len(unanswerable) if unanswerable else None


def judge_metrics(pairs: Sequence[Pair]) -> Metrics:
    """Give what a judge said, and what it took; nothing where there was no judge.

    `judged_right` is the mean of the verdicts; `judge_failed` is the share without a verdict of the
    answers that it was asked about. Tokens are sums, as is the cost, which
    is None where the judge has no prices.
    """
    judged = [(outcome.outcome, outcome.judgement) for _, outcome in pairs if outcome.judgement]
    if not judged:
        return {}
    judgements = [judgement for _, judgement in judged]
    costs = [one.cost for one in judgements if one.cost is not None]
    return {
        "judged_right": mean([VERDICTS[one.verdict] for one in judgements if one.verdict]),
        "judge_failed": mean([not one.verdict for came, one in judged if came == "answered"]),
        "judge_tokens_in": float(sum(one.tokens_in for one in judgements)),
        "judge_tokens_out": float(sum(one.tokens_out for one in judgements)),
        "judge_cost": sum(costs) if costs else None,
    }

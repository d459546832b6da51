"""What a person asks of an evaluation, and what that comes to for a set of questions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.budget import EvaluationBudget
from rag_assistant.evaluation.runs.header import Mode, Settings
from rag_assistant.evaluation.runs.outcomes import Stage

QUESTIONS_AT_ONCE = 4
"""Questions that are put to a served model at the same time, where the person names no number."""


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """What a person asked of an evaluation.

    `ranking` is a TREC run that is judged in the place of a search; `qrels` and `split` say where
    the judgements of a collection are. `anew` begins a run where one of the same work was broken
    off, which is gone on with otherwise.
    """

    mode: Mode = "all"
    databases: tuple[str, ...] = ()
    judge: str = ""
    depth: int = 100
    seed: int = 0
    ranking: Path | None = None
    qrels: Path | None = None
    split: str = ""
    anew: bool = False
    budget: EvaluationBudget = EvaluationBudget()


NO_LIMITS = EvaluationBudget()
ALL_OF_IT = EvaluationOptions()


def check_wishes(wishes: EvaluationOptions) -> None:
    """Find out before any work that some wishes cannot both be had. Raises QuestionSetError."""
    if wishes.ranking and (wishes.judge or wishes.mode not in ("search", "all")):
        given = f"--judge {wishes.judge}" if wishes.judge else f"--mode {wishes.mode}"
        raise QuestionSetError(
            f"--ranking has a ranking judged, and asks nothing: {given} has no part in that.",
            hint=f"Leave out one of them: --ranking, or {given}.",
        )
    if wishes.judge and wishes.mode not in ("answer", "all"):
        raise QuestionSetError(
            f"--mode {wishes.mode} gives no answers that {wishes.judge} could judge.",
            hint="Take --mode answer or all with --judge.",
        )


def settings_of(wishes: EvaluationOptions, config: Config, stages: tuple[Stage, ...]) -> Settings:
    """Give the settings of a run, in which what does not bear on its stages is left empty."""
    settings = Settings(
        mode="search" if wishes.ranking else wishes.mode,
        stages=stages,
        databases=wishes.databases,
        judge=wishes.judge if "answer" in stages else "",
        depth=wishes.depth,
        at_once=wishes.budget.at_once or _at_once(config),
        seed=wishes.seed,
        ranking=str(wishes.ranking) if wishes.ranking else "",
    )
    return with_config(settings, config)


def with_config(settings: Settings, config: Config) -> Settings:
    """Give the settings of a run with the models that are configured now."""
    condenses = {"answer", "retrieve"}.intersection(settings.stages)
    return replace(
        settings,
        model=config.model if "answer" in settings.stages else "",
        helper=(config.helper or config.model) if condenses else "",
        embedder=config.embedder,
        reranker=config.reranker,
    )


def _at_once(config: Config) -> int:
    """Models in this process gain nothing from company, and would be timed with their neighbours'
    work (measured: 83 ms for an answer that takes 16 ms alone)."""
    return 1 if {config.model, config.helper} <= {EXTRACTIVE, ""} else QUESTIONS_AT_ONCE


def stages_of(
    wishes: EvaluationOptions, questions: Sequence[Question]
) -> tuple[tuple[Stage, ...], tuple[str, ...]]:
    """Give the stages of a mode that the questions allow to measure, and why others are left out.

    "all" leaves out what the set has no references for; a mode that is named is taken as it is.
    """
    if wishes.ranking is not None:
        return ("search",), ()
    quoted = any(question.quotes for question in questions)
    missing = "" if quoted else "No question has quotes that evidence could be compared with"
    if wishes.mode != "all":
        return (wishes.mode,), (missing,) if missing and wishes.mode == "retrieve" else ()
    stages: list[Stage] = ["search"]
    notes: list[str] = [missing] if missing else []
    if quoted:
        stages.append("retrieve")
    only_ranks = all(
        question.relevant and not (question.quotes or question.answers or not question.answerable)
        for question in questions
    )
    if only_ranks:
        notes.append("The questions have judged documents alone, so no answers were asked for")
        notes.append("Ask for them: --mode answer")
    else:
        stages.append("answer")
    return tuple(stages), tuple(notes)

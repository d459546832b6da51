"""Reports of any length, made up from a seed, for every form that a report is shown in."""

from dataclasses import replace
from math import ceil
from random import Random

from rag_assistant.evaluation.measuring.report import Bin, Interval, MeasuredQuestion, Report
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.questions.values import BadLine, Question
from rag_assistant.evaluation.runs.header import Header, IndexStamp, Mode, Settings
from rag_assistant.evaluation.runs.outcomes import (
    STAGES,
    AnswerOutcome,
    EvidenceOutcome,
    ModelVerdict,
    Overlap,
    QuestionCost,
    RankedDocument,
    RecordedCall,
    SearchOutcome,
    ShownHit,
    Span,
    Stage,
)
from rag_assistant.values.coverage import Coverage, DatabaseSeen
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import (
    Answer,
    Citation,
    Evidence,
    EvidenceItem,
    QuoteMatch,
    Refusal,
)
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Sentence, Support

TOPICS = (
    ("leave/annual.md", "Annual leave", "days of leave may be carried over into the next year"),
    ("pay/pay dates.md", "Pay dates", "the salary for December is paid early, on the 19th"),
    ("travel/expenses.md", "Expenses", "a claim has to be submitted within 45 days of the journey"),
    ("safety/boats.md", "Crew transfer boats", "nobody boards in waves higher than 1.5 metres"),
    ("papers/2025-05-28-roof-contract-summary.md", "Roof", "the guarantee runs for 15 years"),
    ("mail/休暇/有給休暇の規則.md", "有給休暇", "有給休暇は次の年に8日まで繰り越すことができます"),
)
SAID = "The rules say that {}. [1] They were last changed in March 2025. [2] Ask your manager."
BEGUN = 1_795_261_400.0


def made_report(questions: int = 12, *, mode: Mode = "all", seed: int = 7) -> Report:
    """Give a report of so many questions, each fifth of them without an answer."""
    chance = Random(seed)
    header = _header(questions, mode)
    asked = tuple(_asked(number, chance, header) for number in range(1, questions + 1))
    names = dict.fromkeys(name for one in asked for name in one.measures)
    metrics: dict[str, float | None] = {
        name: mean([one.measures[name] for one in asked if name in one.measures]) for name in names
    }
    intervals = {
        name: Interval(max(0.0, value - 0.08), min(1.0, value + 0.07))
        for name, value in metrics.items()
        if value is not None
    }
    metrics |= {f"{stage}_p50_ms": 41.5 for stage in header.settings.stages}
    metrics |= {"refusal_precision": 0.75, "refusal_recall": None}
    bins = tuple(Bin(tenth / 10, 3 + tenth, min(1, tenth / 9)) for tenth in (2, 5, 7, 8, 10))
    return Report(
        header,
        asked,
        metrics,
        intervals,
        bins if "answer" in header.settings.stages else (),
        ("Not in the database, but said to be relevant: leave/gone.md (1 in all)",),
    )


def saying(report: Report, hostile: str) -> Report:
    """Give a report in which every word that came from elsewhere is `hostile` as well."""
    header = replace(
        report.header,
        set_name=hostile,
        set_path=f"/home/{hostile}",
        bad_lines=(BadLine(hostile, 3, hostile),),
        notes=(hostile,),
        versions={hostile: hostile},
        settings=replace(report.header.settings, databases=(hostile,), model=hostile),
    )
    asked = tuple(_saying(one, hostile) for one in report.asked)
    return replace(report, header=header, asked=asked, notes=(hostile,))


def _saying(one: MeasuredQuestion, hostile: str) -> MeasuredQuestion:
    question = replace(
        one.question,
        id=f"{one.question.id} {hostile}",
        text=hostile,
        relevant={hostile: 1},
        quotes=(hostile,),
        answers=(hostile,),
        kind=hostile,
        generated=hostile,
    )
    search, evidence, answer = one.search, one.evidence, one.answer
    if search:
        hits = tuple(replace(h, title=hostile, path=hostile, snippet=hostile) for h in search.hits)
        search = replace(search, ranking=(RankedDocument(hostile, 1.0),), hits=hits)
    if evidence:
        found = tuple(_evidence_saying(each, hostile) for each in evidence.evidence)
        evidence = replace(evidence, evidence=found, unplaced=(hostile,), stopped=hostile)
    if answer:
        said = answer.answer
        cited = tuple(replace(c, item=_item_saying(c.item, hostile)) for c in said.citations)
        said = replace(said, text=f"{hostile} [1]", citations=cited, draft=hostile)
        answer = replace(answer, answer=replace(said, sentences=()), judgement=_judged(hostile))
    return replace(one, question=question, search=search, evidence=evidence, answer=answer)


def _judged(reason: str) -> ModelVerdict:
    return ModelVerdict("judge-1", "partly", reason, tokens_in=900, tokens_out=40)


def _evidence_saying(evidence: Evidence, hostile: str) -> Evidence:
    items = tuple(_item_saying(item, hostile) for item in evidence.items)
    return replace(evidence, query=hostile, notes=(hostile,), items=items)


def _item_saying(item: EvidenceItem, hostile: str) -> EvidenceItem:
    return replace(item, quote=hostile, title=hostile, path=hostile)


def _header(questions: int, mode: Mode) -> Header:
    stages: tuple[Stage, ...] = STAGES if mode == "all" else (mode,)
    settings = Settings(mode, stages, ("staff",), "extractive", judge="judge-1", seed=20261121)
    return Header(
        12,
        "/home/kim/staff.questions.jsonl",
        "staff.questions.jsonl",
        "5d41402abc4b2a76",
        questions,
        BEGUN,
        settings,
        (IndexStamp("staff", "/home/kim/staff", 412, 2970, "9f86d081884c7d65"),),
        {"rag-assistant": "0.7.0", "python": "3.11.9", "sqlite": "3.46.1", "ir-measures": "0.4.3"},
        "Linux 6.1 x86_64, 2 cores",
        BEGUN + 73,
        (BadLine("staff.questions.jsonl", 7, "not JSON: a quote is missing"),),
    )


def _asked(number: int, chance: Random, header: Header) -> MeasuredQuestion:
    name, title, words = TOPICS[number % len(TOPICS)]
    answerable = number % 5 != 0
    question = Question(
        f"staff-{number:03}",
        f"Is it true that {words}, and who decides on it? ({number})",
        {name: 2, f"archive/{number}.md": 1} if answerable else {},
        (f"{words}.",) if answerable else (),
        (words[-12:],) if answerable else (),
        answerable,
        ("staff",),
        kind=("number", "date", "rule")[number % 3],
        generated="known-item" if number % 4 == 0 else "",
    )
    rank = min(10, ceil(chance.expovariate(0.6)))
    found = chance.random() < 0.85
    search = _search(question, rank if found else 0, chance)
    item = EvidenceItem(
        "staff", 7, title, name, f"{words}.", Location(120, 180, 2, title, 14), True
    )
    answer = _answer(question, item, chance, right=found)
    evidence = _evidence(question, item, chance)
    measures: dict[str, float] = {}
    stages = header.settings.stages
    if question.ranks and "search" in stages:
        measures |= {"nDCG@10": 1 / (1 + rank / 4) if found else 0.0, "R@10": float(found)}
        measures |= {"MRR@10": 1 / rank if found else 0.0}
    if answerable and "retrieve" in stages:
        measures |= {"evidence_recall": round(chance.random(), 3)}
    if "answer" in stages:
        measures |= {"citation_verified": 0.5} if answer.answer.citations else {}
        if answerable:
            contains = float(found and answer.outcome == "answered")
            measures |= {"token_f1": round(chance.betavariate(3, 2), 3)}
            measures |= {"answer_contains": contains, "quote_recall": contains}
    return MeasuredQuestion(
        question,
        search if "search" in stages else None,
        evidence if "retrieve" in stages else None,
        answer if "answer" in stages else None,
        measures,
    )


def _search(question: Question, rank: int, chance: Random) -> SearchOutcome:
    names = [TOPICS[(n + chance.randrange(2)) % len(TOPICS)][0] for n in range(10)]
    documents = [f"{place}/{name}" for place, name in enumerate(names, 1)]
    if rank and question.ranks:
        documents[rank - 1] = next(iter(question.relevant))
    ranking = tuple(RankedDocument(name, 10.0 - place) for place, name in enumerate(documents))
    hits = tuple(
        ShownHit(
            "staff",
            place,
            TOPICS[place % len(TOPICS)][1],
            name,
            Location(40 * place, 40 * place + 200, None, "Rules › In general", 3 * place),
            f"In general {TOPICS[place % len(TOPICS)][2]}, unless the manager decides otherwise. "
            "The request is made in writing, and it is answered within a fortnight.",
            question.relevant.get(name, 0),
        )
        for place, name in enumerate(documents)
    )
    traffic = QuestionCost(chance.lognormvariate(3, 0.5), chance.lognormvariate(2.6, 0.4))
    return SearchOutcome(question.id, ranking, question.relevant, traffic, hits)


def _evidence(question: Question, item: EvidenceItem, chance: Random) -> EvidenceOutcome:
    taken = chance.lognormvariate(4.4, 0.6)
    return EvidenceOutcome(
        question.id,
        QuestionCost(taken, taken * 0.6, 1, 1800, 120, 0.0004),
        (Span("staff", 7, 120, 180),) if question.quotes else (),
        ("a quote that stands nowhere",) if question.answerable and item.entry_id == 9 else (),
        (Span("staff", 7, 0, 900),),
        (Evidence("staff", "leave carried over", (item,), chance.randint(3, 10), (7, 9)),),
        Overlap(12, 160, 11),
        Overlap(12, 14, 11),
    )


def _answer(
    question: Question, item: EvidenceItem, chance: Random, *, right: bool
) -> AnswerOutcome:
    taken = int(chance.lognormvariate(5.5, 0.7))
    refused = not question.answerable and chance.random() < 0.7
    close = replace(
        item, quote="They were last changed in March 2025.", match=QuoteMatch.ALIGNED, written="x"
    )
    missing = replace(item, quote="Nobody ever wrote this.", verified=False)
    text = SAID.format(item.quote.rstrip("."))
    ends = (text.index(" They"), text.index(" Ask"), len(text))
    sentences: tuple[Sentence, ...] = (
        Sentence(0, ends[0], Support.QUOTED, (1,)),
        Sentence(ends[0] + 1, ends[1], Support.SUPPORTED if right else Support.UNSUPPORTED, (2,)),
        Sentence(ends[1] + 1, ends[2], Support.NO_CLAIM),
    )
    citations: tuple[Citation, ...] = (Citation(1, item), Citation(2, close if right else missing))
    coverage = Coverage(("staff",), 412, 0, 2, 3, (DatabaseSeen("staff", 412),))
    usage = Usage(2400, 180)
    refusal = None
    if refused:
        text, sentences, draft = "The documents do not answer this.", (), text
        refusal = Refusal("nothing found bears on it", ("leave",), (item,), ("Ask of another.",))
        refusal = replace(refusal, citations=citations)
        citations = ()
    answer = Answer(
        question.text,
        text,
        citations,
        (Evidence("staff", "leave carried over", (item, close, missing), 8, (7, 9)),),
        coverage,
        "extractive",
        usage,
        taken,
        sentences=sentences,
        confidence=chance.randint(2, 10),
        refusal=refusal,
        draft=draft if refused else "",
        cost=0.0012,
    )
    return AnswerOutcome(
        question.id,
        answer,
        QuestionCost(taken, taken * 0.4, 2, 2400, 180, 0.0012),
        "The limit of 8 model calls was reached." if chance.random() < 0.03 else "",
        (RecordedCall("query_staff", True, 0.08), RecordedCall("get_staff", right, 0.02)),
        ModelVerdict(
            "judge-1", "right" if right else "wrong", "It names the same day.", "", 900, 40
        ),
    )

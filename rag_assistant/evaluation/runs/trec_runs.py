"""Rankings in the run format of TREC: `qid Q0 docid rank score tag` on each line.

What is written here is read by trec_eval, ir_measures and ir_datasets, and what they read is read
here, in the same order. Source: the head of form_res_rels.c of https://github.com/usnistgov/trec_eval
"""

import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.values import BadLine, Question, document_id
from rag_assistant.evaluation.runs.outcomes import RankedDocument, SearchOutcome

TAG = "rag-assistant"
"""The name of every run that we write begins so: that is how we know our own encoding of ids."""

SCORE_STEP = 0.0001
"""The least distance of two scores that are written."""

_RESOLUTION = 2.0**-21
"""The least relative distance that single precision, in which trec_eval holds scores, keeps."""

_NOT_IN_A_FIELD = re.compile(r"[\s%\x00-\x1f\x7f]")
_FIELD = re.compile(rb"[ \t\v\f]+")
_FIELDS = 6


@dataclass(frozen=True, slots=True)
class TrecRun:
    """A run that was read: the rankings by question id, best first, and the lines left out."""

    rankings: Mapping[str, tuple[RankedDocument, ...]]
    bad_lines: tuple[BadLine, ...] = ()


def write_run(path: Path, outcomes: Sequence[SearchOutcome], tag: str = "") -> None:
    """Write rankings; the run is named "rag-assistant", with `tag` behind it if there is one.

    Fields are parted by spaces, so white space, control characters and "%" in ids are
    percent-encoded and `urllib.parse.unquote` gives the id back; other ids stay as they are. Scores
    decrease strictly, because trec_eval reads the order from the scores alone and breaks ties by
    docid. Questions without hits have no line. Raises OSError when the file cannot be written.
    """
    name = _encoded(f"{TAG}-{tag}" if tag else TAG)
    # A path that is not UTF-8 on disk goes back to the bytes it was.
    with path.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for outcome in outcomes:
            qid = _encoded(outcome.question_id)
            score = math.inf
            for rank, ranked in enumerate(outcome.ranking, 1):
                step = SCORE_STEP if math.isinf(score) else abs(score) * _RESOLUTION
                score = min(round(ranked.score, 4), score - max(SCORE_STEP, step))
                document = _encoded(ranked.document)
                file.write(f"{qid} Q0 {document} {rank} {score:.4f} {name}\n")


def _encoded(name: str) -> str:
    return _NOT_IN_A_FIELD.sub(lambda match: quote(match[0], safe=""), name)


def read_run(path: Path) -> TrecRun:
    """Read a run of any program, in the order that trec_eval gives it.

    That is by score in single precision, ties by docid backwards; the ranks that are written do not
    count. Ids are percent-decoded where the run is one that `write_run` named, and are left as they
    are otherwise: "a%20b" may be an id of another collection. A line that cannot be used, or names
    a document of its question again, is left out and told. Raises QuestionSetError when the file
    cannot be read or has no usable line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise QuestionSetError(
            f"The run {path} cannot be read: {error.strerror or error}.", hint=_WANTED
        ) from error
    found: dict[str, dict[str, tuple[float, bytes, RankedDocument]]] = {}
    bad: list[BadLine] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not line.strip():
            continue
        try:
            question_id, written, ranked = _read(line)
        except ValueError as error:
            bad.append(BadLine(path.name, number, str(error)))
            continue
        ranking = found.setdefault(question_id, {})
        if ranked.document in ranking:
            reason = f"{ranked.document} is in the ranking of {question_id} already"
            bad.append(BadLine(path.name, number, reason))
        else:
            ranking[ranked.document] = (_single(ranked.score), written, ranked)
    if not found:
        first = f" Line {bad[0].line}: {bad[0].reason}." if bad else ""
        raise QuestionSetError(f"{path} has no line of a TREC run.{first}", hint=_WANTED)
    rankings = {question_id: _ordered(ranking) for question_id, ranking in found.items()}
    return TrecRun(rankings, tuple(bad))


_WANTED = "Each line has six fields with spaces between: qid Q0 docid rank score tag."


def unmatched(run: TrecRun, questions: Sequence[Question]) -> tuple[str, ...]:
    """Say which questions a run leaves out that it could be judged by, and which it has besides."""
    known = {question.id for question in questions}
    judged = [question.id for question in questions if question.ranks]
    missing = [id_ for id_ in judged if id_ not in run.rankings]
    unknown = [id_ for id_ in run.rankings if id_ not in known]
    notes: list[str] = []
    if missing:
        notes.append(
            f"not in the ranking, and counted as nothing found: {len(missing)} of {len(judged)}"
            f" questions, {missing[0]} among them"
        )
    if unknown:
        notes.append(
            f"ranked, but not in the question set: {len(unknown)} ids, {unknown[0]} among them"
        )
    return tuple(notes)


def _read(line: bytes) -> tuple[str, bytes, RankedDocument]:
    """Give the question, the document as it is written and as it is known, and its score.

    Raises ValueError with what is wrong.
    """
    fields = _FIELD.split(line.strip(), _FIELDS - 1)
    if len(fields) < _FIELDS:
        raise ValueError(f"{len(fields)} fields instead of six: qid Q0 docid rank score tag")
    try:
        score = float(fields[4])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise ValueError("the fifth field, the score, is not a number")
    ours = fields[5].startswith(TAG.encode())
    question_id, document = (_decoded(fields[place], ours=ours) for place in (0, 2))
    return question_id, fields[2], RankedDocument(document_id(document), score)


def _decoded(field: bytes, *, ours: bool) -> str:
    text = field.decode("utf-8", errors="surrogateescape")
    return unquote(text) if ours else text


def _single(score: float) -> float:
    single: float = struct.unpack("f", struct.pack("f", score))[0]
    return single


def _ordered(
    ranking: Mapping[str, tuple[float, bytes, RankedDocument]],
) -> tuple[RankedDocument, ...]:
    ordered = sorted(ranking.values(), key=lambda one: one[:2], reverse=True)
    return tuple(ranked for *_, ranked in ordered)

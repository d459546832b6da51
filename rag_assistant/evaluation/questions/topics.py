"""Topics of TREC: the questions of a test collection, in the three forms they are published in.

The classic one looks like SGML and closes no tags (`<top> <num> Number: 301 <title> …`), as in
https://trec.nist.gov/data/topics_eng/; newer tracks have XML with a `<topic>` each, as TREC-COVID
(https://ir.nist.gov/trec-covid/data/topics-rnd5.xml); others a line `id<TAB>text` each, as MS MARCO
and what ir_datasets exports.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.errors import LoadError, QuestionSetError
from rag_assistant.evaluation.questions.gathering import QuestionCollector
from rag_assistant.evaluation.questions.text_files import text_of
from rag_assistant.evaluation.questions.values import QuestionSet
from rag_assistant.ingest.parsing.markup.xml_tree import all_text, attribute, local, parse

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_TOP = re.compile(r"<top\b[^<>]*>", re.IGNORECASE)
_END = re.compile(r"</top\s*>", re.IGNORECASE)
_FIELD = re.compile(
    r"<(num|number|id|qid|title|query|question|desc|description|narr|narrative|head|dom|smry|con"
    r"|fac|def|prog)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>", re.IGNORECASE)
_LABEL = re.compile(r"\A\s*(?:Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)
_QUESTION_FIELDS = ("query", "title", "question", "desc", "description")
"""What a search engine is given, in order of preference: in TREC the title, where there is one."""

_ID_FIELDS = ("number", "num", "id", "qid")


def read_topics(path: Path, data: bytes) -> QuestionSet:
    """Read topics in whichever of the three forms they are; one without words is left out.

    Raises QuestionSetError when a file of XML cannot be parsed.
    """
    text, notes = text_of(path, data)
    gathered = QuestionCollector(path.name)
    gathered.notes += notes
    if _TOP.search(text):
        topics = _classic(text)
    elif text.lstrip().startswith("<"):
        topics = _xml(path, data)
    else:
        topics = _tabbed(text)
    for line, id, words in topics:
        if id:
            gathered.take(line, {"id": id, "question": words})
        else:
            gathered.leave_out(line, "a topic without a number")
    return gathered.found()


def _classic(text: str) -> Iterator[tuple[int, str, str]]:
    line, before = 1, 0
    for top in _TOP.finditer(text):
        line += text.count("\n", before, top.start())
        before = top.start()
        following = _TOP.search(text, top.end())
        limit = following.start() if following else len(text)
        end = _END.search(text, top.end(), limit)
        fields = _fields(text[top.end() : end.start() if end else limit])
        yield line, _first(fields, _ID_FIELDS), _first(fields, _QUESTION_FIELDS)


def _fields(topic: str) -> dict[str, str]:
    """Give the text of each field, which goes to where the next begins."""
    heads = list(_FIELD.finditer(topic))
    ends = [*(head.start() for head in heads), len(topic)][1:]
    fields: dict[str, str] = {}
    for head, end in zip(heads, ends, strict=True):
        words = html.unescape(_LABEL.sub("", _TAG.sub(" ", topic[head.end() : end])))
        fields.setdefault(head[1].lower(), " ".join(words.split()))
    return fields


def _first(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def _xml(path: Path, data: bytes) -> Iterator[tuple[int, str, str]]:
    try:
        root = parse(data, path.name)
    except LoadError as error:
        raise QuestionSetError(f"{path}: {error.message}.", hint=error.hint) from error
    for topic in root.iter("{*}topic", "{*}top"):
        fields: dict[str, str] = {}
        for child in topic:
            fields.setdefault(local(child), all_text(child))
        id = _first({name: attribute(topic, name) for name in _ID_FIELDS}, _ID_FIELDS)
        words = _first(fields, _QUESTION_FIELDS) or _own_text(topic)
        line: Any = topic.sourceline  # its annotation is not that of a number
        yield line or 1, id or _first(fields, _ID_FIELDS), words


def _own_text(topic: "Element") -> str:
    return all_text(topic) if not len(topic) else ""


def _tabbed(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            id, _, words = line.partition("\t")
            yield number, id.strip(), words.strip()

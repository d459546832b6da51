"""What a question says of the documents that it asks for: their words, authors, dates, places.

Each reader takes one such part from the beginning of what is left of a question, in every way in
which it can be read, and gives it with the rest.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from rag_assistant.models.extractive.folder_kinds import DOCUMENTS, KIND, DocumentKind, kind_of
from rag_assistant.text.languages import language_code
from rag_assistant.text.periods import Period, period_of
from rag_assistant.text.terms import content_terms

Shape = Literal["list", "newest", "oldest", "longest", "groups", "places"]

MOST_WORDS = 6
"""Words that documents are looked through for."""

_MOST_NAMES, _MOST_DATE = 4, 5
"""Words of an author's name, and of a date."""

_LEAST_NAME = 5
"""Letters of a language's name; shorter ones are codes, and words of other meanings."""


@dataclass(frozen=True, slots=True)
class FolderQuestion:
    """What is asked of a folder: which documents, and what of them.

    `words` are looked for side by side where they are `together`, else anywhere in a document;
    `told` says that a verb says so ("mention"). Documents are dated from `start` up to, not
    including, `end`. `count` is how many of the first are wanted, `by` what groups are counted by.
    """

    shape: Shape
    kind: DocumentKind
    words: str = ""
    together: bool = False
    told: bool = False
    author: str = ""
    start: date | None = None
    end: date | None = None
    language: str = ""
    folder: str = ""
    count: int = 1
    by: str = ""
    exists: bool = False
    today: date = date.min


Read = Iterator[tuple[FolderQuestion, str]]
"""The ways to read the beginning of a text: the question with it, and the rest of the text."""

_IS_KIND = re.compile(rf"(?:(?:that|which) )?(?:is an?|are) {KIND}", re.IGNORECASE)
_THAT = r"(?:(?:that|which|who|and) )?"
_THIS = r"(?:this|the|my|our|these|all) (?:folders?|databases?|collection)"
_HERE = rf"(?:here|in (?:here|{_THIS}))"
_EXISTS = re.compile(
    rf"(?:(?:are|is) there|there are|(?:do (?:i|we|you)|does {_THIS}) (?:have|hold|contain)"
    rf"|have (?:i|we) got|(?:are )?{_HERE}|exist|in total|altogether|(?:are )?indexed)(?!\w)",
    re.IGNORECASE,
)
_SAY = re.compile(
    rf"{_THAT}(?:(?P<exact>mentions?|mentioned|names?"
    r"|(?:have|has|hold|holds|use|uses|contains?) the (?:words?|phrase|term|name))"
    r"|contains?|discuss(?:es)?|refers? to|deals? with|talks? (?:about|of)|speaks? (?:about|of)"
    r"|says? (?:something|anything) (?:about|on)|(?:is|are|was|were) (?:all )?about)\s+",
    re.IGNORECASE,
)
_ON = re.compile(
    r"(?:(?:is|are) )?(?:about|on|regarding|concerning|with the (?P<exact>words?|phrase))\s+",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"(?:is|are|was|were|does|do|has|have) "
    r"(?:the (?:words?|phrase|term|name|sum|amount|number)(?: of)? )?",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"(?:mentioned|named|discussed|found|used|appear|occur|stand|come up)(?!\w)", re.IGNORECASE
)
_DETERMINER = re.compile(r"(?:the|a|an|any|our|my|your)\s+", re.IGNORECASE)
_NOT_WORDS = frozenset(
    "who whom what which how why when where whether that or not no without but if is are was were"
    " be do does did can could may must should will would i we you he she it they me us him them"
    " this these those there than more less most least anything something everything from by since"
    " before after with".split()
)
"""Words that what is looked for never has: then something else is asked."""

_BY = re.compile(
    rf"{_THAT}(?:(?:is|are|was|were) )?(?:(?:(?:written|sent|signed|drafted) )?(?:by|from))\s+",
    re.IGNORECASE,
)
_DID = re.compile(r"(?:did|has|have)\s+|(?:(?:that|which) )?(?=[^\W\d_a-z])", re.IGNORECASE)
_WROTE = re.compile(r"(?:write|written|wrote|send|sent|sign|signed|draft|drafted)(?!\w)", re.I)
_NO_NAME = frozenset(
    "the a an my our your his her their its i we you he she it they this that these those last all"
    " any each every which who whom what someone anyone everyone people there is are were was by"
    " from in on at of to for and or did has have do does mention about before after since".split()
)
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.-])*,?")

_MADE = (
    rf"{_THAT}(?:(?:(?:is|are|was|were|has been|have been) )?"
    r"(?:new|dated|written|sent|created|made|changed|modified|added|updated|received|arrived"
    r"|came in|came) |(?:is|are|was|were) )?"
)
_BETWEEN = re.compile(rf"{_MADE}(?:between (?P<and>)|from )", re.IGNORECASE)
_WHEN = re.compile(
    rf"{_MADE}(?:(?P<how>since|as of|from|after|before|newer than|older than|until|till|up to|in|of"
    r"|during|on|for|within|over)\s+|(?=(?:today|yesterday|this|last)\b))",
    re.IGNORECASE,
)
_IN_LANGUAGE = re.compile(r"(?:(?:is|are) )?(?:written )?in (?P<name>[^\W\d_]+)(?!\w)", re.I)
_IN_FOLDER = re.compile(
    r"(?:(?:is|are) )?(?:in|under) (?:the )?(?:(?:folder|directory) [“\"]?(?P<a>[^\s“”\",?]+)[”\"]?"
    r"|[“\"]?(?P<b>[^\s“”\",?]+)[”\"]? (?:folder|directory))(?!\w)",
    re.IGNORECASE,
)


def parts_of(rest: str, asked: FolderQuestion) -> Iterator[FolderQuestion]:
    """Read all of what is left of a question, in every way in which that can be done."""
    rest = rest.strip(" ,")
    if not rest:
        yield asked
        return
    for reader in (_existing, _being, _authored, _dated, _in_language, _in_folder, _saying):
        for read, left in reader(rest, asked):
            yield from parts_of(left, read)


def _existing(rest: str, asked: FolderQuestion) -> Read:
    if found := _EXISTS.match(rest):
        yield replace(asked, exists=True), rest[found.end() :]


def _being(rest: str, asked: FolderQuestion) -> Read:
    found = _IS_KIND.match(rest)
    if found and asked.kind.called == DOCUMENTS:
        kind = kind_of(found["kind"])
        yield replace(asked, kind=kind), rest[found.end() :]


def _saying(rest: str, asked: FolderQuestion) -> Read:
    if asked.words:
        return
    for lead, told in ((_SAY, True), (_ON, False)):
        if found := lead.match(rest):
            exact = found["exact"] is not None
            for words, left in _cuts(rest[found.end() :], MOST_WORDS):
                if looked_for := _looked_for(words, asked.today):
                    yield _with_words(asked, looked_for, told=told, exact=exact), left
    if found := _STANDS.match(rest):
        for words, left in _cuts(rest[found.end() :], MOST_WORDS):
            stands, looked_for = _STANDING.match(left), _looked_for(words, asked.today)
            if stands and looked_for:
                read = _with_words(asked, looked_for, told=True, exact=True)
                yield read, left[stands.end() :]


def _with_words(asked: FolderQuestion, words: str, *, told: bool, exact: bool) -> FolderQuestion:
    quoted = words[0] in '“"'
    joined = " and " in words and not quoted
    together = quoted or (exact and not joined)
    return replace(asked, words=words.strip('“”"'), together=together, told=told)


def _looked_for(words: str, today: date) -> str:
    """Give the words to look for without their article, "" where they are none."""
    if words[0] in '“"':
        return words if content_terms(words) else ""
    bare = _DETERMINER.sub("", words, count=1)
    lower = bare.lower().split()
    if not lower or _NOT_WORDS.intersection(lower) or period_of(bare, today):
        return ""
    known = content_terms(bare) or any(word.isdigit() for word in lower)
    return bare if known and lower[-1] not in ("and", "of", "in", "on", "the", "for") else ""


def _authored(rest: str, asked: FolderQuestion) -> Read:
    if asked.author:
        return
    if found := _BY.match(rest):
        for name, left in _cuts(rest[found.end() :], _MOST_NAMES):
            if _is_name(name, asked.today):
                yield replace(asked, author=name), left
    if found := _DID.match(rest):
        for name, left in _cuts(rest[found.end() :], _MOST_NAMES):
            wrote = _WROTE.match(left)
            if wrote and _is_name(name, asked.today):
                yield replace(asked, author=name), left[wrote.end() :]


def _is_name(words: str, today: date) -> bool:
    parts = words.split()
    return (
        all(_NAME.fullmatch(part) for part in parts)
        and not _NO_NAME.intersection(words.lower().split())
        and period_of(words, today) is None
    )


def _dated(rest: str, asked: FolderQuestion) -> Read:
    if asked.start or asked.end:
        return
    if found := _BETWEEN.match(rest):
        link = "and" if found["and"] is not None else "to"
        for words, left in _cuts(rest[found.end() :], 2 * _MOST_DATE + 1):
            first, _, last = words.partition(f" {link} ")
            begin, end = period_of(first, asked.today), period_of(last, asked.today)
            if begin and end and begin.start < end.end:
                yield replace(asked, start=begin.start, end=end.end), left
    if found := _WHEN.match(rest):
        for words, left in _cuts(rest[found.end() :], _MOST_DATE):
            if period := period_of(words, asked.today):
                yield _within(asked, (found["how"] or "in").lower(), period), left


def _within(asked: FolderQuestion, how: str, period: Period) -> FolderQuestion:
    if how in ("since", "as of"):
        return replace(asked, start=period.start)
    if how in ("after", "newer than"):
        return replace(asked, start=period.end)
    if how in ("before", "older than"):
        return replace(asked, end=period.start)
    if how in ("until", "till", "up to"):
        return replace(asked, end=period.end)
    return replace(asked, start=period.start, end=period.end)


def _in_language(rest: str, asked: FolderQuestion) -> Read:
    found = _IN_LANGUAGE.match(rest)
    name = found["name"] if found else ""
    if found and not asked.language and len(name) >= _LEAST_NAME and language_code(name):
        yield replace(asked, language=name.capitalize()), rest[found.end() :]


def _in_folder(rest: str, asked: FolderQuestion) -> Read:
    found = _IN_FOLDER.match(rest)
    name = (found["a"] or found["b"]).strip("/") if found else ""
    taken = asked.folder or asked.kind.name  # of two filters for paths one would be enough
    if found and not taken and name.lower() not in ("this", "the", "my", "our", ""):
        yield replace(asked, folder=name), rest[found.end() :]


def _cuts(text: str, most: int) -> Iterator[tuple[str, str]]:
    """Cut up to so many words from the beginning of a text; what is in quotes is cut whole."""
    if quoted := re.match(r"“[^“”]+”|\"[^\"]+\"", text):
        yield quoted[0], text[quoted.end() :].strip()
        return
    for count, word in enumerate(re.finditer(r"\S+", text), 1):
        if count > most:
            return
        yield text[: word.end()].strip(" ,"), text[word.end() :].strip()
        if word[0].endswith(","):
            return

"""Questions about a folder as a whole, told from those that its documents answer.

"How many documents mention leave?" is one; "How many days of leave do I get?" is none, nor is
"Which documents must I bring?". A question is read whole or not at all: a kind of document, and
then nothing but what can be looked up exactly: words, authors, dates, languages and folders.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from rag_assistant.models.extractive.folder_kinds import DOCUMENTS, KIND, DocumentKind, kind_of
from rag_assistant.models.extractive.folder_parts import FolderQuestion, Shape, parts_of
from rag_assistant.text.numerals import NUMBER_WORDS

_LONGEST = 200
"""Characters of a question about a folder; a longer one tells a story."""

_MOST_FIRST = 20
"""Documents that may be asked for as the newest, oldest or longest."""

_POLITE = re.compile(
    r"(?:(?:please|ok|hi|hello)[, ]+|(?:can|could|would) you (?:please )?|(?:please )?tell me "
    r"|(?:i (?:want|would like|need) to know|do you know),? )+",
    re.IGNORECASE,
)
_THE = r"(?:(?:all|each|every) )?(?:of )?(?:(?:the|my|our|these|those|your|different) )?"
_SHOW = r"(?:list|show(?: me)?|give me|name|find(?: me)?|give me a list of)"


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


_COUNT = _pattern(rf"(?:in )?(?:how many|count|what is the number of) {_THE}{KIND}")
_WHICH = _pattern(rf"(?:in )?(?:which|what) {_THE}{KIND}")
_LIST = _pattern(rf"{_SHOW} {_THE}{KIND}")
_EACH = _pattern(r"\b(?:each|every|any) ")
_THERE = _pattern(rf"(?:(?:are|is) there|do (?:i|we|you) have) (?:any|an?) {KIND}")
_DO_ANY = _pattern(rf"do(?:es)? any (?:of (?:the|my) )?{KIND}")
_FIRST = _pattern(
    rf"(?:(?:what|which)(?:['’]s| is| are| was| were)|{_SHOW}) the (?:(?P<count>\w+) )?"
    rf"(?P<sort>newest|latest|most recent|oldest|earliest|longest) (?:(?P<after>\w+) )?{KIND}"
)
_IS_FIRST = _pattern(
    rf"(?:which|what)(?: of)? (?:(?:the|my|our|these) )?{KIND} (?:is|was) the "
    r"(?P<sort>newest|latest|most recent|oldest|earliest|longest)$"
)
_NEW = _pattern(
    r"(?:what(?:['’]s| is| has been| was)?|(?:is|was) there|anything|is there anything) "
    r"(?:new|added|changed)(?: (?:here|in here|in (?:the|this|my) (?:folder|database)))?(?= )"
)
_SINCE = _pattern(
    r" (?:since|after|today|this week|this month|last week|last month"
    r"|(?:in|over|within|during) the (?:last|past))\b"
)
_GROUPED = _pattern(
    rf"how many {_THE}{KIND} (?:(?:are there )?(?:per|by|(?:for|of|in|from|by) each)|did each)"
    r" (?P<by>author|person|sender|year|month|folder|language|kind|type)"
    r"(?: of (?:file|document))?(?: (?:write|send|written|sent))?(?!\w)"
)
_MOST = _pattern(
    rf"who (?:wrote|sent) (?:the )?most (?:of )?{_THE}{KIND}(?:,? and how many(?: each)?)?"
)
_HERE = _pattern(
    r"(?:what(?:['’]s| is)|list what is) in (?:this|the|my) (?:folder|database|collection)"
)
_OFTEN = _pattern(r"(?:how often|how many times) (?=(?:is|are|does|do|has|have) )")
_WHERE = _pattern(r"where (?=(?:is|are) .* (?:mentioned|named)(?: in |$))")
_IN_THEM = _pattern(rf"in {_THE}{KIND}")
_WORD = _pattern(r"(?:does|do|is|are|has|have) (?:the (?:word|phrase|term)|[“\"])")

_SORTS: dict[str, Shape] = {"longest": "longest", "oldest": "oldest", "earliest": "oldest"}
_BY = {"person": "author", "sender": "author", "type": "kind"}
_EVERYTHING = DocumentKind(DOCUMENTS)


def read_folder_question(question: str, today: date) -> FolderQuestion | None:
    """Read a question about the folder as a whole; None for every other one."""
    text = " ".join(question.split()).rstrip(" ?.!")
    if not text or len(text) > _LONGEST or re.search(r"[?!.;:] ", text):
        return None
    polite = _POLITE.match(text)
    text = text[polite.end() :] if polite else text
    readers = (_news, _groups, _places, _first, _listed)
    return next((read for reader in readers for read in reader(text, today)), None)


def _listed(text: str, today: date) -> Iterator[FolderQuestion]:
    """Read "how many documents …", "which …", "list all …", "are there any …"."""
    for ask in (_COUNT, _WHICH, _LIST, _THERE, _DO_ANY):
        if not (found := ask.match(text)):
            continue
        kind, is_many = kind_of(found["kind"]), found["kind"].lower().endswith("s")
        is_many = is_many or _EACH.search(found[0]) is not None
        if ask in (_COUNT, _LIST) and not is_many:
            continue
        asked = FolderQuestion("list", kind, exists=ask in (_THERE, _DO_ANY), today=today)
        for read in parts_of(text[found.end() :], asked):
            whole = ask is _LIST or (ask is _THERE and read.kind.called != DOCUMENTS)
            is_all = whole and read == asked and not read.kind.loose
            if (is_all or _says_which(read, asked)) and not _may_be_time(found[0], read):
                yield read


def _says_which(read: FolderQuestion, asked: FolderQuestion) -> bool:
    """Whether a question says which documents it asks for; loose words for them need a verb."""
    if read.kind.loose and not read.told:
        return False
    return replace(read, exists=False) != replace(asked, exists=False) or (
        read.exists and not asked.exists and not read.kind.loose
    )


def _may_be_time(beginning: str, read: FolderQuestion) -> bool:
    """Whether "how many minutes" may be a question for time."""
    lower = beginning.lower()
    return lower.startswith("how many minutes") and not (read.told and read.words)


def _first(text: str, today: date) -> Iterator[FolderQuestion]:
    """Read "the newest minutes", "the three longest documents"."""
    found = _FIRST.match(text) or _IS_FIRST.match(text)
    if not found:
        return
    told = found.groupdict()
    number = (told.get("count") or told.get("after") or "one").lower()
    count = int(number) if number.isdigit() else NUMBER_WORDS.get(number, 0)
    kind = kind_of(found["kind"])
    if not 0 < count <= _MOST_FIRST or kind.loose:
        return
    shape = _SORTS.get(found["sort"].lower(), "newest")
    yield from parts_of(text[found.end() :], FolderQuestion(shape, kind, count=count, today=today))


def _news(text: str, today: date) -> Iterator[FolderQuestion]:
    """Read "what is in this folder", "what is new since October"; not what is new in a version."""
    if _HERE.fullmatch(text):
        yield FolderQuestion("list", _EVERYTHING, today=today)
    found = _NEW.match(text)
    if found and _SINCE.match(text, found.end()):
        asked = FolderQuestion("list", _EVERYTHING, today=today)
        yield from (one for one in parts_of(text[found.end() :], asked) if one.start)


def _groups(text: str, today: date) -> Iterator[FolderQuestion]:
    """Read "how many e-mails did each person write", "who wrote most of the e-mails"."""
    found = _GROUPED.match(text) or _MOST.match(text)
    if found:
        by = found.groupdict().get("by") or "author"
        by = _BY.get(by.lower(), by.lower())
        asked = FolderQuestion("groups", kind_of(found["kind"]), by=by, today=today)
        yield from parts_of(text[found.end() :], asked)


def _places(text: str, today: date) -> Iterator[FolderQuestion]:
    """Read "how often is the roof mentioned in the minutes", "how often does the word … occur"."""
    found = _WHERE.match(text) or _OFTEN.match(text)
    if not found:
        return
    rest = text[found.end() :]
    where = next(iter(_IN_THEM.finditer(rest)), None)
    if where is None and found.re is _OFTEN and not _WORD.match(rest):
        return
    kind = kind_of(where["kind"]) if where else _EVERYTHING
    rest = f"{rest[: where.start()]} {rest[where.end() :]}" if where else rest
    asked = FolderQuestion("places", kind, today=today)
    yield from (replace(one, together=True) for one in parts_of(rest, asked) if one.words)

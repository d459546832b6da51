"""One short question for what a sentence says, made to be read aloud.

Few patterns, each of which is sure of its grammar: who somebody is or does something, what it
costs, how many there may be, until when or how long something holds, when it was or is, and what a
word means. Whatever does not fit one of them bears no question.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rag_assistant.library.passage_facts import is_prose
from rag_assistant.text.english import UNCLEAR, is_plural, kind_of, with_s
from rag_assistant.text.months import MONTHS
from rag_assistant.text.numerals import NUMBER_WORDS
from rag_assistant.text.written_names import Names

AskedOf = Literal["person", "deadline", "amount", "duration", "number", "time", "meaning"]

_LONGEST = 80
"""Characters of a question that is read at a glance."""

_SUBJECT, _OBJECT = 6, 7
"""Words of the subject of a question, and of what follows its verb."""

_NUMBER = rf"(?:\d[\d,.]*|{'|'.join(one for one, n in NUMBER_WORDS.items() if n > 1)})"
_MONTH = "|".join(month.capitalize() for month in MONTHS)
_MONEY = (
    r"(?:[£€$] ?\d[\d,.]*|\d[\d,.]* (?:euros?|pounds?|dollars?|cents?|pence|EUR|USD|GBP|CHF)(?!\w))"
)
_DATE = (
    rf"(?:(?:the end of )?(?:\d{{1,2}} )?(?:{_MONTH})(?: \d{{4}})?|\d{{4}}-\d\d-\d\d|[12]\d{{3}})"
    r"(?![\w-])"
)
_UNIT = r"(?:minutes|hours|days|weeks|months|years|working days|calendar days)"
_MODAL = r"(?:may|can|must|should)"
_MOST = r"(?:(?:up to|at most|no more than|not more than|at least|as many as) )?"
_PERSON = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-ZÀ-Þ][\w'’-]+ (?:[A-Z]\. )?[A-ZÀ-Þ][\w'’-]+"
_WORDS = r"[\w'’-]+(?: [\w'’-]+)*?"
_GOES_ON = (
    r"[.,;!]|$| (?:a|an|and|at|before|but|during|each|for|from|if|in|into|of|on|or|per|plus|to|when"
    r"|with)(?!\w)"
)
"""What comes behind a noun phrase that is whole."""

_PARTICIPLE = (
    r"(?:[a-z]{2,}ed|kept|held|given|paid|sent|taken|made|lent|left|shut|booked|brought|stored)"
)
_DOES = {
    "approved": "approve",
    "authorised": "authorise",
    "signed": "sign",
    "managed": "manage",
    "run": "run",
    "chaired": "chair",
    "led": "lead",
    "headed": "head",
    "elected": "elect",
    "appointed": "appoint",
    "checked": "check",
    "inspected": "inspect",
    "maintained": "maintain",
    "organised": "organise",
}
"""What is done by somebody, as people ask who does it."""

_ASIDE = re.compile(r" ?\([^()]*\)")
_ROLE = re.compile(rf"(?:^|[;,] )[Tt]he (?P<role>[a-z]+(?: [a-z]+){{0,3}}) is {_PERSON}(?![\w-])")
_CHARGE = re.compile(rf"^{_PERSON} is (?:responsible for|in charge of) (?P<what>{_WORDS})\.?$")
_DONE_BY = re.compile(
    rf"^(?P<what>{_WORDS}) (?P<verb>is|are|(?P<modal>{_MODAL}) be) (?P<done>{'|'.join(_DOES)})"
    rf" by (?:the|an?|{_PERSON})(?!\w)"
)
_FOUNDED_BY = re.compile(
    rf"^(?P<what>{_WORDS}) (?:was|were) (?P<done>founded|designed|invented|discovered"
    rf"|proposed|developed) by {_PERSON}"
)
_BY_WHEN = re.compile(
    rf"^(?P<who>{_WORDS}) (?P<modal>{_MODAL}) (?P<what>{_WORDS}) "
    rf"(?P<how>by|before|until|no later than) {_DATE}"
)
_COST = re.compile(rf"^(?P<who>{_WORDS}) (?P<verb>is|are|costs?) {_MOST}{_MONEY}")
_HOW_LONG = re.compile(
    rf"^(?P<who>{_WORDS}) (?P<verb>is|are|{_MODAL} be) (?P<done>{_PARTICIPLE}) for {_MOST}"
    rf"{_NUMBER} {_UNIT}(?!\w)"
)
_HOW_MANY = re.compile(
    rf"^(?P<who>{_WORDS}) (?P<verb>{_MODAL} (?:have|take|borrow|use|bring|claim|carry over|request)"
    rf"|gets?|receives?|needs?|has|have) {_MOST}{_NUMBER} (?P<what>{_WORDS}s)(?!\w)"
    rf"(?P<of> of [a-z-]+(?: [a-z-]+)??(?={_GOES_ON}))?(?P<rest> (?:a|an|per|each|at a) [a-z]+)?"
    rf"(?={_GOES_ON})"
)
_OPENS = re.compile(
    rf"^(?P<who>{_WORDS}) (?P<verb>opens?|closes?|starts?|begins?|ends?) "
    rf"(?P<on>on [A-Z][a-z]+days? )?(?:at|on|from) (?:\d{{1,2}}[:.]\d\d|{_DATE})"
)
_FOUNDED = re.compile(
    rf"^(?P<who>{_WORDS}) (?P<verb>was|were) (?P<done>founded|built|opened|established|introduced"
    rf"|published|signed|completed|adopted|launched) (?:in|on) {_DATE}"
)
_NO_MEANING = (
    "(?:few|lot|matter|must|first|last|most|same|only|good|bad|great|major|important|key|rare|common"
    "|complex|serious|well-known|interesting)(?!\\w)"
)
"""What stands behind "is a" where a thing is valued and not explained."""

_MEANS = re.compile(
    r"^(?P<what>An? [a-z-]+(?: (?!of )[a-z-]+){0,2}) (?:is an?|means) "
    rf"(?!\d|{_NO_MEANING})"
)
_IS = re.compile(
    r"^(?P<what>[A-Z][a-z-]{3,}(?: (?!of )[a-z-]+)?) is (?:an?|the) "
    rf"(?!{_NO_MEANING})[a-z]"
)
_STANDS_FOR = re.compile(r"^(?P<what>[A-Z][A-Z0-9-]{1,7}) stands for ")
MAY_FIT = re.compile(
    rf"[£€$] ?\d|\d (?:euro|pound|dollar|cent|pence|EUR|USD|GBP|CHF)"
    r"| (?:until|by|before|than) (?:the end of |\d|[A-Z][a-z]+(?!\w))"
    rf"| (?:for|have|take|borrow|use|bring|claim|over|request|gets?|receives?|needs?|has) {_MOST}"
    rf"{_NUMBER} | (?:at|on|from|in) (?:\d|[A-Z][a-z]+ \d)"
    rf"| (?:{'|'.join(_DOES)}|founded|designed|invented|discovered|established|proposed|developed)"
    r" by |(?<!\w)[A-Z][a-z-]* .{0,60}(?:is (?:an?|the) |means )| stands for "
    r"| (?:responsible for|in charge of) |[Tt]he [a-z ]{3,60} is [A-Z]"
)
"""What every sentence has that one of the patterns fits."""

Known = Callable[[], Names]
"""Gives which words of the text around a sentence are names; it is read when it is first needed."""


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """A question, and what it asks of."""

    text: str
    of: AskedOf


def question_of(plain: str, names: Known) -> FactQuestion | None:
    """Make the question of a sentence; None where it bears none."""
    if plain.endswith("?") or not MAY_FIT.search(plain):
        return None
    bare = _ASIDE.sub("", plain)
    for of, ask in _ASKING:
        text = ask(bare, names)
        # A name or two make most words of a short sentence capital.
        if text and len(text) < _LONGEST and (of == "person" or is_prose(plain)):
            return FactQuestion(f"{text[0].upper()}{text[1:]}?", of)
    return None


def _role(plain: str, names: Known) -> str:
    del names
    if found := _ROLE.search(plain):
        return f"who is the {found['role']}" if _is_clear(found["role"], _SUBJECT) else ""
    found = _CHARGE.match(plain)
    return f"who is responsible for {found['what']}" if found and _is_phrase(found["what"]) else ""


def _doer(plain: str, names: Known) -> str:
    if (found := _FOUNDED_BY.match(plain)) and _is_subject(found["what"]):
        return f"who {found['done']} {names().lowered(found['what'])}"
    found = _DONE_BY.match(plain)
    if not found or not _agrees(found["what"], found["verb"]):
        return ""
    does = _DOES[found["done"]]
    verb = f"{found['modal']} {does}" if found["modal"] else with_s(does)
    return f"who {verb} {names().lowered(found['what'])}"


def _deadline(plain: str, names: Known) -> str:
    found = _BY_WHEN.match(plain)
    if not found or not _is_subject(found["who"]) or not _is_clear(found["what"], _OBJECT):
        return ""
    asked = "until when" if found["how"] == "until" else "by when"
    return f"{asked} {found['modal']} {names().lowered(found['who'])} {found['what']}"


def _amount(plain: str, names: Known) -> str:
    found = _COST.match(plain)
    if not found or not _agrees(found["who"], found["verb"]):
        return ""
    what = names().lowered(found["who"])
    if found["verb"].startswith("cost"):
        return f"how much {'does' if found['verb'] == 'costs' else 'do'} {what} cost"
    return f"how much {found['verb']} {what}"


def _duration(plain: str, names: Known) -> str:
    found = _HOW_LONG.match(plain)
    if not found or not _agrees(found["who"], found["verb"]):
        return ""
    verb, _, be = found["verb"].partition(" ")
    done = f"{be} {found['done']}".strip()
    return f"for how long {verb} {names().lowered(found['who'])} {done}"


def _number(plain: str, names: Known) -> str:
    found = _HOW_MANY.match(plain)
    if not found or not _agrees(found["who"], found["verb"]) or not _is_clear(found["what"], 2):
        return ""
    who, verb, rest = names().lowered(found["who"]), found["verb"], found["rest"] or ""
    modal, _, main = verb.partition(" ")
    if not main:
        main = "have" if verb == "has" else verb.removesuffix("s")
        modal = "do" if main == verb else "does"
    return f"how many {found['what']}{found['of'] or ''} {modal} {who} {main}{rest}"


def _time(plain: str, names: Known) -> str:
    if (found := _FOUNDED.match(plain)) and _agrees(found["who"], found["verb"]):
        return f"when {found['verb']} {names().lowered(found['who'])} {found['done']}"
    found = _OPENS.match(plain)
    if not found or not _agrees(found["who"], found["verb"]):
        return ""
    on = f" {found['on'].strip()}" if found["on"] else ""
    who, verb = names().lowered(found["who"]), found["verb"]
    base = verb.removesuffix("s")
    return f"when {'do' if base == verb else 'does'} {who} {base}{on}"


def _meaning(plain: str, names: Known) -> str:
    if found := _STANDS_FOR.match(plain):
        return f"what does {found['what']} stand for"
    if found := _MEANS.match(plain):
        what = f"{found['what'][0].lower()}{found['what'][1:]}"
        return f"what is {what}" if _is_subject(found["what"]) else ""
    found = _IS.match(plain)
    if not found or not _agrees(found["what"], "is"):
        return ""
    # What the text writes small elsewhere is a thing; other words may be somebody's name.
    what = found["what"].lower()
    return f"what is {what}" if what.partition(" ")[0] in names().small else ""


_ASKING: tuple[tuple[AskedOf, Callable[[str, Known], str]], ...] = (
    ("person", _role),
    ("person", _doer),
    ("deadline", _deadline),
    ("amount", _amount),
    ("duration", _duration),
    ("time", _time),
    ("number", _number),
    ("meaning", _meaning),
)


def _agrees(subject: str, verb: str) -> bool:
    """Whether words are the subject of a verb: one thing "is" and "costs", several do not."""
    if not _is_subject(subject):
        return False
    first = verb.partition(" ")[0]
    head = subject.partition(" of ")[0].rpartition(" ")[2]
    many = subject.lower() in ("you", "we") or is_plural(head)
    if first in ("may", "can", "must", "should"):
        return True
    return many == (first in ("are", "were") or not first.endswith("s"))


def _is_subject(words: str) -> bool:
    """Whether words are one noun phrase that is clear by itself: no clause, pronoun or list.

    "The price" alone is clear only to those who have read what stands before it.
    """
    parts = words.split()
    kinds = [kind_of(part) for part in parts]
    first = parts[0].lower()
    if len(parts) == 1 and first in ("you", "we"):
        return True
    if first in ("the", "if", "when", "each", "every", "no", "all", "any") and len(parts) < 3:
        return False
    plain = all(
        kind in ("word", "det", "num") or part == "of"
        for kind, part in zip(kinds, parts, strict=True)
    )
    ends = kinds[-1] == "word" and not parts[-1].endswith(("ed", "ing"))
    return plain and ends and _is_clear(words, _SUBJECT)


def _is_phrase(words: str) -> bool:
    return _is_clear(words, _OBJECT) and "aux" not in [kind_of(part) for part in words.split()]


_POINTING = UNCLEAR | frozenset(
    "he who which not and or if when our my we it's both either neither other another same".split()
)


def _is_clear(words: str, most: int) -> bool:
    """Whether words are few, point to nothing said before and tell of one thing."""
    parts = words.lower().split()
    return 0 < len(parts) <= most and not _POINTING.intersection(parts)

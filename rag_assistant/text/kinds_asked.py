"""The kind of thing that a question asks for, and whether words hold one: told by English words.

Of a question in another language nothing is known, and any words may answer it.
"""

import re
from dataclasses import dataclass

from rag_assistant.text.months import MONTHS
from rag_assistant.text.numerals import NUMBER_WORDS
from rag_assistant.text.word_patterns import any_of

_IN_WORDS = any_of((*NUMBER_WORDS, "hundred", "thousand", "million", "half", "once", "twice", "no"))
_NUMBER = rf"(?:\d[\d.,]*|\b{_IN_WORDS}\b)"
_SPAN = r"(?:second|minute|hour|day|night|week|fortnight|month|quarter|year|decade|term|season)s?"
_MONTH = any_of(MONTHS)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: the patterns of questions that ask for it, and of words that hold it."""

    name: str
    asked: re.Pattern[str]
    held: re.Pattern[str]


def _kind(name: str, asked: str, held: str, flags: re.RegexFlag = re.IGNORECASE) -> Kind:
    return Kind(name, re.compile(asked, re.IGNORECASE), re.compile(held, flags))


KINDS = (
    _kind(
        "share",
        r"\b(?:percent(?:age)?|proportion|share|fraction|what rate|rates? of|how likely)\b",
        r"%|\bper ?cent|\b(?:half|third|quarter|fifth|tenth)\b|\b(?:one|\d+) (?:in|of|out of) "
        r"\S+\d",
    ),
    _kind(
        "money",
        r"\bhow much (?:money|do|does|did|is|was|are|were|will|would|can|may)\b|\b(?:price|cost|fee"
        r"|salary|wage|pay rate|budget|deposit|fine|charge)s?\b",
        rf"[£€$¥]\s?\d|\d\s?(?:£|€|euros?\b|pounds?\b|dollars?\b|EUR\b|GBP\b|USD\b|cents?\b|%)"
        rf"|{_NUMBER}\s+(?:euros?|pounds?|dollars?)|\bfree\b|\bno (?:charge|cost|fee)",
    ),
    _kind(
        "time span",
        rf"\bhow long\b|\bhow many (?:\w+ )?{_SPAN}\b|\bhow much (?:time|notice|leave)\b"
        r"|\bhow (?:often|frequent|soon|old)\b|\bduration\b|\bwithin how\b",
        rf"{_NUMBER}[\s-]+(?:\w+[\s-]+){{0,2}}{_SPAN}\b|\b(?:dai|week|month|quarter|year)ly\b"
        rf"|\bannual|\b(?:every|each|per) (?:\w+ )?{_SPAN}\b|\b(?:once|twice)\b|\d\s?(?:h|min|s"
        r"|d)\b",
    ),
    _kind(
        "moment",
        r"\bwhen\b|\b(?:what|which|until what|by what) (?:\w+ )?(?:date|day|year|month|time|century"
        r"|decade|deadline)\b|\bdeadline\b|\bhow (?:late|early)\b|\bwhat time\b",
        rf"\b{_MONTH}\b|\b(?:1[5-9]|20)\d\d\b|\d{{1,2}}:\d\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)"
        rf"day|\b(?:today|tomorrow|noon|midnight|spring|summer|autumn|winter)\b|\d{{1,2}}\s?(?:am|pm)"
        rf"|{_NUMBER}[\s-]+{_SPAN}\b|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b(?:before|after|as soon as)\b",
    ),
    _kind(
        "figure",
        r"\bhow (?:many|much|far|high|big|large|tall|deep|wide|heavy|fast|hot|cold|strong|thick)\b"
        r"|\bwhat (?:(?:is|are|was|were) (?:the )?)?(?:[\w-]+ ){0,2}(?:amount|number|limit|rate"
        r"|temperature|pressure|size|sum|score|length|height|weight|speed|distance|capacity|dose"
        r"|level|voltage|concentration|ratio|quorum|range)\b"
        r"|\bwhich (?:version|number|page|room|value)\b|\b(?:maximum|minimum|longest|shortest)\b",
        _NUMBER,
    ),
    _kind(
        "person",
        r"\bwho(?:m|se)?\b|\b(?:which|what) (?:person|people|author|member|team|company|firm"
        r"|organi[sz]ation|department|officer|manager|contractor|supplier)\b",
        r"\b[A-Z][\w'’-]+\s+(?:[a-z]{2,3}\s+)?[A-Z][\w'’-]+"
        r"|\b(?:[Mm]anager|[Oo]fficer|[Ss]ecretary|[Tt]reasurer|[Cc]hair|[Dd]irector|[Tt]eam"
        r"|[Dd]epartment|[Cc]ommittee|[Cc]ouncil|[Bb]oard|[Ff]irm|[Cc]ompany|[Mm]embers?)\b",
        re.RegexFlag(0),
    ),
    _kind(
        "place",
        r"\bwhere\b|\b(?:which|what) (?:place|city|country|town|room|building|site|region|location"
        r"|address|street|continent|state)\b",
        r"\b(?:in|at|on|near|to|from|into|inside|outside|under|behind|beside|via)\s+(?:the\s+)?[A-Z]"
        r"|\b(?:room|building|office|floor|site|yard|hall|road|street|folder|cabinet|desk|shelf"
        r"|page|menu|tab|door|car park)\b",
        re.RegexFlag(0),
    ),
    _kind(
        "reason",
        r"\bwhy\b|\bwhat (?:\w+ )?(?:caused?|causes|reasons?)\b|\bhow come\b|\bpurpose\b",
        r"\b(?:because|due to|since|as a result|caus\w+|so that|owing|leads?|led to|reasons?"
        r"|therefore|in order to|thus|so as)\b|\bto (?:avoid|ensure|prevent|reduce|allow|keep"
        r"|protect|save|make)\b",
    ),
    _kind(
        "way",
        r"^\s*how (?:do|can|to|should|would|is|are|does|did|was|were)\b|\bwhat (?:should|must|do) "
        r"(?:i|we|you|one)\b|\bsteps\b|\bprocedure\b|\bin what way\b",
        r"^\W*(?:\d+[.)]\s*)?(?:to \w+|[a-z]+ (?:the|your|an?|it) )|\b(?:must|should|can|may)\b"
        r"|\bby (?:\w+ )?\w+ing\b|\bvia\b|\bthrough\b|\busing\b",
    ),
    _kind(
        "meaning",
        r"^\s*(?:what|who)(?:'s| is| are| was| were)\b|\bdefin|\bmeaning\b|\bwhat does\b.*\b(?:mean"
        r"|stand for)\b",
        r"\b(?:is|are|was|were) (?:an?|the|one of|any|called|defined|known)\b|\bmeans?\b"
        r"|\brefers? to\b|\bstands? for\b|\bdefined as\b|\bcalled\b|\bconsists? of\b"
        r"|^\W*[A-Z][\w ()-]{0,40}\*{0,2}:\*{0,2} \w",
    ),
)
"""What can be asked for, the last only where nothing else is told."""


def kind_asked(question: str) -> Kind | None:
    """Give the kind of thing that a question asks for first; None where any words may answer it."""
    *telling, meaning = KINDS
    found = [(match.start(), kind) for kind in telling if (match := kind.asked.search(question))]
    if found:
        return min(found, key=lambda one: one[0])[1]
    return meaning if meaning.asked.search(question) else None


def holds_kind(kind: Kind | None, words: str) -> bool:
    """Say whether words hold a thing of a kind; any words hold what is of none."""
    return kind is None or kind.held.search(words) is not None

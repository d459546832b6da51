"""What the maker of questions knows of English: classes of words, and forms of common verbs.

It is a table and no grammar: a word that it does not know counts as a noun, and a sentence that it
cannot take apart is asked about in another form.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rag_assistant.evaluation.making.verbs import IRREGULAR, REGULAR

Kind = Literal["det", "prep", "aux", "conj", "pron", "adv", "num", "mark", "word"]
VerbForm = Literal["base", "s", "past", "participle", "ing"]

_CLASSES: Mapping[Kind, frozenset[str]] = {
    "aux": frozenset(
        "is are was were be been being am has have had do does did can could may might must shall"
        " should will would cannot".split()
    ),
    "det": frozenset(
        "a an the each every any some no all both either neither another its their his her our your"
        " my such".split()
    ),
    "num": frozenset(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
        " hundred thousand million".split()
    ),
    "pron": frozenset(
        "i you he she it we they me him them us himself herself itself themselves this that these"
        " those there here one ones others ours yours mine theirs someone somebody"
        " anyone anybody everyone nobody none something anything everything nothing".split()
    ),
    "prep": frozenset(
        "about above across after against along among around at before behind below beneath beside"
        " besides between beyond by despite down during except for from in inside into near of off"
        " on onto out outside over past per since than through throughout to toward towards under"
        " until till up upon via with within without".split()
    ),
    "conj": frozenset(
        "and or but nor so yet because although though while whereas if unless when whenever where"
        " wherever whatever whichever whoever which who whom whose as whether how why what".split()
    ),
    "adv": frozenset(
        "also again already always only just even still never not now then soon often once twice"
        " usually normally too very quite rather however therefore thus otherwise instead together"
        " almost perhaps more most less least much later earlier away back ago else ever far"
        " further hence indeed least maybe meanwhile moreover nevertheless sometimes somewhat"
        " today tomorrow yesterday altogether"
        " ahead beforehand apart afterwards abroad well early late".split()
    ),
}
_NOT_ADVERBS = frozenset(
    "family supply reply july assembly italy monopoly anomaly fly ally bully jelly belly apply rely"
    " imply comply daily weekly monthly yearly quarterly elderly friendly lonely early only".split()
)
BE = frozenset("is are was were".split())
MODALS = frozenset("can could may might must shall should will would cannot".split())
UNCLEAR = frozenset(
    "he she it they me him them himself herself itself themselves this that these those there here"
    " one ones others ours yours mine theirs his her its their such former latter above below same"
    " i my".split()
)
"""Words that point to something said before: a question with one cannot stand alone."""

_TOKEN = re.compile(
    r"(?P<word>[£€$]?[^\W_]+(?:[-'’./,:·°][^\W_]+)*[%°]?(?:'(?=\s))?)|(?P<mark>[^\s\w]|_)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of a sentence, with its place and its class."""

    text: str
    start: int
    end: int
    kind: Kind

    @property
    def lower(self) -> str:
        """The word in lower case, its apostrophes straight."""
        return self.text.lower().replace("’", "'")

    @property
    def is_name(self) -> bool:
        """Whether it is written with a capital or a digit."""
        return any(letter.isupper() or letter.isdigit() for letter in self.text)


def tokens_of(sentence: str) -> list[Token]:
    """Cut a sentence into words, joined ones whole ("well-known", "18,450"), and marks."""
    return [
        Token(found[0], *found.span(), "mark" if found["mark"] else _kind(found[0]))
        for found in _TOKEN.finditer(sentence)
    ]


def _kind(word: str) -> Kind:
    lower = word.lower()
    for kind, words in _CLASSES.items():
        if lower in words:
            return kind
    if lower.endswith("ly") and len(lower) > 4 and lower not in _NOT_ADVERBS:
        return "adv"
    return "num" if word[0].isdigit() or word[0] in "£€$" else "word"


@cache
def _verb_forms() -> Mapping[str, Mapping[VerbForm, str]]:
    """Map each form of the known verbs to what it may be, with the base form."""
    found: dict[str, dict[VerbForm, str]] = {}
    for base, past, participle in _verbs():
        forms: dict[VerbForm, str] = {
            "base": base,
            "s": _with_s(base),
            "past": past,
            "participle": participle,
            "ing": _with_ending(base, "ing"),
        }
        for kind, form in forms.items():
            found.setdefault(form, {}).setdefault(kind, base)
    return found


def _verbs() -> Iterator[tuple[str, str, str]]:
    """Give the known verbs: base form, past, past participle."""
    for base in REGULAR.split():
        past = _with_ending(base, "ed")
        yield base, past, past
    for line in IRREGULAR.split(","):
        base, past, *participle = line.split()
        yield base, past, participle[0] if participle else past


def _with_s(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{base}es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}s"


_DOUBLED = frozenset(
    "stop plan drop fit ship step trim skip permit admit submit refer transfer occur commit cut run"
    " set get put begin sit win let forget shut split spin swim dig hit quit cancel travel label"
    " total".split()
)


def _with_ending(base: str, ending: str) -> str:
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + ending
    if base.endswith("y") and base[-2] not in "aeiou" and ending == "ed":
        return f"{base[:-1]}ied"
    return f"{base}{base[-1]}{ending}" if base in _DOUBLED else base + ending


def verb_forms(word: str) -> Mapping[VerbForm, str]:
    """Say which forms of a known verb a word may be, with the verb's base form for each."""
    return _verb_forms().get(word.lower(), {})


def is_participle(word: str) -> bool:
    """Whether a word is a past participle, of a known verb or by its ending."""
    lower = word.lower()
    return "participle" in verb_forms(lower) or (lower.endswith("ed") and len(lower) > 4)


def is_plural(word: str) -> bool:
    """Whether a noun is written as a plural, as far as its ending tells."""
    lower = word.lower()
    return lower in ("people", "children", "men", "women", "staff", "feet", "mice") or (
        lower.endswith("s") and not lower.endswith(("ss", "us", "is", "ics"))
    )

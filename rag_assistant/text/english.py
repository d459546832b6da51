"""What those who make questions know of English: small classes of words, and how words are bent.

It is a table and no grammar: a word that stands in none of its classes counts as a noun or verb.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rag_assistant.text.numerals import NUMBER_WORDS

Kind = Literal["det", "prep", "aux", "conj", "pron", "adv", "num", "mark", "word"]

_CLASSES: Mapping[Kind, frozenset[str]] = {
    "aux": frozenset(
        "is are was were be been being am has have had do does did can could may might must shall"
        " should will would cannot".split()
    ),
    "det": frozenset(
        "a an the each every any some no all both either neither another its their his her our your"
        " my such".split()
    ),
    "num": frozenset(word for word, number in NUMBER_WORDS.items() if number > 1),
    "pron": frozenset(
        "i you he she it we they me him them us himself herself itself themselves this that these"
        " those there here one ones others ours yours mine theirs someone somebody anyone anybody"
        " everyone nobody none something anything everything nothing".split()
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
        " too very quite rather however therefore thus otherwise instead together almost perhaps"
        " more most less least much later earlier away back ago else ever far further hence today"
        " tomorrow yesterday afterwards well early late".split()
    ),
}
_NOT_ADVERBS = frozenset("family supply reply july assembly apply rely imply comply daily".split())
UNCLEAR = frozenset(
    "he she it they me him them his her its their this that these those there here one ones others"
    " such former latter above below same i my".split()
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


def tokens_of(sentence: str) -> list[Token]:
    """Cut a sentence into words, joined ones whole ("well-known", "18,450"), and marks."""
    return [
        Token(found[0], *found.span(), "mark" if found["mark"] else kind_of(found[0]))
        for found in _TOKEN.finditer(sentence)
    ]


def kind_of(word: str) -> Kind:
    """Name the class of a word."""
    lower = word.lower() if word != "May" else ""
    for kind, words in _CLASSES.items():
        if lower in words:
            return kind
    if lower.endswith("ly") and len(lower) > 4 and lower not in _NOT_ADVERBS:
        return "adv"
    return "num" if word[0].isdigit() or word[0] in "£€$" else "word"


def is_plural(word: str) -> bool:
    """Whether a noun is written as a plural, as far as its ending tells."""
    lower = word.lower()
    return lower in ("people", "children", "men", "women", "staff", "feet") or (
        lower.endswith("s") and not lower.endswith(("ss", "us", "is", "ics"))
    )


_IRREGULAR = {
    line.split()[0]: tuple(line.split()[1:])
    for line in (
        "begin began begun|buy bought bought|choose chose chosen|get got got|give gave given"
        "|hold held held|keep kept kept|lose lost lost|make made made|pay paid paid|put put put"
        "|send sent sent|take took taken|tell told told|write wrote written|find found found"
        "|meet met met|build built built|spend spent spent|set set set|go went gone"
        "|come came come|bring brought brought|grow grew grown|see saw seen|show showed shown"
        "|speak spoke spoken|wear wore worn|ring rang rung|let let let|say said said"
        "|lie lay lain|rise rose risen|think thought thought|leave left left|fix fixed fixed"
    ).split("|")
}
_DOUBLED = frozenset(
    "stop plan drop fit ship step permit admit submit refer occur let set put get swap".split()
)


def verb_forms(base: str) -> tuple[str, str, str, str, str]:
    """Give base, form with s, past, participle, form with ing; of "put back" the first word's."""
    verb, _, rest = base.partition(" ")
    past, participle = _IRREGULAR.get(verb, (_ended(verb, "ed"),) * 2)
    forms = (verb, with_s(verb), past, participle, _ended(verb, "ing"))
    one, two, three, four, five = (f"{form} {rest}".strip() for form in forms)
    return one, two, three, four, five


def with_s(word: str) -> str:
    """Write the plural of a noun, or the third person of a verb."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def _ended(verb: str, ending: str) -> str:
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + ending
    if re.search(r"[^aeiou]y$", verb) and ending == "ed":
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}{ending}" if verb in _DOUBLED else verb + ending

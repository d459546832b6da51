"""Which language a text is in, told by its commonest words."""

from collections import Counter
from collections.abc import Mapping
from functools import cache

from rag_assistant.text.terms import is_unspaced, words_in

ENGLISH = "English"
UNSPACED = "unspaced"
"""Stands for languages that are written without spaces between words."""

_COMMON: Mapping[str, str] = {
    ENGLISH: "the of and to in is that for it with as was on are be this by from at or an not have"
    " has which were been can will a you we they but if its when",
    "German": "der die das und den von zu mit ist auf für im dem nicht ein eine des sich auch"
    " werden wird als bei oder einer aus nach wie zum zur über nur sind kann",
    "French": "le la les de des et du un une en que qui pour dans est sur au aux par avec ne pas ce"
    " sont plus cette ou se il elle",
    "Spanish": "el la los las de y del un una en que por para con es se al no su como más pero o lo"
    " sus este esta son",
    "Italian": "il lo la gli le di e del della un una in che per con è non si da al dei delle sono"
    " come più anche nel",
    "Portuguese": "o a os as de e do da dos das um uma em que por para com é se não ao no na mais"
    " como foi são",
    "Dutch": "de het een en van in is op te dat die voor met zijn niet aan er om ook als bij door"
    " naar wordt of maar",
    "Swedish": "och att det som en på är av för med den till inte om ett har de var kan vid eller"
    " från",
    "Danish or Norwegian": "og at det som en på er af for med den til ikke om et har de var kan ved"
    " eller fra",
    "Polish": "i w na z się nie do jest to że o jak po za od dla oraz przez są lub który",
}
_LEAST_SHARE, _FEWEST_WORDS = 0.12, 5


@cache
def _common() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in _COMMON.items()}


def common_words(language: str) -> frozenset[str]:
    """Give the commonest words of a language; none of one that is not known here."""
    return _common().get(language, frozenset())


def language_of(text: str) -> str:
    """Name the language of a text; "" where its words tell none, as those of tables and code."""
    words = [word.lower() for word in words_in(text)]
    if any(is_unspaced(word) for word in words):
        return UNSPACED
    if len(words) < _FEWEST_WORDS:
        return ""
    counted = Counter(
        {name: sum(word in common for word in words) for name, common in _common().items()}
    )
    name, count = counted.most_common(1)[0]
    if count == counted[ENGLISH]:
        name = ENGLISH
    several = len(_common()[name].intersection(words)) > 1
    return name if several and count >= _LEAST_SHARE * len(words) else ""

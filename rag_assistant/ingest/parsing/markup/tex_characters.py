"""The characters that TeX writes as commands: accents on letters, letters of other alphabets, and
signs. LaTeX files and BibTeX entries share them.
"""

import re
import unicodedata

_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "b": "\u0331",
    "d": "\u0323",
}
_LETTERS = {
    **{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å"},
    **{"AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dots": "…", "ldots": "…"},
    **{"textendash": "–", "textemdash": "—", "textbackslash": "\\", "textasciitilde": "~"},
    **{"S": "§", "P": "¶", "copyright": "©", "pounds": "£", "euro": "€", "textdegree": "°"},
    **{"LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX"},
}
_NAMES = "|".join(sorted(_LETTERS, key=len, reverse=True))
CHARACTER = re.compile(
    r"\\(?P<accent>[`'^~\"=.]|[uvHckrbd](?![A-Za-z]))[ \t]*"
    r"(?:\{[ \t]*\\?(?P<braced>[A-Za-z])[ \t]*\}|\\?(?P<bare>[A-Za-z]))"
    rf"|\\(?P<letter>{_NAMES})(?![A-Za-z])[ \t]*(?:\{{\}})?"
    r"|\\(?P<sign>[%&$#_{}])"
)
"""A command that stands for one character, or a few."""


def character(found: re.Match[str]) -> str:
    """Give what a match of `CHARACTER` stands for."""
    if sign := found["sign"] or _LETTERS.get(found["letter"] or ""):
        return sign
    letter = found["braced"] or found["bare"]
    return unicodedata.normalize("NFC", letter + _COMBINING[found["accent"]])


def plain(text: str) -> str:
    """Give a value of BibTeX, or a short text of LaTeX, without its commands and braces."""
    text = CHARACTER.sub(lambda found: character(found).translate(_SAVED), text)
    text = re.sub(r"\\[A-Za-z]+\*?[ \t]*|\\.|[{}$]", "", text.replace("~", " "))
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    return " ".join(text.translate(_RESTORED).split())


# Signs that were escaped are kept from what takes the others out.
_SAVED = {ord(sign): chr(0xE000 + ord(sign)) for sign in "{}$\\~"}
_RESTORED = {place: chr(sign) for sign, place in ((s, ord(p)) for s, p in _SAVED.items())}

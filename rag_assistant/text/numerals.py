"""Numbers as they are written: in digits with the separators of several countries, in English
words, as fractions, and the words and letters that scale them. Amounts are exact; what can be read
in two ways ("1.234") has both.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

Amount = int | Fraction
"""An exact number. Equal ones are equal, and have one hash, in either type."""

LONGEST = 40
"""Digits of a number; what has more of them is no amount but a code."""

_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
NUMBER_WORDS: Mapping[str, int] = {**_SMALL, **_TENS}
"""Numbers of a single English word, below a hundred."""

_IRREGULAR = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
}
ORDINAL_WORDS: Mapping[str, int] = {
    **{f"{word}th": number for word, number in _SMALL.items() if number in (4, 6, 7, 10, 11)},
    **{f"{word}th": number for word, number in _SMALL.items() if number > 12},
    **{f"{word[:-1]}ieth": number for word, number in _TENS.items()},
    **_IRREGULAR,
}
"""Ordinal numbers of a single English word."""

_PARTS: Mapping[str, int] = {
    **{word: number for word, number in ORDINAL_WORDS.items() if 2 < number <= 10},
    **{"half": 2, "quarter": 4},
}
_PARTS_OF = {**_PARTS, **{f"{word}s": number for word, number in _PARTS.items()}, "halves": 2}

_HUNDRED = 100
SCALES: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("hundred",), (_HUNDRED,)),
    **dict.fromkeys(("dozen",), (12,)),
    **dict.fromkeys(("thousand", "thousands", "tausend", "tsd", "duizend", "mila"), (10**3,)),
    **dict.fromkeys(("lakh", "lakhs", "lac", "lacs"), (10**5,)),
    **dict.fromkeys(
        "million millions mn mln mio millionen millones millón milioni milione miljoen".split(),
        (10**6,),
    ),
    **dict.fromkeys(("crore", "crores"), (10**7,)),
    **dict.fromkeys(
        "billion bn milliarde milliarden milliard milliards mrd mds mia miliardo miliardi miljard"
        " miljarden".split(),
        (10**9,),
    ),
    "billions": (10**9, 10**12),
    **dict.fromkeys(
        ("trillion", "trn", "billionen", "billón", "billones", "bilioni", "biljoen"), (10**12,)
    ),
    "trillions": (10**12, 10**18),
    "trillionen": (10**18,),
}
"""What a word makes of the number before it. In English and in Arabic digits a billion is 10^9; the
languages of the long scale have their own words for theirs, and what both may have written
("billions") has two readings."""

SCALE_LETTERS: Mapping[str, int] = {
    "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12, "tn": 10**12, "mm": 10**6, "md": 10**9,
    "cr": 10**7,
}  # fmt: skip
"""Letters that scale a sum of money; elsewhere "m" may be metres, too."""

_VULGAR = {
    sign: Fraction(unicodedata.numeric(sign)).limit_denominator(10) for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
}
VULGAR_SIGNS = "".join(_VULGAR)

_SPACES = "\u00a0\u2007\u2009\u202f"
_DIGITS = re.compile(
    rf"(?P<spaced>[1-9]\d{{0,2}}(?P<gap>[ {_SPACES}'’])\d{{3}}(?:(?P=gap)\d{{3}}){{0,3}}(?![\d'’])"
    r"(?!(?P=gap)\d{3}(?!\d))(?:[.,]\d+)?(?![.,]?\d))"
    r"|\d+(?:[.,]\d+)*"
)
"""Digits with separators; a longer row of groups of three is a row of numbers."""

_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3}")
_GROUPED_BY_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_FRACTION = re.compile(r"(?P<over>\d{1,3})/(?P<under>\d{1,3})(?![\d/.,-]*\d)")
_MAY_GO_ON = frozenset(f" /{VULGAR_SIGNS}")
_OF_A_UNIT = frozenset((2, 3, 4, 5, 8, 16))
_DENOMINATORS = frozenset((*range(2, 17), 20, 32, 64, 100, 1000))
_NEXT_WORD = re.compile(r"(?:-|‑|\s{1,3})(?P<and>and\s{1,3})?(?P<word>[A-Za-z]+)")
_WORD = re.compile(r"[A-Za-z]+")
_AND_PART = re.compile(
    r"\s{1,3}and\s{1,3}(?:an?|(?P<over>one|two|three|four))[\s-](?P<part>half|thirds?|quarters?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number that ends before `end`: its readings, the likeliest first; none for a code of digits
    and separators ("3.5.0"). `rank` says that it is an ordinal number, `scale` what its last word
    scales all of it by ("five million"), as its amounts are already."""

    amounts: tuple[Amount, ...]
    end: int
    rank: bool = False
    words: int = 0
    scale: int = 1


def numeral_at(text: str, place: int) -> Numeral | None:
    """Read the number whose first digit or letter is at `place`, without a sign or a scale."""
    first = text[place]
    if first in _VULGAR:
        return Numeral((_VULGAR[first],), place + 1)
    if not first.isdecimal():
        return _in_words(text, place)
    match = _DIGITS.match(text, place)
    assert match is not None
    written = match[0]
    if "," in written and place > 1 and text[place - 1] == "," and text[place - 2].isdecimal():
        written = written[: written.index(",")]  # goes on with a list
        return Numeral(_amounts(written), place + len(written))
    if len(written) < LONGEST and written.isdecimal():
        return _with_fraction(text, Numeral((int(written),), match.end()), place)
    amounts = _amounts(written, spaced=match["gap"])
    if not amounts and "," in written and "." not in written and len(written) <= LONGEST:
        end = place + written.index(",")  # "1,2,3" is a list
        return Numeral(_amounts(text[place:end]), end)
    return _with_fraction(text, Numeral(amounts, match.end()), place)


def _amounts(written: str, spaced: str | None = None) -> tuple[Amount, ...]:
    """Give the readings of digits and separators, none where they make no number."""
    if len(written) > LONGEST:
        return ()
    if spaced:
        return (_decimal(written.replace(spaced, "").replace(",", ".")),)
    points, commas = written.count("."), written.count(",")
    if points and commas:
        return _with_both(written)
    if commas:
        grouped = _GROUPED.fullmatch(written)
        plain = written.replace(",", "" if grouped else ".")
        return (_decimal(plain),) if grouped or commas == 1 else ()
    by_points = _GROUPED_BY_POINTS.fullmatch(written)
    as_decimal = (_decimal(written),) if points < 2 else ()
    return (*as_decimal, int(written.replace(".", ""))) if by_points else as_decimal


def _with_both(written: str) -> tuple[Amount, ...]:
    """Read a number that has points and commas: the last one is that of the decimals."""
    last = max(written.rfind("."), written.rfind(","))
    whole, decimals = written[:last], written[last + 1 :]
    pattern = _GROUPED if written[last] == "." else _GROUPED_BY_POINTS
    if not pattern.fullmatch(whole):
        return ()
    return (_decimal(f"{whole.replace(',', '').replace('.', '')}.{decimals}"),)


def _decimal(written: str) -> Amount:
    whole, _, decimals = written.partition(".")
    if not decimals.strip("0"):
        return int(whole)
    return Fraction(int(whole + decimals), 10 ** len(decimals))


def _with_fraction(text: str, found: Numeral, place: int) -> Numeral:
    """Take in a fraction behind a whole number ("2½", "2 1/2", "2 and a half"), or read one
    ("3/4")."""
    end = found.end
    following = text[end : end + 2]
    if not following or following[0] not in _MAY_GO_ON:
        return found
    amount = found.amounts[0] if len(found.amounts) == 1 else None
    if not isinstance(amount, int):
        return found
    if following[0] in _VULGAR:
        return Numeral((amount + _VULGAR[following[0]],), end + 1)
    if following[1:] in ("a", "A"):
        return _and_part(text, found)
    whole = following[0] == " "
    match = _FRACTION.match(text, end + 1 if whole else place) if amount < 1000 else None
    over, under = (int(match["over"]), int(match["under"])) if match else (0, 0)
    if match is None or not over < under or under not in (_OF_A_UNIT if whole else _DENOMINATORS):
        return found
    return Numeral((Fraction(over, under) + (amount if whole else 0),), match.end())


def _and_part(text: str, found: Numeral) -> Numeral:
    match = _AND_PART.match(text, found.end)
    if match is None or not found.amounts:
        return found
    over = _SMALL[match["over"].lower()] if match["over"] else 1
    part = Fraction(over, _PARTS_OF[match["part"].lower()])
    return Numeral((found.amounts[0] + part,), match.end(), words=found.words + 3)


def _in_words(text: str, place: int) -> Numeral | None:
    match = _WORD.match(text, place)
    word = match[0].lower() if match else ""
    if match is None:
        return None
    if word in ("a", "an", "half"):
        return _of_an_article(text, place, word)
    if word in ORDINAL_WORDS:
        return Numeral((ORDINAL_WORDS[word],), match.end(), rank=True, words=1)
    if word not in NUMBER_WORDS:
        return None
    return _and_part(text, _sum_of_words(text, match))


_ARTICLE = re.compile(
    r"(?P<half>half\s+)?an?\s+(?:(?P<scale>hundred|thousand|million|billion|trillion|dozen)\b"
    r"|(?P<part>third|quarter|fifth|tenth)(?=\s+of\b)|(?P<unit>hour|minute|mile|day|year|week|month"
    r"|kilometre|kilometer|metre|meter|litre|liter|kilo|pound|ton|tonne|inch|century|decade)\b)",
    re.IGNORECASE,
)


def _of_an_article(text: str, place: int, word: str) -> Numeral | None:
    """Read "a hundred", "half a million", "half an hour" and "a third of"."""
    match = _ARTICLE.match(text, place)
    if match is None or (match["unit"] and not match["half"]):
        return None
    if match["part"]:
        half = match["half"]
        part = Fraction(1, _PARTS_OF[match["part"].lower()])
        return None if half else Numeral((part,), match.end("part"), words=2)
    amount: Amount = Fraction(1, 2) if match["half"] else 1
    if match["unit"]:
        return Numeral((amount,), match.start("unit"), words=2)
    return Numeral((amount * SCALES[match["scale"].lower()][0],), match.end("scale"), words=2)


def _sum_of_words(text: str, first: re.Match[str]) -> Numeral:
    """Read number words from the first on: "two hundred and five thousand", "twenty-one", "two
    thirds", "twenty-first"."""
    word, end, count = first[0].lower(), first.end(), 1
    total, part, scale = 0, NUMBER_WORDS[word], 1
    fresh = part  # what the last word said below a hundred
    while count < 10 and (match := _NEXT_WORD.match(text, end)):
        word = match["word"].lower()
        number = NUMBER_WORDS.get(word)
        whole = (part and not part % _HUNDRED) or (total and not part)
        if number is not None and ((fresh in _TENS.values() and 0 < number < 10) or whole):
            if match["and"] and not whole:
                break
            part, fresh, scale = part + number, number, 1
        elif match["and"]:
            break
        elif word == "hundred" and 0 < part < _HUNDRED:
            part, fresh = part * _HUNDRED, 0
        elif word in ("thousand", "million", "billion", "trillion") and part:
            scale = 1 if total else SCALES[word][0]
            total, part, fresh = total + part * SCALES[word][0], 0, 0
        elif word in _PARTS_OF and count == 1 and 0 < part < 20:
            if (part == 1) == (word in _PARTS):
                return Numeral((Fraction(part, _PARTS_OF[word]),), match.end(), words=2)
            break
        elif ORDINAL_WORDS.get(word, 10) < 10 and fresh in _TENS.values():
            amount = total + part + ORDINAL_WORDS[word]
            return Numeral((amount,), match.end(), rank=True, words=count + 1)
        else:
            break
        end, count = match.end(), count + 1
    return Numeral((total + part,), end, words=count, scale=scale)


_LEADING_ZEROS = re.compile(r"\b0+(?=\d+:)")


def plain_number(written: str) -> str:
    """Give digits as they are compared word for word: no separators between thousands where they
    can be nothing else, an hour without its zero, the minus of a keyboard."""
    number = unicodedata.normalize("NFKC", written).replace("−", "-")
    digits = number.removeprefix("-")
    if "," in digits:
        whole, point, decimals = digits.partition(".")
        if _GROUPED.fullmatch(whole) and (not point or decimals.isdecimal()):
            number = number.replace(",", "")
    return _LEADING_ZEROS.sub("", number)

"""Numbers as lists and notes show them (i, IV, b, 三, 01, 2nd), by the names that Word,
OpenDocument and DrawingML have for the same forms. A form that is not known is shown in digits.
"""

from collections.abc import Callable

from rag_assistant.ingest.parsing.roman_numbers import roman

_MOST_REPEATED = 30  # letters of one number; Word stops at the 30th z, too
_CHINESE_DIGITS = "〇一二三四五六七八九"
_CHINESE_PLACES = ("", "十", "百", "千")
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {
    **{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"},
    **{"nine": "ninth", "twelve": "twelfth"},
}


def _repeated_letter(number: int) -> str:
    """Give a to z, then aa, bb (Word's way, ECMA-376-1, 17.18.59)."""
    times, place = divmod(number - 1, 26)
    if number < 1 or times >= _MOST_REPEATED:
        return str(number)
    return chr(ord("a") + place) * (times + 1)


def _letters(number: int) -> str:
    """Give a to z, then aa, ab (OpenDocument's way without `num-letter-sync`)."""
    if number < 1:
        return str(number)
    parts: list[str] = []
    while number:
        number, place = divmod(number - 1, 26)
        parts.append(chr(ord("a") + place))
    return "".join(reversed(parts))


def _ordinal(number: int) -> str:
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _words(number: int) -> str:
    if not 0 <= number < 100:
        return str(number)
    if number < 20:
        return _SMALL[number]
    tens, rest = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[rest]}" if rest else "")


def _ordinal_words(number: int) -> str:
    before, dash, last = _words(number).rpartition("-")
    if last.isdigit():
        return _ordinal(number)
    last = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{before}{dash}{last}"


def _chinese(number: int) -> str:
    if not 0 < number < 10_000:
        return "".join(_CHINESE_DIGITS[int(digit)] for digit in str(max(number, 0)))
    parts: list[str] = []
    digits = [int(digit) for digit in str(number)]
    for at, digit in enumerate(digits):
        place = len(digits) - at - 1
        if digit:
            parts.append(_CHINESE_DIGITS[digit] + _CHINESE_PLACES[place])
        elif parts and parts[-1] != _CHINESE_DIGITS[0] and any(digits[at:]):
            parts.append(_CHINESE_DIGITS[0])
    text = "".join(parts)
    return text[1:] if 10 <= number < 20 else text


_FORMS: dict[str, Callable[[int], str]] = {
    **dict.fromkeys(("lowerRoman", "romanLc", "i"), roman),
    **dict.fromkeys(("upperRoman", "romanUc", "I"), lambda number: roman(number).upper()),
    **dict.fromkeys(("lowerLetter", "alphaLc"), _repeated_letter),
    **dict.fromkeys(("upperLetter", "alphaUc"), lambda number: _repeated_letter(number).upper()),
    "a": _letters,
    "A": lambda number: _letters(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
    "ordinal": _ordinal,
    "cardinalText": lambda number: _words(number).capitalize(),
    "ordinalText": lambda number: _ordinal_words(number).capitalize(),
    **dict.fromkeys(
        (
            *("chineseCounting", "chineseCountingThousand", "japaneseCounting"),
            *("taiwaneseCounting", "taiwaneseCountingThousand", "ideographDigital"),
        ),
        _chinese,
    ),
    "none": lambda _: "",
    "": lambda _: "",
}


def numeral(number: int, form: str) -> str:
    """Write a number in a form: `w:numFmt` of Word, `style:num-format` of OpenDocument, or the
    first part of `buAutoNum` of DrawingML ("alphaLc", "romanUc", "arabic").
    """
    return _FORMS.get(form, str)(number)

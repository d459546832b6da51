"""Which language a text is in, told by its script and its commonest words, or that it is not sure.

A short list of languages is known, by their ISO 639-1 codes. What is none of these, or too short,
or like two of them, is of no language rather than of the wrong one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from heapq import nlargest

from rag_assistant.text.terms import words_in

ENGLISH = "en"
UNSPACED = frozenset({"zh", "ja", "ko", "th"})
"""Languages whose words are not told apart by spaces, or not as search cuts them."""

_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ka": "Georgian", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian",
    "sv": "Swedish", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_SAME = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "cmn": "zh"}
"""Codes that say the same, or that are not told apart here."""

_COMMON: Mapping[str, str] = {
    "en": "the of and to in is that for it with as was on are be this by from at or an not have has"
    " which were been when will a you we they but if its can all any their there these would",
    "de": "der die das und den von zu mit ist auf für im dem nicht ein eine des sich auch werden"
    " wird als bei oder einer aus nach wie zum zur über nur sind kann wurde dass diese durch sie"
    " wenn haben ihre einen hat es um noch vor bis",
    "fr": "le la les de des et du un une en que qui pour dans est sur au aux par avec ne pas ce"
    " sont plus cette ou se il elle vous nous être ces son sa ses leur été mais comme",
    "es": "el la los las de y del un una en que por para con es se al no su como más pero o lo sus"
    " este esta son ha está entre cuando sin sobre también hay ser fue",
    "it": "il lo la gli le di e del della un una in che per con è non si da al dei delle sono come"
    " più anche nel questo alla ma o nella dal ha essere i della su",
    "pt": "o a os as de e do da dos das um uma em que por para com é se não ao no na mais como foi"
    " são ou pelo pela à sua seu mas ser está também quando muito você nos",
    "nl": "de het een en van in is op te dat die voor met zijn niet aan er om ook als bij door naar"
    " wordt of maar worden deze kan dit heeft uit nog over hebben",
    "sv": "och att det som en på är av för med den till inte om ett har de var kan vid eller från"
    " men så ska jag vi när under också efter detta",
    "da": "og at det som en på er af for med den til ikke om et har de var kan ved eller fra der"
    " blev også efter men hvad nogle sig skal jeg vi være mere hvis",
    "no": "og at det som en på er av for med den til ikke om et har de var kan ved eller fra ble"
    " også etter men hva noen seg skal jeg vi være mer hvis å",
    "fi": "ja on ei että se oli joka mutta myös kun tai ovat hän tämä sen kuin olla jos niin voi"
    " ole mukaan sekä siitä sitä vain jotka ovat jo nyt kanssa",
    "pl": "i w na z się nie do jest to że o jak po za od dla oraz przez są lub który być może tym"
    " tego która ale było jego może które ich",
    "cs": "a v na se je že s z do o k i ve pro za by ale jako od po které který jsou tak jeho nebo"
    " byl až bylo při není podle také jsem může",
    "sk": "a v na sa je že s z do o k aj vo pre za by ale ako od po ktoré ktorý sú tak jeho alebo"
    " bol až bolo pri nie podľa tiež som môže zo",
    "hu": "a az és hogy nem is egy ez meg de van volt csak mint már vagy kell azt el ki lehet"
    " szerint után minden ha még nincs ezt olyan majd",
    "ro": "și de la în a un o cu pe din care nu este să pentru ce mai sunt fi prin sau au fost ca"
    " dar se al sa ale după acest este către",
    "tr": "ve bir bu için ile de da çok olarak daha olan gibi kadar ne var değil ise veya en her"
    " sonra ancak ya o mi göre tarafından oldu bunu",
    "hr": "i je u na se da su za od s kao ne koji što biti ili bio koja po će iz nije bi ali sve"
    " samo može nakon prema još te kako jer",
    "sl": "in je v na se da so za od s z kot ne ki ali bil po iz ni bi pa še tudi lahko pri ko bo"
    " sem kar kako ker ter do",
    "ca": "el la els les de i del un una en que per amb és no es al com més però o ser són aquest"
    " aquesta va ha també si dels seva seu molt quan",
    "id": "dan yang di dari untuk dengan ini itu pada adalah tidak dalam akan ke atau oleh juga"
    " sebagai bisa telah karena ada saya kami mereka dapat harus",
    "vi": "và của là các có không được cho một trong với người này để những khi đã từ vào đến"
    " nhưng tại về cũng như bạn phải",
    "et": "ja on ei et see oli mis ka kui aga või ning oma ta seda mida selle kes olid nii siis"
    " veel kas pole saab välja kuid",
    "lv": "un ir no uz ar par ka kas tas bija kā arī vai nav šo to bet pie tiek pēc var lai tika"
    " jau gan savu tikai",
    "lt": "ir yra į iš kad su tai ne kaip bet buvo už ar nuo taip pat tik jis savo po apie gali"
    " dėl arba kai jos prie",
    "ru": "и в не на что с по как это он она к из у за от для но так же то бы его или все был при"
    " было если их уже только можно",
    "uk": "і в не на що з та як це він вона до із у за від для але так ж то б його або все був при"
    " було якщо їх вже тільки може є й",
    "bg": "и на в за да се не от е с по че са като това си ще от при или беше ли които който след"
    " но към има до най-много все",
    "sr": "и је у на се да су за од са као не који што бити или био која по ће из није би али све"
    " само може након према још",
    "fa": "و در به از که این را با است برای آن یک تا بر هم شد می های بود یا اما خود هر نیز",
    "ar": "في من على إلى أن هذا التي عن مع الذي لا ما هذه كان هو أو بعد كل هي قد لم بين ذلك",
    "hi": "के में है की का से को और पर हैं यह एक ने कि भी नहीं तो लिए हो इस था जो या कर",
}
_LETTERS_OF_ITS_OWN: Mapping[str, str] = {
    "cs": "ěřů", "de": "ß", "es": "ñ¿¡", "fa": "پچژگ", "fr": "œ", "hu": "őű", "lt": "ėįų",
    "lv": "ģķļņ", "pl": "łśźż", "pt": "ãõ", "ro": "șțţ", "ru": "ыэё", "sk": "ľĺŕ", "sr": "ђћ",
    "tr": "ğı", "uk": "іїєґ",
}  # fmt: skip
"""Letters that of the languages here only one has: a word with one counts as one of its own."""

_HOLDERS = {letter: code for code, letters in _LETTERS_OF_ITS_OWN.items() for letter in letters}

_SCRIPTS = {
    "Kana": ("\u3041-\u30ff", ("ja",)),
    "Hangul": ("\uac00-\ud7a3", ("ko",)),
    "Han": ("\u4e00-\u9fff", ("zh",)),
    "Thai": ("\u0e01-\u0e5b", ("th",)),
    "Greek": ("\u0370-\u03ff\u1f00-\u1fff", ("el",)),
    "Hebrew": ("\u05d0-\u05ea", ("he",)),
    "Armenian": ("\u0531-\u0587", ("hy",)),
    "Georgian": ("\u10d0-\u10ff", ("ka",)),
    "Bengali": ("\u0980-\u09ff", ("bn",)),
    "Tamil": ("\u0b80-\u0bff", ("ta",)),
    "Telugu": ("\u0c00-\u0c7f", ("te",)),
    "Cyrillic": ("\u0400-\u04ff", ("ru", "uk", "bg", "sr")),
    "Arabic": ("\u0620-\u06ff", ("ar", "fa")),
    "Devanagari": ("\u0900-\u097f", ("hi",)),
}
_LATIN = tuple(code for code in _COMMON if not any(code in of for _, of in _SCRIPTS.values()))
_OTHER_SCRIPTS = re.compile(r"[\u0370-\u1dff\u1f00-\u1fff\u2e80-\ud7a3]+")
_LIST_MARK = re.compile(r"^[ \t(]*(?:[a-z]|[ivxlc]{1,6})[.)][ \t]", re.IGNORECASE | re.MULTILINE)
"""Numbers of items that would be words: a, i and o are, of many languages."""

_LATIN_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f\u1ea0-\u1ef9]")
_DENSE, _MORE = frozenset({"Kana", "Hangul", "Han", "Thai"}), 3
"""Scripts of which a letter says as much as several of others, or that have no spaces."""

_LEAST_SHARE, _LEAST_SHARE_OF_RICH = 0.09, 0.18
"""Of the words of a text those that must be among the commonest of its language."""

_RICH = frozenset("ca da de es fr hu it nl no pl pt ro sv tr".split())
"""Languages with many small words, in which a text of a kindred one has some by chance."""

_FEWEST_WORDS, _FEWEST_COMMON, _FEWEST_LETTERS, _LEAD = 5, 2, 8, 1.5
_PARTS, _PART = 3, 1_000
"""A long text is looked at in so many places, so many characters each."""


_WHOLE = math.lcm(*range(1, len(_COMMON) + 1))
"""What a common word counts in all, so that the share of each language that has it is whole."""

_NONE: Counter[str] = Counter()
_APART = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
"""Leaves the words of plain ASCII, as `words_in` finds them in a text of any letters."""


@cache
def _common() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in _COMMON.items()}


@cache
def _holders_of(codes: tuple[str, ...]) -> Mapping[str, tuple[tuple[str, ...], int]]:
    """Give for each common word which of these languages have it, and what it counts for each.

    It says less, the more of them have it.
    """
    holders: dict[str, tuple[str, ...]] = {}
    for code in codes:
        for word in _common()[code]:
            holders[word] = (*holders.get(word, ()), code)
    return {word: (having, _WHOLE // len(having)) for word, having in holders.items()}


def common_words(language: str) -> frozenset[str]:
    """Give the commonest words of a language; none of one that is not known here."""
    return _common().get(language, frozenset())


def language_name(code: str) -> str:
    """Give the English name of a language by its code; the code where it has none here."""
    return _NAMES.get(code, code)


def language_code(written: str) -> str:
    """Read a language as a person or a file writes it: "de", "de-AT", "German"; "" for none."""
    name = written.strip().lower()
    named = next((code for code, known in _NAMES.items() if known.lower() == name), "")
    code = named or re.split("[-_.]", name, maxsplit=1)[0]
    code = _SAME.get(code, code)
    return code if re.fullmatch("[a-z]{2}", code) else ""


def language_of(text: str) -> str:
    """Give the code of the language of a text; "" where it is not told, as by tables and code."""
    sample = _LIST_MARK.sub("", _sample(text))
    plain = sample.isascii()
    codes = _LATIN if plain else _possible(sample)
    if len(codes) == 1 and codes[0] not in _COMMON:
        return codes[0]
    lowered = sample.lower()
    words = lowered.translate(_APART).split() if plain else words_in(lowered)
    if len(words) < _FEWEST_WORDS:
        return ""
    holders = _holders_of(codes)
    common = Counter([word for word in words if word in holders])
    if len(common) < _FEWEST_COMMON:
        return ""
    own = _NONE if plain else _with_own_letters(words)
    scores = {code: own[code] * _WHOLE for code in codes}
    for word, number in common.items():
        having, share = holders[word]
        for code in having:
            scores[code] += number * share
    best, *others = nlargest(2, codes, key=scores.__getitem__)
    if others and not _is_told_apart(common, own, best, others[0]):
        return ""
    found = common.keys() & _common()[best]
    told = (own[best] + sum(common[word] for word in found)) / len(words)
    least = _LEAST_SHARE_OF_RICH if best in _RICH else _LEAST_SHARE
    return best if len(found) >= _FEWEST_COMMON and told >= least else ""


def _with_own_letters(words: Iterable[str]) -> Counter[str]:
    """Count the words with a letter that only one language has, by that language."""
    own: Counter[str] = Counter()
    for word in words:
        if not word.isascii():
            own.update({_HOLDERS[letter] for letter in word if letter in _HOLDERS})
    return own


def _is_told_apart(common: Counter[str], own: Counter[str], best: str, other: str) -> bool:
    """Say whether what only one of two languages has speaks for one of them."""
    ours, theirs = _common()[best], _common()[other]
    for_it, against = own[best], own[other]
    for word, number in common.items():
        if word in ours:
            for_it += 0 if word in theirs else number
        elif word in theirs:
            against += number
    return for_it >= _LEAD * against + 1


def _sample(text: str) -> str:
    """Take parts of a long text from all over it."""
    if len(text) <= _PARTS * _PART:
        return text
    step = (len(text) - _PART) // (_PARTS - 1)
    return "\n".join(text[at : at + _PART] for at in range(0, step * _PARTS, step))


@cache
def _letters() -> Mapping[str, re.Pattern[str]]:
    """Give what finds the letters of each script; few texts need it."""
    return {name: re.compile(f"[{letters}]") for name, (letters, _) in _SCRIPTS.items()}


def _possible(sample: str) -> tuple[str, ...]:
    """Give the languages of the script that most of a text is in."""
    others = "".join(_OTHER_SCRIPTS.findall(sample))
    if not others:
        return _LATIN
    counts = Counter(
        {
            name: len(letters.findall(others)) * (_MORE if name in _DENSE else 1)
            for name, letters in _letters().items()
        }
    )
    if counts["Kana"]:  # Japanese has both
        counts["Kana"] += counts["Han"]
    name, most = counts.most_common(1)[0]
    if most < max(_FEWEST_LETTERS, len(_LATIN_LETTER.findall(sample))):
        return _LATIN
    return _SCRIPTS[name][1]

"""Units of measure and currencies by their short and long names, with the exact factor of each to
the base of its dimension. A name of several units ("gallon", "$", "5m") has a reading for each.

Factors are those of the SI and, for yards and pounds, of the international agreement of 1959.
Temperatures are not converted: 5 °C warmer is 9 °F warmer, and not 41.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from rag_assistant.text.numerals import Amount

Unit = tuple[str, Amount]
"""The base unit of a dimension, and how many of it one is."""

_POUND = Fraction(45359237, 100_000_000)
_FOOT = Fraction(3048, 10_000)
_US_GALLON, _UK_GALLON = Fraction(3785411784, 10**9), Fraction(454609, 100_000)

_PREFIXES: Mapping[str, tuple[str, Amount]] = {
    "n": ("nano", Fraction(1, 10**9)), "µ": ("micro", Fraction(1, 10**6)),
    "m": ("milli", Fraction(1, 1000)), "c": ("centi", Fraction(1, 100)),
    "d": ("deci", Fraction(1, 10)), "": ("", 1), "h": ("hecto", 100), "k": ("kilo", 1000),
    "M": ("mega", 10**6), "G": ("giga", 10**9), "T": ("tera", 10**12), "P": ("peta", 10**15),
}  # fmt: skip
_PREFIXED = (
    ("m", "metre meter", "m", "nµmcdk"), ("g", "gram gramme", "g", "nµmk"),
    ("l", "litre liter", "l", "µmcdh"), ("L", "", "l", "µmcdh"), ("s", "second", "s", "nµm"),
    ("Pa", "pascal", "Pa", "hkM"), ("bar", "bar", "bar", "m"), ("W", "watt", "W", "mkMGT"),
    ("Wh", "watt-hour", "Wh", "kMGT"), ("V", "volt", "V", "mk"), ("A", "amp ampere", "A", "µm"),
    ("Ah", "", "Ah", "m"), ("Hz", "hertz", "Hz", "kMG"), ("N", "newton", "N", "kM"),
    ("B", "byte", "B", "kMGTP"), ("bit", "bit", "bit", "kMG"), ("J", "joule", "J", "kMG"),
    ("Ω", "ohm", "Ω", "mkM"), ("S", "siemens", "S", "µm"), ("mol", "mole", "mol", "µm"),
    ("cal", "calorie", "cal", "k"),
)  # fmt: skip
"""Symbol, names, base unit, prefixes."""

_OTHERS = """
m: 0.0254 in inch inches ″ | 0.3048 ft foot feet ′ | 0.9144 yd yard | 1609.344 mi mile
m: 0.000001 micron
m²: 1 m² m2 sqm | 0.0001 cm² cm2 | 0.000001 mm² mm2 | 1000000 km² km2 sqkm | 10000 ha hectare
m²: 4046.8564224 acre | 0.09290304 ft² ft2 sqft
l: 1000 m³ m3 cbm | 0.001 cm³ cm3 cc | 1 dm³ dm3
g: 1000000 t tonne | 1000 kilo | 0.000001 mcg | 28.349523125 oz ounce | 6350.29318 stone
g: 453.59237 lb lbs
s: 1 sec secs | 60 min mins minute | 3600 h hr hrs hour | 86400 d day | 604800 wk wks week
s: 1209600 fortnight
month: 1 month mth mths | 12 yr yrs year | 120 decade | 1200 century centuries
°C: 1 °C ℃ celsius centigrade
°F: 1 °F ℉ fahrenheit
K: 1 kelvin
B: 1024 KiB | 1048576 MiB | 1073741824 GiB | 1099511627776 TiB | 1000 KB
N·m: 1 N·m Nm newton-metre newton-meter | 1000 kN·m kNm
rpm: 1 rpm
psi: 1 psi
dB: 1 dB decibel dBA
lx: 1 lx lux
ppm: 1 ppm
ppb: 1 ppb
px: 1 px pixel
mmHg: 1 mmHg
%: 1 % percent pct prozent procent | 0.1 ‰
pp: 1 pp | 0.01 bps
"""
_TWO_WORDS: Mapping[str, tuple[Unit, ...]] = {
    **dict.fromkeys(("per cent", "pour cent", "por ciento", "per cento"), (("%", 1),)),
    **dict.fromkeys(("per mille", "per mill"), (("%", Fraction(1, 10)),)),
    **dict.fromkeys(("percentage point", "percentage points"), (("pp", 1),)),
    **dict.fromkeys(("percent points", "per-cent points"), (("pp", 1),)),
    **dict.fromkeys(("basis point", "basis points"), (("pp", Fraction(1, 100)),)),
    **dict.fromkeys(("degrees celsius", "degree celsius", "degrees centigrade", "deg c",
                     "degrees c"), (("°C", 1),)),
    **dict.fromkeys(("degrees fahrenheit", "degree fahrenheit", "deg f", "degrees f"),
                    (("°F", 1),)),
    **dict.fromkeys(("square metre", "square metres", "square meter", "square meters", "sq m"),
                    (("m²", 1),)),
    **dict.fromkeys(("square kilometre", "square kilometres", "square kilometer",
                     "square kilometers", "sq km"), (("m²", 10**6),)),
    **dict.fromkeys(("square foot", "square feet", "sq ft"), (("m²", _FOOT * _FOOT),)),
    **dict.fromkeys(("square mile", "square miles"),
                    (("m²", Fraction(1609344, 1000) * Fraction(1609344, 1000)),)),
    **dict.fromkeys(("cubic metre", "cubic metres", "cubic meter", "cubic meters"),
                    (("l", 1000),)),
    **dict.fromkeys(("cubic centimetre", "cubic centimetres", "cubic centimeter",
                     "cubic centimeters"), (("l", Fraction(1, 1000)),)),
    **dict.fromkeys(("newton metre", "newton metres", "newton meter", "newton meters"),
                    (("N·m", 1),)),
    **dict.fromkeys(("metric ton", "metric tons", "metric tonne", "metric tonnes"),
                    (("g", 10**6),)),
    **{f"{_PREFIXES[prefix][0]}watt hour{s}": (("Wh", _PREFIXES[prefix][1]),)
       for prefix in ("", "k", "M", "G", "T") for s in ("", "s")},
}  # fmt: skip
_FIRST_OF_TWO = frozenset(words.split()[0] for words in _TWO_WORDS)

_SEVERAL: Mapping[str, tuple[Unit, ...]] = {
    **dict.fromkeys(("gallon", "gal"), (("l", _US_GALLON), ("l", _UK_GALLON))),
    "pint": (("l", _US_GALLON / 8), ("l", _UK_GALLON / 8)),
    "ton": (("g", 10**6), ("g", 2000 * _POUND * 1000), ("g", 2240 * _POUND * 1000)),
    **dict.fromkeys(("°", "degree", "deg"), (("°", 1), ("°C", 1), ("°F", 1))),
    "K": (("K", 1), ("", 1000)),
    "M": (("", 10**6), ("mol/l", 1), ("m", 1)),
    "quarter": (("month", 3), ("", Fraction(1, 4))),
}
"""Names that stand for several units, the likeliest first; "" is the number alone."""

_SPEEDS: Mapping[str, Unit] = {
    "kph": ("m/s", Fraction(1000, 3600)), "kmh": ("m/s", Fraction(1000, 3600)),
    "mph": ("m/s", Fraction(1609344, 3_600_000)), "knot": ("m/s", Fraction(1852, 3600)),
    "kbps": ("bit/s", 1000), "Mbps": ("bit/s", 10**6), "Gbps": ("bit/s", 10**9),
    "kbit/s": ("bit/s", 1000), "Mbit/s": ("bit/s", 10**6),
}  # fmt: skip

ONLY_TIGHT = frozenset(("in", "d"))
"""Names that are units only right behind digits: elsewhere they are words."""

_SMALL_LETTERS = frozenset("wv")
"""Signs of one letter that are as often written small."""


def _plurals(name: str) -> tuple[str, ...]:
    plural = len(name) > 2 and name.isalpha() and name.islower() and not name.endswith("s")
    return (name, f"{name}s") if plural else (name,)


def _exact(written: str) -> Amount:
    amount = Fraction(written)
    return amount.numerator if amount.denominator == 1 else amount


def _table() -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for symbol, names, base, prefixes in _PREFIXED:
        for prefix in ("", *prefixes):
            long, factor = _PREFIXES[prefix]
            written = [f"{prefix}{symbol}", *(f"{long}{name}" for name in names.split())]
            if prefix == "µ":
                written += [f"u{symbol}", f"μ{symbol}"]
            for name in written:
                found.update(dict.fromkeys(_plurals(name), ((base, factor),)))
    for line in _OTHERS.strip().splitlines():
        base, units = line.split(": ", 1)
        for unit in units.split(" | "):
            number, *written = unit.split()
            for name in written:
                found.update(dict.fromkeys(_plurals(name), ((base, _exact(number)),)))
    for name, several in _SEVERAL.items():
        found.update(dict.fromkeys(_plurals(name), several))
    for name, speed in _SPEEDS.items():
        found.update(dict.fromkeys(_plurals(name), (speed,)))
    return found


UNITS: Mapping[str, tuple[Unit, ...]] = _table()
"""The units of each name, as it is written."""


def _folded() -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for name, units in UNITS.items():
        known = found.get(name.lower(), ())
        found[name.lower()] = known + tuple(unit for unit in units if unit not in known)
    return found


_FOLDED = _folded()


def units_of(name: str) -> tuple[Unit, ...]:
    """Give the units that a name may stand for, () for none; its capitals count where they tell."""
    if known := UNITS.get(name):
        return known
    return _FOLDED.get(name.lower(), ()) if len(name) > 1 or name in _SMALL_LETTERS else ()


def base_of(name: str) -> str:
    """Give one sign for all names of a unit, "" for what is none: "km", "kilometres"."""
    units = units_of(name)
    return f"{units[0][1]} {units[0][0]}" if units else ""


def two_words(first: str, text: str, place: int) -> tuple[tuple[Unit, ...], int]:
    """Read a unit of two words whose `first` ends before `place`; give it with its end."""
    if first.lower() in _FIRST_OF_TWO and (match := _SECOND.match(text, place)):
        units = _TWO_WORDS.get(f"{first} {match[1]}".lower(), ())
        return units, match.end() if units else place
    return (), place


_SECOND = re.compile(r"\.?\s{1,2}([^\W\d_]+)(?!\w)")

SIGNS: Mapping[str, tuple[str, ...]] = {
    "£": ("GBP",), "€": ("EUR",), "¥": ("JPY", "CNY"), "₹": ("INR",), "₽": ("RUB",),
    "₩": ("KRW",), "₺": ("TRY",), "₪": ("ILS",), "฿": ("THB",),
    "$": ("USD", "AUD", "CAD", "NZD", "SGD", "HKD"),
}  # fmt: skip
_DOLLARS = {
    "US$": "USD", "U$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL",
}  # fmt: skip
_CODES = (
    "USD EUR GBP JPY CNY CHF INR AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RUB TRY BRL ZAR MXN SGD"
    " HKD KRW ILS THB AED SAR"
).split()
_CROWNS = ("SEK", "NOK", "DKK", "ISK")
_MONEY_WORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("pound", "pounds", "quid", "sterling"), ("GBP",)),
    **dict.fromkeys(("euro", "euros"), ("EUR",)),
    **dict.fromkeys(("dollar", "dollars"), SIGNS["$"]),
    **dict.fromkeys(("rupee", "rupees", "rs"), ("INR",)),
    **dict.fromkeys(("yen",), ("JPY",)), **dict.fromkeys(("yuan", "renminbi", "rmb"), ("CNY",)),
    **dict.fromkeys(("franc", "francs", "franken"), ("CHF",)), "sfr": ("CHF",),
    **dict.fromkeys(("krona", "kronor", "krone", "kroner", "kr"), _CROWNS),
    **dict.fromkeys(("rouble", "roubles", "ruble", "rubles"), ("RUB",)),
    **dict.fromkeys(("złoty", "zloty"), ("PLN",)),
}  # fmt: skip
CURRENCIES: Mapping[str, tuple[str, ...]] = {
    **SIGNS,
    **{name: (code,) for name, code in _DOLLARS.items()},
    **{name: (code,) for code in _CODES for name in (code, code.lower())},
    **_MONEY_WORDS,
}
"""The currencies that a sign, a code or a word may stand for, by ISO 4217, the likeliest first."""

CENTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("pence", "penny"), ("GBP",)),
    **dict.fromkeys(("cent", "cents", "¢"), ("EUR", *SIGNS["$"])),
}
"""Hundredths of currencies."""

_TWO_WORD_MONEY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("us dollar", "us dollars"), ("USD",)),
    **dict.fromkeys(("australian dollar", "australian dollars"), ("AUD",)),
    **dict.fromkeys(("canadian dollar", "canadian dollars"), ("CAD",)),
    **dict.fromkeys(("swiss franc", "swiss francs", "schweizer franken"), ("CHF",)),
    **dict.fromkeys(("pounds sterling", "pound sterling"), ("GBP",)),
    **dict.fromkeys(("indian rupee", "indian rupees"), ("INR",)),
    **dict.fromkeys(("swedish krona", "swedish kronor"), ("SEK",)),
    **dict.fromkeys(("danish krone", "danish kroner"), ("DKK",)),
    **dict.fromkeys(("norwegian krone", "norwegian kroner"), ("NOK",)),
}
_FIRST_OF_MONEY = frozenset(words.split()[0] for words in _TWO_WORD_MONEY)

_ANY_CODE = "|".join((*_CODES, *(code.lower() for code in _CODES), "Rs", "kr", "Kr", "SFr"))
CURRENCY_BEFORE = re.compile(
    rf"(?:(?<!\w)(?P<code>{_ANY_CODE})\.?"
    rf"|(?<![^\W_])(?P<dollar>{'|'.join(map(re.escape, _DOLLARS))})"
    rf"|(?P<sign>[{re.escape(''.join(SIGNS))}]))\s?$"
)
"""A currency that stands right before a place."""

WORDS_BEFORE = frozenset((*(code.lower() for code in _CODES), "rs", "kr", "sfr", "minus"))
"""Words, small, that may belong to the number behind them."""


def currencies_of(name: str, text: str, end: int) -> tuple[tuple[str, ...], int]:
    """Read a currency whose first word ends before `end`; give it with its end, () for none."""
    lower = name.lower()
    match = _SECOND.match(text, end) if lower in _FIRST_OF_MONEY else None
    if match and (found := _TWO_WORD_MONEY.get(f"{lower} {match[1].lower()}")):
        return found, match.end()
    return CURRENCIES.get(name) or CURRENCIES.get(lower, ()), end

"""Card numbers, whatever stands between their digits."""

import re
from collections.abc import Iterator

from rag_assistant.egress.secrets.checks import is_luhn
from rag_assistant.egress.secrets.spans import SecretSpan

_ISSUERS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}"  # Visa
    r"|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12,15}"  # Discover, RuPay
    r"|3(?:0[0-59]\d|[689]\d\d)\d{10,15}"  # Diners
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"  # JCB
    r"|62\d{14,17}|8[12]\d{14}"  # UnionPay, RuPay
    r"|(?:50[0-3]\d|5018|5020|5038|5893|6304|67\d\d)\d{8,15}"  # Maestro
    r"|220[0-4]\d{12,15}|9792\d{12}|506[01]\d{12,15}"  # Mir, Troy, Verve
)
"""Issuers' ranges and lengths (ISO/IEC 7812)."""

_GAP = r"[ \u00a0\u2007\u2009\u202f._\u2010-\u2015-]{1,2}|\s*\n[ \t>|]*|\\n|&nbsp;"
_NUMBER = re.compile(
    r"[0-9](?:(?<![\w.,/+-][0-9])|(?<=\\[ntr][0-9]))"
    rf"(?:\d{{12,18}}|\d{{3}}(?:(?:{_GAP})\d{{4}}){{3}}(?:(?:{_GAP})\d{{3}})?"
    rf"|\d{{3}}(?:{_GAP})\d{{6}}(?:{_GAP})\d{{4,5}}|\d{{7}}(?:{_GAP})\d{{8}}|(?:[ -]\d){{12,18}})"
    r"(?![\w/]|[.,-]\d)"
)
"""In one, in groups as they are embossed, or digit by digit."""

_OTHER_NUMBER = re.compile(
    r"(?i)(?:isbn|issn|ean|gtin|upc|imei|tracking|order|invoice|serial|ticket|barcode|bestell\w*"
    r"|rechnungs\w*|sendungs\w*|commande|facture|pedido|timestamp|doi|orcid)\W{0,3}(?:\w{1,8}\W{1,3}){0,2}$"
)
_BEFORE = 40


def cards(text: str) -> Iterator[SecretSpan]:
    """Find numbers of an issuer's range with the right check digit."""
    for match in _NUMBER.finditer(text):
        digits = "".join(filter(str.isdecimal, match[0]))
        if not _ISSUERS.fullmatch(digits) or not is_luhn(digits) or len(set(digits)) < 2:
            continue
        if _OTHER_NUMBER.search(text[max(0, match.start() - _BEFORE) : match.start()]):
            continue
        yield SecretSpan("card number", *match.span())

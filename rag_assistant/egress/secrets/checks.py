"""What a value looks like: random, a placeholder, with the right check digits."""

import base64
import binascii
import hashlib
import re
from collections import Counter
from math import log2

_VOCABULARY = frozenset(
    """
    a account admin an any api app apikey auth bearer bot change changeit changeme choose client
    code credential credentials current custom db default demo dummy enter example fake fill foo
    generated go goes here hidden id in insert invalid is it key keys login long me mock mongodb
    my mypassword mysecret mytoken name new none not null of old or our password passwd passwort
    pass passphrase placeholder postgres private prod production put pwd random real redacted
    removed replace root sample secret secretkey secrets some staging strong super supersecret
    test testing that the this to todo token user username valid value var very wrong your yours
    bar baz passcode pin contraseña senha kennwort wachtwoord hier ihr dein mein votre mon tu su
    mot de passe""".split()
)
"""Words that documentation writes in place of a secret, alone or several of them."""

_TEMPLATE = re.compile(
    r"^(?:[<{$%\[(]|&lt;|\\?\$|@@|!\w"
    r"|.*(?:\$\{|\{\{|%\(|\}\}|\.\.\.|…|\*\*\*|xxxx|XXXX|••|●●|####|____))"
)
"""What a program fills in, and what stands where somebody struck a secret out."""

_PARTS = re.compile(r"[^\W_]+")
_RUN = re.compile(r"[A-Za-z0-9]+|[A-Za-z0-9+/]{16,}")
_TURNS = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")

_CASE_TURNS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[a-z])")


def entropy(text: str) -> float:
    """Give the bits that a character of a text tells (Shannon)."""
    counts = Counter(text).values()
    return -sum(n / len(text) * log2(n / len(text)) for n in counts)


def is_placeholder(text: str) -> bool:
    """Whether a value is what documentation writes where a secret would stand."""
    if _TEMPLATE.match(text) or len(set(text)) <= 2:
        return True
    parts = [part.lower() for part in _PARTS.findall(text)]
    parts = [part for part in parts if not part.isdigit() or len(part) > 2] or parts
    if not parts:
        return True
    bare = [part[:-1] if part[-1].isdigit() and part[-2:-1].isalpha() else part for part in parts]
    return all(part in _VOCABULARY or not part for part in bare)


def looks_random(text: str) -> bool:
    """Whether some run of a text is letters and digits in no order, as no word is."""
    return any(_is_random_run(run) for run in _RUN.findall(text))


def _is_random_run(run: str) -> bool:
    if len(run) < 8 or run.isdigit():
        return False
    if _mixes_its_letters(run):
        return True
    if run.isalpha():
        return False
    turns = len(_TURNS.findall(run))
    if turns < 2 or (turns < 3 and len(run) < 16):
        return False
    return entropy(run) >= (3.0 if len(run) >= 16 else 2.5)


def _mixes_its_letters(run: str) -> bool:
    """Whether capitals and small letters take turns as they do in no word, CamelCase among them:
    of a key of letters and digits one in some hundred holds no digit, or only one."""
    if len(run) < 16:
        return False
    capitals = sum(character.isupper() for character in run)
    turns = len(_CASE_TURNS.findall(run))
    return len(run) / 3 <= capitals <= len(run) * 2 / 3 and turns >= len(run) / 3


def is_credentials(text: str) -> bool:
    """Whether base64 holds a user and a password (RFC 7617)."""
    try:
        plain = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in plain and all(32 <= byte < 127 or byte > 160 for byte in plain)


def is_luhn(digits: str) -> bool:
    """Whether the last digit is the right one (ISO/IEC 7812-1, annex B)."""
    doubled = [int(d) * (1 + place % 2) for place, d in enumerate(reversed(digits))]
    return sum(n - 9 * (n > 9) for n in doubled) % 10 == 0


_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def is_base58_checked(text: str) -> bool:
    """Whether the last four bytes are those of the others' double SHA-256 (Base58Check)."""
    number = 0
    for character in text:
        number = number * 58 + _BASE58.index(character)
    whole = number.to_bytes((number.bit_length() + 7) // 8, "big")
    body, check = whole[:-4], whole[-4:]
    return hashlib.sha256(hashlib.sha256(body).digest()).digest()[:4] == check


def is_bech32(text: str) -> bool:
    """Whether the check of a word in bech32 is right (BIP 173)."""
    prefix, _, data = text.rpartition("1")
    values = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    values += [_BECH32.index(c) for c in data]
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, term in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= term if top >> bit & 1 else 0
    return check == 1


def is_stellar_seed(text: str) -> bool:
    """Whether the last two bytes are the CRC-16 of the others (Stellar, SEP-23)."""
    whole = base64.b32decode(text)
    return binascii.crc_hqx(whole[:-2], 0).to_bytes(2, "little") == whole[-2:]

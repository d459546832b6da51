"""Whether what stands behind a label is a secret: how much it must look like one depends on how
plainly the label points at it."""

import re

from rag_assistant.egress.secrets.checks import entropy, is_placeholder, looks_random

_SYMBOLS = re.compile(r"[!@#$%^&*?+=~€£§]")
_NO_SECRET = re.compile(
    r"""(?ix)^(?:
    [a-z][a-z0-9+.-]*://.*            # an address
    | (?:~|\.{1,2})?/[\w./-]*         # a path
    | [a-z]:\\.*
    | [\w.+-]+@[\w-]+\.[\w.-]+        # an address of mail
    | v?\d{1,4}(?:[-./:]\d{1,4}){1,3}(?:[tz].*)?  # a date, a time, a version
    | [\d.,]+\s?(?:%|€|\$|ms|s|min|h|d|kb|mb|gb|px|em|rem|chars?|characters|bytes?|bits?)
    | (?:sha|md|aes|rsa|hs|rs|es|ps|utf|iso|rfc|nist|pkcs|base|hmac|ed|x|p|tls|ssl|ssh|oauth|http
       |ipv|wpa|fips|cp|argon|bcrypt|scrypt|pbkdf|curve|secp|crc|ripemd|chacha|gcm|cbc|ecdsa|ntlm|kerberos
       |saml|jwt|fido|u2f|win|windows|python|java|php|mysql|postgres|s3|ec2|k8s|i18n|l10n|e2e|oidc|web|wifi|mp)
      [-_/.]?v?\d[\w.+/-]{0,24}(?:withrsa|encryption)?
    | .*\.(?:py|js|ts|txt|md|json|ya?ml|html?|pem|key|crt|env|cfg|conf|ini|toml|xml|php|java|rb|go
       |sh|exe|pdf|csv|db|log|docx?|xlsx?|com|org|net|io|de|local|internal)(?:[:/?\#].*)?
    )$"""
)
"""What letters and digits are mixed in and is no secret."""

_CODE = re.compile(
    r"^[\w.$@&*:>!?-]*[A-Za-z_]\w*(?:\(|\[)|^[A-Za-z_$]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_$]\w*)+\)*$|^[A-Za-z_$]+\)+$"
)
"""A call, an element of a list, a member of an object."""
_SNAKE = re.compile(
    r"^_{0,2}[a-z]+[0-9]{0,3}(?:[_-][a-z]+[0-9]{0,3}){1,8}$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
)
_CAMEL = re.compile(r"^[a-z]{2,}(?:[A-Z][a-z]+)+\d?$|^(?:[A-Z][a-z]+){2,}\d?$")
_WORDS = frozenset(
    """
    string str text number int integer bool boolean bytes byte object array list dict json
    optional required false true null none nil undefined yes no on off any empty blank unknown
    hidden expired changed missing invalid incorrect wrong correct weak strong field input label
    type login username email mail hint reset forgot forgotten confirm confirmation confirmed
    again repeat same value values example sample plain encrypted hashed protected protection
    policy manager management see below above attached varchar char basic bearer digest session
    cookie anonymous guest public private master primary default settings setting auth
    authentication authorization security disabled enabled deny allow auto manual random
    generated secretly lost stolen shared stored saved kept given sent here there nothing
    everything something keyring vault keychain prompt ask stdin file env environment variable
    config mandatory unlimited temporary permanent static dynamic minimum maximum length
    lowercase uppercase digits letters password passwort kennwort contraseña senha wachtwoord
    lösenord hasło heslo parola пароль token secret pass passphrase access refresh service
    header query body path method tuple set class func function self this const let var def
    return await async new final override inherit initial unset""".split()
)


def _is_nothing(value: str) -> bool:
    return " " in value or is_placeholder(value) or bool(_NO_SECRET.match(value))


def _mixed(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def is_password_here(value: str, *, quoted: bool) -> bool:
    """Whether a value is a password where a label is set to it: `password = ...`."""
    if not 4 <= len(value) <= 128 or _is_nothing(value):
        return False
    bare = value.rstrip("!?.")
    if bare.lower() in _WORDS or not any(map(str.isalnum, value)):
        return False
    if _mixed(value) or _SYMBOLS.search(value[:-1]):
        if _SNAKE.match(value):
            return False
        return quoted or not _CODE.match(value)
    if value.isdigit():
        return (4 <= len(value) <= 12 and not value.startswith("0000") and quoted) or len(
            value
        ) >= 6
    return quoted and value.isalpha() and len(value) >= 6 and not _CAMEL.match(value)


def is_password_said(value: str) -> bool:
    """Whether a word of prose is a password where a sentence says so: `the password is ...`."""
    if not 6 <= len(value) <= 64 or _is_nothing(value) or _SNAKE.match(value):
        return False
    bare = value.rstrip("!?.")
    if _CODE.match(value):
        return False
    return _mixed(value) or (bool(_SYMBOLS.search(bare)) and any(map(str.isalpha, value)))


def is_plainly_password(value: str) -> bool:
    """Whether a word can hardly be anything but a password, wherever it stands near a label."""
    if not 8 <= len(value) <= 48 or _is_nothing(value) or _SNAKE.match(value) or _CODE.match(value):
        return False
    if any(c in "()[]{}<>/\\=;`|" for c in value) or not _mixed(value):
        return False
    return bool(_SYMBOLS.search(value)) or looks_random(value)


_GROUPED_KEY = re.compile(r"^[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}$")
_BASE32 = re.compile(r"^[A-Z2-7]{16,}={0,6}$")
_UUID = re.compile(r"(?i)^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$")


def is_key_here(value: str, *, quoted: bool = False) -> bool:
    """Whether a value is a key or token: random, and as long as those are."""
    if not 8 <= len(value) <= 4096 or _is_nothing(value):
        return False
    if _UUID.match(value) or _BASE32.match(value) or _is_grouped_key(value):
        return True
    if len(value) < 12:
        digits = sum(map(str.isdigit, value))
        return digits >= 2 and _mixed(value) and bool(_SYMBOLS.search(value) or looks_random(value))
    if looks_random(value):
        return True
    many = sum(1 for c in value if not c.isalnum() and c not in "-_./:")
    odd = many >= 2 and _mixed(value) and entropy(value) >= 3.2
    return odd and (quoted or not any(c in "()[]{}<>\\`;" for c in value))


def is_loose_key(value: str) -> bool:
    """Whether a value is a key although nothing but the word `key` says so."""
    if not 20 <= len(value) <= 512 or _UUID.match(value) or _is_nothing(value):
        return False
    return looks_random(value) and not any(c in "()[]{}<>;,|:" for c in value)


def is_plain_word(value: str) -> bool:
    """Whether a value is one ordinary word, which may be a password, and no remark on one."""
    return 6 <= len(value) <= 30 and value.isalpha() and value.lower() not in _WORDS


def _is_grouped_key(value: str) -> bool:
    return bool(_GROUPED_KEY.match(value)) and _mixed(value)

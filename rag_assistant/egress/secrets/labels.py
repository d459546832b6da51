"""Words that say that what follows is secret, in the languages of those who write them.

A label is found by its stem, whatever stands before it in a name such as `DB_PASSWORD`; short stems
must stand alone. Behind a stem may stand an ending, or what still means the secret itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["password", "key", "loose", "pin", "codes", "login", "phrase"]


@dataclass(frozen=True, slots=True)
class Label:
    """A label in a text: what kind of secret it tells of, and where it stands."""

    kind: Kind
    start: int
    end: int


_STEMS: dict[Kind, str] = {
    "password": """
        password, passwort, kennwort, passwd, passphrase, pass phrase, passcode, pswd,
        wachtwoord, lösenord, losenord, adgangskode, kodeord, passord, salasana, lykilorð,
        hasło, haslo, hasła, heslo, jelszó, jelszo, jelszava, parola, parolă, parole, lozinka,
        geslo, пароль, парола, пароля, паролем, κωδικός, κωδικο, şifre, sifre, contraseña,
        contrasena, contrasenya, clave, senha, palavra-passe, palavra passe, palabra clave, mot
        de passe, mot_de_passe, motdepasse, phrase secrète, parool, slaptažodis, codeword,
        losungswort, كلمة المرور, كلمة السر, كلمة مرور, رمز عبور, گذرواژه, סיסמה, סיסמא, סיסמת,
        पासवर्ड, 密码, 密碼, 口令, パスワード, 비밀번호, 암호, รหัสผ่าน, mật khẩu, kata sandi,
        kata laluan,
        identified by, requirepass, masterauth""",
    "key": """
        secret, token, apikey, api-key, api_key, api key, accesskey, access-key, access_key,
        access key, secretkey, privatekey, private-key, private_key, private key, authkey,
        auth-key, auth_key, auth key, accountkey, account-key, account_key, account key,
        encryptionkey, encryption-key, encryption_key, encryption key, signingkey, signing-key,
        signing_key, signing key, masterkey, master-key, master_key, master key, sharedkey,
        shared-key, shared_key, shared key, presharedkey, preshared key, sessionid, session_id,
        session-id, session id, sessid, sessionkey, session_key, session key, licensekey,
        license-key, license_key, license key, licence key, product key, activation key,
        activation code, recovery key, serial key, geheimnis, schlüssel, jeton, credential, clé
        api, clé d'api, clé secrète, clave api, clave de api, clave secreta, chave de api, chave
        api, chave secreta, chiave api, chiave segreta, секрет, токен, ключ api, api-ключ,
        секретный ключ, klucz api, api-nyckel, api-nøkkel, api-sleutel, api anahtarı, シークレット,
        トークン, キー, 密钥, 密鑰, 金鑰, 令牌, 토큰, api 키, _auth, authtoken,
        client-key-data, two-factor seed,
        totp seed, setup key""",
    "pin": """
        pin code, pin-code, pincode, pin number, pin-nummer, door code, gate code, alarm code,
        access code, entry code, lock code, safe code, keypad code, unlock code, security code,
        verification code, login code, garage code, vault code, entrance code, one-time code,
        code pin, code secret, code de la porte, codice pin, código pin, code d'accès, türcode,
        alarmcode, zugangscode, tresorcode, geheimzahl, 暗証番号, пин-код, safe combination, lock
        combination, door combination""",
    "codes": """
        recovery code, backup code, recovery-code, backup-code, recovery_code, backup_code,
        scratch code, wiederherstellungscode, codes de secours, codes de récupération, códigos
        de respaldo, códigos de recuperación, códigos de recuperação, codici di recupero,
        herstelcode, rescue code, emergency code""",
    "login": """
        credential, zugangsdaten, anmeldedaten, logindaten, identifiants, credenciales,
        credenziali, inloggegevens, credenciais, login, logon, sign-in, log in, accesso,
        connexion, conexión, anmeldung, inloggning, учетные данные, логин""",
    "phrase": """
        seed phrase, seed-phrase, recovery phrase, mnemonic, seed words, backup phrase, secret
        phrase, wallet seed, wallet words, wiederherstellungsphrase, seedphrase, recovery words,
        phrase de récupération, frase de recuperación, frase semilla, frase di recupero, secret
        words, recovery seed, wallet phrase, backup words, 12 words, 24 words, 12-word, 24-word,
        passphrase, pass phrase""",
}

_ALONE: dict[Kind, str] = {
    "password": "pass pw pwd mdp psk",
    "pin": "PIN PINs PUK TAN CVV CVV2 CVC CVC2 OTP NIP mTAN ПИН",
    "key": "sid jwt hmac",
    "loose": "key clé clave chave chiave ключ klucz sleutel nyckel nøkkel avain klíč",
    "phrase": "seed",
}
"""Stems that stand alone only; those in capitals are no label in small letters."""

_ROOTS = (
    *("pass", "key", "cod", "token", "secret", "api", "sess", "seed", "phrase", "pin"),
    *("login", "logon"),
    *("wort", "woord", "contrase", "creden", "clave", "words", "frase", "daten", "kata ", "parol"),
    *("geheim", "slo", "jelsz"),
)
"""Parts of stems: where one is missing, so are all stems that hold it."""


def _grouped() -> dict[str, list[tuple[str, Kind]]]:
    groups: dict[str, list[tuple[str, Kind]]] = {}
    for kind, listed in _STEMS.items():
        for stem in (" ".join(one.split()) for one in listed.split(",")):
            root = next((root for root in _ROOTS if root in stem), stem)
            groups.setdefault(root, []).append((stem, kind))
    return groups


_GROUPS = _grouped()
_ALL_ROOTS = tuple(_GROUPS)
_ASCII_ROOTS = tuple(root for root in _GROUPS if root.isascii())
_SHORT: dict[str, tuple[str, Kind]] = {
    stem.lower(): (stem, kind) for kind, listed in _ALONE.items() for stem in listed.split()
}

_ENDING = re.compile(
    r"(?:s|es|en|n|r|er|e|et|ul|a)?(?![A-Za-z0-9])"
    r"(?i:[-_.](?:\d{1,2}|value|val|prod|production|dev|test|staging|live|base|key|primary|secondary"
    r"|plain|text|plaintext|base64|b64|new|old|string|hash|encrypted|salt)(?![A-Za-z0-9]))*"
    r"|\d{1,2}(?![A-Za-z0-9])|(?:Value|Key|Text|String|Base64|Plain|Hash)(?![a-z])"
)
_FOREIGN = re.compile(r"[^\W\d_]{0,5}")
"""The endings of other languages: пароля, şifresi, hasłem."""

_NONE = re.compile("")
_FIRST_IDEOGRAPH = "\u2e80"
"""From here on scripts write one word behind the other."""


def labels(text: str, lowered: str) -> Iterator[Label]:
    """Find labels; `lowered` is the text in small letters, of the same length."""
    roots = _ASCII_ROOTS if text.isascii() else _ALL_ROOTS
    for root in [root for root in roots if root in lowered]:
        for stem, kind in _GROUPS[root]:
            for at in _places(stem, lowered):
                after = at + len(stem)
                if ending := _ending_of(stem).match(text, after):
                    yield Label(kind, at, ending.end())
    for lower in [short for short in _SHORT if short in lowered]:
        stem, kind = _SHORT[lower]
        for at in _places(lower, lowered):
            after = at + len(lower)
            small = text[at:after] == lower != stem
            if _is_a_key(text, at, after) if small else _stands_alone(text, at, after):
                yield Label(kind, at, after)


def _ending_of(stem: str) -> re.Pattern[str]:
    if stem[-1] > _FIRST_IDEOGRAPH:
        return _NONE
    return _ENDING if stem.isascii() else _FOREIGN


def _places(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit stands beside, but for a hump: dbPass."""
    if text[end : end + 1].isalnum():
        return False
    before = text[start - 1 : start]
    return not before.isalnum() or (before.islower() and text[start].isupper())


def _is_a_key(text: str, start: int, end: int) -> bool:
    """Whether a small-letter word is a key of its own: "pin": or pin=."""
    return text[start - 1 : start] in ('"', "'") and text[end : end + 1] in ('"', "'")

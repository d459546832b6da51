"""Every form of secret is found, what only resembles one stays, and the rate of both is kept."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.egress.masking import Masker
from rag_assistant.egress.secrets.checks import (
    is_base58_checked,
    is_bech32,
    is_luhn,
    is_stellar_seed,
)
from rag_assistant.egress.secrets.finding import secret_spans
from rag_assistant.egress.secrets.formats import FORMS, SecretFormat
from tests.examples import examples

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[dict[str, str]]:
    """Read cases made up for these tests."""
    lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name} {form.prefixes[0]}")
@settings(max_examples=max(2, examples(4)))  # the first is the plainest, which looks random to none
@given(data=st.data())
def test_a_made_up_example_of_each_form_is_found(form: SecretFormat, data: st.DataObject) -> None:
    """Else a row of the table has a slip in it, or another row hides it."""
    alphabet = form.rest.pattern.removesuffix(r"(?![A-Za-z0-9_])")
    rests = st.from_regex(re.compile(alphabet, re.ASCII), fullmatch=True)
    for prefix in form.prefixes:
        rest = data.draw(rests)
        if form.check and not form.check(rest):
            continue
        secret = prefix + rest
        text = f"Noted: {secret} in the list."
        covered = {n for span in secret_spans(text) for n in range(span.start, span.end)}
        start = text.index(secret)
        found = len(covered & set(range(start, start + len(secret))))
        assert found >= len(secret) - 2, prefix


@pytest.mark.parametrize("case", cases("secrets"), ids=lambda case: f"{case['id']} {case['kind']}")
def test_what_is_secret_goes(case: dict[str, str]) -> None:
    """Else one of the ways in which people write secrets down leaves this machine in clear."""
    masked = Masker().masked(case["text"])
    for line in case["secret"].splitlines():
        assert line not in masked or len(line) < 5


@pytest.mark.parametrize("case", cases("harmless"), ids=lambda case: f"{case['id']} {case['kind']}")
def test_what_is_harmless_stays(case: dict[str, str]) -> None:
    """Else a model is asked about text with holes in it."""
    assert case["keep"] in Masker().masked(case["text"])


@pytest.mark.parametrize(
    "text",
    [
        "ghp_short glpat-short sk-learn-contrib-extras-and-more hf_transformers_are_fun_to_read_of",
        "AKIAIOSFODNN7EXAMPL and AKIAIOSFODNN7EXAMPLEX are of the wrong length",
        "live_preview_of_the_page_and_its_settings, test_that_what_is_harmless_stays_in_the_text",
        "4556 7375 8689 9856 has a wrong check digit, 4556-7375-8689 is too short",
        "5KJvsngHeMpm884wtkJNzQGaCErckhHJBGFsvd3VyK5qMZXj3hT is no key: its check is wrong",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQ\n-----END PUBLIC KEY-----",
    ],
)
def test_near_misses_stay(text: str) -> None:
    """Else forms catch what only resembles them."""
    assert Masker().masked(text) == text


def test_check_digits_are_checked() -> None:
    """Else keys of coins are told from other words by chance. Examples of the formats' own
    documents: Bitcoin's wiki, BIP 173, NIP-19, SEP-23."""
    assert is_base58_checked("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ")
    assert not is_base58_checked("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTK")
    assert is_bech32("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5")
    assert not is_bech32("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe6")
    assert is_stellar_seed("SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR")
    assert not is_stellar_seed("SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKA")
    assert is_luhn("4556737586899855") and not is_luhn("4556737586899856")


def test_a_secret_that_was_told_once_is_masked_wherever_it_stands() -> None:
    """Else a password said in one place leaves where it stands alone."""
    masker = Masker()
    told = masker.masked("The password is Larch+Elm77. Nobody types Larch+Elm77 right.")
    assert told.count("[masked: password 1]") == 2
    assert masker.masked("See Larch+Elm77.") == "See [masked: secret 1]."

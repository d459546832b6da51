"""Texts compared with reference answers and quotes.

They are compared as tokens after the normalisation of SQuAD. Lengths, order of quotes and layout
make no difference; words and figures do.
"""

import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

ENOUGH = 0.8
"""Share of a reference quote's tokens that must be covered for the quote to count as found."""

RUN = 3
"""Tokens in a row that must agree to count as covered. Single words would not do: the words of a
few long quotes cover almost any sentence."""

HALF = 0.5
"""Share of the shorter of two quotes that the other must hold for both to be of the same words."""

_ARTICLES = frozenset(("a", "an", "the"))


def tokens_of(text: str) -> list[str]:
    """Give the tokens of a text: lower case, no punctuation, no articles, any white space.

    Source: Rajpurkar et al. 2016 (SQuAD), arXiv 1606.05250, `normalize_answer` of its evaluation
    script; beyond that script the punctuation of all of Unicode is dropped, since documents write
    “these” quotes, and letters with accents are composed.
    """
    lowered = unicodedata.normalize("NFC", text.lower())
    kept = "".join(character for character in lowered if not _is_punctuation(character))
    return [token for token in kept.split() if token not in _ARTICLES]


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character).startswith("P")


def token_f1(text: str, answers: Sequence[str]) -> float:
    """Best F1 of the text's tokens over the reference answers, from 0 to 1.

    With o tokens in common (each as often as in both): P = o / tokens of the text, R = o / tokens
    of the reference, F1 = 2PR / (P + R). Source: as `tokens_of`.
    """
    tokens = tokens_of(text)
    return max((_f1(tokens, tokens_of(answer)) for answer in answers), default=0.0)


def _f1(tokens: Sequence[str], reference: Sequence[str]) -> float:
    if not tokens or not reference:
        return float(tokens == reference)
    common = (Counter(tokens) & Counter(reference)).total()
    return 2 * common / (len(tokens) + len(reference))


def exact_match(text: str, answers: Sequence[str]) -> float:
    """1 when the tokens are those of a reference answer, else 0. Source: as `tokens_of`."""
    tokens = tokens_of(text)
    return float(any(tokens == tokens_of(answer) for answer in answers))


def contains_answer(text: str, answers: Sequence[str]) -> float:
    """1 when the tokens of a reference answer stand in the text in a row, else 0.

    The lenient match of open question answering, fair to answers in whole sentences; as `has
    answer` in Chen et al. 2017 (DrQA), arXiv 1704.00051, but on the answer's own text.
    """
    tokens = f" {' '.join(tokens_of(text))} "
    references = (" ".join(tokens_of(answer)) for answer in answers)
    return float(any(reference and f" {reference} " in tokens for reference in references))


def quote_coverage(reference: str, quotes: Iterable[str]) -> float:
    """Share of the tokens of a reference quote that the given quotes cover, from 0 to 1.

    A token is covered when it stands in RUN tokens in a row (or the whole reference, when that is
    shorter) that a single quote also holds in a row. Our own definition.
    """
    wanted = tokens_of(reference)
    length = min(RUN, len(wanted))
    if not length:
        return 0.0
    held = {run for quote in quotes for run in _runs(tokens_of(quote), length)}
    covered: set[int] = set()
    for start, run in enumerate(_runs(wanted, length)):
        if run in held:
            covered.update(range(start, start + length))
    return len(covered) / len(wanted)


def _runs(tokens: Sequence[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + length]) for i in range(len(tokens) - length + 1)]


def quote_recall(references: Sequence[str], quotes: Sequence[str]) -> float:
    """Share of the reference quotes of which ENOUGH of the tokens are covered by the quotes."""
    found = [quote_coverage(reference, quotes) >= ENOUGH for reference in references]
    return sum(found) / len(found) if found else 0.0


def quote_token_recall(references: Sequence[str], quotes: Sequence[str]) -> float:
    """Share of the tokens of all reference quotes that are covered by the quotes."""
    lengths = [len(tokens_of(reference)) for reference in references]
    covered = sum(
        length * quote_coverage(reference, quotes)
        for length, reference in zip(lengths, references, strict=True)
    )
    return covered / sum(lengths) if any(lengths) else 0.0


def same_words(quote: str, reference: str) -> bool:
    """Whether a quote and a reference quote are of the same words of a document.

    They are when either covers HALF of the other: what is quoted may be a sentence of the
    reference, or a paragraph around it. Our own definition.
    """
    covered = max(quote_coverage(reference, [quote]), quote_coverage(quote, [reference]))
    return covered >= HALF


def bears_out(words: Sequence[str], quotes: Sequence[str], answers: Sequence[str]) -> bool:
    """Whether some texts, all together, hold what is right for a question.

    They do when one of them contains a reference answer, or when they cover ENOUGH of a reference
    quote. Our own definition, by which the confidence of answers was fitted, too.
    """
    return any(contains_answer(text, answers) for text in words) or any(
        quote_coverage(quote, words) >= ENOUGH for quote in quotes
    )

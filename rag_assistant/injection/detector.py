"""The detector: which spans of a text look as if they were written for a model, and why.

It errs on the side of telling: nothing is lost by it, since what it finds stays searchable and
readable, and is only left out of prompts until the person allows it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from rag_assistant.injection.encoded import DISGUISES, encoded
from rag_assistant.injection.folding import Folded, fold
from rag_assistant.injection.invisible import invisible
from rag_assistant.injection.languages import FRENCH, GERMAN
from rag_assistant.injection.more_languages import OTHERS, SPANISH
from rag_assistant.injection.phrases import ENGLISH
from rag_assistant.injection.rules import Rule, RuleSet
from rag_assistant.injection.syntax import CARRIES, SYNTAX, carrying_links
from rag_assistant.injection.unseen import telling
from rag_assistant.values.documents import HIDDEN, HiddenText, Suspicion

LONGEST_TAIL = 600
"""Characters behind an order, to the end of its paragraph at most, that count to it: what is to be
done often stands in the next sentence."""

_NOTHING = re.compile(r"[ \t]*\n\s*")
"""Between a mark that ends its paragraph and the next paragraph."""

_STEP, _OVERLAP = 1_500, 400
"""Characters that are looked at together, and again with the next ones: longer than any phrase.
Which rules are tried is decided for each piece, by the words in it."""

_PHRASES = (*ENGLISH, *GERMAN, *FRENCH, *SPANISH, *OTHERS)


def suspicions(text: str, hidden: Iterable[HiddenText] = ()) -> tuple[Suspicion, ...]:
    """Give the suspicious spans of a text in order, none within another.

    `hidden` are spans that the loader knows nobody sees; those count that say something. The time
    is linear in the text.
    """
    unseen = telling(text, hidden)
    found = [Suspicion(HIDDEN, span.start, span.end, span.reason) for span in unseen]
    folded = fold(text)
    starts = range(0, len(folded.text), _STEP)
    words = [_rules().words_in(folded.text[start : start + _STEP + 1]) for start in starts]
    for start, there, more in zip(starts, words, [*words[1:], 0], strict=False):
        end = start + _STEP + _OVERLAP
        needed = _rules().needed(folded.text[start:end], there | more)
        found += _by_rules(text, folded, needed, (start, end))
    if "://" in text:
        found += [Suspicion("link", *span, CARRIES) for span in carrying_links(text)]
    found += [Suspicion("invisible", *told) for told in invisible(text)]
    found += [Suspicion("encoded", *told) for told in encoded(text, _is_order)]
    return _abutting_joined(_with_tails(text, _joined(found)))


@lru_cache(maxsize=4096)
def why_suspicious(text: str) -> str:
    """Say what is wrong with a short text, as a title; empty where nothing is."""
    found = suspicions(text)
    return found[0].reason if found else ""


def _by_rules(
    text: str, folded: Folded, rules: Iterable[Rule], part: tuple[int, int]
) -> Iterator[Suspicion]:
    for rule in rules:
        if rule.undo and not _hides_order(folded.text[slice(*part)], rule.undo):
            continue
        for start, end in rule.spans(folded.cased if rule.cased else folded.text, *part):
            first, last = folded.origin(start), folded.origin(end - 1) + 1
            reason = rule.reason
            if rule.kind == "instruction" and _is_disguised(text[first:last]):
                reason += ", in look-alike or invisible characters"
            yield Suspicion(rule.kind, first, last, reason)


@cache
def _rules() -> RuleSet:
    return RuleSet((*_PHRASES, *SYNTAX, *DISGUISES))


@cache
def _orders() -> RuleSet:
    return RuleSet(_PHRASES)


def _is_order(text: str) -> bool:
    folded = fold(text).text
    needed = _orders().needed(folded, _orders().words_in(folded))
    return any(next(rule.spans(folded), None) for rule in needed)


def _hides_order(text: str, undo: Callable[[str], str]) -> bool:
    return _is_order(undo(text)) and not _is_order(text)


def _is_disguised(written: str) -> bool:
    """Whether folding changed more of some words than case, accents and white space."""
    if written.isascii():
        return False
    return any(
        not character.isascii() and not _is_plain(character) and fold(character).text.isascii()
        for character in written
    )


def _is_plain(character: str) -> bool:
    """Whether a character that folds to another is an accented letter or a mark of print."""
    return character in "‘’“”„–—…" or ("\u00a0" <= character <= "\u024f" and character != "\u00ad")


def _with_tails(text: str, found: list[Suspicion]) -> Iterable[Suspicion]:
    """Let each order or forged turn reach to the end of its paragraph, or to the next span."""
    if not found:
        return ()
    starts = [*(one.start for one in found[1:]), len(text)]
    return tuple(
        replace(one, end=max(one.end, min(start, _end_of_paragraph(text, one))))
        if one.kind in ("instruction", "encoded", "command")
        else one
        for one, start in zip(found, starts, strict=True)
    )


def _end_of_paragraph(text: str, one: Suspicion) -> int:
    """Give where the paragraph of an order ends; a forged mark speaks in the next one, too."""
    end = one.end
    if one.kind == "command" and (behind := _NOTHING.match(text, end)):
        end = behind.end()
    close = text.find("\n\n", end, end + LONGEST_TAIL)
    return close if close >= 0 else min(len(text), end + LONGEST_TAIL)


def _joined(found: list[Suspicion]) -> list[Suspicion]:
    """Put spans in order; one that overlaps the one before joins it, which gives the reason."""
    kept: list[Suspicion] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        last = kept[-1] if kept else None
        if last and one.start < last.end:
            # Only what is hidden may be read around; an order in it takes its surroundings along.
            kind = one.kind if last.kind == HIDDEN else last.kind
            kept[-1] = replace(last, kind=kind, end=max(last.end, one.end))
        else:
            kept.append(one)
    return kept


def _abutting_joined(found: Iterable[Suspicion]) -> tuple[Suspicion, ...]:
    """Join a span with the one that it reaches to, so that a text full of orders has few."""
    kept: list[Suspicion] = []
    for one in found:
        last = kept[-1] if kept else None
        if last and last.end == one.start and HIDDEN not in (last.kind, one.kind):
            kept[-1] = replace(last, end=one.end)
        else:
            kept.append(one)
    return tuple(kept)

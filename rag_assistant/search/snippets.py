"""The span of a passage that best answers a query, cut at sentence and line bounds."""

from collections.abc import Mapping, Sequence

from rag_assistant.search.pool import query_terms
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import variants_of, words_in, words_of
from rag_assistant.values.search_plan import PassageSource

LONGEST = 320
"""Characters of a snippet; a single longer sentence is cut between words."""

_ENDS = frozenset('.!?…。！？｡;:,"”’)]|')


def best_spans(
    sources: Sequence[PassageSource], weights: Mapping[str, float]
) -> list[tuple[int, int]]:
    """Give the best span of the text of each passage; see `best_span`."""
    # All stems at once: to ask for those of a single text takes as long as to cut it.
    words = {word for source in sources for word in lower_words(source.passage.text)}
    terms = query_terms(words, weights)
    return [
        best_span(
            source.passage.text,
            weights,
            heading=source.passage.location.heading or "",
            terms=terms,
            has_variants=source.has_variants,
        )
        for source in sources
    ]


def best_span(
    text: str,
    weights: Mapping[str, float],
    *,
    heading: str = "",
    terms: Mapping[str, str] | None = None,
    has_variants: bool = True,
) -> tuple[int, int]:
    """Give the (start, end) of the run of sentences that covers the most of `weights`.

    `weights` maps query terms to their rarity; `heading` is the heading path of the text, `terms`
    its words that stand for such a term, where they are known; where it has no variants, none are
    looked for. Among equals, one that is no mere heading line wins, then the shortest, then the
    first.
    """
    sentences = sentences_of(text)
    if not sentences:
        return 0, 0
    if terms is None:
        terms = query_terms(set(lower_words(text)), weights)
    pieces = [text[start:end] for start, end in sentences]
    varying = has_variants and bool(variants_of(text))
    held = [_held(piece, weights, terms, has_variants=varying) for piece in pieces]
    bare = [_is_heading(text, span, heading) for span in sentences]
    begins = _beginnings(held, bare)
    best, best_rank = (0, 0), (-1.0, False, 0)
    for first in begins:
        start = sentences[first][0]
        covered: set[str] = set()
        worth, speaks = -1.0, False
        for last in range(first, len(sentences)):
            end = sentences[last][1]
            if last > first and end - start > LONGEST:
                break
            spoke, speaks = speaks, speaks or not bare[last]
            if worth < 0 or not held[last] <= covered:
                covered |= held[last]
                worth = sum([weights[term] for term in sorted(covered)])
            elif speaks == spoke:
                continue  # longer, and no better
            if (rank := (worth, speaks, start - end)) > best_rank:
                best, best_rank = (start, end), rank
    return _shorten(text, *best, weights)


def _beginnings(held: Sequence[set[str]], bare: Sequence[bool]) -> list[int]:
    """Give the sentences at which the best run may begin: those that hold a term, where any does,
    and those that speak for a heading that follows them."""
    if not any(held):
        return list(range(len(held)))
    return [at for at, own in enumerate(held) if own or (at + 1 < len(bare) and bare[at + 1])]


def _held(
    sentence: str, weights: Mapping[str, float], terms: Mapping[str, str], *, has_variants: bool
) -> set[str]:
    """Give the terms of the query that a sentence holds."""
    found: set[str] = set()
    lower = sentence.lower()
    if any(word in lower for word in terms):
        found = {terms[word] for word in terms.keys() & lower_words(sentence)}
    if has_variants and (variants := variants_of(sentence)):
        found |= set(query_terms(words_in(variants), weights).values())
    return found


def _is_heading(text: str, span: tuple[int, int], heading: str) -> bool:
    """Say whether a line stands over others without saying anything: a heading, as far as one sees.

    It is one of the heading path, or is marked as one, or has a line of its own and no end.
    """
    line = text[span[0] : span[1]]
    words = line.strip("#=* \t")
    if line.startswith("#") or not words or (heading and heading.endswith(words)):
        return True
    alone = text[span[1] : span[1] + 2].startswith("\n") and "\n" not in line
    return alone and len(line) < 80 and line[-1] not in _ENDS and line[:1] not in "-*•|>"


def _shorten(text: str, start: int, end: int, weights: Mapping[str, float]) -> tuple[int, int]:
    """Cut a span down to LONGEST characters, where its words cover the most of the query."""
    if end - start <= LONGEST:
        return start, end
    begin = start + _best_window(text[start:end], weights, LONGEST * 3 // 4)
    begin = max(start, min(begin - LONGEST // 8, end - LONGEST))
    if begin > start:
        space = text.find(" ", begin, begin + 40)
        begin = space + 1 if space >= 0 else begin
    stop = min(end, begin + LONGEST)
    if stop < end:
        space = text.rfind(" ", stop - 40, stop)
        stop = space if space > begin else stop
    return begin, stop


def _best_window(text: str, weights: Mapping[str, float], width: int) -> int:
    """Give the place of the word at which the `width` characters begin that hold the most."""
    words = [(match.start(), match[0]) for match in words_of(text)]
    terms = query_terms({word for _, word in words}, weights)
    places = [(place, terms[word]) for place, word in words if word in terms]
    best, most, last = 0, 0.0, 0
    counts: dict[str, int] = {}
    covered = 0.0
    for place, term in places:
        while last < len(places) and places[last][0] < place + width:
            entering = places[last][1]
            counts[entering] = counts.get(entering, 0) + 1
            covered += weights[entering] if counts[entering] == 1 else 0.0
            last += 1
        if covered > most + 1e-9:
            best, most = place, covered
        counts[term] -= 1
        covered -= weights[term] if counts[term] == 0 else 0.0
    return best

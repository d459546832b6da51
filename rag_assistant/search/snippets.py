"""The span of a passage that best answers a query, cut at sentence and line bounds."""

from collections.abc import Mapping

from rag_assistant.terms import sentences_of, terms_by_word, terms_of, words_of

LONGEST = 320
"""Characters of a snippet; a single longer sentence is cut between words."""


def best_span(
    text: str, weights: Mapping[str, float], *, longest: int = LONGEST
) -> tuple[int, int]:
    """Give the (start, end) of the run of sentences that covers the most of `weights`.

    `weights` maps query terms to their rarity. Among equals the shortest run wins, then the first.
    """
    sentences = sentences_of(text)
    if not sentences:
        return 0, 0
    held = [weights.keys() & set(terms_of(text[start:end])) for start, end in sentences]
    best, best_rank = (0, 0), (-1.0, 0)
    for first, (start, _) in enumerate(sentences):
        covered: set[str] = set()
        for last in range(first, len(sentences)):
            end = sentences[last][1]
            if last > first and end - start > longest:
                break
            covered |= held[last]
            rank = (sum(weights[term] for term in covered), start - end)
            if rank > best_rank:
                best, best_rank = (start, end), rank
    return _shorten(text, *best, weights, longest)


def _shorten(
    text: str, start: int, end: int, weights: Mapping[str, float], longest: int
) -> tuple[int, int]:
    """Cut a span down to `longest` characters round the first matching word."""
    if end - start <= longest:
        return start, end
    terms = terms_by_word(text[start:end])
    places = [m.start() for m in words_of(text[start:end]) if terms[m[0]] in weights]
    lead = max(0, (places[0] if places else 0) - longest // 4)
    begin = start + lead
    if lead:
        space = text.find(" ", begin, begin + 40)
        begin = space + 1 if space >= 0 else begin
    stop = min(end, begin + longest)
    if stop < end:
        space = text.rfind(" ", stop - 40, stop)
        stop = space if space > begin else stop
    return begin, stop

"""Phrases and filters in the query language of the engine, over our own terms.

https://docs.opensearch.org/2.19/query-dsl/
"""

from collections.abc import Iterable

from rag_assistant.store.file_types import suffixes_of
from rag_assistant.store.folding import author_words, folded
from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.mapping import TEXTS
from rag_assistant.store.opensearch.view import every_of, is_any, none_of
from rag_assistant.text.terms import terms_of
from rag_assistant.values.search_plan import UNKNOWN_LANGUAGE, AllOf, Filter, Phrase

MOST_COMPLETIONS = 500
"""Words that the beginning at the end of a phrase may stand for; of one alone, all."""


def holds(phrase: Phrase) -> Json:
    """Demand a phrase of a passage."""
    terms = terms_of(" ".join(phrase.words))
    if not terms:
        return {"match_none": {}}
    columns = TEXTS if phrase.column == "any" else (phrase.column,)
    if len(terms) == 1:
        how = "prefix" if phrase.begun else "term"
        where = ("terms",) if phrase.column == "any" else columns
        return {how: {where[0]: terms[0]}}
    how = "match_phrase_prefix" if phrase.begun else "match_phrase"
    more = {"max_expansions": MOST_COMPLETIONS} if phrase.begun else {}
    ways = [{how: {column: {"query": " ".join(terms), **more}}} for column in columns]
    return {"bool": {"should": ways, "minimum_should_match": 1}}


def holds_all(phrases: AllOf) -> Json:
    """Demand all of some phrases of one passage."""
    return every_of(map(holds, phrases))


def let_through(filters: Iterable[Filter]) -> list[Json]:
    """Give the conditions that filters make; values of path, type and lang are alternatives."""
    alternatives: dict[str, list[Json]] = {"path": [], "type": [], "lang": []}
    every: list[Json] = []
    for wanted in filters:
        made = _one(wanted)
        if wanted.negated:
            every.append(none_of([made]))
        else:
            alternatives.get(wanted.name, every).append(made)
    return every + [_any(found) for found in alternatives.values() if found]


def _any(ways: list[Json]) -> Json:
    return {"bool": {"should": ways, "minimum_should_match": 1}}


def _one(wanted: Filter) -> Json:
    match wanted.name:
        case "path":
            return _path(wanted.value)
        case "title":
            return _pattern("folded_title", f"*{_escaped(folded(wanted.value))}*")
        case "type":
            return _any([_type(name) for name in wanted.value.replace("|", ",").split(",")])
        case "author":
            words = author_words(wanted.value).split()
            return every_of([_pattern("authors", f"* {_escaped(word)}*") for word in words])
        case "lang":
            codes = ["" if code == UNKNOWN_LANGUAGE else code for code in wanted.value.split(",")]
            return is_any("language", codes)
        case _:
            return {"range": {"date": {"gte" if wanted.name == "after" else "lt": wanted.value}}}


def _path(value: str) -> Json:
    value = folded(value.replace("\\", "/").removeprefix("./"))
    if "*" not in value and "?" not in value:
        return _pattern("folded_path", f"*{_escaped(value)}*")
    value = value.replace("\\", "\\\\")
    return _any([_pattern("folded_path", f"{before}{value}") for before in ("", "*/")])


def _type(name: str) -> Json:
    if "/" in name:
        return _pattern("media_type", name)
    name = name.lstrip(".")
    ends = [_pattern("folded_path", f"*.{_escaped(suffix)}") for suffix in suffixes_of(name)]
    # The media type says what a file is whose name says nothing: "application/pdf", "image/png".
    whole = f"{name}/*" if name in ("image", "audio", "video") else f"*/{name}"
    return _any([*ends, _pattern("media_type", whole)])


def _pattern(field: str, pattern: str) -> Json:
    return {"wildcard": {field: {"value": pattern}}}


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?" else letter for letter in text)

"""Sentences that say of the documents that they do not hold something, and answers that do.

Told by how they are worded, in English and, by fewer forms, in seven more languages.
"""

import re
from collections.abc import Sequence

from rag_assistant.claims.answer_sentences import Piece, PieceKind, pieces_of

_SOURCES = (
    r"(?:documents?|entr(?:y|ies)|sources?|databases?|passages?|records?|files?|quotes?|results?|"
    r"evidence|search(?:es)?|handbook|manual|minutes|papers?|texts?|information|answer|nothing|"
    r"none of (?:the|them|these)|no\s+\w+)"
)
_LACKS = (
    r"(?:(?:do|does|did)(?:\s+not|n['’]t)\s+(?:\w+\s+){0,2}?(?:hold|contain|say|mention|state|"
    r"specify|give|tell|name|answer|cover|include|provide|address|explain|list|describe|show|"
    r"record|discuss)|(?:is|are|was|were)\s+(?:not|n['’]t)\s+(?:\w+\s+){0,2}?(?:mentioned|stated|"
    r"given|found|specified|covered|there|said|answered|recorded|in\s+the)|"
    r"(?:mentions?|states?|says?|gives?|contains?|holds?|answers?|covers?|specif(?:y|ies))\b)"
)
_ENGLISH = re.compile(
    rf"\b{_SOURCES}\b[^.;:]{{0,80}}?\b(?:{_LACKS})"
    r"|\b(?:I|we)\b[^.;]{0,20}?\b(?:could|can|did|was|were|am|have)(?:\s+not|n['’]t|\s*not)\s+"
    r"(?:been\s+)?(?:able\s+to\s+)?(?:find|found|locate|located|see|answer|tell|say|determine)"
    r"|\b(?:could|can)(?:\s+not|n['’]t|not)\s+be\s+(?:found|located|answered|determined|told)"
    r"|\bnot\s+(?:\w+\s+)?(?:mentioned|stated|given|found|specified|covered|answered|recorded)\b"
    r"[^.;:]{0,30}?\b(?:document|entr|source|database|passage|record|file|quote|text|handbook)"
    r"|\b(?:it|this|that|they|these|those|none)\s+(?:(?:do|does|did)(?:\s+not|n['’]t)\s+)?"
    r"(?:answers?|says?|mentions?|states?|tells?)\s+(?:it|this|that|so|what|which|when|how|who)\b"
    r"|\bnothing\s+(?:was\s+|is\s+|could\s+be\s+)?found\b"
    r"|\b(?:found|find|there\s+(?:is|was|are|were))\s+(?:nothing|no\b)[^.;]{0,60}?"
    r"\b(?:document|entr|source|database|passage|record|file|quote|search|about|on)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|n['’]t|no|nothing|none|never|cannot)\b|n['’]t\b", re.IGNORECASE)

_OTHERS = re.compile(
    # German
    r"\b(?:Dokumente|Unterlagen|Quellen|Einträge[n]?|Texte|Datenbank(?:en)?)\b[^.;:]{0,80}?"
    r"\b(?:kein\w*|nicht|nichts)\b"
    r"|\b(?:nichts|keine\s+\w+|kein\w*\s+\w+)\b[^.;:]{0,40}?\bgefunden\b"
    # French
    r"|\b(?:documents?|sources?|textes?|entrées?)\b[^.;:]{0,40}?\bn(?:e\s|['’])[^.;:]{0,40}?\bpas\b"
    r"|\bn['’]ai\s+(?:rien|pas)\s+(?:trouvé)\b"
    # Spanish, Italian, Portuguese
    r"|\b(?:documentos?|fuentes?|textos?|documenti|fonti|testi|fontes)\b[^.;:]{0,20}?"
    r"\b(?:no|non|não)\b[^.;:]{0,30}?\b\w+(?:n|an|en|no|ono|m|em)\b"
    r"|\b(?:no\s+he\s+encontrado|non\s+ho\s+trovato|não\s+encontrei)\b"
    # Dutch, Polish
    r"|\b(?:documenten|bronnen)\b[^.;:]{0,80}?\b(?:geen|niet|niets)\b"
    r"|\b(?:dokumenty|dokumentach|źródła|źródłach)\b[^.;:]{0,40}?\bnie\b",
    re.IGNORECASE,
)

_ABOUT_THE_QUESTION = re.compile(
    r"\b(?:this|that|it|the\s+(?:answer|question)|(?:this|that|the|any)\s+(?:\w+\s+)?information"
    r"|what\s+you\s+ask(?:ed)?)\b\W*$",
    re.IGNORECASE,
)
"""Ends a sentence that refuses, whatever it cites; with another end it may be the answer: "The
records name no payment after May [1]."."""

ANSWERED = 2
"""Sentences with citations for each one that refuses, from which an answer is one in part."""

LEADING = 2
"""Sentences among the first of which an answer that refuses says so."""


def says_it_is_not_there(words: str) -> bool:
    """Whether a sentence says that the documents do not hold, or that nobody found, something."""
    return bool((_DENIES.search(words) and _ENGLISH.search(words)) or _OTHERS.search(words))


def is_refusal(text: str) -> bool:
    """Whether an answer says itself, at its beginning, that the documents do not hold the answer.

    What it adds, as what comes nearest, with citations or without, does not change that; an answer
    to one part of a question that refuses another one is an answer.
    """
    said = [piece for piece in pieces_of(text) if piece.kind is not PieceKind.HEADING]
    said = [piece for piece in said if any(map(str.isalnum, piece.words))]
    refusing = [piece for piece in said if _refuses(piece)]
    if not refusing or said.index(refusing[0]) >= LEADING:
        return False
    if _cited(said[: said.index(refusing[0])]):
        return False
    answering = [piece for piece in _cited(said) if piece not in refusing]
    return len(answering) < ANSWERED * len(refusing)


def _refuses(piece: Piece) -> bool:
    if not says_it_is_not_there(piece.words):
        return False
    return not piece.markers or bool(_ABOUT_THE_QUESTION.search(piece.words))


def _cited(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.markers]

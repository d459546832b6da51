"""Sentences of an answer that claim nothing about the documents' matter, and so need no quote.

Told by how they are worded, in English; a sentence in another language counts as a claim.
"""

import re

from rag_assistant.claims.names import names_of
from rag_assistant.claims.quote_values import claimed_values
from rag_assistant.text.terms import content_terms

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
_REFUSES = re.compile(
    rf"\b{_SOURCES}\b[^.;:]{{0,80}}?\b(?:{_LACKS})"
    r"|\b(?:could|can|did|was|were|am|have)(?:\s+not|n['’]t|\s*not)\s+(?:be\s+|been\s+)?"
    r"(?:able\s+to\s+)?(?:find|found|locate|located|see|answer|tell|say|determine)"
    r"|\bnothing\s+(?:was\s+|is\s+|could\s+be\s+)?found\b"
    r"|\b(?:found|find|there\s+(?:is|was|are|were))\s+(?:nothing|no\b)[^.;]{0,60}?"
    r"\b(?:document|entr|source|database|passage|record|file|quote|search|about|on)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|n['’]t|no|nothing|none|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_ON_SEARCH = re.compile(
    r"\bI(?:['’]ve|['’]ll|['’]m| have| will| am|)\s+(?:also\s+|only\s+|then\s+|first\s+)?"
    r"(?:search|look|check|read|quer|consult|went through|tried|try)"
    r"|\bcould not be (?:searched|read|opened)\b|^Error\b|\bno step left\b"
    r"|\b(?:searched|looked)\s+(?:for|in|through|under|the)\b"
    r"|\bthe nearest (?:they|it|entries|documents)\b"
    r"|\b(?:documents|sources|entries|papers|minutes|quotes) (?:disagree|differ|conflict)\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"(?:hello|hi|hey|sure|certainly|of course|yes|no|thanks|thank you|you(?:['’]re| are) welcome|"
    r"good (?:morning|question|day)|great question|(?:I )?hope (?:this|that|it)|let me know|"
    r"feel free|(?:I['’]m |I am )?(?:happy|glad|sorry)|please (?:ask|let me|tell me)|"
    r"(?:here|below|this) (?:is|are) (?:what|the|a|an|my)\b|in (?:short|summary|brief)|"
    r"(?:would|do) you (?:like|want)|if you (?:need|have|want|would)\b.{0,60}"
    r"(?:ask|know|tell|help))\b",
    re.IGNORECASE,
)
MOST_WORDS_OF_COURTESY = 14


def leads_in(words: str) -> bool:
    """Whether a sentence leads to what follows it: a list, a table, a quotation."""
    return words.strip().strip("*_ ").endswith((":", "："))


def claims_nothing(words: str) -> bool:
    """Whether a sentence, without its citations, is none that a source could bear out.

    A question, a courtesy, a refusal, a word on the search, a line that leads to a list.
    """
    said = words.strip().strip("\"'“”‘’()[]").strip()
    if not any(character.isalnum() for character in said) or said.endswith(("?", "？")):
        return True
    if _REFUSES.search(said) and _DENIES.search(said):
        return True
    values = claimed_values(said)
    telling = values or names_of(said, values)
    if _ON_SEARCH.search(said):
        return True
    if telling:
        return False
    few = len(said.split()) <= MOST_WORDS_OF_COURTESY
    if few and (_COURTESY.match(said) or said.endswith((":", "："))):
        return True
    return not content_terms(said)

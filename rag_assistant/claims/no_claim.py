"""Sentences of an answer that claim nothing about the documents' matter, and so need no quote.

Told by how they are worded, in English; a sentence in another language counts as a claim.
"""

import re

from rag_assistant.claims.names import names_of
from rag_assistant.claims.quote_values import claimed_values
from rag_assistant.claims.refusals import says_it_is_not_there
from rag_assistant.text.terms import content_terms

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
    if says_it_is_not_there(said):
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

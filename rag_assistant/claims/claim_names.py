"""Who holds a role that only one can hold, as sentences of a few plain forms say it."""

import re

from rag_assistant.claims.claim_values import Value

NAME_KIND = "name"

_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w'’-]*\.?"
_NAME = (
    rf"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?{_CAPITAL}"
    rf"(?: (?:& |de |von |van )?{_CAPITAL}){{0,3}})"
)
_BE = r"(?:is|was|will be|remains)"
_ROLE = r"(?P<role>[a-z][a-z'’ -]{2,50}?)"
_LABEL = re.compile(
    rf"^(?!Owner|Author)(?P<role>[A-Z][a-z]+(?: [a-z]+){{0,3}})(?::| \|) *{_NAME}(?=[.,;|)]| *$)"
)
_FORMS = (
    _LABEL,
    *(
        re.compile(pattern)
        for pattern in (
            rf"\b(?:[Tt]he|[Oo]ur) {_ROLE} {_BE} (?:now )?{_NAME}"
            r"(?=[.,;:)]|$| and\b| from\b| since\b)",
            rf"(?:^|[,;] ){_NAME} (?:{_BE}|became|becomes) (?:now )?(?:the|our) {_ROLE}"
            r"(?=[.,;:)]|$| from\b| since\b| until\b)",
            rf"(?:^|[,;] ){_NAME} (?:was|has been|is) (?:elected|appointed|made|chosen) (?:as )?"
            rf"(?:the )?{_ROLE}(?=[.,;:)]|$| from\b| since\b| until\b| by\b| with\b)",
            r"\b(?P<role>(?:chaired|written|signed|designed|built|supplied|judged|presented|audited"
            rf"|prepared|managed|led|drafted|approved) by) (?:the )?{_NAME}",
        )
    ),
)
"""Forms that name one holder: "the treasurer is X", "X was elected treasurer", "Treasurer: X"."""

_NO_NAMES = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August"
    r"|September|October|November|December"
    r"|(?:The|A|An|This|It|No|Yes|None|Not|All|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b"
)
_ROLES = re.compile(
    r".*(?:er|or|ist|ary|ant|chair|head|lead|chief|president|principal|captain|steward)",
    re.IGNORECASE,
)
"""What a label must end in to be a role; "owner" and "author" are of the page."""

_TITLES = frozenset("dr mr mrs ms prof".split())


def names_in(sentence: str) -> list[tuple[Value, str]]:
    """Find the names of a sentence that hold a role, each with the words of that role."""
    for form in _FORMS:
        if match := form.search(sentence):
            name = match["name"].rstrip(".")
            if _NO_NAMES.match(name) or (form is _LABEL and not _ROLES.fullmatch(match["role"])):
                continue
            words = tuple(
                word for word in re.findall(r"[\w'’-]+", name.lower()) if word not in _TITLES
            )
            if not words:
                continue
            start = match.start("name")
            value = Value(NAME_KIND, name, start, start + len(name), name=words)
            before, after = sentence[: match.start("name")], sentence[match.end("name") :]
            role = match["role"] if not match["role"].endswith(" by") else f"{before} {after}"
            return [(value, role)]
    return []

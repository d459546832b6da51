"""The names of months in six languages."""

from collections.abc import Mapping

from rag_assistant.text.word_patterns import any_of

MONTHS = (
    "january february march april may june july august september october november december"
).split()
"""The English names, from January."""

_NAMES = """
january jan januar jänner januari janvier janv enero ene gennaio
february feb februar febr februari février fevrier févr febrero febbraio
march mar märz maerz mär mrz maart mrt mars marzo
april apr avril avr abril abr aprile
may mai mei mayo maggio
june jun juni juin junio giugno giu
july jul juli juillet juil julio luglio lug
august aug augustus août aout agosto
september sep sept septembre septiembre setiembre settembre
october oct oktober okt octobre octubre ottobre ott
november nov novembre noviembre
december dec dezember dez décembre decembre déc diciembre dicembre dic
"""
MONTH_NAMES: Mapping[str, int] = {
    name: number
    for number, line in enumerate(_NAMES.strip().splitlines(), 1)
    for name in line.split()
}
"""The number of the month of each name, in English, German, French, Spanish, Italian and Dutch."""

ANY_MONTH = any_of(MONTH_NAMES)
MONTH_PATTERN = rf"(?P<month>{ANY_MONTH})"
"""A pattern of them all, with capitals or without."""

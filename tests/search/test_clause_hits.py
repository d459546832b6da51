"""A clause is found by the number that a word processor shows and the file does not spell out."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from tests.ingest.office_writer import docx, para

LEVEL = (
    '<w:lvl w:ilvl="{0}"><w:numFmt w:val="decimal"/><w:pStyle w:val="{1}"/>'
    '<w:lvlText w:val="{2}"/></w:lvl>'
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="0">'
    + LEVEL.format(0, "Head", "%1.")
    + LEVEL.format(1, "Clause", "%1.%2")
    + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{name}"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
    f"{outline}</w:pPr></w:style>"
    for name, outline in (("Head", '<w:outlineLvl w:val="0"/>'), ("Clause", ""))
)
CONTRACT = {
    "Delivery": [
        "The supplier brings the goods to the place that the order names, at its own cost.",
        "Risk passes to the customer at the gate.",
    ],
    "Payment": [
        "Each invoice is payable within thirty days of its date, without deduction.",
        "Interest on late payment runs at four per cent above the base rate.",
    ],
    "Warranty": [
        "The goods are free from defects for two years.",
        "Claims end with that time, unless the supplier knew of the defect.",
    ],
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root: Path = tmp_path_factory.mktemp("clauses")
    folder = root / "contracts"
    folder.mkdir()
    signed = " The parties have read this provision and agree to it by their signatures below."
    body = "".join(
        para(head, '<w:pStyle w:val="Head"/>')
        + "".join(para(clause + signed, '<w:pStyle w:val="Clause"/>') for clause in clauses)
        for head, clauses in CONTRACT.items()
    )
    (folder / "supply.docx").write_bytes(docx(body, numbering=NUMBERING, styles=STYLES))
    made = Library(root / "home")
    made.index(folder)
    return made


@pytest.mark.parametrize(
    ("question", "section", "begins"),
    [
        ("What does clause 2.1 say?", "2. Payment", "2.1 Each invoice"),
        ("clause 3.2", "3. Warranty", "3.2 Claims end"),
        ("What is in 1.2?", "1. Delivery", "1.2 Risk passes"),
    ],
)
def test_a_clause_is_found_by_its_number(
    library: Library, question: str, section: str, begins: str
) -> None:
    """The number is counted, not written: a loader that does not count finds nothing."""
    hit = search_databases([library.database("contracts")], question, 3).hits[0]
    assert hit.location.heading == section
    assert hit.snippet.startswith(begins)

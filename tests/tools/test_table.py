"""Rows of tables by conditions, and numbers that are computed by code."""

from pathlib import Path
from typing import Any

import pytest

from rag_assistant.library.entry_tables import entry_tables
from rag_assistant.library.library import Library
from rag_assistant.tools.table.conditions import read_condition
from tests.conftest import write_files
from tests.tools.documents import ORDER, DocumentTools, quotes

MINUTES = "minutes/2025-03-11.md"


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        (["Owner = Ann"], ["| Roof | Ann | £1,200.50 |"]),
        (["Net > 1000", "Owner != Bo", "Item != Total"], ["| Roof | Ann | £1,200.50 |"]),
        (["Item ~ enc"], ["| Fence | Bo | £300 |"]),
        (["net <= £300"], ["| Fence | Bo | £300 |"]),
    ],
)
async def test_rows_are_those_that_the_conditions_name(
    documents: DocumentTools, where: list[str], rows: list[str]
) -> None:
    """An answer would name rows that do not belong."""
    found = await documents.call("table", id=documents.ids[MINUTES], where=where)
    assert quotes(found) == rows
    assert (found["rows"], found["of"]) == (len(rows), 3)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"compute": "sum", "of": "Net"}, "£1,500.50"),
        ({"compute": "max", "of": "Net"}, "£1,200.50"),
        ({"compute": "average", "of": "Net"}, "£750.25"),
        ({"compute": "count"}, "2"),
    ],
)
async def test_numbers_are_exact_and_leave_totals_out(
    documents: DocumentTools, arguments: dict[str, Any], result: str
) -> None:
    """A sum would count its own total again, or be rounded without a word."""
    found = await documents.call("table", id=documents.ids[MINUTES], **arguments)
    assert found[arguments["compute"]] == result
    assert "left out, sums up others: 1" in found["notes"]


async def test_tables_of_many_documents_are_one(documents: DocumentTools) -> None:
    """What stands in every month's minutes could not be added up in one call."""
    found = await documents.call(
        "table", query="path:minutes/", table="Costs", compute="sum", of="Net", by="Owner"
    )
    assert found["sum"] == {"Ann": "£3,200.50", "Bo": "£300"}
    found = await documents.call(
        "table", query="path:minutes/", compute="count", of="Net", by="document"
    )
    assert found["count"] == {MINUTES: "2", "minutes/2025-04-08.md": "1"}


async def test_plain_tables_have_their_heads_in_every_row(documents: DocumentTools) -> None:
    """Of a CSV nothing could be added up; or a number such as 2000 would be left out as a year."""
    found = await documents.call("table", id=documents.ids["stock.csv"], compute="sum", of="Pieces")
    assert found["sum"] == "465"
    found = await documents.call("table", id=documents.ids["stock.csv"], where=["Made >= 2010"])
    assert found["rows"] == 11
    assert quotes(found)[0] == "Part: P20 | Pieces: 20 | Made: 2010"


async def test_tables_are_named_where_there_are_several(archive: Library, tmp_path: Path) -> None:
    """A model would be given rows of a table that it did not mean."""
    two = "# T\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nThen\n\n| C | D |\n|---|---|\n| 3 | 4 |\n"
    archive.index(write_files(tmp_path / "archive", {"two.md": two}))
    tools = DocumentTools(archive, "archive")
    told = await tools.call("table", id=tools.ids["two.md"])
    assert [one["heads"] for one in told["choose"]] == ["A | B", "C | D"]
    found = await tools.call("table", id=tools.ids["two.md"], table="2")
    assert quotes(found) == ["| 3 | 4 |"]
    output = await tools.run("table", id=tools.ids["two.md"], where=["E = 1"])
    assert not output.ok and "['A', 'B']" in output.text


async def test_values_of_units_that_differ_are_not_added(archive: Library, tmp_path: Path) -> None:
    """Euros and pounds would become a number of nothing."""
    mixed = "| A | B |\n|---|---|\n| x | £5 |\n| y | €5 |\n| z | £6 |\n"
    times = "| A | B |\n|---|---|\n| x | 30 min |\n| y | 2 h |\n"
    archive.index(write_files(tmp_path / "archive", {"mixed.md": mixed, "times.md": times}))
    tools = DocumentTools(archive, "archive")
    output = await tools.run("table", id=tools.ids["mixed.md"], compute="sum", of="B")
    assert not output.ok and "units that differ" in output.text
    found = await tools.call("table", id=tools.ids["times.md"], compute="sum", of="B")
    assert found["sum"] == "9,000 s"


async def test_rows_that_models_may_not_read_are_left_out(archive: Library, tmp_path: Path) -> None:
    """A row would bring its orders past what hides them."""
    table = f"| A | B |\n|---|---|\n| x | 5 |\n\n| A | B |\n|---|---|\n| {ORDER} | 6 |\n| y | 7 |\n"
    archive.index(write_files(tmp_path / "archive", {"orders.md": table}))
    tools = DocumentTools(archive, "archive")
    output = await tools.run("table", id=tools.ids["orders.md"], where=["B > 1"])
    assert output.evidence is None or ORDER not in str(output.evidence)
    assert ORDER not in str(output.result) + output.text


def test_a_table_of_any_length_is_read_whole() -> None:
    """A sum over a long table would be of its first rows only."""
    text = "Part | Pieces\n" + "\n".join(f"Part: P{n} | Pieces: {n}" for n in range(25_000))
    (found,) = entry_tables(text)
    assert (found.table.rows, found.table.named_rows) == (25_001, True)


def test_conditions_compare_what_values_are() -> None:
    """'£900' would be more than '£1,000' letter by letter."""
    assert read_condition("Net < £1,000").holds("£900")
    assert not read_condition("Net < £1,000").holds("not known")
    assert read_condition("Due < 1 April 2025").holds("12 March 2025")
    assert read_condition("Owner = ann").holds("**Ann**")
    assert read_condition("Name of firm ~ & Sons").value == "& Sons"

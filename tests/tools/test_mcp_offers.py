"""Names, schemas and results of MCP servers, whatever a server makes of them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp_types import CallToolResult, TextContent

from rag_assistant.text.fences import read_fences
from rag_assistant.tools.mcp_client.offers import BrokenSchema, checked_schema, legal_name
from rag_assistant.tools.mcp_client.results import as_output

NAMES = st.text(st.sampled_from("ab_-. é\n"), min_size=1, max_size=6) | st.text(max_size=90)
KEYWORDS = st.sampled_from(
    "type properties items $ref pattern patternProperties additionalProperties enum required "
    "description anyOf $defs minLength format $id $schema".split()
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["object", "string", "#", "^(a+)+"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.tuples(NAMES, NAMES), unique=True, min_size=2, max_size=8))
def test_names_are_legal_and_no_two_tools_share_one(pairs: list[tuple[str, str]]) -> None:
    """An endpoint would refuse the request, or leave given to one tool would hold for another."""
    servers = {server for server, _ in pairs}
    names = [legal_name(server, tool, servers) for server, tool in pairs]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)
    assert len(set(names)) == len(names)


def test_a_plain_name_is_kept() -> None:
    """Models and people would read digests instead of names."""
    assert legal_name("files", "write-file", {"files", "web"}) == "files_write-file"


@given(st.dictionaries(KEYWORDS, VALUES, max_size=5))
def test_any_schema_is_refused_or_fit_to_check_calls(schema: dict[str, Any]) -> None:
    """A server's schema would end the run, or keep the validator busy with its patterns."""
    try:
        passed_on = checked_schema({**schema, "type": "object"})
    except BrokenSchema:
        return
    Draft202012Validator.check_schema(dict(passed_on))
    assert not re.search(r"'(pattern|patternProperties|\$id)': ", str(_schemas_only(passed_on)))


def _schemas_only(schema: Any) -> Any:
    """Leave out what is no schema: values of enum and the like, which are never interpreted."""
    if isinstance(schema, list):
        return [_schemas_only(part) for part in schema]
    if not isinstance(schema, dict):
        return None
    named = ("properties", "$defs")
    return {
        key: list(map(_schemas_only, value.values())) if key in named else _schemas_only(value)
        for key, value in schema.items()
        if key not in ("enum", "required") and not (key in named and not isinstance(value, dict))
    }


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({}, "not of an object"),
        ({"type": ["object"]}, "not of an object"),
        ({"type": "object", "allOf": [{"$ref": "other.json"}]}, "refers to something outside"),
        ({"type": "object", "allOf": [{"$ref": "#"}] * 25}, "refers to itself too often"),
    ],
)
def test_schemas_that_are_refused(schema: dict[str, Any], reason: str) -> None:
    """A reference would be fetched from the network, or doubled until nothing else ran."""
    with pytest.raises(BrokenSchema, match=reason):
        checked_schema(schema)


def test_a_schema_of_endless_depth_is_refused() -> None:
    """A deeply nested schema would end the run with a RecursionError."""
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(5_000):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(BrokenSchema, match="nested too deeply"):
        checked_schema(schema)


@given(st.lists(st.text(max_size=50), max_size=4), st.none() | st.dictionaries(NAMES, VALUES))
def test_any_result_is_one_fence(texts: list[str], structured: dict[str, Any] | None) -> None:
    """A result would pass for our own words, break out of its fence, or raise."""
    result = CallToolResult(
        content=[TextContent(text=text) for text in texts], structured_content=structured
    )
    output = as_output(result, "t", lambda text: text)
    (fenced,) = read_fences(output.text)
    assert output.text.startswith("<<<result ")
    assert all(text in fenced.text for text in texts)
    assert "\n" not in output.summary and output.summary

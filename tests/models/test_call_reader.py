"""Calls read from streamed text: every example, cut in every way, and what is never lost."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.config import CallForm
from rag_assistant.errors import ToolFailed
from rag_assistant.models.call_forms import ReadCall, write_call
from rag_assistant.models.call_reader import CallReader
from rag_assistant.tools.toolkit import parse_arguments
from rag_assistant.values.messages import ToolCall, ToolSpec
from tests.examples import examples
from tests.models.call_examples import AFTER_CODE, BROKEN, CALLS, EXAMPLES, SEARCH, Example

Pieces = tuple[str | ReadCall, ...]


def read(*pieces: str) -> Pieces:
    """Read a reply that comes in these pieces; texts that follow one another are joined."""
    reader = CallReader()
    found: list[str | ReadCall] = []
    for part in [part for piece in pieces for part in reader.feed(piece)] + reader.finish():
        if isinstance(part, str) and found and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return tuple(found)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_every_cut_of_every_example_gives_the_same(example: Example) -> None:
    """Else whether a call runs depends on how the server cuts its stream."""
    written = example.written
    assert read(written) == example.read
    assert read(*written) == example.read, "one character at a time"
    for first in range(len(written) + 1):
        assert read(written[:first], written[first:]) == example.read, written[:first]
        for size in (2, 3, 7):
            rest = written[first:]
            parts = [rest[at : at + size] for at in range(0, len(rest), size)]
            assert read(written[:first], *parts) == example.read


@given(st.data())
@settings(max_examples=examples(150))
def test_any_mixture_cut_anyhow_reads_as_if_whole(data: st.DataObject) -> None:
    """Else some order of text, code, calls and broken calls is read by where it was cut."""
    bits = [example.written for example in EXAMPLES.values()]
    bits += ["`", "```", "~~~", "\n", "<", "</", "T", "TOOL_CALL:", "{", "}", '"', "\\", " ", "> "]
    written = "".join(data.draw(st.lists(st.sampled_from(bits), max_size=6)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(written)), max_size=12)))
    ends = zip([0, *cuts], [*cuts, len(written)], strict=True)
    assert read(*(written[start:end] for start, end in ends)) == read(written)


@given(st.text(alphabet="<>/`~\n {}\"'\\tolca-_=TOL:CALx", max_size=60))
@settings(max_examples=examples(300))
def test_no_text_is_lost(written: str) -> None:
    """Else a reply that holds no call arrives with words missing."""
    found = read(*written)
    if all(isinstance(part, str) for part in found):
        assert "".join(part for part in found if isinstance(part, str)) == written
    assert found == read(written)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), json_values), st.sampled_from(["tag", "line"]))
@settings(max_examples=examples(80))
def test_what_is_written_is_read_again(arguments: dict[str, object], form: CallForm) -> None:
    """Else the form that a model sees in its past calls is not one that is understood."""
    written = write_call(ToolCall("c", "search", json.dumps(arguments)), form)
    found = read("Now ", *written, "\nThen")
    assert len(found) == 3
    assert isinstance(found[1], ReadCall)
    assert json.loads(found[1].arguments) == arguments
    assert (found[0], found[1].name, found[2]) == ("Now ", "search", "\nThen")


SPEC = ToolSpec("search", "", {"type": "object", "properties": {}, "additionalProperties": True})


@pytest.mark.parametrize("example", BROKEN.values(), ids=BROKEN)
def test_a_broken_call_never_validates(example: Example) -> None:
    """Else a tool is run with arguments that the model did not finish, or did not mean."""
    first = next(part for part in example.read if isinstance(part, ReadCall))
    if first.name == "search":
        with pytest.raises(ToolFailed, match="are not JSON"):
            parse_arguments(first.arguments, SPEC)
    else:
        assert first.name == "unnamed"


@pytest.mark.parametrize("example", [*CALLS.values(), *AFTER_CODE.values()])
def test_a_whole_call_has_a_json_object(example: Example) -> None:
    """Else calls that could be read are sent back."""
    calls = [part for part in example.read if isinstance(part, ReadCall)]
    assert all(isinstance(json.loads(call.arguments), dict) for call in calls)


def test_text_is_given_at_once_unless_a_call_may_begin() -> None:
    """Else words wait until the reply is done."""
    reader = CallReader()
    given: list[str] = []
    for character in f"Thirty days < T`x` {SEARCH}, so":
        given.append("".join(part for part in reader.feed(character) if isinstance(part, str)))
    assert "".join(given[:10]) == "Thirty day", "T may open a call, and is given with the next"
    assert "".join(given[:19]) == "Thirty days < T`x` "
    assert "".join(given).endswith(", so")


def test_a_call_is_given_when_its_object_is_whole() -> None:
    """Else a call waits for a closing tag that many models leave out."""
    reader = CallReader()
    assert len(reader.feed('<tool-call tool="search">{"keyword": "leave"}')) == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    "written",
    [
        '<tool-call tool="x">{"a": "' + "b" * 20_000,
        "{" * 20_000,
        "TOOL_CALL: " + "{" * 20_000,
        "`" * 20_000,
        "TOOL_CALL: {" * 2_000,
        "<tool-call " * 2_000,
        "` <tool-call tool='x'>" * 1_000,
    ],
)
def test_long_and_odd_replies_take_no_long_time(written: str) -> None:
    """Else a model that runs wild holds up the program."""
    started = time.monotonic()
    pieces = [written[at : at + 5] for at in range(0, len(written), 5)]
    read(*pieces)
    assert time.monotonic() - started < 10

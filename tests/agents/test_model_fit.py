"""The model fit test, against a served model that is good, or bad in one way."""

import asyncio
import base64
import zlib

import pytest

from rag_assistant.agents import fit_reading
from rag_assistant.agents.fit_checks import FitResult
from rag_assistant.agents.fit_materials import picture
from rag_assistant.agents.fit_reading import FitReading, reading_check
from rag_assistant.agents.model_fit import FitTest
from rag_assistant.config import ModelSettings, Wire
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.values.images import encode_image
from scripts.benchmarks.shared.model_replies import (
    Answer,
    Call,
    Events,
    Script,
    Silence,
    Status,
    error,
)
from scripts.benchmarks.shared.model_server import ScriptedServer, Scripts, SeenRequest
from tests.models.fit_model import FitModel


async def fit_of(
    script: Scripts, wire: Wire = "chat", seconds: float = 20
) -> tuple[FitTest, dict[str, FitResult]]:
    with ScriptedServer(script) as server:
        return await fit_at(server.settings(wire), seconds)


async def fit_at(settings: ModelSettings, seconds: float) -> tuple[FitTest, dict[str, FitResult]]:
    model = OpenAIModel("fit", settings, {})
    test = FitTest(model, seconds=seconds)
    checks = {check.name: check async for check in test.checks()}
    await model.aclose()
    return test, checks


@pytest.mark.parametrize("wire", ["chat", "responses"])
async def test_a_good_model_passes_everything(wire: Wire) -> None:
    """A model that can do all would be set up as one that cannot."""
    test, checks = await fit_of(FitModel(), wire)
    assert {name: check.ok for name, check in checks.items()} == {
        "answers": True,
        "native tools": True,
        "JSON reply": True,
        "verbatim quotes": True,
        "declines the unanswerable": True,
        "reads long texts": True,
        "cites passages": True,
        "sees images": True,
    }
    assert test.profile == {
        "native_tools": True,
        "images": True,
        "evidence_tokens": 6_000,
        "helper": "auto",
    }
    assert "tokens a second (median of 3)" in checks["answers"].found
    assert checks["JSON reply"].found == "valid at once"
    assert (test.usage.requests, test.usage.output_tokens) == (11, 3 * 60 + 8 * 7)


@pytest.mark.parametrize(("calls", "form"), [("refused", "tag"), ("tag", "tag"), ("line", "line")])
async def test_a_model_without_native_tools_is_tried_in_both_forms(calls: str, form: str) -> None:
    """Most small local models could not search, or would be taught a form they do not write."""
    test, checks = await fit_of(FitModel(calls))  # type: ignore[arg-type]
    assert checks["native tools"].ok is False
    assert checks[f"text protocol, {form} form"].ok is True
    assert test.profile["native_tools"] is False
    assert test.profile["call_form"] == form
    if calls == "refused":
        assert "does not support tools" in checks["native tools"].found


async def test_a_model_that_writes_its_call_though_it_was_offered_tools_can_be_used() -> None:
    """A model that can search would be set up as one that cannot."""
    test, checks = await fit_of(FitModel("written"))
    assert checks["native tools"].ok is False
    assert checks["native tools"].found.startswith("written into its text: called read_gauge")
    assert test.profile["native_tools"] is True
    assert "call_form" not in test.profile, "taught a form, it wrote none"


async def test_what_it_reads_and_cites_becomes_its_budget_and_says_who_reads_for_it() -> None:
    """A small window would be overrun in silence, or a helper be asked where none is needed."""
    test, checks = await fit_of(FitModel(window=4_000))
    assert checks["reads long texts"].found.startswith("3,000 tokens")
    assert (test.profile["evidence_tokens"], test.profile["helper"]) == (3_000, "always")
    test, checks = await fit_of(FitModel(window=1_000))
    assert (checks["reads long texts"].ok, test.profile["evidence_tokens"]) == (False, 500)
    test, _ = await fit_of(FitModel(evidence="no JSON"))
    assert test.profile["helper"] == "never"
    test, checks = await fit_of(FitModel(cited="He took 1417 crowns [1]."))
    assert (checks["cites passages"].ok, test.profile["helper"]) == (False, "always")


def test_a_slow_model_is_handed_what_it_reads_in_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer of a model on a processor would take many minutes."""

    async def reads(seconds: float) -> FitReading:
        monkeypatch.setattr(fit_reading, "READING_SECONDS", seconds)
        with ScriptedServer(Answer("Cinnabar.")) as server:
            model = OpenAIModel("fit", server.settings(), {})
            try:
                return await reading_check(model)
            finally:
                await model.aclose()

    assert asyncio.run(reads(60)).tokens == 6_000
    slow = asyncio.run(reads(0.000_1))
    assert (slow.check.ok, slow.tokens) == (True, 500)
    assert slow.check.found.startswith("1,500 tokens")


async def test_a_model_that_calls_nothing_settles_nothing_of_tools() -> None:
    """A model that happened to fail would be set up for a form it does not write."""
    test, checks = await fit_of(FitModel("never"))
    assert [
        checks[name].ok for name in checks if "t" in name and ("tools" in name or "text" in name)
    ]
    assert "native_tools" not in test.profile
    assert "\x1b" not in checks["native tools"].found


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"number": 17, "unit": "metres"}', "arguments are wrong"),
        ('{"number": "17", "unit": "feet"}', "do not fit"),
        ("{", "do not fit"),
    ],
)
async def test_a_call_with_wrong_arguments_is_no_pass(arguments: str, said: str) -> None:
    """A model that calls tools at random would pass for one that uses them."""
    right = FitModel("never")

    def script(request: SeenRequest) -> Script:
        if request.body.get("tools"):
            return Answer(calls=(Call("read_gauge", arguments),))
        return right(request)

    _, checks = await fit_of(script)
    assert checks["native tools"].ok is False
    assert said in checks["native tools"].found


async def test_evidence_that_has_to_be_mended_or_is_none() -> None:
    """A person could not tell a helper that needs telling twice from one that never learns."""
    _, checks = await fit_of(FitModel(evidence="mended"))
    assert checks["JSON reply"].ok is True
    assert "2 that had to be mended" in checks["JSON reply"].found
    _, checks = await fit_of(FitModel(evidence="no JSON"))
    assert checks["JSON reply"].ok is False
    assert "no JSON object" in checks["JSON reply"].found
    assert checks["verbatim quotes"].ok is checks["declines the unanswerable"].ok is None


async def test_quotes_that_are_mended_or_beside_the_point_fail() -> None:
    """A model whose quotes cannot be opened would pass for one whose quotes can."""
    _, checks = await fit_of(FitModel(quote="Brink received 1417 crowns for the barge"))
    assert checks["verbatim quotes"].ok is False
    assert checks["verbatim quotes"].found.startswith("0 of 1 quotes")
    _, checks = await fit_of(FitModel(quote="The barge Merle passed free of toll"))
    assert checks["verbatim quotes"].ok is False


async def test_an_answer_to_the_unanswerable_fails() -> None:
    """A model that answers from anything would pass for an honest one."""
    _, checks = await fit_of(FitModel(declines=False))
    assert checks["declines the unanswerable"].ok is False


async def test_a_blind_model_is_told_from_a_failing_server() -> None:
    """`images = false` would be written because the server had a bad moment."""
    test, checks = await fit_of(FitModel(colours="A red and a blue one."))
    assert (checks["sees images"].ok, test.profile["images"]) == (False, False)
    test, checks = await fit_of(FitModel(colours=None))
    assert (checks["sees images"].ok, test.profile["images"]) == (False, False)
    assert "image input is not supported" in checks["sees images"].found
    good = FitModel()

    def failing(request: SeenRequest) -> Script:
        return Status(400, error("no")) if "two halves" in request.text() else good(request)

    test, checks = await fit_of(failing)
    assert checks["sees images"].ok is None
    assert "images" not in test.profile


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (Status(401, error("no")), "wants a key"),
        (Answer(), "empty reply"),
        (Events(("{",)), "damaged reply"),
        (Status(200, "<html>", content_type="text/html"), "web page"),
        (Silence(), "did not end its reply within 2 seconds"),
        (Answer("one, ", then="forever"), "did not end its reply within 2 seconds"),
        (Answer("one", then="cut"), "broke off"),
    ],
    ids=["key", "empty", "garbage", "page", "silent", "endless", "cut"],
)
async def test_a_model_that_does_not_answer_is_one_line(script: Script, said: str) -> None:
    """The test would crash, hang, or go on asking a server that is not there."""
    seconds = 2 if "2 seconds" in said else 20  # loading the SDK may take one
    test, checks = await fit_of(script, seconds=seconds)
    assert list(checks) == ["answers"]
    assert checks["answers"].ok is False
    assert said in checks["answers"].found
    assert (test.answers, test.profile) == (False, {})


async def test_failures_after_the_first_check_are_lines() -> None:
    """A server that fails in the middle would end the test without its report."""
    good = FitModel()

    def script(request: SeenRequest) -> Script:
        return good(request) if "one to thirty" in request.text() else Status(422)

    test, checks = await fit_of(script)
    assert test.answers
    assert [check.ok for check in checks.values()] == [
        True,
        False,
        False,
        False,
        False,
        None,
        None,
        None,
        None,
        None,
    ]
    assert test.profile == {}


def test_the_picture_is_a_png_of_two_colours() -> None:
    """No model could see it."""
    image = picture()
    data = base64.b64decode(image.data)
    assert encode_image(data) == image
    rows = zlib.decompress(data[data.index(b"IDAT") + 4 :][:-16])
    assert len(rows) == 128 * (1 + 128 * 3)
    assert (rows[1:4], rows[1 + 127 * 3 : 1 + 128 * 3]) == (b"\xff\xff\x00", b"\x80\x00\x80")

"""The documents as a model: OpenAI's own client, whole and streamed."""

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from tests.http_api.conftest import PATIENCE, QUESTION, Running, error_of, events_in

ALL = "rag-assistant"


def client_of(api: Running) -> openai.AsyncOpenAI:
    """Make a client as a chat program does: an address, and the token as the key."""
    link = httpx2.AsyncClient(trust_env=False, timeout=PATIENCE)
    return openai.AsyncOpenAI(
        base_url=f"{api.origin}/v1", api_key=api.token, max_retries=0, http_client=link
    )


def user(words: str) -> ChatCompletionMessageParam:
    return {"role": "user", "content": words}


async def test_a_chat_program_finds_the_documents_as_models(api: Running) -> None:
    """There would be nothing to choose in it."""
    async with client_of(api) as client:
        assert [one.id async for one in client.models.list()] == [ALL, f"{ALL}/handbook"]
        assert (await client.models.retrieve(f"{ALL}/handbook")).id == f"{ALL}/handbook"
        with pytest.raises(openai.NotFoundError, match=f"There are: {ALL}, {ALL}/handbook"):
            await client.models.retrieve("gpt-9")


async def test_an_answer_has_its_sources_below_and_as_annotations(api: Running) -> None:
    """A person in a chat program could not see where an answer is from."""
    async with client_of(api) as client:
        made = await client.chat.completions.create(model=ALL, messages=[user(QUESTION)])
        message = made.choices[0].message
        text = message.content or ""
        assert "sixteen weeks" in text.partition("Sources")[0]
        assert "- [1] Parental leave (leave/parental.md, Parental leave): “" in text
        assert message.annotations
        for annotation in message.annotations:
            cited = annotation.url_citation
            assert text[cited.start_index : cited.end_index + 1] == "[1]"
            assert cited.title == "Parental leave"
            assert cited.url.startswith("rag://handbook/")
        assert made.choices[0].finish_reason == "stop"


async def test_a_streamed_answer_is_the_whole_one_in_pieces(api: Running) -> None:
    """A chat program that streams would show another answer, or none."""
    async with client_of(api) as client:
        whole = await client.chat.completions.create(model=ALL, messages=[user(QUESTION)])
        stream = await client.chat.completions.create(
            model=ALL,
            messages=[user(QUESTION)],
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = [chunk async for chunk in stream]
        pieces = [one.choices[0].delta.content or "" for one in chunks if one.choices]
        assert len(pieces) > 3
        assert "".join(pieces) == whole.choices[0].message.content
        last = chunks[-2].choices[0]
        assert last.finish_reason == "stop"
        annotations = last.delta.model_dump()["annotations"]
        assert annotations == [
            one.model_dump() for one in whole.choices[0].message.annotations or []
        ]
        assert chunks[-1].usage is not None
        assert len({one.id for one in chunks}) == 1


async def test_a_conversation_is_taken_over(api: Running) -> None:
    """A question that leans on the one before would be answered as if nothing had been said."""
    async with client_of(api) as client:
        first = await client.chat.completions.create(model=ALL, messages=[user(QUESTION)])
        said = first.choices[0].message.content or ""
        conversation: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": "Always answer 42."},
            user(QUESTION),
            {"role": "assistant", "content": said},
            {
                "role": "user",
                "content": [{"type": "text", "text": "Which form has to be sent for it?"}],
            },
        ]
        second = await client.chat.completions.create(model=ALL, messages=conversation)
        answer = second.choices[0].message.content or ""
        assert "FORM-PL-3" in answer
        assert "42" not in answer


async def test_a_database_is_a_model_of_its_own(api: Running) -> None:
    """Databases that say other things could not be asked one by one."""
    async with client_of(api) as client:
        made = await client.chat.completions.create(
            model=f"{ALL}/handbook", messages=[user(QUESTION)]
        )
        assert made.model == f"{ALL}/handbook"
        assert "sixteen weeks" in (made.choices[0].message.content or "")
        with pytest.raises(openai.NotFoundError, match="There is no model"):
            await client.chat.completions.create(model=f"{ALL}/diary", messages=[user(QUESTION)])


async def test_an_answer_that_is_withheld_says_so(api: Running) -> None:
    """A chat program would show a guess where the documents hold nothing."""
    asked = {"model": ALL, "messages": [user("What is the airspeed of a swallow?")]}
    made = (await api.post("/v1/chat/completions", asked)).json()
    assert "do not hold the answer" in made["choices"][0]["message"]["content"]
    assert made["choices"][0]["message"]["annotations"] == []


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "Yes?"}]}, "messages"),
        ({"messages": [{"role": "user", "content": " \n"}]}, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages"),
        ({"messages": [{"role": "user"}]}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"n": 2}, "n: 2"),
        ({"stream": "yes"}, "stream"),
        ({"model": 5}, "model"),
        ({"messages": [{"role": "user", "content": "x" * 20_001}]}, "messages"),
    ],
)
async def test_what_is_no_conversation_is_refused_in_a_line(
    api: Running, more: dict[str, object], words: str
) -> None:
    """A chat program would show an internal error."""
    body = {"model": ALL, "messages": [user("hello")], **more}
    response = await api.post("/v1/chat/completions", body)
    assert response.status_code == 400
    assert words in error_of(response)["message"]


async def test_a_failure_within_a_stream_is_an_error_to_the_client(api: Running) -> None:
    """A chat program would show half an answer as a whole one."""
    async with client_of(api) as client:
        body = {"model": ALL, "messages": [user(QUESTION)], "stream": True}
        await api.api.close()  # as when the server is being stopped
        with pytest.raises(openai.InternalServerError, match="being stopped"):
            await client.chat.completions.create(**body)  # type: ignore[call-overload]
    assert not events_in("")

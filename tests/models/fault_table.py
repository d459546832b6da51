"""Every misbehaviour of a server, and what a person reads then."""

from typing import NamedTuple

from tests.models.script import Answer, Events, Hangup, Script, Silence, Status, error

KEY = "sk-secret-0123456789"
CHUNK = {"choices": [{"index": 0, "delta": {"content": "Thirty days of "}}]}
AGAIN = "Ask again in a moment"
PAGE = "<html><title>Bad Gateway</title></html>"


class Fault(NamedTuple):
    """A misbehaviour and what is said of it; HOST stands for the server's host and port."""

    script: Script
    message: str
    hint: str
    wire: str = "chat"


FAULTS = {
    "wrong key": Fault(
        Status(401, error(f"Incorrect API key provided: {KEY}.")),
        "HOST did not accept the key in TEST_KEY (401): Incorrect API key provided: [key].",
        "Put a valid key into TEST_KEY.",
    ),
    "forbidden": Fault(
        Status(403, error("Project has no access")),
        "HOST does not allow the model 'scripted-model' (403): Project has no access.",
        "Check that the key in TEST_KEY may use this model, or choose another.",
    ),
    "unknown model": Fault(
        Status(404, error("model 'scripted-model' not found", "model_not_found")),
        "HOST does not know the model 'scripted-model' (404): model 'scripted-model' not found.",
        "Check the model's name there, and that base_url is right: it usually ends in /v1.",
    ),
    "context too long": Fault(
        Status(400, error("This model's maximum context length is 4096 tokens.")),
        "The conversation is too long for 'scripted-model' at HOST (400): "
        "This model's maximum context length is 4096 tokens.",
        "Start a new conversation, lower limits.evidence_tokens, or give the model more context.",
    ),
    "bad request": Fault(
        Status(400, {"error": "scripted-model does not support tools"}),
        "HOST did not accept the request (400): scripted-model does not support tools.",
        "Check this model's settings: another wire, or native_tools = false, may suit it.",
    ),
    "too many requests": Fault(
        Status(429, error("Slow down"), {"retry-after": "300"}),
        "HOST takes no more requests now (429): Slow down.",
        "Wait 300 seconds and ask again; if it stays, check the account's limits and credit.",
    ),
    "server error": Fault(
        Status(500, {"detail": "CUDA\nout of\x1b[31m memory"}, {"x-should-retry": "false"}),
        "HOST failed (500): CUDA out of\ufffd[31m memory.",
        f"{AGAIN}; if it stays, look into the server's log or choose another model.",
    ),
    "HTML 502": Fault(
        Status(502, PAGE, {"x-should-retry": "false"}),
        "HOST failed (502).",
        f"{AGAIN}; if it stays, look into the server's log or choose another model.",
    ),
    "HTML 200": Fault(
        Status(200, PAGE),
        "HOST sent a web page, not a model's reply.",
        "base_url may be wrong: it usually ends in /v1.",
    ),
    "error in a 200": Fault(
        Status(200, {"error": {"message": "no slot free"}}),
        "HOST reported an error: no slot free.",
        f"{AGAIN}, or choose another model.",
    ),
    "JSON in a 200": Fault(
        Status(200, {"choices": []}),
        "HOST did not stream a model's reply.",
        "base_url may be wrong: it usually ends in /v1.",
    ),
    "error in the stream": Fault(
        Events((CHUNK, {"error": {"message": f"crashed with {KEY}"}})),
        "HOST reported an error: crashed with [key].",
        f"{AGAIN}, or choose another model.",
    ),
    "failed response": Fault(
        Events(({"type": "response.failed", "response": {"error": {"message": KEY}}},)),
        "HOST reported an error: [key].",
        f"{AGAIN}, or choose another model.",
        "responses",
    ),
    "context too long in the stream": Fault(
        Events(({"type": "error", "message": "Your input exceeds the context window."},)),
        "The conversation is too long for 'scripted-model' at HOST: "
        "Your input exceeds the context window.",
        "Start a new conversation, lower limits.evidence_tokens, or give the model more context.",
        "responses",
    ),
    "cut stream": Fault(
        Answer("Thirty ", "days of ", then="cut"),
        "HOST broke off after 3 words.",
        f"{AGAIN}; the answer is not complete.",
    ),
    "cut response": Fault(
        Answer("Thirty", then="cut"),
        "HOST broke off after 1 word.",
        f"{AGAIN}; the answer is not complete.",
        "responses",
    ),
    "stream without end": Fault(
        Events((CHUNK,)),
        "HOST broke off after 3 words.",
        f"{AGAIN}; the answer is not complete.",
    ),
    "stream without anything": Fault(
        Events(()),
        "HOST broke off before the first word.",
        f"{AGAIN}; the answer is not complete.",
    ),
    "invalid JSON": Fault(
        Events((CHUNK, '{"choices": [')),
        "HOST sent a damaged reply: an event that cannot be read.",
        f"{AGAIN}; if it stays, check base_url and any proxy between.",
    ),
    "JSON that is no event": Fault(
        Events((CHUNK, "[1]")),
        "HOST sent a damaged reply: an event that cannot be read.",
        f"{AGAIN}; if it stays, check base_url and any proxy between.",
    ),
    "JSON of another shape": Fault(
        Events(({"choices": ["Thirty"]},)),
        "HOST sent a damaged reply: an event that cannot be read.",
        f"{AGAIN}; if it stays, check base_url and any proxy between.",
    ),
    "empty reply": Fault(
        Answer(),
        "'scripted-model' at HOST gave an empty reply.",
        f"{AGAIN}, or choose another model.",
    ),
    "empty and cut": Fault(
        Answer(cut_short=True),
        "'scripted-model' at HOST met its output limit before the first word.",
        "Raise max_output_tokens of this model.",
    ),
    "silence in the stream": Fault(
        Answer("Thirty ", then="stall"),
        "HOST stayed silent for 0.3 seconds (time-out).",
        f"{AGAIN}, or raise timeout_seconds of this model.",
    ),
    "silence": Fault(
        Silence(),
        "HOST stayed silent for 0.3 seconds (time-out).",
        f"{AGAIN}, or raise timeout_seconds of this model.",
    ),
    "hang-up": Fault(
        Hangup(),
        "HOST could not be reached: the connection failed or was closed without an answer.",
        "Check base_url, the network connection and the proxy.",
    ),
}

"""Every misbehaviour of a server, and what a person reads then."""

from rag_assistant.models.silence import KEPT_ALIVE
from scripts.benchmarks.shared.model_replies import (
    Answer,
    Events,
    Hangup,
    Silence,
    Status,
    error,
)
from scripts.benchmarks.shared.model_server import Scripts
from scripts.benchmarks.trust.fault_scripts import (
    ANSWER,
    CHAT,
    DELTA,
    KEY,
    PAGE,
    SHORT,
    Fault,
    calling,
    either,
    endless_call,
    in_an_hour,
)

AGAIN = "Ask again in a moment"
BAD_FORM = f"{AGAIN}; if it stays, check base_url and any proxy between."
BROKEN = f"{AGAIN}; the answer is not complete."
CHOOSE = f"{AGAIN}, or choose another model."
CONTEXT = "Start a new conversation, lower limits.evidence_tokens, or give the model more context."
CUT = f"{AGAIN}, choose another model, or raise max_output_tokens of this one."
LIMITS = "and ask again; if it stays, check the account's limits and credit."
LOG = "; if it stays, look into the server's log or choose another model."
PATIENCE = f"{AGAIN}, or raise timeout_seconds of this model."
SCHEME = "Check base_url: http or https?"
V1 = "base_url may be wrong: it usually ends in /v1."
BUSY = "HOST takes no more requests now (429): Slow down"
CLOSED = "HOST could not be reached: the connection failed or was closed without an answer"
REFUSED = "Nothing answers at HOST: the connection was refused"
DAMAGED = "HOST sent a damaged reply: an event that cannot be read."


def _one(script: Scripts, message: str, hint: str, waits: int = 0) -> Fault:
    """A server that always does the same; `waits` attempts are told with the first's reason."""
    return Fault((script,), message, hint, (message.removesuffix("."),) * waits)


REFUSALS = {
    "wrong key": _one(
        Status(401, error(f"Incorrect API key provided: {KEY}.")),
        "HOST did not accept the key in TEST_KEY (401): Incorrect API key provided: [key].",
        "Put a valid key into TEST_KEY.",
    ),
    "forbidden": _one(
        Status(403, error("Project has no access")),
        "HOST does not allow the model 'scripted-model' (403): Project has no access.",
        "Check that the key in TEST_KEY may use this model, or choose another.",
    ),
    "unknown model": _one(
        Status(404, error("model 'scripted-model' not found", "model_not_found")),
        "HOST does not know the model 'scripted-model' (404): model 'scripted-model' not found.",
        "Check the model's name there, and that base_url is right: it usually ends in /v1.",
    ),
    "redirect": _one(
        Status(307, {}, {"location": "http://127.0.0.1:9/v1/chat/completions"}),
        "HOST sends requests on to another address (307).",
        "Put the address that answers into base_url.",
    ),
    "context too long": _one(
        Status(400, error("This model's maximum context length is 4096 tokens.")),
        "The conversation is too long for 'scripted-model' at HOST (400): "
        "This model's maximum context length is 4096 tokens.",
        CONTEXT,
    ),
    "bad request": _one(
        Status(400, {"error": "scripted-model does not support tools"}),
        "HOST did not accept the request (400): scripted-model does not support tools.",
        "Check this model's settings: another wire, or native_tools = false, may suit it.",
    ),
    "plain HTTP to an HTTPS port": _one(
        Status(400, "Client sent an HTTP request to an HTTPS server.", content_type="text/plain"),
        "HOST takes only secure connections (400): Client sent an HTTP request to an HTTPS server.",
        SCHEME,
    ),
}

BUSY_SERVERS = {
    "429": _one(Status(429, error("Slow down")), f"{BUSY}.", f"Wait a minute {LIMITS}", 3),
    "429, Retry-After 5 minutes": _one(
        Status(429, error("Slow down"), {"retry-after": "300"}),
        f"{BUSY}.",
        f"Wait 300 seconds {LIMITS}",
    ),
    "429, Retry-After a date": _one(in_an_hour, f"{BUSY}.", f"Wait 60 minutes {LIMITS}"),
    "429, Retry-After 1 second, then an answer": Fault(
        (Status(429, error("Slow down"), {"retry-after": "1"}), ANSWER), waits=(BUSY,)
    ),
    "429, no credit": _one(
        Status(429, error("You exceeded your current quota", "insufficient_quota")),
        "HOST takes no more requests on this account (429): You exceeded your current quota.",
        "Check its plan and credit there, or choose another model.",
    ),
    "500": _one(
        Status(500, {"detail": "CUDA\nout of\x1b[31m memory"}),
        "HOST failed (500): CUDA out of\ufffd[31m memory.",
        f"{AGAIN}{LOG}",
        3,
    ),
    "502 with a web page": _one(Status(502, PAGE), "HOST failed (502).", f"{AGAIN}{LOG}", 3),
    "503, Retry-After 2 minutes": _one(
        Status(503, {}, {"retry-after": "120"}),
        "HOST failed (503).",
        f"Wait 120 seconds and ask again{LOG}",
    ),
    "503, then an answer": Fault(
        (Status(503, error("loading the model")), ANSWER),
        waits=("HOST failed (503): loading the model",),
    ),
    "500 with a page that never ends": _one(
        Events((b"<p>" + b"x" * 8_192,), "forever", "text/html", 500),
        "HOST failed (500).",
        f"{AGAIN}{LOG}",
        3,
    ),
}

NO_MODEL = {
    "nothing listens": Fault(
        (),
        f"{REFUSED}.",
        "Start the model server there, or correct base_url.",
        (REFUSED,) * 3,
        "closed port",
    ),
    "host not found": Fault(
        (),
        "The host HOST was not found.",
        "Check base_url and the network connection.",
        place="unknown host",
    ),
    "https to a server that speaks http": Fault(
        (), "HOST made no secure connection.", SCHEME, place="https to http"
    ),
    "http to a server that speaks https": Fault(
        (), "HOST did not answer in HTTP.", SCHEME, place="http to https"
    ),
    "hang-up": _one(
        Hangup(), f"{CLOSED}.", "Check base_url, the network connection and the proxy.", 3
    ),
    "a web page": _one(Status(200, PAGE), "HOST sent a web page, not a model's reply.", V1),
    "JSON, no stream": _one(
        Status(200, {"choices": []}), "HOST did not stream a model's reply.", V1
    ),
    "an error as a reply": _one(
        Status(200, {"error": {"message": "no slot free"}}),
        "HOST reported an error: no slot free.",
        CHOOSE,
    ),
}

STREAMS = {
    "error in the stream": _one(
        either(
            {"error": {"message": f"crashed with {KEY}"}},
            {"type": "response.failed", "response": {"error": {"message": f"crashed with {KEY}"}}},
        ),
        "HOST reported an error: crashed with [key].",
        CHOOSE,
    ),
    "context too long, in the stream": _one(
        either(
            {"error": {"message": "Your input exceeds the context window."}},
            {"type": "error", "message": "Your input exceeds the context window."},
            spoken=False,
        ),
        "The conversation is too long for 'scripted-model' at HOST: "
        "Your input exceeds the context window.",
        CONTEXT,
    ),
    "cut stream": _one(
        Answer("Thirty ", "days of ", then="cut"), "HOST broke off after 3 words.", BROKEN
    ),
    "stream that ends without an end": _one(
        either(CHAT, DELTA, spoken=False), "HOST broke off after 3 words.", BROKEN
    ),
    "stream without anything": _one(Events(()), "HOST broke off before the first word.", BROKEN),
    "invalid JSON": _one(either('{"choices": [', '{"type": '), DAMAGED, BAD_FORM),
    "JSON that is no event": _one(either("[1]", "[1]"), DAMAGED, BAD_FORM),
    "JSON of another shape": _one(
        either({"choices": ["Thirty"]}, {"type": "response.output_item.done", "item": [1]}),
        DAMAGED,
        BAD_FORM,
    ),
    "empty reply": _one(Answer(), "'scripted-model' at HOST gave an empty reply.", CHOOSE),
    "empty reply at the output limit": _one(
        Answer(cut_short=True),
        "'scripted-model' at HOST met its output limit before the first word.",
        "Raise max_output_tokens of this model.",
    ),
}

WITHOUT_END = {
    "text without end": _one(
        either(
            {"choices": [{"delta": {"content": "word " * 800}}]},
            {"type": "response.output_text.delta", "delta": "word " * 800},
            spoken=False,
            then="forever",
        ),
        "The reply of 'scripted-model' at HOST did not end: it was cut at 131,072 characters.",
        CUT,
    ),
    "tool arguments without end": _one(
        endless_call,
        "The reply of 'scripted-model' at HOST did not end: it was cut at 131,072 characters.",
        CUT,
    ),
    "events without end or text": _one(
        Events(({"object": "x" * (1 << 20)},), "forever"),
        "The reply of 'scripted-model' at HOST did not end: it was cut at 12 MB.",
        CUT,
    ),
    "one event of 13 MB": _one(
        either(
            {"choices": [{"delta": {"content": "x" * (13 << 20)}}]},
            {"type": "response.output_text.delta", "delta": "x" * (13 << 20)},
            spoken=False,
        ),
        "The reply of 'scripted-model' at HOST did not end: it was cut at 12 MB.",
        CUT,
    ),
    "keep-alives without end": _one(
        Events((b": keep-alive\n\n",), "forever"),
        f"HOST kept the connection, but sent nothing of a reply for {SHORT * KEPT_ALIVE:g} seconds "
        "(time-out).",
        PATIENCE,
    ),
    "silence before the first byte": _one(
        Silence(), f"HOST stayed silent for {SHORT:g} seconds (time-out).", PATIENCE
    ),
    "silence in the stream": _one(
        Answer("Thirty ", then="stall"),
        f"HOST stayed silent for {SHORT:g} seconds (time-out).",
        PATIENCE,
    ),
}

WRONG_CALLS = {
    "a tool that does not exist": Fault((calling("look_up", '{"query": "leave"}'), ANSWER)),
    "arguments of the wrong type": Fault(
        (calling("search_handbook_database", '{"keyword": 7}'), ANSWER)
    ),
    "arguments that are no JSON": Fault(
        (calling("search_handbook_database", '{"keyword": leave}'), ANSWER)
    ),
}

FAULTS = {**REFUSALS, **BUSY_SERVERS, **NO_MODEL, **STREAMS, **WITHOUT_END, **WRONG_CALLS}

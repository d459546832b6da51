"""How a served model answers the fit test: rightly, or badly in the ways a test names."""

import json
from typing import Literal

from scripts.benchmarks.shared.model_replies import Answer, Call, Script, Status, error
from scripts.benchmarks.shared.model_server import SeenRequest

Calls = Literal["native", "refused", "tag", "line", "written", "never"]


class FitModel:
    """Answers each question of the fit test by what the request holds."""

    def __init__(
        self,
        calls: Calls = "native",
        *,
        evidence: Literal["right", "mended", "no JSON"] = "right",
        quote: str = "the keeper Aldous Brink recieved 1417 crowns for the barge Halcyon",
        declines: bool = True,
        colours: str | None = "Yellow, purple.",
        window: int = 100_000,
        cited: str = "He took 1417 crowns [2].",
    ) -> None:
        self.calls = calls
        self.evidence = evidence
        self.quote = quote
        self.declines = declines
        self.colours = colours
        self.window = window
        self.cited = cited

    def __call__(self, request: SeenRequest) -> Script:
        told = request.text()
        if "gauge 17" in told:
            return self._call(request, told)
        if "two halves" in told:
            if self.colours is None and "image_url" in told:
                return Status(400, error("image input is not supported"))
            return Answer(self.colours or "I see no picture.")
        if "watchword" in told or "search_fit_database" in told:
            return self._reading(told)
        if "<<<entry" in told:
            return self._evidence(told)
        return Answer("one, ", "two, ", "three", usage=(20, 60))

    def _reading(self, told: str) -> Script:
        if "watchword" not in told:
            return Answer(self.cited)
        # As some servers do: what stands before the window is left out without a word.
        known = "cinnabar" in told[-4 * self.window :]
        return Answer("The watchword is Cinnabar." if known else "The notes do not say.")

    def _call(self, request: SeenRequest, told: str) -> Script:
        arguments = '{"number": 17, "unit": "feet"}'
        if request.body.get("tools"):
            if self.calls == "refused":
                return Status(400, error("this model does not support tools"))
            if self.calls == "written":
                return Answer(f'Let me see: {{"name": "read_gauge", "arguments": {arguments}}}')
            if self.calls == "native":
                return Answer(calls=(Call("read_gauge", arguments),))
        elif self.calls in ("tag", "refused") and "<tool-call tool=" in told:
            return Answer(f'<tool-call tool="read_gauge">{arguments}</tool-call>')
        elif self.calls in ("line", "refused") and "TOOL_CALL:" in told:
            return Answer(f'TOOL_CALL: {{"tool_name": "read_gauge", "parameters": {arguments}}}')
        return Answer("Gauge 17 shows \x1b[2J4 feet.")

    def _evidence(self, told: str) -> Script:
        mended = "That reply cannot be used" in told
        if self.evidence == "no JSON" or (self.evidence == "mended" and not mended):
            return Answer("The keeper took 1417 crowns.")
        if "Ostergate" in told and self.declines:
            return Answer(json.dumps({"relevant": [], "source": [], "confidence": 1}))
        return Answer(json.dumps({"relevant": [self.quote], "source": [41], "confidence": 9}))

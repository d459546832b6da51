"""What the first screen asks: which folder, and which of the models that could answer."""

from collections.abc import Sequence

from rag_assistant.config import EXTRACTIVE
from rag_assistant.models.offers import ModelOffer
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET
from rag_assistant.tui.library.folder_blocks import labelled
from rag_assistant.tui.library.folder_picker import SAMPLE

QUOTES = "built in: finds passages and quotes them word for word"

_WHY = (
    "Every file below it that can be read is indexed on this computer. The files stay where they "
    "are and are never changed."
)
_EXAMPLES = joined(
    [plain("No documents at hand? "), plain(SAMPLE, "bold"), plain(" opens examples.")]
)
WHICH_FOLDER: tuple[LayoutBlock, ...] = (
    Text(plain("Which folder do you want to ask?", "bold")),
    Text(plain(_WHY, QUIET)),
    Text(_EXAMPLES),
)
"""What stands above the field of the folder."""


def model_blocks(offers: Sequence[ModelOffer] | None, model: str) -> tuple[LayoutBlock, ...]:
    """Show what answers, and what else could; `offers` are None while they are looked for."""
    if model != EXTRACTIVE:
        return labelled("Model", Text(joined([_ON, one_line(model, "bold"), plain(" answers")])))
    quotes = Text(joined([_ON, plain("quotes", "bold"), plain(f"  {QUOTES}", QUIET)]))
    if offers is None:
        return labelled("Model", quotes, Text(plain("looking for models on this computer…", QUIET)))
    if not offers:
        nothing = (
            "No other model was found on this computer, and none is needed. F3 chooses one, now or "
            "at any time."
        )
        return labelled("Model", quotes, Text(plain(nothing, QUIET)))
    listed = [_offer(number, offer) for number, offer in enumerate(offers, 1)]
    return labelled("Model", quotes, *listed)


_ON = plain("● ", GOOD)


def _offer(number: int, offer: ModelOffer) -> LayoutBlock:
    key = joined([plain(str(number), "bold"), plain(" ")])
    if offer.is_local:
        name, rest = offer.model, f"{offer.where}, stays on this computer"
    else:
        said = f"{offer.key_env} is set" if offer.key_env else offer.where
        name, rest = offer.model or offer.host, f"{said}; sends passages to {offer.host}"
    line = joined([one_line(name), plain("  "), one_line(rest, QUIET)])
    return Indented(Text(clickable(line, {"offer": number})), key)

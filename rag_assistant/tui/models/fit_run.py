"""A test of what a model can do, check by check, as the screen of models runs it."""

import os
from collections.abc import AsyncGenerator
from contextlib import aclosing

from rag_assistant.agents.fit_checks import FitResult
from rag_assistant.config import ModelSettings
from rag_assistant.egress.gate import Gate


async def fit_results(
    name: str, settings: ModelSettings, gate: Gate
) -> AsyncGenerator[FitResult, None]:
    """Test a model, and give what each check found as soon as it is made. No documents are sent.

    Raises RagError where the model cannot be asked.
    """
    from rag_assistant.agents.model_fit import FitTest  # noqa: PLC0415 - only a test needs it
    from rag_assistant.egress.provenance import Provenance  # noqa: PLC0415
    from rag_assistant.models.openai_model import OpenAIModel  # noqa: PLC0415
    from rag_assistant.models.outgoing import CarriedModel  # noqa: PLC0415

    model = CarriedModel(OpenAIModel(name, settings, os.environ, gate=gate), Provenance("test"))
    try:
        async with aclosing(FitTest(model).checks()) as results:
            async for result in results:
                yield result
    finally:
        await model.aclose()

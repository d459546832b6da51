"""From the name of a model to how it is reached.

Names come from the configuration first; any other name is a model id at the endpoint the
environment describes, if it describes one. The built-in extractive model is not reached by any
address and never looked up here.
"""

from collections.abc import Mapping

from rag_assistant.config import EXTRACTIVE, Config, ModelSettings, Wire
from rag_assistant.errors import ModelError
from rag_assistant.models.endpoint import KEY_ENV, OPENAI_HOST, host_of
from rag_assistant.text.safe_text import clean_line

_BASE_URL = "OPENAI_BASE_URL"
_ALIKE = 80.0
"""From this likeness (0 to 100) on, a name is taken for a misspelling."""


def resolve(name: str, config: Config, environ: Mapping[str, str]) -> ModelSettings:
    """Give the settings of the model a person named; ModelError when there is no such model."""
    if name in config.models:
        return config.models[name]
    if name == EXTRACTIVE:
        raise ModelError(f"{EXTRACTIVE!r} is built in and has no settings.")
    from rapidfuzz import fuzz  # noqa: PLC0415 - only for a name that is not known

    configured = environ.get(_BASE_URL, "").strip()
    described = bool(configured or environ.get(KEY_ENV, "").strip())
    # A slip in the name of a local model must not send a question off this machine.
    slip = any(fuzz.ratio(name, known) >= _ALIKE for known in (EXTRACTIVE, *config.models))
    if not name.strip() or slip or not described:
        raise ModelError(f"There is no model {clean_line(name)!r}.", hint=_hint(name, config))
    base_url = configured or ModelSettings(name).base_url
    wire: Wire = "responses" if host_of(base_url) == OPENAI_HOST else "chat"
    env = KEY_ENV if environ.get(KEY_ENV, "").strip() else ""
    return ModelSettings(name, base_url, wire, env)


def _hint(name: str, config: Config) -> str:
    from rapidfuzz import process  # noqa: PLC0415 - see above

    nearest = process.extractOne(name, [*config.models, EXTRACTIVE], score_cutoff=60)
    if nearest:
        return f"Did you mean {nearest[0]!r}?"
    names = ", ".join(map(repr, [*config.models, EXTRACTIVE]))
    return f"Known: {names}. Add [models.NAME] to config.toml, or set {KEY_ENV} or {_BASE_URL}."

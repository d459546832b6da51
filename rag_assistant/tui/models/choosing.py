"""Writing into config.toml which model answers, or helps."""

from pathlib import Path

from rag_assistant.config import Config, load_config
from rag_assistant.config.writing import write_config
from rag_assistant.models.offers import ModelOffer, Seat, take
from rag_assistant.tui.models.rows import ModelChoice


def write_choice(path: Path, seat: Seat, choice: ModelChoice) -> Config:
    """Let a model take a seat; give the configuration as it is then. It blocks.

    One that is not configured yet is written down with its address. Raises RagError where the file
    cannot be read or written.
    """
    settings = choice.settings
    if settings and not choice.configured:
        offer = ModelOffer("", settings.base_url, choice.server, settings.api_key_env)
        return take(offer, settings.model, path, seat)
    write_config(path, {seat: choice.name})
    return load_config(path)

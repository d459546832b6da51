"""From a model's name to how it is reached."""

import pytest

from rag_assistant.config import Config, ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.registry import resolve

LOCAL = ModelSettings("qwen3:8b", base_url="http://127.0.0.1:11434/v1")
CONFIG = Config(models={"local": LOCAL})
KEY = {"OPENAI_API_KEY": "sk-1"}


def test_a_configured_name_wins_over_the_environment() -> None:
    """Else a question meant for the local model leaves the machine."""
    assert resolve("local", CONFIG, KEY) is LOCAL


def test_another_name_is_a_model_of_openai_when_there_is_a_key() -> None:
    """Else a person with a key cannot name a model without writing configuration."""
    settings = resolve("gpt-5", CONFIG, KEY)
    assert settings == ModelSettings("gpt-5", wire="responses", api_key_env="OPENAI_API_KEY")


@pytest.mark.parametrize("environ", [{}, KEY])
def test_another_name_is_a_model_of_the_given_endpoint(environ: dict[str, str]) -> None:
    """Else OPENAI_BASE_URL is passed over and the question goes to OpenAI."""
    there = "http://gpu.example:8000/v1"
    settings = resolve("llama", CONFIG, {**environ, "OPENAI_BASE_URL": there})
    key_env = "OPENAI_API_KEY" if environ else ""
    assert settings == ModelSettings("llama", base_url=there, wire="chat", api_key_env=key_env)


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": " ", "OPENAI_BASE_URL": ""}])
def test_an_unknown_name_without_an_endpoint_names_the_nearest(environ: dict[str, str]) -> None:
    """Else a misspelling leaves a person without the next step."""
    with pytest.raises(ModelError) as caught:
        resolve("loca", CONFIG, environ)
    assert caught.value.message == "There is no model 'loca'."
    assert caught.value.hint == "Did you mean 'local'?"


def test_a_wholly_unknown_name_is_told_how_to_configure_one() -> None:
    """Else a person who never configured a model does not learn how."""
    with pytest.raises(ModelError) as caught:
        resolve("gpt-5", CONFIG, {})
    assert caught.value.hint == (
        "Known: 'local', 'extractive'. Add [models.NAME] to config.toml, "
        "or set OPENAI_API_KEY or OPENAI_BASE_URL."
    )


@pytest.mark.parametrize("name", ["extractive", "extractve", "Extractive", "", " "])
def test_no_slip_in_the_built_in_models_name_reaches_an_endpoint(name: str) -> None:
    """Else a typing error sends a question to OpenAI that was to stay on the machine."""
    with pytest.raises(ModelError):
        resolve(name, Config(), KEY)


def test_a_slip_in_a_configured_name_does_not_reach_an_endpoint() -> None:
    """Else "locall" sends a question to OpenAI that was meant for the local model."""
    with pytest.raises(ModelError, match="Did you mean 'local'"):
        resolve("locall", CONFIG, KEY)

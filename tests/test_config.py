"""Settings: a misspelt or mistyped one must be refused by name."""

from pathlib import Path

import pytest

from rag_assistant.config import Config, ModelSettings, load_config
from rag_assistant.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_no_file_means_defaults(tmp_path: Path) -> None:
    """A person without a configuration could not start."""
    assert load_config(tmp_path / "config.toml") == Config()


def test_settings_are_read(tmp_path: Path) -> None:
    """A configured model would not be used."""
    path = write(
        tmp_path,
        'model = "local"\n[models.local]\nmodel = "qwen3:8b"\n'
        'base_url = "http://127.0.0.1:11434/v1"\ntimeout_seconds = 5\n[limits]\nsteps = 3\n',
    )
    config = load_config(path)
    assert config.model == "local"
    assert config.models["local"] == ModelSettings(
        "qwen3:8b", "http://127.0.0.1:11434/v1", timeout_seconds=5.0
    )
    assert config.limits.steps == 3


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('modle = "x"', "Did you mean 'model'?"),
        ("[limits]\nstep = 3", "Did you mean 'steps'?"),
        ('[limits]\nsteps = "3"', "limits.steps is '3'"),
        ("[limits]\nsteps = true", "limits.steps is True"),
        ('[models.a]\nmodel = "x"\nwire = "soap"', "models.a.wire is 'soap'"),
        ('[models.a]\nbase_url = "x"', "lacks a setting"),
        ("models = 3", "'models' must be a table"),
        ("model = [", "cannot be read"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, named: str) -> None:
    """A setting without effect would be believed to have one."""
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, text))
    assert named in str(caught.value)
    assert "config.toml" in str(caught.value)

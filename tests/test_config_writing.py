"""Changing config.toml: a person's comments and order stay, and a file is whole or untouched."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.config import load_config
from rag_assistant.config.writing import (
    Value,
    changed_text,
    remove_table,
    set_value,
    set_values,
    write_config,
)
from rag_assistant.errors import ConfigError

MINE = """# Mine
model = "old"  # for now

[models.old] # the old one
model = 'old-1'   # slow

# How far
[limits]
steps = 3 # few
# the end
"""


def test_new_settings_come_where_they_belong_and_the_rest_stays() -> None:
    """A comment would end up at another table, or be lost."""
    changes: dict[str, dict[str, Value]] = {"old": {"images": True}, "q:8.b": {"model": "q"}}
    assert changed_text(MINE, {"model": "q:8.b", "helper": "old"}, changes) == (
        'helper = "old"\n\n# Mine\nmodel = "q:8.b"  # for now\n\n'
        "[models.old] # the old one\nmodel = 'old-1'   # slow\nimages = true\n\n"
        "# How far\n[limits]\nsteps = 3 # few\n# the end\n\n"
        '[models."q:8.b"]\nmodel = "q"\n'
    )


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)


@given(NAMES, NAMES, st.sampled_from(["", MINE, MINE.replace("\n", "\r\n"), "[limits]\nsteps=3"]))
def test_any_name_can_be_written(name: str, model: str, before: str) -> None:
    """A model with dots, quotes or colons in its name could not be chosen, or break the file."""
    text = changed_text(before, {"model": name}, {name: {"model": model, "images": True}})
    values = tomllib.loads(text)
    assert values["model"] == name
    assert values["models"][name] == {"model": model, "images": True}
    assert changed_text(text, {"model": name}, {name: {"model": model}}) == text
    assert ("\r\n" in text) == ("\r\n" in before)


@pytest.mark.parametrize("written", ["models = { old = { model = 'x' } }\n"])
def test_what_cannot_be_changed_safely_is_refused(written: str, tmp_path: Path) -> None:
    """The file would be broken, and every command with it."""
    path = tmp_path / "config.toml"
    path.write_text(written)
    with pytest.raises(ConfigError, match="cannot be changed safely"):
        write_config(path, models={"new": {"model": "y"}})
    assert path.read_text() == written


def test_a_link_stays_a_link_and_a_missing_folder_is_made(tmp_path: Path) -> None:
    """Settings kept with a person's other dotfiles would part from them."""
    kept = tmp_path / "kept.toml"
    kept.write_text("history = false\n")
    link = tmp_path / "config.toml"
    link.symlink_to(kept)
    write_config(link, {"model": "extractive"})
    assert link.is_symlink()
    assert tomllib.loads(kept.read_text()) == {"model": "extractive", "history": False}
    fresh = tmp_path / "new" / "home" / "config.toml"
    write_config(fresh, {"model": "a"}, {"a": {"model": "b"}})
    assert load_config(fresh).models["a"].model == "b"


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """A traceback, or half a file, would be all a person gets."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ConfigError):
        write_config(blocked / "config.toml", {"model": "extractive"})


def test_one_setting_of_a_table_is_set_and_checked(tmp_path: Path) -> None:
    """A change in the settings screen would break the file, or move a person's comments."""
    path = tmp_path / "config.toml"
    path.write_text(MINE)
    set_value(path, ("limits", "steps"), 5)
    set_value(path, ("context", "tokens"), 900)
    set_value(path, ("models", "old", "images"), True)
    set_value(path, ("history",), False)
    config = load_config(path)
    assert (config.limits.steps, config.context.tokens, config.history) == (5, 900, False)
    assert config.models["old"].images
    kept = [line.partition("#")[2] for line in MINE.splitlines() if "#" in line]
    assert all(comment in path.read_text() for comment in kept)
    before = path.read_text()
    with pytest.raises(ConfigError, match=r"context\.policy is 'round'"):
        set_value(path, ("context", "policy"), "round")
    with pytest.raises(ConfigError, match="unknown setting"):
        set_value(path, ("limits", "stepps"), 1)
    assert path.read_text() == before


def test_settings_that_need_one_another_are_set_together(tmp_path: Path) -> None:
    """A table of several settings could not be written: each alone makes the file unusable."""
    path = tmp_path / "config.toml"
    path.write_text(MINE)
    near = ("embedders", "near")
    set_values(
        path, {(*near, "kind"): "local", (*near, "folder"): "models/x", ("embedder",): "near"}
    )
    config = load_config(path)
    assert config.embedders["near"].folder == "models/x" and config.embedder == "near"
    before = path.read_text()
    assert MINE.strip() in before
    with pytest.raises(ConfigError, match="there is no embedder 'far'"):
        set_values(path, {("history",): False, ("embedder",): "far"})
    assert path.read_text() == before


def test_a_table_is_taken_out_and_the_rest_stays(tmp_path: Path) -> None:
    """A person's comments would go with it, or a setting be left that names what is gone."""
    path = tmp_path / "config.toml"
    mine = MINE.replace('model = "old"', 'model = "extractive"')
    path.write_text(f'{mine}\n[embedders.near]\nkind = "local"\nfolder = "x"\n')
    remove_table(path, "embedders", "near")
    assert path.read_text().strip() == mine.strip()
    remove_table(path, "embedders", "near")
    remove_table(path, "models", "old")
    assert "# How far\n[limits]" in path.read_text()
    path.write_text('embedder = "near"\n[embedders.near]\nkind = "local"\nfolder = "x"\n')
    with pytest.raises(ConfigError, match="there is no embedder 'near'"):
        remove_table(path, "embedders", "near")
    assert "[embedders.near]" in path.read_text()

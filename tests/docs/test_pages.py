"""Links lead somewhere, README is one page, and what it lists is all there is."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, links

MOST_WORDS = 1_200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """A reader would come to a page that is not there, or to a heading that is gone."""
    for place in links(page):
        file, _, heading = place.partition("#")
        target = page.parent / file
        assert target.exists(), place
        if heading:
            heads = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.M)
            assert heading in {head.lower().replace(" ", "-") for head in heads}, place


def test_readme_is_one_page() -> None:
    """Whoever comes for the first time would read a manual."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= MOST_WORDS


@pytest.mark.parametrize("index", ["README.md", "docs/README.md"])
def test_every_page_is_listed(index: str) -> None:
    """A page would be found by nobody."""
    listed = {Path(place.partition("#")[0]).name for place in links(ROOT / index)}
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= listed


def test_what_the_checklist_names_is_there() -> None:
    """A point would be said to hold by a test that was renamed or taken away."""
    page = (ROOT / "docs" / "interface-checklist.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", page)
    lost = [
        f"{file}::{name}"
        for file, name in named
        if not re.search(rf"^(?:async )?def {name}\(", (ROOT / file).read_text("utf-8"), re.M)
    ]
    assert lost == []
    parts = (ROOT / "scripts" / "benchmarks" / "parts.toml").read_text(encoding="utf-8")
    measured = set(re.findall(r"`--only ([\w-]+)`", page))
    assert measured <= set(re.findall(r'^name = "([\w-]+)"', parts, re.M))
    points = sorted(int(number) for number in re.findall(r"^\| (\d+) \|", page, re.M))
    assert points == list(range(1, 45))


def test_every_extra_is_explained() -> None:
    """An extra would be known to nobody but who reads pyproject.toml."""
    import tomllib

    with (ROOT / "pyproject.toml").open("rb") as stream:
        extras = tomllib.load(stream)["project"]["optional-dependencies"].keys() - {"test"}
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert {extra for extra in extras if f"`{extra}`" not in page} == set()

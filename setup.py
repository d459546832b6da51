"""What pyproject.toml cannot say: addresses, which depend on the repository, and a man page.

The repository is what RAG_ASSISTANT_REPOSITORY names, else the remote `origin` where that is an
https address. A page of an index has no pictures beside it: README's links become absolute ones of
the repository, at the tag of this version. Where no repository is known, pictures are left out, and
links to files are their text. The man page is made from the parser of the command line. The wheel
has an SBOM, which `python -m scripts.dependencies` makes.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from rag_assistant import __version__  # noqa: E402 - a build has no path to the checkout

MAN_PAGE = Path("build") / "man" / "rag-assistant.1"
SBOM = "sbom.cdx.json"
_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<place>(?!https?:|#)[^)\s]+)\)")
_ROW_OF_PICTURES = re.compile(r"^\|[\s|-]*\|\n", re.M)


def repository() -> str:
    """Give the address of the repository, "" where none is known."""
    given = os.environ.get("RAG_ASSISTANT_REPOSITORY", "")
    if not given and (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "remote", "get-url", "origin"]
        try:
            given = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        except OSError:  # there is no git
            given = ""
    given = given.strip().removesuffix(".git").rstrip("/")
    return given if given.startswith("https://") else ""


def described(readme: str, address: str, tag: str) -> str:
    """Give the readme with links that hold on any page."""

    def absolute(link: re.Match[str]) -> str:
        picture, text, place = link.group("picture", "text", "place")
        if address:
            kind = "raw" if picture else "blob"
            return f"{picture}[{text}]({address}/{kind}/{tag}/{place})"
        return "" if picture else text

    return (
        _ROW_OF_PICTURES.sub("", _LINK.sub(absolute, readme))
        if not address
        else _LINK.sub(absolute, readme)
    )


def project_urls(address: str) -> dict[str, str]:
    """Give the addresses that an index shows; none where the repository is not known."""
    if not address:
        return {}
    return {
        "Homepage": address,
        "Documentation": f"{address}/tree/HEAD/docs",
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


class BuildWithManPage(build_py):
    """Builds the modules, and the man page from the parser of the command line."""

    def run(self) -> None:
        from argparse_manpage.manpage import Manpage  # noqa: PLC0415 - an sdist needs none

        from rag_assistant.cli.parser import build_parser  # noqa: PLC0415

        parser = build_parser()
        parser.man_short_description = "ask your own documents"  # type: ignore[attr-defined]
        MAN_PAGE.parent.mkdir(parents=True, exist_ok=True)
        MAN_PAGE.write_text(
            str(Manpage(parser, {"manual_title": "rag-assistant", "version": __version__})),
            encoding="utf-8",
        )
        self.distribution.data_files = [("share/man/man1", [str(MAN_PAGE)])]
        super().run()


class WheelWithSbom(bdist_wheel):
    """Puts the list of what the program is made of where PEP 770 has its place for it."""

    def write_wheelfile(self, wheelfile_base: str, *arguments: str) -> None:
        super().write_wheelfile(wheelfile_base, *arguments)
        folder = Path(wheelfile_base) / "sboms"
        folder.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / SBOM, folder / SBOM)


if __name__ == "__main__":
    address = repository()
    setup(
        long_description=described(
            (ROOT / "README.md").read_text(encoding="utf-8"), address, f"v{__version__}"
        ),
        long_description_content_type="text/markdown",
        project_urls=project_urls(address),
        cmdclass={"build_py": BuildWithManPage, "bdist_wheel": WheelWithSbom},
    )

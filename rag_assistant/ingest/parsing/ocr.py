"""Text recognition by the `tesseract` program, where the person has installed it. Each image gets a
process of its own, one thread and a time limit; only bytes with the header of an image reach it,
because it would take others for a list of files to read.
"""

import os
import re
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.image_size import size_of

if TYPE_CHECKING:
    from subprocess import CompletedProcess

INSTALL_HINT = "install tesseract: `apt install tesseract-ocr` or `brew install tesseract`."
LANGUAGES_VARIABLE = "RAG_ASSISTANT_OCR_LANGUAGES"
"""Environment variable: languages such as `deu+eng`, or `all` for every one installed."""

MOST_PIXELS = 50_000_000
"""Of one image: a page of A4 at 600 dots per inch has 35 million."""

MOST_SECONDS = 100.0
"""Wall time that the images of one file may take together."""

_ASK_SECONDS = 20.0
_MOST_TEXT = 1_000_000  # characters of one image
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_/-]{0,40}")
_PORTABLE_GRAYMAP = re.compile(rb"P5 (\d{1,6}) (\d{1,6}) 255\n")


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program: where it is, "tesseract 5.3.0", and the languages it is to read."""

    program: str
    version: str
    languages: str

    def read(self, image: bytes, deadline: float, dpi: int = 0) -> str:
        """Give the text of an image, paragraphs apart; `deadline` is of `time.monotonic`.

        `dpi` is the resolution where the image does not say. Raises LoadError for what is no
        image, too large or broken, and when the time is up.
        """
        _check(image)
        # All standard streams: nothing of an untrusted file is ever given a name on the disk.
        command = [self.program, "stdin", "stdout", "-l", self.languages]
        command += ["--dpi", str(dpi)] if dpi else []
        seconds = deadline - monotonic()
        if seconds <= 0:
            raise LoadError("text recognition took too long")
        done = _run(command, seconds, image)
        if done is None:
            raise LoadError("text recognition took too long")
        if done.returncode != 0:
            raise LoadError("the image cannot be read", hint="Open it and save it anew.")
        return _paragraphs(done.stdout.decode("utf-8", "replace")[:_MOST_TEXT])


def find() -> Tesseract | None:
    """Find the program on the PATH; None when it is not there, does not run, or has no languages.

    Raises LoadError when the environment asks for a language that is not installed.
    """
    import shutil  # noqa: PLC0415  with `subprocess`, 4 ms that only images cost

    program = shutil.which("tesseract")
    if program is None:
        return None
    version, installed = _about(program)
    if not installed:
        return None
    return Tesseract(program, version, _languages(installed))


@cache
def _about(program: str) -> tuple[str, tuple[str, ...]]:
    """Ask the program for its version and its languages, once in a process."""
    shown = _run([program, "--version"], _ASK_SECONDS)
    listed = _run([program, "--list-langs"], _ASK_SECONDS)
    if shown is None or listed is None or listed.returncode != 0:
        return "", ()
    said = (shown.stdout + shown.stderr).decode("utf-8", "replace")
    found = re.search(r"tesseract\s+v?(\d[\w.-]*)", said)
    # The first line is a heading; `osd` is no language but the detection of scripts.
    lines = (listed.stdout or listed.stderr).decode("utf-8", "replace").splitlines()[1:]
    names = (line.strip() for line in lines)
    installed = tuple(name for name in names if _LANGUAGE.fullmatch(name) and name != "osd")
    return f"tesseract {found[1]}" if found else "tesseract", installed


def _languages(installed: tuple[str, ...]) -> str:
    wanted = os.environ.get(LANGUAGES_VARIABLE, "").strip()
    if wanted.lower() == "all":
        return "+".join(installed)
    if not wanted:
        return "eng" if "eng" in installed else installed[0]
    names = [name.strip() for name in re.split(r"[+,\s]+", wanted) if name.strip()]
    if missing := [name for name in names if name not in installed]:
        raise LoadError(
            f"text recognition has no language {missing[0][:40]!r}",
            hint=f"Install it, or set {LANGUAGES_VARIABLE} to some of {'+'.join(installed)[:200]}.",
        )
    return "+".join(names)


def _run(command: list[str], seconds: float, data: bytes = b"") -> "CompletedProcess[bytes] | None":
    """Run the program; None when it does not start or does not end in time, and is then killed."""
    import subprocess  # noqa: PLC0415  as above

    # One thread each: many small teams of threads are slower than none, and starve the machine.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        return subprocess.run(
            command, input=data, capture_output=True, timeout=seconds, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _check(image: bytes) -> None:
    graymap = _PORTABLE_GRAYMAP.match(image)  # as pages of PDF are drawn
    size = (int(graymap[1]), int(graymap[2])) if graymap else size_of(image)
    if size is None or 0 in size:
        raise LoadError("not an image, or a broken one", hint="Open it and save it anew.")
    if size[0] * size[1] > MOST_PIXELS:
        raise LoadError(
            f"an image of {size[0]:,} x {size[1]:,} pixels is too large to read",
            hint="Save it smaller, or cut it up.",
        )


def _paragraphs(text: str) -> str:
    """Put one blank line between paragraphs and drop the lines of nothing, and form feeds."""
    text = "\n".join(line.rstrip() for line in text.replace("\f", "\n").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

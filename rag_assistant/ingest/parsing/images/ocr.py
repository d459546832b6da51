"""Text recognition by the `tesseract` program, where the person has installed it, else by RapidOCR,
an extra. Each image gets a process of its own, one thread and a time limit; only bytes with the
header of an image reach it, because tesseract would take others for a list of files to read.
"""

import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.images.image_size import size_of

if TYPE_CHECKING:
    from subprocess import CompletedProcess

INSTALL_HINT = (
    "install tesseract: `apt install tesseract-ocr` or `brew install tesseract`;"
    " or add the extra 'ocr' to this program."
)
LANGUAGES_VARIABLE = "RAG_ASSISTANT_OCR_LANGUAGES"
"""Environment variable: languages such as `deu+eng`, or `all` for every one installed."""

MOST_PIXELS = 50_000_000
"""Of one image: a page of A4 at 600 dots per inch has 35 million."""

MOST_SECONDS = 100.0
"""Wall time that the images of one file may take together."""

_PROCESS = "rag_assistant.ingest.parsing.images.rapidocr_process"
# Many small teams of threads are slower than none, starve the machine, and take memory for each.
_ONE_THREAD = dict.fromkeys(
    ("OMP_THREAD_LIMIT", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX"), "1"
)
_ASK_SECONDS = 20.0
_MOST_TEXT = 1_000_000  # characters of one image
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_/-]{0,40}")
_PORTABLE_GRAYMAP = re.compile(rb"P5 (\d{1,6}) (\d{1,6}) 255\n")


class Recognizer(Protocol):
    """What reads images; `version` names it, for the metadata of what it read."""

    @property
    def version(self) -> str:
        """Its name and version."""

    def read(self, image: bytes, deadline: float, dpi: int = 0) -> str:
        """Give the text of an image, paragraphs apart; `deadline` is of `time.monotonic`.

        `dpi` is the resolution where the image does not say. Raises LoadError for what is no
        image, too large or broken, and when the time is up.
        """


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program: where it is, "tesseract 5.3.0", and the languages it is to read."""

    program: str
    version: str
    languages: str

    def read(self, image: bytes, deadline: float, dpi: int = 0) -> str:
        """Read an image as a Recognizer does."""
        _check(image)
        # All standard streams: nothing of an untrusted file is ever given a name on the disk.
        command = [self.program, "stdin", "stdout", "-l", self.languages]
        command += ["--dpi", str(dpi)] if dpi else []
        return _recognised(command, image, deadline)


@dataclass(frozen=True, slots=True)
class RapidOcr:
    """The extra's recogniser, with models for Latin letters, Chinese and Japanese."""

    version: str

    def read(self, image: bytes, deadline: float, dpi: int = 0) -> str:
        """Read an image as a Recognizer does; it needs no resolution."""
        _check(image)
        return _recognised([sys.executable, "-m", _PROCESS], image, deadline)


def find() -> Recognizer | None:
    """Find tesseract on the PATH, or else RapidOCR; None where neither is there and runs.

    Raises LoadError when the environment asks for a language that tesseract has not installed.
    """
    import shutil  # noqa: PLC0415  with `subprocess`, 4 ms that only images cost

    program = shutil.which("tesseract")
    version, installed = _about(program) if program else ("", ())
    if program and installed:
        return Tesseract(program, version, _languages(installed))
    return _rapid_ocr() if has_rapidocr() else None


def has_rapidocr() -> bool:
    """Say whether the modules of the extra `ocr` are there."""
    return all(map(find_spec, ("rapidocr", "onnxruntime")))


def _rapid_ocr() -> RapidOcr:
    from importlib.metadata import version  # noqa: PLC0415  as above

    return RapidOcr(f"rapidocr {version('rapidocr')}")


def _recognised(command: list[str], image: bytes, deadline: float) -> str:
    """Run a recogniser on an image, and give what it read."""
    seconds = deadline - monotonic()
    if seconds <= 0:
        raise LoadError("text recognition took too long")
    done = _run(command, seconds, image)
    if done is None:
        raise LoadError("text recognition took too long")
    if done.returncode != 0:
        raise LoadError("the image cannot be read", hint="Open it and save it anew.")
    return _paragraphs(done.stdout.decode("utf-8", "replace")[:_MOST_TEXT])


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

    environment = {**os.environ, **_ONE_THREAD}
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

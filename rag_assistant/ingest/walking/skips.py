"""What no walk reads unless told to: hidden files, what programs fill, archives, special files.

Names that a person may give to a folder of documents ("build", "env") count only with a sign that
a program made the folder: a file in it, or the file beside it that the program works from.
"""

import os
import stat
from collections.abc import Collection
from pathlib import Path

VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})
"""Never read, even where hidden folders are: a second copy of every file, in pieces."""

CACHE_FOLDERS = frozenset(
    """
    __pycache__ node_modules bower_components site-packages __pypackages__ venv env.bak venv.bak
    .venv .tox .nox .eggs .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
    .ipynb_checkpoints .gradle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo .yarn
    .Trash .Trashes .fseventsd .Spotlight-V100 .DocumentRevisions-V100 .TemporaryItems
    __MACOSX @eaDir lost+found $RECYCLE.BIN
    """.split()
) | {"System Volume Information"}
"""Folders that programs fill, by names that nobody gives to documents."""

_PYTHON = ("pyproject.toml", "setup.py", "setup.cfg")
_GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
_OUTPUT = {
    "build": (*_PYTHON, *_GRADLE, "package.json", "CMakeLists.txt", "meson.build", "pubspec.yaml"),
    "dist": (*_PYTHON, "package.json"),
    "target": ("Cargo.toml", "pom.xml", "build.sbt", "project.clj"),
}
"""Folders of build output, and the files beside them of which one must be there."""

_CACHE_TAG = "CACHEDIR.TAG"
SIGNS = frozenset({_CACHE_TAG, "pyvenv.cfg", "conda-meta"}).union(*_OUTPUT.values())
"""The names in a folder that `why_cache` and `why_cache_inside` want to know of."""

_TAGGED = b"Signature: 8a477f597d28d172789f06886806bc55"  # https://bford.info/cachedir/

_KINDS = (
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)
_JUNCTION = (
    0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: Windows' link to a folder, no symlink to Python
)

_ARCHIVES = frozenset(
    """
    zip 7z rar tar gz tgz bz2 tbz tbz2 xz txz tzst lz lz4 lzma lzo z cpio
    jar war ear aar apk ipa xpi crx whl egg nupkg gem deb rpm msix cab iso dmg
    """.split()
)

ZIPPED_BOOK = ".fb2.zip"
"""How e-books of FictionBook are named that are zipped, as most are."""

_PACKAGES = (".pages", ".numbers", ".key")


def why_cache(name: str, beside: Collection[str]) -> str:
    """Say why a folder of this name, beside those files, is a program's; "" if it is not."""
    if name in CACHE_FOLDERS:
        return "cache folder"
    makers = _OUTPUT.get(name, ())
    maker = next((maker for maker in makers if maker in beside), "")
    return f"build output (beside {maker})" if maker else ""


def why_cache_inside(folder: Path, names: Collection[str]) -> str:
    """Say why a folder that holds `names` is a program's; "" if it is not."""
    if "pyvenv.cfg" in names:
        return "Python environment (it holds pyvenv.cfg)"
    if "conda-meta" in names and _begins(folder / "conda-meta" / "history", b""):
        return "conda environment (it holds conda-meta)"
    if _CACHE_TAG in names and _begins(folder / _CACHE_TAG, _TAGGED):
        return f"cache folder (it holds {_CACHE_TAG})"
    return ""


def is_junction(info: os.stat_result) -> bool:
    """Whether a folder is one of another name, on Windows. `info` is from lstat."""
    return getattr(info, "st_reparse_tag", 0) == _JUNCTION


def why_special(mode: int) -> str:
    """Say what a file is that is no regular one; opening it may block for ever."""
    kind = next((words for test, words in _KINDS if test(mode)), "special file")
    return f"not a regular file: {kind}"


def is_archive(path: str) -> bool:
    """Whether the suffix is that of an archive or a compressed file, and of no document."""
    if path.lower().endswith(ZIPPED_BOOK) or is_package_index(path):
        return False
    name = path.rpartition("/")[2]
    return name[name.rfind(".") + 1 :].lower() in _ARCHIVES and "." in name


def is_package_index(path: str) -> bool:
    """Whether a file holds the text of a document that is a folder, as those of Apple's may be."""
    folder, _, name = path.lower().rpartition("/")
    return name == "index.zip" and folder.endswith(_PACKAGES)


def _begins(path: Path, head: bytes) -> bool:
    """Whether `path` is a regular file that can be read and begins with these bytes."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as stream:
            return stream.read(len(head)) == head
    except OSError:
        return False

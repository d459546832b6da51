"""What a walk leaves out must be what the rules say, and each reason must name its rule."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rag_assistant.ingest.ignore_files import LARGEST_IGNORE_FILE
from rag_assistant.ingest.ignore_patterns import Patterns
from rag_assistant.ingest.paths import locate
from rag_assistant.ingest.walk import FoundFile, SkippedPath, WalkRules, walk

EVERYTHING = WalkRules(hidden=True, caches=True)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")


def tree(folder: Path, *paths: str) -> Path:
    """Write files of one word; a path that ends in a slash is an empty folder."""
    for path in paths:
        if path.endswith("/"):
            (folder / path).mkdir(parents=True, exist_ok=True)
        else:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text("word")
    return folder


def found(folder: Path, rules: WalkRules = EVERYTHING) -> list[str]:
    return [item.path for item in walk(folder, rules) if isinstance(item, FoundFile)]


def reasons(folder: Path, rules: WalkRules = WalkRules()) -> dict[str, str]:
    return {item.path: item.reason for item in walk(folder, rules) if isinstance(item, SkippedPath)}


def git(folder: Path, *words: str) -> bytes:
    """Run git without the settings of the machine."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {"XDG_CONFIG_HOME": os.devnull, "HOME": os.devnull}
    return subprocess.run(
        ["git", "-c", "core.excludesFile=/dev/null", *words],
        cwd=folder,
        env=env,
        check=True,
        capture_output=True,
    ).stdout


def by_git(folder: Path) -> list[str]:
    """Give the files of `folder` that git would keep."""
    out = git(folder, "ls-files", "-z", "--others", "--cached", "--exclude-standard")
    return sorted(os.fsdecode(name) for name in out.split(b"\0") if name)


# Patterns and names share a small alphabet, so that they meet.
_WORDS = ["a", "b", "ab", "foo", "a.log", "b.txt", ".h", "a b", "#x", "!y", "b[1]"]
_PATTERNS = """
a b foo ab a.log *.log *.txt * ** */ **/ a/ b/ /a /b/ /* /*/ a/b a/* a/** **/a **/b/ a/**/b /**/b
**/foo/** */a */* a* *b [ab] [!a] [^b] [a-c]* [[:alpha:]] b\\[1\\] b[[]1] ?? a? .* .h \\#x \\!y #x
!y *.l?g a*b a**b **a [a foo\\ a[/]b [z-a] [!a-z]* /a/*/b a/**/ **/*.txt *[.]log *o*o* // / ./a a//b
[]a] [!]a] [[:digit:][:upper:]] [[:nope:]] \\a \\*.log a\\ b *\\ * ***/a
""".split() + ["a b", "a ", "b  ", "foo\\ ", " a", "a\t", "", "# note", "a*\\", "\\"]


@needs_git
@pytest.mark.parametrize("seed", range(400))
def test_random_trees_and_patterns_are_judged_as_by_git(tmp_path: Path, seed: int) -> None:
    """A file would be left out of an index, or read into it, against the person's own rules."""
    rng = random.Random(f"walk {seed}")
    folders = [tmp_path]
    for _ in range(rng.randint(3, 9)):
        inner = rng.choice(folders) / rng.choice(_WORDS)
        inner.mkdir(exist_ok=True)
        folders.append(inner)
    for folder in folders:
        for word in rng.sample(_WORDS, rng.randint(2, 8)):
            if not (folder / word).exists():
                (folder / word).write_text("word")
    git(tmp_path, "init", "-q")
    lists = [rng.choice(folders) / ".gitignore" for _ in range(rng.randint(1, 4))]
    lists.append(tmp_path / ".git" / "info" / "exclude")
    for path in lists:
        lines = [
            rng.choice(["", "", "", "!"]) + rng.choice(_PATTERNS) for _ in range(rng.randint(1, 6))
        ]
        ending = rng.choice(["\n", "\r\n"])
        mark = rng.choice(["", "", "\ufeff"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(mark + ending.join(lines) + ending, encoding="utf-8", newline="")
    said = {path: path.read_text() for path in lists}
    assert sorted(found(tmp_path)) == by_git(tmp_path), said
    # A folder of the repository is judged by the same rules, unless they leave it out itself.
    for folder in {folder for folder in folders if folder != tmp_path}:
        relative = folder.relative_to(tmp_path).as_posix() + "/"
        below = [p.removeprefix(relative) for p in by_git(tmp_path) if p.startswith(relative)]
        if below:
            assert sorted(found(folder)) == below, said


@needs_git
def test_what_git_added_before_the_walk_changes_nothing(tmp_path: Path) -> None:
    """An index would depend on whether the files were committed."""
    tree(tmp_path, "a.md", "b.log", "sub/c.md", "sub/d.log")
    (tmp_path / ".gitignore").write_text("*.log\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    assert sorted(found(tmp_path)) == by_git(tmp_path) == [".gitignore", "a.md", "sub/c.md"]

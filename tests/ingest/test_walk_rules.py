"""What a walk leaves out must be what the rules say, and each reason must name its rule."""

import os
import time
from pathlib import Path

import pytest

from rag_assistant.ingest.paths import locate
from rag_assistant.ingest.walk import FoundFile, SkippedPath, WalkRules, walk
from rag_assistant.ingest.walking.ignore_files import LARGEST_IGNORE_FILE
from tests.ingest.git import by_git, git, needs_git

DEFAULT = WalkRules()
EVERYTHING = WalkRules(hidden=True, caches=True)
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


def reasons(folder: Path, rules: WalkRules = DEFAULT) -> dict[str, str]:
    return {item.path: item.reason for item in walk(folder, rules) if isinstance(item, SkippedPath)}


@needs_git
def test_what_git_added_before_the_walk_changes_nothing(tmp_path: Path) -> None:
    """An index would depend on whether the files were committed."""
    tree(tmp_path, "a.md", "b.log", "sub/c.md", "sub/d.log")
    (tmp_path / ".gitignore").write_text("*.log\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    assert sorted(found(tmp_path)) == by_git(tmp_path) == [".gitignore", "a.md", "sub/c.md"]


@needs_git
def test_a_repository_inside_another_has_rules_of_its_own(tmp_path: Path) -> None:
    """Files that one project keeps would be lost because another one around it ignores theirs."""
    tree(tmp_path, "inner/a.log", "inner/b.tmp", "inner/c.md", "d.log")
    for folder, pattern in ((tmp_path, "*.log\n"), (tmp_path / "inner", "*.tmp\n")):
        (folder / ".gitignore").write_text(pattern)
        git(folder, "init", "-q")
    inner = by_git(tmp_path / "inner")
    assert inner == [".gitignore", "a.log", "c.md"]
    assert found(tmp_path) == [".gitignore", *(f"inner/{path}" for path in inner)]


def test_reasons_name_the_line_and_its_file(tmp_path: Path) -> None:
    """Nobody could find out which rule kept a file out of the index."""
    tree(tmp_path, "notes/a.log", "notes/deep/b.log", "drafts/c.md", "keep.md", ".git/info/x")
    tree(tmp_path, "scratch.txt", "sub/d.tmp")
    (tmp_path / "notes" / ".gitignore").write_text("# logs\n*.log\n")
    (tmp_path / ".ragignore").write_text("drafts/\n")
    (tmp_path / ".git" / "info" / "exclude").write_text("scratch*\n")
    (tmp_path / ".gitignore").write_text("*.tmp\n")
    got = reasons(tmp_path)
    hidden = {path for path, reason in got.items() if reason.startswith("hidden")}
    assert hidden == {".git", ".gitignore", ".ragignore", "notes/.gitignore"}
    assert {path: reason for path, reason in got.items() if path not in hidden} == {
        "notes/a.log": "ignored by notes/.gitignore: *.log",
        "notes/deep/b.log": "ignored by notes/.gitignore: *.log",
        "drafts": "ignored by .ragignore: drafts/",
        "scratch.txt": "ignored by .git/info/exclude: scratch*",
        "sub/d.tmp": "ignored by .gitignore: *.tmp",
    }
    assert reasons(tmp_path / "sub") == {"d.tmp": "ignored by ../.gitignore: *.tmp"}
    assert found(tmp_path / "sub", WalkRules(ignore_files=False)) == ["d.tmp"]


def test_a_folder_that_its_repository_ignores_is_read_when_it_is_named(tmp_path: Path) -> None:
    """Indexing `data/` of a project would give an empty index, because git does not keep it."""
    tree(tmp_path, ".git/HEAD", "data/a.md", "data/b.log", "data/deep/c.md")
    (tmp_path / ".gitignore").write_text("data/\n*.log\n")
    assert found(tmp_path / "data") == ["a.md", "b.log", "deep/c.md"]
    assert found(tmp_path / "data" / "deep") == ["c.md"]


def test_a_ragignore_is_asked_before_every_gitignore(tmp_path: Path) -> None:
    """What git must not keep but a person wants to search could not be had."""
    tree(tmp_path, "reports/a.pdf", "reports/b.aux", ".notes/c.md", "build/d.md", "pyproject.toml")
    tree(tmp_path, ".git/config", "node_modules/e.md")
    (tmp_path / ".gitignore").write_text("reports/\n")
    (tmp_path / "reports" / ".gitignore").write_text("*.aux\n")
    (tmp_path / ".ragignore").write_text("!*/\n!reports/\n!*.aux\n!.notes/\n!build\n!.git\n")
    assert found(tmp_path, WalkRules()) == [
        *(".notes/c.md", "build/d.md", "pyproject.toml", "reports/a.pdf", "reports/b.aux")
    ]
    # `!*/` is how a list of what is wanted begins; it does not ask for the caches by name.
    assert reasons(tmp_path)["node_modules"] == "cache folder"


@pytest.mark.skipif(os.name == "nt", reason="needs the special files of POSIX")
def test_ignore_files_that_are_none_do_no_harm(tmp_path: Path) -> None:
    """A pipe would block for ever, a huge file fill the memory, odd bytes end the walk."""
    tree(tmp_path, *(f"{folder}/a.log" for folder in "pipe link large bytes folder".split()))
    os.mkfifo(tmp_path / "pipe" / ".gitignore")
    (tmp_path / "link" / ".gitignore").symlink_to("/dev/zero")
    (tmp_path / "large" / ".gitignore").write_bytes(b"*.log\n" * LARGEST_IGNORE_FILE)
    (tmp_path / "folder" / ".gitignore").mkdir()
    (tmp_path / "bytes" / ".gitignore").write_bytes(b"\xff\0[\\\n[[:\n*\xe9*\n!\n!!\n\r\n*.txt\x80")
    (tmp_path / "bytes" / os.fsdecode(b"caf\xe9.md")).write_text("x")
    logs = [path for path in found(tmp_path) if path.endswith(".log")]
    assert logs == [f"{folder}/a.log" for folder in sorted("pipe link large bytes folder".split())]
    (reason,) = {reason for reason in reasons(tmp_path).values() if "ignored" in reason}
    assert reason == r"ignored by bytes/.gitignore: *\xe9*"
    reason.encode()


def test_hidden_paths_are_read_when_wanted_but_never_version_control(tmp_path: Path) -> None:
    """A person's dot folders could not be indexed, or git's object store would be."""
    tree(tmp_path, ".notes/a.md", ".b.md", ".git/config", ".venv/c.md", "__pycache__/d.md")
    assert found(tmp_path, WalkRules(hidden=True)) == [".b.md", ".notes/a.md"]
    assert reasons(tmp_path, WalkRules(hidden=True)) == {
        ".git": "version control (never read)",
        ".venv": "cache folder",
        "__pycache__": "cache folder",
    }
    assert found(tmp_path, WalkRules(caches=True)) == ["__pycache__/d.md"]


def test_build_folders_are_told_from_folders_of_that_name_by_their_signs(tmp_path: Path) -> None:
    """A person's folder "build" would be left out, or a program's read."""
    tree(tmp_path, "house/build/a.md", "house/dist/b.md", "house/target/c.md", "house/env/d.md")
    tree(tmp_path, "py/pyproject.toml", "py/build/a.md", "py/dist/a.md", "py/target/a.md")
    tree(tmp_path, "rust/Cargo.toml", "rust/target/a.md", "rust/build/a.md")
    tree(tmp_path, "env/pyvenv.cfg", "env/a.md", "conda/conda-meta/history", "conda/a.md")
    tree(tmp_path, "tagged/a.md", "untagged/CACHEDIR.TAG", "untagged/a.md")
    tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
    (tmp_path / "tagged" / "CACHEDIR.TAG").write_text(tag)
    assert reasons(tmp_path) == {
        "conda": "conda environment (it holds conda-meta)",
        "env": "Python environment (it holds pyvenv.cfg)",
        "py/build": "build output (beside pyproject.toml)",
        "py/dist": "build output (beside pyproject.toml)",
        "rust/target": "build output (beside Cargo.toml)",
        "tagged": "cache folder (it holds CACHEDIR.TAG)",
    }
    assert found(tmp_path / "env", WalkRules()) == ["a.md", "pyvenv.cfg"]  # named: read
    assert "py/build/a.md" in found(tmp_path, WalkRules(caches=True))


def test_include_and_exclude_choose_files(tmp_path: Path) -> None:
    """A person could not index only the PDFs, or all but the drafts."""
    tree(tmp_path, "a.md", "b.pdf", "docs/c.txt", "docs/d.tmp", "docs/deep/e.txt", "old/f.md")
    rules = WalkRules(include=("*.md", "docs/", "!*.tmp"), exclude=("/old/",))
    assert found(tmp_path, rules) == ["a.md", "docs/c.txt", "docs/deep/e.txt"]
    assert reasons(tmp_path, rules) == {
        "b.pdf": "not among the files to include",
        "docs/d.tmp": "not among the files to include",
        "old": "excluded by your pattern /old/",
    }


def test_archives_and_large_files_are_left_alone(tmp_path: Path) -> None:
    """An archive would be read as text, or its absence be silent."""
    tree(tmp_path, "a.zip", "b.tar.GZ", "c.7z", "d.jar", "zip", "e.docx", "rar.md")
    assert found(tmp_path) == ["e.docx", "rar.md", "zip"]
    assert set(reasons(tmp_path).values()) == {"archive (not opened)"}
    assert reasons(tmp_path, WalkRules(largest=3))["e.docx"] == "larger than 3 bytes"
    assert found(tmp_path, WalkRules(largest=4)) == ["e.docx", "rar.md", "zip"]


@needs_links
def test_links_inside_the_folder_are_followed_only_to_what_is_not_read_anyway(
    tmp_path: Path,
) -> None:
    """A file would be read twice; or, where git-annex keeps it, not at all."""
    top = tree(tmp_path / "top", "docs/a.md", ".annex/ab/b.md", ".annex/c.md", "docs/deep/d.md")
    tree(tmp_path, "out/e.md", "top2/f.md")
    (top / ".ragignore").write_text("*.tmp\n")
    (top / "x.tmp").write_text("word")
    links = {
        "file": "docs/a.md",
        "folder": "docs",
        "annexed.md": ".annex/c.md",
        "all": ".annex",
        "docs/up": "..",
        "docs/deep/up": "../../docs",
        "ignored": "x.tmp",
        "out": "../out",
        "beside": "../top2/f.md",
        "gone": "nowhere",
        "round": "round",
        "chain": "file",
    }
    for name, target in links.items():
        (top / name).symlink_to(target)
    (top / ".annex" / "again").symlink_to(".")
    assert found(top, WalkRules()) == [
        *("all/ab/b.md", "all/c.md", "annexed.md", "docs/a.md", "docs/deep/d.md", "ignored")
    ]
    got = {path: why for path, why in reasons(top).items() if "hidden" not in why}
    assert got == {
        "all/again": "the same folder as all, which is read there",
        "beside": "link out of the folder",
        "chain": "link to docs/a.md, which is read there",
        "docs/deep/up": "link to docs, which is read there",
        "docs/up": "link to the top folder, which is read there",
        "file": "link to docs/a.md, which is read there",
        "folder": "link to docs, which is read there",
        "gone": "link to nothing: its target is missing",
        "out": "link out of the folder",
        "round": "link that leads in a circle",
        "x.tmp": "ignored by .ragignore: *.tmp",
    }
    never = reasons(top, WalkRules(follow_links="never"))
    assert all(never[name] == "symbolic link (links are not followed)" for name in links)


@needs_links
def test_links_out_of_the_folder_end_where_they_come_back(tmp_path: Path) -> None:
    """A circle of links would never end, or a folder be read under many names."""
    top = tree(tmp_path / "top", "a.md")
    out = tree(tmp_path / "out", "b.md", "deep/c.md")
    (top / "deep").symlink_to(out / "deep")
    (top / "out").symlink_to(out)
    (top / "one.md").symlink_to(out / "b.md")
    (top / "up").symlink_to(tmp_path)
    (out / "back").symlink_to(top)
    (out / "deep" / "out").symlink_to(out)
    rules = WalkRules(follow_links="anywhere")
    # The first name that leads to a folder, in order of names, is the one it is read under.
    assert found(top, rules) == ["a.md", "deep/c.md", "deep/out/b.md", "one.md"]
    got = reasons(top, rules)
    assert got["out"] == "the same folder as deep/out, which is read there"
    assert got["up/top"] == "the same folder as the top folder, which is read there"
    assert got["up/out"] == "the same folder as deep/out, which is read there"
    assert got["deep/out/back"] == "link to the top folder, which is read there"
    for path in found(top, rules):
        assert locate(top, path).read_text() == "word"


@pytest.mark.soak
def test_ten_thousand_files_cost_little_and_ignore_files_less_than_that_again(
    tmp_path: Path,
) -> None:
    """The start of every run would be waited for."""
    for number in range(100):
        (tmp_path / f"f{number}").mkdir()
        for file in range(100):
            (tmp_path / f"f{number}" / f"report {file}.md").touch()

    def seconds() -> float:
        best = 9.0
        for _ in range(3):
            begin = time.process_time()
            assert sum(1 for _ in walk(tmp_path)) >= 10_000
            best = min(best, time.process_time() - begin)
        return best

    plain = seconds()
    lines = ["*.log", "*.py[cod]", "build/", "/out", "*~", ".*.sw?", "docs/_build/", "*.tar.gz"]
    lines += [f"*.x{n}" for n in range(30)] + [f"name{n}" for n in range(30)]
    (tmp_path / ".gitignore").write_text("\n".join(lines))
    assert seconds() < 2 * plain + 0.02

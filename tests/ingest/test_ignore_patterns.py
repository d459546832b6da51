"""A line of an ignore file must mean what it means to git, and no line may hold the program up."""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rag_assistant.ingest.walk import FoundFile, SkippedPath, WalkRules, walk
from rag_assistant.ingest.walking.globs import compiled
from rag_assistant.ingest.walking.ignore_patterns import Patterns
from tests.examples import examples
from tests.ingest.git import by_git, git, needs_git, why_ignored

RULES = WalkRules(hidden=True, caches=True)

# Patterns and names share a small alphabet, so that they meet.
NAMES = ["a", "b", "ab", "aab", "foo", "A", "a.log", "b.txt", ".h", "a b", "#x", "!y", "b[1]", "-"]
NAMES += ["a ", "a*b", "a\\", "\\", "?", "]"] if os.name == "posix" else []
PIECES = r"""
a b ab foo A . .log .txt * ** *** ? / /**/ **/ /** \ \\ \* \? \[ \/ \a [ab] [!a] [^b] [a-c] [z-a]
[!z-a] []a] [!]a] [a-] [-a] [a-b-] [[:alpha:]] [![:digit:].] [[:nope:]] [[:]] [[a] [a/b] [\]a] [\]
[ ] ! # - {a,b} $ ^ ( | +
""".split()
PIECES += [" ", "\t", "\\ "]
LINES = [line for line in PIECES if len(line) > 1] + NAMES
LINES += (
    r"a/ /a */ /* a/* a/** **/a **/a/ a/**/b /**/b **/foo/** a*/**/b? foo/../a ./a // a//b".split()
)
LINES += r"\#x \!y a* *b *.log *o*o* ?? .* **a **/**/b **\/b a/**\/b /**/*/** ***/a a/***/b".split()

_AFTER_PREFIX = re.compile(r"!?/?[^*?\[\\]*[^*?\[\\/]\*{2,}(?:/|\\/|$)")
"""Stars after words that begin the line: git before 2.52 read "a/b**/c" as if it were "a/b" and
then "**/c", which its manual has otherwise."""

line_of_pieces = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)
line = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "", "", "", "!", "/", "!/"]),
        st.one_of(st.sampled_from(LINES), line_of_pieces),
        st.sampled_from(["", "", "", "", "/", " ", "  "]),
    ),
).filter(lambda text: not _AFTER_PREFIX.match(text))


@dataclass(frozen=True, slots=True)
class Case:
    """A folder: its files, and the ignore files among its folders with lines, mark and ending."""

    files: list[str]
    ignored: list[tuple[int, list[str]]]
    mark: str
    ending: str

    def write(self, folder: Path) -> None:
        """Write the files as far as no file stands where a folder would have to be."""
        folders = [folder]
        folder.mkdir()
        for file in self.files:
            path = folder / file
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("word")
            except OSError:
                continue
            folders.append(path.parent)
        for number, lines in self.ignored:
            text = self.mark + self.ending.join(lines) + self.ending
            path = folders[number % len(folders)] / ".gitignore"
            path.write_text(text, encoding="utf-8", newline="")


names = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)
cases = st.builds(
    Case,
    st.lists(names.map("/".join), min_size=4, max_size=10),
    st.lists(st.tuples(st.integers(0, 9), st.lists(line, min_size=1, max_size=5)), max_size=3),
    st.sampled_from(["", "", "\ufeff"]),
    st.sampled_from(["\n", "\r\n"]),
)


def said(top: Path, exclude: list[str], paths: set[str]) -> str:
    """Tell the lines of the folders that `paths` lie in."""
    folders = {path.partition("/")[0] for path in paths}
    files = [file for one in folders for file in (top / one).rglob(".gitignore")]
    return f"{sorted(paths)} by {exclude} and { {str(file): file.read_text() for file in files} }"


@needs_git
@settings(
    max_examples=examples(12),
    phases=[Phase.generate],  # two dozen folders shrink for minutes; what differs is told instead
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(some=st.lists(cases, min_size=24, max_size=24), exclude=st.lists(line, max_size=1))
def test_random_lines_and_trees_are_judged_as_by_git(
    tmp_path: Path, some: list[Case], exclude: list[str]
) -> None:
    """A file would be left out of an index, or read into it, against the person's own rules.

    An example holds many folders, each with ignore files of its own, so that git is asked once.
    """
    top = tmp_path / "repository"
    if top.exists():
        shutil.rmtree(top)
    top.mkdir()
    git(top, "init", "-q")
    (top / ".git" / "info").mkdir(exist_ok=True)
    (top / ".git" / "info" / "exclude").write_text("".join(one + "\n" for one in exclude))
    for number, case in enumerate(some):
        case.write(top / f"case {number}")
    seen = list(walk(top, RULES))
    found = {item.path for item in seen if isinstance(item, FoundFile)}
    assert found == set(by_git(top)), said(top, exclude, found.symmetric_difference(by_git(top)))
    ours = {
        item.path: item.reason.removeprefix("ignored by ")
        for item in seen
        if isinstance(item, SkippedPath) and item.reason.startswith("ignored by ")
    }
    assert ours == why_ignored(top, ours)
    # A folder of the repository is judged by the same rules, unless they leave it out itself.
    for number in range(0, len(some), 6):
        prefix = f"case {number}/"
        below = [path.removeprefix(prefix) for path in by_git(top) if path.startswith(prefix)]
        if below:
            inside = walk(top / f"case {number}", RULES)
            assert sorted(item.path for item in inside if isinstance(item, FoundFile)) == below


@pytest.mark.parametrize(
    ("line", "ignored", "kept"),
    [
        ("secret*.txt", ["secret.txt", "x/secret1.txt"], ["secret.md", "Secret1.txt", "my secret"]),
        ("/notes/*.md", ["notes/a.md"], ["x/notes/a.md", "notes/deep/a.md"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["b", "a/xb", "x/a/b"]),
        ("a/**", ["a/b", "a/b/c"], ["a", "x/a/b"]),
        ("note**/b", ["notes/b"], ["note/x/b", "noteb"]),
        (r"**\/b", ["x/b", "x/y/b"], ["b"]),
        (r"x\*", ["x*"], ["xy"]),
        ("caf?[é-í]", ["cafxé"], ["cafée/", "cafx"]),
        ("a\0b", ["a"], ["b"]),
        ("x\nb", [], ["x", "b"]),
    ],
)
def test_a_line_names_what_it_says(line: str, ignored: list[str], kept: list[str]) -> None:
    """What a person keeps out by name would be indexed where git is not there to compare with.

    One character of a text that is not ASCII is one to `?`, and two stars within a word are one,
    as git's manual has it.
    """
    patterns = Patterns([line])
    told = {
        path: patterns.last(path, path.rpartition("/")[2], False) is not None
        for path in ignored + kept
    }
    assert told == {path: path in ignored for path in ignored + kept}


def open_choices(regex: str) -> tuple[int, int]:
    """Count the repeats outside atomic groups, and how deep these stand in one another.

    Fails where an atomic group holds more than one repeat of its own. Possessive repeats (`*+`)
    make no choice.
    """
    text = re.sub(r"\\.|\[\^?(?:\\.|[^\]\\])+\]", "x", regex)
    text = re.sub(r"[*+]\+", "", text)
    depth = 0
    while "(" in text:
        inner = re.search(r"\((\?[>:!])([^()]*)\)", text)
        assert inner, text
        held = inner[2]
        if inner[1] == "?>":
            assert len(re.findall(r"[*+]", held)) <= 1, regex
            level = 1 + max((int(one) for one in re.findall(r"<(\d+)>", held)), default=0)
            depth = max(depth, level)
            held = f"<{level}>"
        text = text[: inner.start()] + held + text[inner.end() :]
    return len(re.findall(r"[*+]", text)), depth


HOSTILE = ["*a" * 60 + "b", "a*" * 100 + "?b", "[" * 2000, "*" * 4000, "?*" * 1000 + "b"]
HOSTILE += ["**/a/" * 40 + "b", "**/a/**/a/**/b", "a/**/a/**/a/**/b", "/*a*a*a/**/*a*a*a/**/*a*b"]
HOSTILE += ["**/*a*a*a*a*a*a*a*a*a*b/" * 9 + "x", "[!b]*" * 200 + "b", r"**\/" * 300 + "b"]


@settings(max_examples=examples(300))
@given(glob=line.map(lambda text: text.strip("!/ ")))
def test_no_line_leaves_a_star_more_than_one_choice_at_a_time(glob: str) -> None:
    """Stars tried in every combination would keep the program busy for years.

    Each repeat stands alone in an atomic group, at most two of which stand in one another: so a
    match tries at most (places for a folder) x (places in a name) for each part of the pattern.
    """
    regex = compiled(glob)
    if regex is not None:
        repeats, depth = open_choices(regex.pattern)
        assert repeats == 0
        assert depth <= 2


@pytest.mark.parametrize("glob", HOSTILE)
def test_hostile_lines_end(glob: str) -> None:
    """One line of a downloaded project would never be done with a path of the longest kind."""
    regex = compiled(glob.strip("/"))
    if regex is not None:
        repeats, depth = open_choices(regex.pattern)
        assert (repeats, depth <= 2) == (0, True)
    patterns = Patterns([glob])
    name = "a" * 255
    assert patterns.last("/".join([name] * 16), name, False) is None or glob == "*" * 4000
    assert patterns.last("/".join("a" * 2000), "a", False) is None or glob == "*" * 4000

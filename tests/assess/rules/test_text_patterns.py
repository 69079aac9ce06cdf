"""Literal, regex and glob patterns."""

from __future__ import annotations

import re
import time

import pytest

from signoff.assess.rules.pattern import BadPattern, Glob, Literal, Regex, Text, without_dots


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("/src/*.py", "/src/a.py", True),
        ("/src/*.py", "/src/a/b.py", False),
        ("/src/**", "/src/a/b.py", True),
        ("/src/**/b.py", "/src/b.py", True),
        ("/src/**/b.py", "/src/x/y/b.py", True),
        ("/src/**/b.py", "/src/xb.py", False),
        ("**/.env", "/a/b/.env", True),
        ("**/.env", ".env", True),
        ("**/.env", "/a/b.env", False),
        ("file?.txt", "file1.txt", True),
        ("file?.txt", "file/.txt", False),
        ("[ab]*", "b1", True),
        ("[!ab]*", "b1", False),
        ("/data/[.-9]*", "/data//x", False),
        ("/data/[!a]*", "/data//x", False),
        ("/data/[.-9]a", "/data/.a", True),
        ("/data/[.-9]a", "/data/.a", True),
        ("[a^-]", "^", True),
        ("[]a]", "]", True),
        ("*.{ts,tsx}", "x.tsx", True),
        ("*.{ts,tsx}", "x.js", False),
        (r"a\*b", "a*b", True),
        (r"a\*b", "axb", False),
        ("a.b", "axb", False),
        ("a+b", "a+b", True),
        ("x}", "x}", True),
        ("/a/**", "/a/new\nline", True),
        ("/a", "/a\n", False),
    ],
)
def test_a_glob_reads_the_whole_value(pattern: str, value: str, *, expected: bool) -> None:
    """One star stays in its folder, two do not."""
    assert expected is Glob(pattern).matches(Text(value), strict=True)


@pytest.mark.parametrize("pattern", ["[ab", "{a,b", "a\\", "", "{" * 9 + "}" * 9, "[z-a]", "[a/]"])
def test_a_broken_glob_is_refused(pattern: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(BadPattern):
        Glob(pattern)


def test_an_allow_glob_is_not_left_by_dots() -> None:
    """`..` leads out of the folder that was allowed."""
    assert not Glob("/src/**").matches(Text("/src/../etc/passwd"), strict=True)


def test_a_deny_glob_is_not_evaded_by_dots() -> None:
    """A detour to the folder is still the folder."""
    assert Glob("/etc/**").matches(Text("/src/../etc/./passwd"), strict=False)


@pytest.mark.parametrize("path", ["/srv//../etc/x", "//srv/..//etc/x", "/srv/a://../../etc/x"])
def test_a_double_slash_is_no_folder_to_leave(path: str) -> None:
    """The system takes two slashes as one."""
    assert not Glob("/srv/**").matches(Text(path), strict=True)
    assert Glob("/etc/**").matches(Text(path), strict=False)


def test_a_deny_glob_of_all_in_a_folder_means_the_folder_too() -> None:
    """Deleting the folder deletes all in it; an allow stays inside."""
    assert Glob("/etc/**").matches(Text("/etc"), strict=False)
    assert not Glob("/etc/**").matches(Text("/etc"), strict=True)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a/b/../c", "/a/c"),
        ("/../../x", "/x"),
        ("../x", "../x"),
        ("/a/./b/.", "/a/b"),
        ("/a/b/..", "/a"),
        ("a/../../b", "../b"),
        ("plain", "plain"),
        ("/a..b/c.", "/a..b/c."),
        ("https://x.example/a/../b", "https://x.example/b"),
        ("https://x.example/../../b", "https://x.example/b"),
        ("//etc//x/", "/etc/x/"),
        ("../../x", "../../x"),
        ("a/..", ""),
        ("file:///a//../etc", "file:///etc"),
    ],
)
def test_dot_segments_are_resolved(path: str, expected: str) -> None:
    """Only dot segments and empty ones change."""
    assert expected == without_dots(path)


def test_a_regex_is_found_anywhere_unless_anchored() -> None:
    """Search, not match."""
    assert Regex("b+").matches(Text("abbc"), strict=True)
    assert not Regex("^b+").matches(Text("abbc"), strict=True)


def test_a_lone_surrogate_does_not_raise() -> None:
    """A client may send half a character."""
    assert not Regex("^x$").matches(Text("\ud800"), strict=False)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(", "missing )"),
        ("(?=x)", "look-around is not supported"),
        (r"\1", "no back-references"),
        ("x{1001}", "repetition"),
        (r"(?i)\pL{30}", "too big"),
        ("x" * 2_001, "2001 characters"),
        ("", "empty"),
    ],
)
def test_a_regex_that_cannot_be_used_says_why(pattern: str, words: str) -> None:
    """What RE2 cannot run in linear time is refused when it is read."""
    with pytest.raises(BadPattern, match=re.escape(words)):
        Regex(pattern)


@pytest.mark.parametrize(
    ("pattern", "pump"),
    [
        (r"(x+x+)+y", "x"),
        (r"(a|aa)+$", "a"),
        (r"(?:[a-z]+\s*)+;rm", "ab "),
        (r"\bdd\s+.*\bof=", "dd dd "),
        (r"\{\{.*(..).*\}\}", "{{"),
        (r"[ab]*a[ab]{15}c", "abbaab"),
        (r"(.*)(.*)(.*)(.*)x", "y"),
        (r"(a?){50}a{50}", "a"),
    ],
)
def test_no_regex_can_be_pumped_up(pattern: str, pump: str) -> None:
    """T-18: 64 kB of the worst text takes milliseconds, not minutes; a busy machine has room."""
    text = Text(pump * (65_536 // len(pump)))
    started = time.perf_counter()

    Regex(pattern).matches(text, strict=False)

    assert time.perf_counter() - started < 10  # ends; `bench/rules.py` measures


def test_a_literal_is_the_whole_value() -> None:
    """Equal, not contained."""
    assert Literal("git").matches(Text("git"), strict=True)
    assert not Literal("git").matches(Text("git "), strict=False)

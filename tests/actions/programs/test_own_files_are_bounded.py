"""A file of a stranger costs little, and its errors say where."""

from __future__ import annotations

import time

import pytest

from signoff.actions.programs.lint import lint_descriptions
from signoff.errors import BadProgram
from signoff.storage.reloading.own_programs import NAMES_LIMIT, read_files, read_own_file

HEAD = "programs:\n  - names: frob\n"


def bomb() -> str:
    """Write a file whose aliases double 22 times."""
    lines = ["    subs:", "      s0: &s0 {does: write file}"]
    lines += [f"      s{n}: &s{n} {{subs: {{a: *s{n - 1}, b: *s{n - 1}}}}}" for n in range(1, 23)]
    return HEAD + "\n".join(lines)


def many_words() -> str:
    """Write a file that repeats a long list of words."""
    lines = [f"    switches: &w {'-ab ' * 2_000}", "    subs:"]
    return HEAD + "\n".join([*lines, *(f"      s{n}: {{switches: *w}}" for n in range(400))])


def test_aliases_that_double_are_read_once() -> None:
    """Written out they would be four million sub-commands."""
    started = time.process_time()
    [described] = read_own_file(bomb(), file="frob.yaml").programs
    notes = lint_descriptions(bomb(), file="frob.yaml")

    assert len(described.subs) == 23
    assert [note.place for note in notes] == ["frob.yaml:2:5"]
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "    handler: vcs.git_work.reset\n", r":3:14: only signoff's own .* a handler"),
        (
            HEAD + "    doez: write file\n",
            r":3:5: unknown field of .* `doez` .* mean `does`\?",
        ),
        (HEAD + "    does: delte file\n", r":3:11: unknown verb `delte` \(did you mean `delete`"),
        (HEAD + "    does: &a {act: *a}\n", r":3:11: expected a preset or"),
        (HEAD + "    examples: {frob x: delete}\n", r":3:24: example: `delete`: expected `VERB"),
        (
            HEAD + "    examples: {frob x: 'nothing, read file'}\n",
            r":3:24: .*`nothing` stands alone",
        ),
        (
            HEAD + "    examples: {frob x: delete fil}\n",
            r":3:24: example: .* type `fil`",
        ),
        (HEAD + "    subs: {a: {}, b: {}, a: {}}\n", r":3:26: sub-command `a` stands twice"),
        (HEAD + "    subs: &s {a: {subs: *s}}\n", r"more than 24 levels"),
        (many_words(), r"aliases written out"),
        ("programs: {", r":2:1: not YAML"),
        ("", r":1:1: the file is empty"),
    ],
)
def test_a_refused_file_says_where(text: str, message: str) -> None:
    """File, line and column, and what was expected."""
    with pytest.raises(BadProgram, match=r"^frob\.yaml.*" + message):
        read_own_file(text, file="frob.yaml")


def test_a_name_is_described_once_in_a_folder() -> None:
    """Of two descriptions nobody could tell which counts."""
    with pytest.raises(BadProgram, match=r"b:2:5: `frob` is described at a:2:5 already"):
        read_files({"a": HEAD, "b": HEAD})


def test_a_folder_describes_so_many_names() -> None:
    """And not more."""
    names = " ".join(f"n{n}" for n in range(NAMES_LIMIT + 1))

    with pytest.raises(BadProgram, match="more than 5000 names"):
        read_files({"a": f"programs:\n  - names: {names}\n"})

"""What holds for every pattern and every file, not only for those somebody thought of."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.shell.command import Command, Word
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import BadPattern, Glob, Regex, Text
from signoff.errors import BadRules

PIECES = (
    "git",
    "rm",
    "push",
    "x",
    "-f",
    "-rf",
    "-fr",
    "--force",
    "--fo",
    "--",
    "-",
    "a/b",
    "/bin/rm",
)
pattern_words = st.lists(
    st.sampled_from((*PIECES, "*", "**", "p*", "$", "?")), min_size=1, max_size=5
).map(" ".join)
commands = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map(
    lambda words: Command(words=tuple(Word(text=word) for word in words))
)
operations = st.builds(
    Operation,
    verb=st.sampled_from((Verb.READ, Verb.WRITE)),
    reach=st.sampled_from((Reach.PROJECT, Reach.GUARD)),
    traits=st.frozensets(st.sampled_from((Trait.BROAD, Trait.AS_ROOT, Trait.HIDDEN))),
    path=st.sampled_from(("", "/a", "/a/b", "/a/../b")),
    understood=st.booleans(),
)
operation_patterns = st.builds(
    OperationPattern,
    verbs=st.frozensets(st.sampled_from((Verb.READ, Verb.WRITE))),
    reaches=st.frozensets(st.sampled_from((Reach.PROJECT, Reach.GUARD))),
    traits=st.frozensets(st.sampled_from((Trait.BROAD, Trait.AS_ROOT))),
    paths=st.sampled_from(((), (Glob("/a/**"),), (Glob("/b"), Glob("/a")))),
    understood=st.sampled_from((None, True, False)),
)
yaml_pieces = st.sampled_from(
    (
        "version: 1\n",
        "rules:\n",
        "- name: a\n",
        "  action: deny\n",
        "  match:\n",
        "    x: [a, {regex: '('}]\n",
        "    operation: {verb: read}\n",
        "    command: git push\n",
        "  expect:\n",
        "  - {call: x, verdict: deny}\n",
        "  tool: A|B\n",
        "{",
        "]",
        "\t",
        "&a ",
        "*a",
        "!!x ",
        "'",
        "? ",
        "---\n",
        "%YAML 1.1\n",
        "|\n",
        "\x00",
        "\ufeff",
        "\u202e",
        "é",
    )
)


@settings(max_examples=1_000)
@given(text=pattern_words, command=commands)
def test_what_an_allow_covers_a_deny_would_match(text: str, command: Command) -> None:
    """The strict reading is never wider than the loose one."""
    try:
        pattern = CommandPattern(text)
    except BadPattern:
        return

    if pattern.covers(command):
        assert pattern.matches(command)


@settings(max_examples=300)
@given(pattern=operation_patterns, operation=operations)
def test_what_an_allow_covers_of_operations_a_deny_would_match(
    pattern: OperationPattern, operation: Operation
) -> None:
    """The same for what calls mean."""
    if pattern.covers(operation):
        assert pattern.matches(operation)


@settings(max_examples=500)
@given(
    text=st.text("ab/*?.[]{},!\\-", min_size=1, max_size=12),
    value=st.text("ab/.*\n-", max_size=12),
)
def test_what_an_allow_glob_matches_a_deny_glob_matches(text: str, value: str) -> None:
    """And compiling never fails but by saying so."""
    try:
        glob = Glob(text)
    except BadPattern:
        return

    if glob.matches(Text(value), strict=True):
        assert glob.matches(Text(value), strict=False)
        assert (value + "/").startswith(glob.prefix)


@settings(max_examples=300)
@given(text=st.text(max_size=20), value=st.text(max_size=20))
def test_any_text_is_a_regex_or_is_refused(text: str, value: str) -> None:
    """Nothing else is raised."""
    with contextlib.suppress(BadPattern):
        Regex(text).matches(Text(value), strict=False)


@settings(max_examples=500)
@given(pieces=st.lists(yaml_pieces, max_size=14))
def test_any_file_is_read_or_refused(pieces: list[str]) -> None:
    """Nothing else is raised, and a refusal has its place."""
    try:
        load_rules("".join(pieces), file="r.yaml")
    except BadRules as error:
        assert (error.file, error.line >= 1, error.column >= 1) == ("r.yaml", True, True)

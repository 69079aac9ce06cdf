"""What the page of a request shows: colours, diffs, folds, one list and one scale."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from signoff.actions.action import Action
from signoff.assess.level import Level, level_of_risk, level_of_threat
from signoff.challenge.card import Card, make_card
from signoff.challenge.request import Request
from signoff.challenge.visible import visible_lines
from signoff.frontends.web.request_view.blocks import FIRST_SHOWN, CodeBlock, call_blocks
from signoff.frontends.web.request_view.colours import LENGTH_LIMIT, colour_spans, language_of
from signoff.frontends.web.request_view.diff import diff_lines, is_patch, patch_lines
from signoff.frontends.web.request_view.effects_list import effects_of, why_asked
from signoff.frontends.web.request_view.risk_scale import risk_scale
from signoff.testing import FakeAssessment
from signoff.values import replace

EDGES = [0.0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1.0]
LINES = [
    "git push --force origin main",
    'for f in $(ls); do rm "$f"; done # all of it',
    "echo 'not closed",
    "cat <<'EOF'\n# no comment\nEOF\n",
    'echo ünïcödé && rm -rf "/tmp/ä b" | tee log',
    "\u2028 \u202e || &&",
]


def card_of(tool: str, **arguments: object) -> Card:
    """Return the card of a call."""
    action = Action(tool=tool, arguments=arguments)  # type: ignore[arg-type]  # any JSON
    return make_card(Request(action=action, assessment=FakeAssessment(action=action)))


def texts(block: CodeBlock) -> list[str]:
    """Return the lines of a block without their markup."""
    return [unescape(re.sub(r"<[^>]*>", "", str(row.markup))) for row in block.rows]


@pytest.mark.parametrize("line", LINES)
def test_colours_change_no_character(line: str) -> None:
    """Every line stands there as it is shown everywhere, whatever it is."""
    (block,) = call_blocks(card_of("Bash", command=line))

    assert list(visible_lines(line)) == texts(block)


@pytest.mark.parametrize("language", ["shell", "python", "javascript", "sql", "data", "braces"])
def test_colours_lie_beside_each_other(language: str) -> None:
    """In order, none within another, none beyond the end; in any text."""
    for line in [*LINES, 'x = "a" # b', "'''open", "/* open", "select 'x' -- y", '{"a": 1.5e3}']:
        spans = colour_spans(line, language)
        ends = [edge for span in spans for edge in (span.start, span.end)]

        assert sorted(ends) == ends
        assert all(0 <= edge <= len(line) for edge in ends)


def test_colours_name_what_is_there() -> None:
    """As a person would."""
    line = "git push --force 'a b'"
    kinds = {line[span.start : span.end]: span.kind for span in colour_spans(line, "shell")}

    assert {"git": "command", "--force": "flag", "'a b'": "string"} == kinds


def test_a_hash_within_a_here_document_is_no_comment() -> None:
    """A colour that calls something a comment that runs would mislead."""
    line = "bash <<X\n# a\nrm -rf b\nX\n"

    assert "comment" not in {span.kind for span in colour_spans(line, "shell")}


def test_what_is_long_has_no_colours() -> None:
    """It is shown all the same."""
    assert [] == colour_spans("ls " * LENGTH_LIMIT, "shell")


@pytest.mark.parametrize(
    ("path", "language"), [("a/b.PY", "python"), ("x.tf", "data"), ("Makefile", ""), ("", "")]
)
def test_the_language_of_a_file_is_told_by_its_name(path: str, language: str) -> None:
    """No file is opened for it."""
    assert language == language_of(path)


def test_an_edit_is_a_diff_of_which_nothing_is_missing() -> None:
    """What stays and goes is the old text, what stays and comes the new one."""
    old, new = "a\nb\nc\nd", "a\nB\nc\nd\ne"
    lines = diff_lines(old.split("\n"), new.split("\n"))

    assert old.split("\n") == [line.text for line in lines if line.sign in " -"]
    assert new.split("\n") == [line.text for line in lines if line.sign in " +"]
    assert "".join(line.sign for line in lines) == " -+  +"


@pytest.mark.parametrize("size", [300, 3_000])
def test_a_large_edit_is_whole_and_quick(size: int) -> None:
    """Where lines are too many to be compared, all go and all come."""
    old, new = ([f"{word} {n % 7}" for n in range(size)] for word in ("old", "new"))
    lines = diff_lines(old, new)

    assert (old, new) == (
        [line.text for line in lines if line.sign == "-"],
        [line.text for line in lines if line.sign == "+"],
    )


def test_edits_of_all_kinds_are_shown_as_diffs() -> None:
    """Edit, several edits in one call, a whole file, a patch."""
    path = {"file_path": "a.py"}
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch"
    several = [{"old_string": "x", "new_string": "y"}]
    calls = [
        card_of("Edit", **path, old_string="x\nz", new_string="y\nz"),
        card_of("MultiEdit", **path, edits=several),
        card_of("Write", **path, content="x = 1\n"),
        card_of("apply_patch", input=patch),
    ]
    signs = ["".join(row.kind[0] for row in call_blocks(card)[0].rows) for card in calls]

    assert ["gcs", "pgc", "cc", "pppgcp"] == signs


def test_every_argument_is_shown_whole() -> None:
    """What a diff reads out of JSON stands there as it was sent, too."""
    several = [{"old_string": "x", "new_string": "y", "replace_all": True}]
    card = card_of("MultiEdit", file_path="a.py", edits=several, note="n")
    whole = [text for block in call_blocks(card)[1:] for text in texts(block)]

    assert sorted(["a.py", json.dumps(several, separators=(",", ":"), sort_keys=True), "n"]) == (
        sorted(whole)
    )


def test_edits_of_a_form_nobody_knows_are_shown_as_they_are() -> None:
    """As one argument among others."""
    card = card_of("MultiEdit", file_path="a.py", edits=[{"at": 1, "text": "y"}])

    assert not any(block.is_diff for block in call_blocks(card))


def test_long_texts_are_folded_and_short_ones_are_not() -> None:
    """The fold holds all the rest."""
    short, long = (
        call_blocks(card_of("Bash", command="\n".join(f"echo {n}" for n in range(count))))[0]
        for count in (FIRST_SHOWN + 2, 100)
    )

    assert (0, FIRST_SHOWN, 100 - FIRST_SHOWN) == (
        len(short.folded),
        len(long.shown),
        len(long.folded),
    )


def test_a_patch_is_told_by_its_first_lines() -> None:
    """Not by a plus or a minus alone."""
    assert is_patch(("--- a/x", "+++ b/x", "@@ -1 +1 @@"))
    assert not is_patch(("- one", "+ two"))
    assert ["@", " ", "-"] == [line.sign for line in patch_lines(("@@", " a", "-b"))]


def test_one_list_tells_each_thing_once() -> None:
    """Findings in the same words are one line, and their operation is not told again."""
    card = replace(
        card_of("Bash", command="x"),
        why="Deletes `a` [two]",
        findings=("medium one: Deletes `a`", "medium two: Deletes `a`", "high three: Sends `b`"),
        operations=("Deletes `a`", "Reads `c`"),
    )
    told = [(one.severity, one.words, one.categories) for one in effects_of(card)]

    assert [
        ("high", "Sends `b`", ("three",)),
        ("medium", "Deletes `a`", ("one", "two")),
        ("", "Reads `c`", ()),
    ] == told
    assert "" == why_asked(card)
    assert "rule `x`" == why_asked(replace(card, why="rule `x`"))


@pytest.mark.parametrize("value", EDGES)
def test_a_mark_stands_in_the_band_of_its_level(value: float) -> None:
    """The picture says what the numbers say."""
    card = replace(card_of("Bash", command="x"), risk=value, threat=100 * value)
    risk, threat = risk_scale(card).marks

    for level, mark in ((level_of_risk(value), risk), (level_of_threat(100 * value), threat)):
        assert 25 * level.rank <= mark.at <= 25 * (level.rank + 1)


def test_bars_plot_the_figure_that_stands_beside_them() -> None:
    """What a factor adds, of what it could add at most."""
    card = card_of("Bash", command="x")
    shown = risk_scale(card).factors

    assert [(100 * one.points, 100 * one.most) for one in shown] == pytest.approx(
        [(one.width, one.room) for one in shown], abs=0.06
    )


@pytest.mark.parametrize(
    ("risk", "threat", "level", "says"),
    [
        (0.1, 67.5, Level.HIGH, "because the threat score is high"),
        (0.7, 45.0, Level.HIGH, "because the risk score is high"),
        (0.4, 45.0, Level.MEDIUM, "because both scores are medium"),
        (0.4, 45.0, Level.CRITICAL, "one critical finding raised it"),
        (0.7, 45.0, Level.MEDIUM, "lowered it to medium"),
    ],
)
def test_the_scale_says_what_settled_the_level(
    risk: float, threat: float, level: Level, says: str
) -> None:
    """In one sentence."""
    card = replace(card_of("Bash", command="x"), risk=risk, threat=threat, level=level)

    assert says in risk_scale(card).said

"""What is told of a call holds none of its secrets, and what is edited gets them back."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Verb
from signoff.actions.programs.own import own_programs
from signoff.actions.programs.source import read_programs
from signoff.assess.finding import Finding, Severity
from signoff.assess.risk.score import Factor, RiskScore
from signoff.assess.threat.score import ThreatLevel, ThreatScore
from signoff.redaction.calls import redactor_of, secrets_of_call
from signoff.redaction.contents import secrets_in_file, secrets_of_manifest
from signoff.redaction.redact import Redactor
from signoff.redaction.redacted_calls import redacted_action, redacted_assessment, restored
from signoff.testing import FakeAssessment, make_action

REDACTOR = Redactor(b"k" * 32)
SECRET = "tulip-garden"
LINE = f"docker login -u me -p {SECRET}"
ACTION = make_action("Bash", command=LINE)
MASK = REDACTOR.mask(SECRET)


def test_no_part_of_an_assessment_tells_a_secret() -> None:
    """Reason, evidence, targets, paths, sources; what was read of the line is left out."""
    said = f"runs `{LINE}`"
    finding = Finding(
        detector="d",
        category="c",
        detected=True,
        severity=Severity.LOW,
        confidence=1.0,
        evidence=f"1 {said}",
    )
    operation = Operation(
        verb=Verb.WRITE, target=f"2 {said}", path=f"3 {said}", source=f"4 {said}", why=f"5 {said}"
    )
    factor = Factor(name="f", raw=0.5, weight=1.0, contribution=0.5, evidence=f"6 {said}")
    threat = ThreatScore(1.0, ThreatLevel.LOW, (finding,))
    assessment = FakeAssessment(
        action=ACTION,
        operations=(operation,),
        findings=(finding,),
        threat=threat,
        risk=RiskScore(value=0.5, factors=(factor,)),
        reason=f"7 {said}",
    )

    told = redacted_assessment(assessment, redactor_of(REDACTOR, ACTION))

    masked = f"runs `docker login -u me -p {MASK}`"
    (op,), (found,), (scored,) = told.operations, told.findings, told.threat.results
    assert [found.evidence, op.target, op.path, op.source, op.why] == [
        f"{number} {masked}" for number in range(1, 6)
    ]
    assert (told.risk.factors[0].evidence, told.reason) == (f"6 {masked}", f"7 {masked}")
    assert scored == found
    assert told.commands == ()
    assert told.action.arguments == {"command": f"docker login -u me -p {MASK}"}
    assert (op.verb, found.severity, told.risk.value) == (Verb.WRITE, Severity.LOW, 0.5)


def test_a_description_is_told_without_its_secret() -> None:
    """The agent's words may repeat the line."""
    action = Action(tool="Bash", arguments={"command": LINE}, description=f"log in with {SECRET}")
    told = redacted_action(action, redactor_of(REDACTOR, action))

    assert told.description == f"log in with {MASK}"


def test_edited_arguments_of_any_form_get_their_secrets_back() -> None:
    """A mask of another secret stays what it is."""
    other = REDACTOR.mask("somebody else's")
    edited: dict[str, Json] = {
        "command": f"docker login -p {MASK} x",
        "more": [f"{MASK}", 1, None, True, 2.5, {"deep": f"<{MASK}>"}],
        "other": other,
    }

    assert restored(edited, ACTION, REDACTOR) == {
        "command": f"docker login -p {SECRET} x",
        "more": [SECRET, 1, None, True, 2.5, {"deep": f"<{SECRET}>"}],
        "other": other,
    }


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("/home/dev/.pgpass", "db:5432:app:me:tu:lip", ["tu:lip"]),
        ("a/b/pgpass.conf", "# db:5432:app:me:x\n\nno:colons\ndb:1:a:b:c", ["c"]),
        (".vault-token", "  one  \n\ntwo", ["one", "two"]),
        ("/home/dev/pgpass.txt", "db:5432:app:me:tulip", []),
    ],
)
def test_a_files_form_tells_its_secrets(path: str, text: str, found: list[str]) -> None:
    """By its name; what follows the last colon may hold more of them."""
    assert list(secrets_in_file(path, text)) == found


MANIFEST = """\
kind: Secret
stringData:
  first: tulip
  "second": 'rose'
kind: NotASecret
---
  data:
    third: bGlseQ==
  name: app
"""


def test_a_manifest_tells_its_secrets() -> None:
    """In each of its documents, as YAML and as JSON; what stands beside them is none."""
    text = '{"kind": "Secret", "data": {"a": "b25l", "b": "dHdv"}, "metadata": {"name": "x"}}'

    assert list(secrets_of_manifest(MANIFEST)) == ["tulip", "rose", "bGlseQ=="]
    assert list(secrets_of_manifest(text)) == ["b25l", "dHdv"]


def test_a_manifest_is_read_behind_comments_and_blocks() -> None:
    """Blank lines, comments and blocks are no end of it; what stands less far in is."""
    text = """\
stringData:
  # the key

  plain: tulip-blue
# at the margin
  key.pem: |-
    first-line

    # second-line
  ca: > # folded
    third-line
  last: lily
type: Opaque
"""

    assert list(secrets_of_manifest(text)) == [
        *("tulip-blue", "first-line", "# second-line", "third-line", "lily")
    ]


OWN = "programs:\n  - names: frob\n    secrets: --pass-phrase -w\n"


@pytest.mark.parametrize(
    "arguments",
    [
        {"command": "frob -w tulip status"},
        {"steps": [{"script": "frob -w tulip status"}]},
        {"argv": ["frob", "-w", "tulip", "status"]},
        {"args": ["-w", "tulip"], "run": {"cmd": "frob --pass-phrase tulip"}},
        {"deep": [[[[[[[[[[[[[[[[["frob", "-w", "tulip"]]]]]]]]]]]]]]]]]},
    ],
)
def test_own_descriptions_hold_in_arguments_of_every_tool(arguments: dict[str, Json]) -> None:
    """A tool of an MCP server may take a line, or words, at any place."""
    described = read_programs(OWN, file="own.yaml", presets={}, allows_handlers=False)
    facts = Facts(programs=own_programs(described.programs, (), digest="d"))
    action = Action(tool="mcp__box__run", arguments=arguments)

    assert "tulip" in secrets_of_call(action, FakeAssessment(action=action, facts=facts))


def test_arguments_of_any_depth_and_type_are_read() -> None:
    """What is no text is no secret, and depth ends the search, not the judgement."""
    deep: Json = "x"
    for _ in range(3_000):
        deep = [deep]
    calls: list[dict[str, Json]] = [
        {"key": "password", "value": {"a": 1}},
        {"key": "password", "value": 7},
        {"deep": deep},
    ]

    assert [secrets_of_call(Action(tool="set_secret", arguments=one)) for one in calls] == [()] * 3


@pytest.mark.parametrize(
    "text",
    [
        "postgres://app:{}@db.example/main",
        "export DB_PASSWORD={} && run",
        "<password>{}</password>",
        "https://me:{}@h.example/x@y",
    ],
)
def test_what_stands_around_a_secret_stays(text: str) -> None:
    """To the letter."""
    assert REDACTOR.text(text.format(SECRET)) == text.format(MASK)


@pytest.mark.parametrize(
    ("run", "is_masked"),
    [
        ("aB1" * 14, False),  # three characters again and again
        ("Qw7eRtYuIoPaSdF8gHjKlZxCvBn9mNbVcXzLkJhG", True),
        ("QwaeRtYuIoPaSdFbgHjKlZxCvBncmNbVcXzLkJh12", False),  # words have two digits
    ],
)
def test_a_run_is_masked_if_nobody_would_write_it(run: str, *, is_masked: bool) -> None:
    """By its digits and its entropy."""
    assert (REDACTOR.text(f"see {run} there") == f"see {REDACTOR.mask(run)} there") is is_masked


def test_a_digest_by_key_is_neither_the_plain_one_nor_another_keys() -> None:
    """And the same each time."""
    digests = [Redactor(key * 32).keyed_digest("x") for key in (b"k", b"k", b"j")]

    assert digests[0] == digests[1] != digests[2]
    assert REDACTOR.keyed_digest("y") != digests[0]

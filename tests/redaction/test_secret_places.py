"""Secrets are found by what programs, tools and files do with them, whatever they look like."""

from __future__ import annotations

import json

import pytest
from canaries import CANARY, WrittenCall, described_places, look_alikes, secret_ways

from signoff.actions.facts import Facts
from signoff.actions.programs.own import own_programs
from signoff.actions.programs.source import read_programs
from signoff.actions.shell.reader import read_shell
from signoff.errors import BadProgram
from signoff.redaction.calls import redactor_of, secrets_of_call
from signoff.redaction.redact import Redactor
from signoff.redaction.redacted_calls import redacted_action, restored
from signoff.testing import FakeAssessment, make_action

REDACTOR = Redactor(b"k" * 32)


def told(call: WrittenCall) -> str:
    """Return a call as it is told."""
    action = call.action
    arguments = redacted_action(action, redactor_of(REDACTOR, action)).arguments
    return json.dumps(arguments, ensure_ascii=False)


@pytest.mark.parametrize("call", secret_ways(), ids=lambda call: call.id)
def test_a_secret_is_masked_however_it_is_written(call: WrittenCall) -> None:
    """Each way was written before anybody tried it."""
    assert CANARY not in told(call)


@pytest.mark.parametrize("call", look_alikes(), ids=lambda call: call.id)
def test_what_only_looks_like_a_secret_stays_readable(call: WrittenCall) -> None:
    """Ports, variables, files with secrets, digests, versions, words about passwords."""
    shown = told(call)

    assert [
        part for part in call.keep if json.dumps(part, ensure_ascii=False)[1:-1] not in shown
    ] == []


def test_every_described_place_is_masked() -> None:
    """What the data says of a program is what is masked."""
    places = described_places()

    assert len(places) > 300
    assert [call.input["command"] for call in places if CANARY in told(call)] == []


OWN = """
programs:
  - names: frob
    secrets: {"*": --pass-phrase -w, "vault put": "@2 --stdin?<"}
  - names: git
    secrets: --frob-key
"""


@pytest.mark.parametrize(
    "line",
    [
        "frob -w tulip status",
        "sudo frob vault put name tulip",
        "echo tulip | frob vault put name --stdin",
        "git push --frob-key=tulip",
    ],
)
def test_users_describe_the_secrets_of_their_programs(line: str) -> None:
    """As signoff does, for programs of their own and for known ones."""
    described = read_programs(OWN, file="own.yaml", presets={}, allows_handlers=False)
    facts = Facts(programs=own_programs(described.programs, (), digest="d"))
    action = make_action("Bash", command=line)
    commands = read_shell(line, cwd="/").commands
    assessment = FakeAssessment(action=action, facts=facts, commands=commands)

    assert "tulip" in secrets_of_call(action, assessment)
    assert "tulip" not in secrets_of_call(action)


def test_a_place_that_is_none_is_refused_with_its_line() -> None:
    """As every other part of a description."""
    text = "programs:\n  - names: frob\n    secrets: token\n"

    with pytest.raises(BadProgram, match=r"own.yaml:3:14: `token` is no place of a secret"):
        read_programs(text, file="own.yaml", presets={})


def test_there_are_enough_ways() -> None:
    """The set does not shrink."""
    assert (len(secret_ways()), len(look_alikes())) >= (506, 108)


def test_edited_arguments_get_their_secrets_back() -> None:
    """Who edits a masked call runs it with its real secrets."""
    action = WrittenCall(
        id="", tool="Bash", input={"command": "mysql -ptulip -e 'drop table a'"}
    ).action
    shown = redacted_action(action, redactor_of(REDACTOR, action)).arguments["command"]
    assert isinstance(shown, str)
    edited = {"command": shown.replace("drop table a", "select 1")}

    assert {"command": "mysql -ptulip -e 'select 1'"} == restored(edited, action, REDACTOR)

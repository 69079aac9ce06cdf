"""Where a reader fails its self-test on this Python, every call is refused with that reason."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from signoff.actions.action import Action
from signoff.actions.code import reading
from signoff.actions.code.powershell import reader as powershell
from signoff.actions.code.self_test import SNIPPETS
from signoff.actions.facts import Facts
from signoff.actions.shell.self_test import LINES
from signoff.actions.shell.syntax import lexer
from signoff.actions.sql import lexis, understand
from signoff.actions.sql.self_test import TEXTS
from signoff.actions.understand import check_readers
from signoff.assess.assessment import Judge
from signoff.build.gate import build_gate
from signoff.build.judge import reader_problem, shipped_rules
from signoff.errors import BrokenReader
from signoff.frontends.cli.app import app
from signoff.frontends.cli.batch import answer_line
from signoff.frontends.doctor.machine import check_machine
from signoff.frontends.hosts.local_hook import respond
from signoff.frontends.hosts.registry import ADAPTERS
from signoff.settings import HostsAllow, load_settings

MOST_READ = 40  # lines and statements
LONGEST_READ = 100  # characters
CALL = Action(tool="Bash", arguments={"command": "ls"}, cwd="/home/dev/project")
EVENTS = {name: json.dumps(one.canary).encode() for name, one in ADAPTERS.items()}


@pytest.fixture(autouse=True)
def untested() -> Iterator[None]:
    """Let each test begin, and leave the next, in a process that has tested no reader yet."""
    caches = (check_readers, reading._loaded, understand._understand_cached)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def broken_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read plain words as CPython 3.11.2 did: to the first special character, and no further."""
    words = r"[A-Za-z0-9_./:@%+,=~^*?\[\]-]+"
    broken = re.compile(rf"[ \t]*({words}(?:[ \t]+{words})*)")
    monkeypatch.setattr(lexer, "_PLAIN_WORDS", broken)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "state"))
    return tmp_path


def test_every_reader_passes() -> None:
    """All readers read what is known as they must; every language has a known snippet."""
    assert reader_problem() == ""
    assert {*reading.LANGUAGES.values()} == {*SNIPPETS}
    assert len(LINES) + len(TEXTS) + len(SNIPPETS) > 50


def test_the_self_test_is_short() -> None:
    """What every process reads before its first judgement is little."""
    assert len(LINES) + len(TEXTS) <= MOST_READ
    assert max(len(str(one)) for one in (*LINES, *TEXTS)) <= LONGEST_READ


@pytest.mark.usefixtures("broken_shell")
def test_a_judge_with_a_broken_shell_reader_does_not_judge() -> None:
    """The error names the reader, the line, what was read and what it should have been."""
    with pytest.raises(BrokenReader, match=r"shell reader failed .*cp f\{,\.bak\}.*f\.bak"):
        Judge(rules=shipped_rules)(CALL, Facts())


def test_a_judge_with_a_broken_sql_reader_does_not_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names in brackets that are read as something else stop the judgement."""
    monkeypatch.setitem(lexis._LEXIS_OF, "tsql", lexis.STANDARD)

    with pytest.raises(BrokenReader, match="SQL reader failed"):
        Judge(rules=shipped_rules)(CALL, Facts())


def test_a_broken_reader_of_a_language_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """PowerShell is not read by a reader that ends texts in the wrong place."""
    monkeypatch.setattr(powershell, "_TOKEN", re.compile(r"[^\s;']+|'[^']*'|[\n;]"))
    line = Action(tool="PowerShell", arguments={"command": "Get-Item a"}, cwd="/home/dev/project")

    with pytest.raises(BrokenReader, match="powershell reader failed"):
        Judge(rules=shipped_rules)(line, Facts())
    assert "powershell" in reader_problem()


@pytest.mark.usefixtures("broken_shell", "home")
def test_a_gate_refuses_and_says_why() -> None:
    """The decision is a refusal over an error, with the failed reading as its reason."""
    decision = asyncio.run(build_gate(load_settings(), channels=()).check(CALL))

    assert (decision.allowed, "shell reader failed" in decision.reason) == (False, True)


@pytest.mark.usefixtures("broken_shell", "home")
def test_check_ends_with_the_status_of_a_deny() -> None:
    """`signoff check` prints the reason and ends with 2."""
    done = CliRunner().invoke(app, ["check", "--", "ls"])

    assert (done.exit_code, "shell reader failed" in done.output) == (2, True)


@pytest.mark.usefixtures("broken_shell")
def test_a_batch_answers_each_line_with_a_deny() -> None:
    """`signoff check --batch` goes on and lets nothing through."""
    line = b'{"id": 7, "tool_name": "Bash", "tool_input": {"command": "ls"}}'

    answer = json.loads(answer_line(line, Judge(rules=shipped_rules)))

    assert (answer["id"], answer["verdict"]) == (7, "deny")
    assert "shell reader failed" in answer["reason"]


@pytest.mark.usefixtures("broken_shell", "home")
def test_the_doctor_says_it() -> None:
    """`signoff doctor` has a finding that says what to do."""
    (found,) = [one for one in check_machine(load_settings()) if one.about == "readers"]

    assert (found.is_good, "shell reader failed" in found.said) == (False, True)
    assert "reinstall" in found.fix


@pytest.mark.usefixtures("broken_shell", "home")
@pytest.mark.parametrize("name", EVENTS)
def test_every_host_hears_its_own_refusal(name: str) -> None:
    """A hook that judges by itself refuses in its host's form, with the reason."""
    gate = build_gate(load_settings(), channels=())
    adapter = ADAPTERS[name]

    answer = respond(adapter, EVENTS[name], lambda _: (gate.check_now, HostsAllow.SCORE))

    assert "shell reader failed" in answer.stdout + answer.stderr
    assert answer.status == 2 or any(mark in answer.stdout for mark in ('"deny"', '"cancel": true'))

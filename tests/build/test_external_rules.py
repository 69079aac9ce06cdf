"""Cedar and Rego policies beside rules.yaml: real engines, in a process of their own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, JudgeFunction
from signoff.assess.level import Challenge
from signoff.assess.verdict import Verdict
from signoff.build.external import _engine, document_of
from signoff.build.judge import build_judge
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings
from signoff.storage.external.engine import EngineFailed, PolicyEngine
from signoff.storage.external.worker import cedar_value

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "external-rules.md"
EXAMPLES = dict(re.findall(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```", PAGE.read_text(), re.S))
PROJECT = "/home/dev/app"
FORBID = "forbid(principal, action, resource);\n"
SLOW = """package signoff
import rego.v1
deny contains "slow" if {
    input.tool == "Bash"
    some a in numbers.range(1, 4000)
    some b in numbers.range(1, 4000)
    a * b == -1
}
"""
needs_opa = pytest.mark.skipif(sys.platform != "linux", reason="regopy has wheels for Linux")
ENGINES = ("cedar", pytest.param("opa", marks=needs_opa))


def settings(folder: Path, engine: str, policy: str | None, more: str = "") -> Settings:
    """Return settings with one policy file beside them."""
    config = folder / "config"
    config.mkdir(exist_ok=True)
    if policy is not None:
        (config / "work.policy").write_text(policy)
    said = f"external_rules: {{engine: {engine}, files: [work.policy]{more}}}\n"
    (config / "signoff.yaml").write_text(said)
    names = {"SIGNOFF_CONFIG_DIR": config, "SIGNOFF_STATE_DIR": folder / "state"}
    return load_settings(environment={key: str(value) for key, value in names.items()})


def judge(folder: Path, engine: str, policy: str | None = None, more: str = "") -> JudgeFunction:
    """Return a judge with one policy, by default the one of the page."""
    return build_judge(settings(folder, engine, policy or EXAMPLES[f"work.{engine}"], more))


def judged(judge: JudgeFunction, command: str) -> Assessment:
    """Judge a shell line."""
    action = Action(tool="Bash", arguments={"command": command}, cwd=PROJECT, source="claude-code")
    return judge(action, Facts(home="/home/dev", project=PROJECT))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_example_tightens(tmp_path: Path, engine: str) -> None:
    """It denies what signoff lets pass, asks about installs, and says why."""
    found = judge(tmp_path, engine)
    denied, asked = judged(found, "git push origin main:release-1"), judged(found, "npm install x")
    plain = judged(build_judge(Settings(config_dir="/nowhere", state_dir="/nowhere")), "ls")
    untouched = judged(found, "ls")

    assert Verdict.DENY is denied.preliminary
    assert f"external rule ({engine}): releases are made by CI" == denied.reason
    assert (Verdict.ASK, Challenge.CONFIRM) == (asked.preliminary, asked.challenge)
    assert "a person reads new packages" in asked.reason
    assert (plain.preliminary, plain.reason) == (untouched.preliminary, untouched.reason)
    assert plain.policy_digest != untouched.policy_digest


@pytest.mark.parametrize("engine", ENGINES)
def test_no_policy_makes_anything_milder(tmp_path: Path, engine: str) -> None:
    """Also one that allows everything."""
    allows = {
        "cedar": "permit(principal, action, resource);\n",
        "opa": 'package signoff\nimport rego.v1\nallow contains "all" if { true }\n',
    }
    found = judge(tmp_path, engine, allows[engine])
    lines = {"git push --force": Verdict.ASK, "rm -rf ~": Verdict.DENY, "ls": Verdict.ALLOW}

    assert lines == {line: judged(found, line).preliminary for line in lines}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_user_may_let_them_allow(tmp_path: Path, engine: str) -> None:
    """What would be asked about; never what is CRITICAL or denied."""
    allows = {
        "cedar": "permit(principal, action, resource);\n",
        "opa": 'package signoff\nimport rego.v1\nallow contains "all" if { true }\n',
    }
    found = judge(tmp_path, engine, allows[engine], ", may_allow: true")

    assert Verdict.ALLOW is judged(found, "git push --force").preliminary
    assert Verdict.DENY is judged(found, "rm -rf ~").preliminary


@pytest.mark.parametrize(
    ("engine", "policy", "told"),
    [
        ("cedar", "forbid(", "cedar refuses the policies: ValueError: unexpected end of input"),
        pytest.param("opa", "package signoff\n bad (", "opa refuses the policies", marks=needs_opa),
        ("cedar", None, "there is no file"),
    ],
)
def test_policies_that_cannot_be_read_are_refused(
    tmp_path: Path, engine: str, policy: str | None, told: str
) -> None:
    """Before the first call is judged."""
    with pytest.raises(BadSettings, match=told):
        build_judge(settings(tmp_path, engine, policy))


def test_policies_lie_where_no_agent_writes(tmp_path: Path) -> None:
    """Outside the settings they are refused."""
    found = settings(tmp_path, "cedar", FORBID)
    for path in ("../work.cedar", str(tmp_path / "work.cedar"), "a/../../x"):
        (Path(found.config_dir) / "signoff.yaml").write_text(
            f'external_rules: {{engine: cedar, files: ["{path}"]}}\n'
        )
        names = {"SIGNOFF_CONFIG_DIR": found.config_dir, "SIGNOFF_STATE_DIR": found.state_dir}
        with pytest.raises(BadSettings, match="where no agent may write"):
            build_judge(load_settings(environment=names))


def test_a_missing_engine_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that brings it. The engine's process gets no packages here."""
    stub = tmp_path / "python"
    stub.write_text(f'#!/bin/sh\nshift; exec {sys.executable} -I -S "$0.py"\n')
    (tmp_path / "python.py").write_text("""
import sys
sys.stdin.readline()
try:
    import cedarpy
except ImportError as error:
    print('{"error": "%s: %s"}' % (type(error).__name__, error), flush=True)
""")
    stub.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(stub))

    with pytest.raises(BadSettings, match=r"cedar is not installed: install `signoff\[cedar\]`"):
        PolicyEngine("cedar", {"x": FORBID}, timeout_s=20).start()


def test_a_policy_that_fails_denies(tmp_path: Path) -> None:
    """Cedar itself would skip it: one that forbids would forbid nothing."""
    policy = "forbid(principal, action, resource) when { context.nothing == 1 };\n"
    found = judged(judge(tmp_path, "cedar", policy), "ls")

    assert Verdict.DENY is found.preliminary
    assert "external rules (cedar) failed:" in found.reason


@needs_opa
def test_a_policy_that_takes_too_long_denies(tmp_path: Path) -> None:
    """At the deadline, and each time; another engine is not held up."""
    found = judge(tmp_path, "opa", SLOW)
    begun = time.monotonic()
    denied = judged(found, "ls")

    assert time.monotonic() - begun < 60  # the policy alone takes minutes
    assert Verdict.DENY is denied.preliminary
    assert "no answer in 0.25 s" in denied.reason


def test_an_engine_that_was_killed_is_started_again(tmp_path: Path) -> None:
    """Whoever asks meanwhile is denied, or answered by the new one."""
    found = judge(tmp_path, "cedar", FORBID, ", timeout_ms: 2000")
    judged(found, "ls")
    engine = _engine("cedar", (("work.policy", FORBID),), 2.0)
    assert engine._process is not None
    os.kill(engine._process.pid, signal.SIGKILL)
    engine._process.wait()

    assert [Verdict.DENY] * 2 == [judged(found, "ls").preliminary for _ in range(2)]
    assert "external rule (cedar)" in judged(found, "pwd").reason


def test_a_call_too_large_is_not_asked() -> None:
    """It is an error, which denies."""
    with pytest.raises(EngineFailed, match="2,000,000"):
        PolicyEngine("cedar", {"x": FORBID}, timeout_s=1).ask(b"x" * 2_000_001)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"a": None, "b": [None, 1]}, {"b": [1]}),
        ({"a": 1.5, "b": True, "c": 2**63}, {"a": "1.5", "b": True, "c": str(2**63)}),
        ({"__entity": {"type": "x"}}, {"argument __entity": {"type": "x"}}),
    ],
)
def test_arguments_are_told_as_cedar_takes_them(value: Json, told: Json) -> None:
    """No null, no fraction, no name that means something to Cedar."""
    assert told == cedar_value(value)


@pytest.mark.parametrize(
    "name", ['x", Agent::"root', "a\\", "b\nc", "d\u202e", "e" * 5_000, "", "\x00"]
)
def test_no_name_breaks_out(tmp_path: Path, name: str) -> None:
    """Names of tools and agents come from outside: the answer stays that of the policy."""
    found = judge(tmp_path, "cedar", FORBID)
    action = Action(tool=name, arguments={"__expr": "x", "n": 1.5}, cwd=PROJECT, source=name)
    assessed = found(action, Facts(home="/home/dev", project=PROJECT))

    assert Verdict.DENY is assessed.preliminary


def test_the_command_line_uses_them(tmp_path: Path) -> None:
    """`signoff check` denies, and its explanation names the engine and its files."""
    found = settings(tmp_path, "cedar", EXAMPLES["work.cedar"])
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-m",
            "signoff",
            "check",
            "--json",
            "--explain",
            "git push origin release-2",
        ],
        env={
            **os.environ,
            "SIGNOFF_CONFIG_DIR": found.config_dir,
            "SIGNOFF_STATE_DIR": found.state_dir,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = json.loads(done.stdout)

    assert (2, "deny") == (done.returncode, said["verdict"])
    assert "cedar: work.policy; may only tighten" == said["shaped_by"]["external"]


def test_the_document_names_what_the_page_says(tmp_path: Path) -> None:
    """Each field is on the page."""
    assessed = judged(judge(tmp_path, "cedar", FORBID), "ls")
    page = PAGE.read_text()

    assert [] == [name for name in document_of(assessed) if f"`{name}`" not in page]

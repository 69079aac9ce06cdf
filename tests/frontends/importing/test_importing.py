"""Configurations of other guards as rules: what is carried over, and what is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.rules.load import load_rules
from signoff.errors import BadRules
from signoff.frontends.importing.formats import FORMATS, read_foreign
from signoff.frontends.importing.imported import ImportResult

HOME, PROJECT = "/home/dev", "/home/dev/app"


def imported(text: str, kind: str) -> ImportResult:
    """Read a configuration."""
    return read_foreign(text, kind, file="given", home=HOME)


def permissions(**lists: list[str]) -> ImportResult:
    """Read settings of Claude Code with these permissions."""
    return imported(json.dumps({"permissions": lists}), "claude-code")


def verdict(result: ImportResult, tool: str, **arguments: str) -> str:
    """Judge a call by the imported rules alone."""
    rules = load_rules(result.yaml, file="imported")
    action = Action(tool=tool, arguments=arguments, cwd=PROJECT)
    facts = Facts(home=HOME, project=PROJECT)
    return Judge(rules=lambda: rules)(action, facts).preliminary.value


@pytest.mark.parametrize(
    ("entry", "call", "expected"),
    [
        ("Bash(git push:*)", "git push -f origin topic", "allow"),
        ("Bash(git push *)", "git push -f origin topic", "allow"),
        ("Bash(git push:*)", "git push -f origin topic; docker push me/x", "ask"),
        ("Bash(git push -f origin topic)", "git push -f origin topic", "allow"),
        ("Bash(git push -f origin topic)", "git push -f origin topic --tags", "ask"),
        ("Bash(rm:*)", "rm -rf /", "deny"),
    ],
)
def test_commands_allowed_in_claude_code_are_allowed(entry: str, call: str, expected: str) -> None:
    """As parsed, and never what is CRITICAL."""
    assert expected == verdict(permissions(allow=[entry]), "Bash", command=call)


@pytest.mark.parametrize(
    ("key", "entry", "tool", "arguments", "expected"),
    [
        ("deny", "Read(./.env)", "Read", {"file_path": f"{PROJECT}/.env"}, "deny"),
        ("deny", "Read(~/.zshrc)", "Read", {"file_path": f"{HOME}/.zshrc"}, "deny"),
        ("deny", "Bash(curl:*)", "Bash", {"command": "sudo curl x.example"}, "deny"),
        ("deny", "mcp__evil", "mcp__evil__anything", {}, "deny"),
        ("deny", "WebFetch(domain:x.io)", "WebFetch", {"url": "https://x.io/a"}, "deny"),
        ("deny", "WebFetch(domain:x.io)", "WebFetch", {"url": "https://x.io.evil/a"}, "allow"),
        ("deny", "WebFetch(domain:x.io)", "WebFetch", {"url": "https://x.io?a=1"}, "deny"),
        ("deny", "WebFetch(domain:x.io)", "WebFetch", {"url": "https://me:p@x.io:/a"}, "deny"),
        ("deny", "WebFetch(domain:x.io)", "WebFetch", {"url": "https://y.io/@x.io/"}, "allow"),
        ("deny", "WebFetch(domain:*.x.io)", "WebFetch", {"url": "https://a.b.x.io/"}, "deny"),
        *(
            (
                "deny",
                "WebFetch(domain:*.x.io)",
                "WebFetch",
                {"url": f"https://e{sign}.x.io/"},
                "allow",
            )
            for sign in "?# \\"
        ),
        ("ask", "Bash(git status)", "Bash", {"command": "git status"}, "ask"),
    ],
)
def test_what_is_denied_or_asked_in_claude_code_stays_so(
    key: str, entry: str, tool: str, arguments: dict[str, str], expected: str
) -> None:
    """Also behind a wrapper command."""
    assert expected == verdict(permissions(**{key: [entry]}), tool, **arguments)


@pytest.mark.parametrize(
    "entry",
    [
        *("Bash", "Bash(*)", "Bash(:*)", "Read", "mcp__github", "mcp__github__*"),
        *("Bash(python3:*)", "Bash(bash:*)", "Bash(sudo:*)", "Bash(npx:*)", "Bash(env:*)"),
        *("Bash(xargs *)", "Bash(/usr/bin/python3.12:*)", "Edit(src/**)", "Bash(a; b:*)", "((", ""),
    ],
)
def test_what_would_let_too_much_through_is_left_out(entry: str) -> None:
    """And said so."""
    result = permissions(allow=[entry])
    assert ((), 1) == (result.rules, len(result.left_out))
    assert () == load_rules(result.yaml, file="imported").rules


CUBE = """version: "1"
defaults: {unmatched: escalate, max_turns_per_agent: 50}
rules:
  - {name: Allow reading, action: allow, tool: Read|Glob}
  - name: Deny force
    action: deny
    tool: Bash
    match: {command: [{pattern: "push.*--force", type: regex}]}
    reason: never
  - {name: Look, action: deny, tool: Bash, match: {command: [{pattern: "a(?!b)", type: regex}]}}
  - {name: Odd, action: deny, tool: Bash, when: night}
"""
DCG = """[packs]
enabled = ["kubernetes"]
[overrides]
allow = ["^git tag"]
block = [{ pattern = "deploy --prod", reason = "use the pipeline" }]
[[allow]]
exact_command = "git push --force origin topic"
reason = "mine"
expires_at = "2035-01-01T00:00:00Z"
[[allow]]
command_prefix = "node"
[[allow]]
rule = "core.git:reset-hard"
"""
NAH = """actions: {deploys: block, git_history_rewrite: ask}
classify: {deploys: [fly deploy], odd: [frob]}
sensitive_paths: {~/.kube: block, ~/x: allow}
llm: {enabled: true}
"""


@pytest.mark.parametrize(
    ("kind", "text", "rules", "left_out"),
    [("claude-cube", CUBE, 1, 5), ("dcg", DCG, 3, 3), ("nah", NAH, 2, 4)],
)
def test_other_tools_are_read(kind: str, text: str, rules: int, left_out: int) -> None:
    """Every entry is a rule or is named."""
    result = imported(text, kind)
    assert (rules, left_out) == (len(result.rules), len(result.left_out)), result
    assert rules == len(load_rules(result.yaml, file="imported").rules)


@pytest.mark.parametrize(
    ("kind", "text", "call", "expected"),
    [
        ("claude-cube", CUBE, "git push --force origin topic", "deny"),
        ("dcg", DCG, "git push --force origin topic", "allow"),
        ("dcg", DCG, "./deploy --prod", "deny"),
        ("nah", NAH, "fly deploy --now", "deny"),
        ("nah", NAH, "cat ~/.kube/config", "deny"),
    ],
)
def test_their_rules_hold(kind: str, text: str, call: str, expected: str) -> None:
    """In the sense they had."""
    assert expected == verdict(imported(text, kind), "Bash", command=call)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("text", ["", "[", "- a", "{", "a: {b", "\x00", "1"])
def test_what_is_something_else_is_refused(kind: str, text: str) -> None:
    """Or comes to no rule; never to an error of ours."""
    try:
        assert () == imported(text, kind).rules
    except BadRules as error:
        assert "given" in str(error)


def test_the_command_shows_and_changes_nothing(tmp_path: Path) -> None:
    """Without a terminal `--add` adds nothing either."""
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"permissions": {"allow": ["Bash(git push:*)", "Read"]}}))
    command = [sys.executable, "-m", "signoff", "rules", "import", str(file), "--from"]
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    shown, added = (
        subprocess.run(
            [*command, "claude-code", *more],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
            timeout=60,
        )
        for more in ((), ("--add",))
    )
    assert (0, 2) == (shown.returncode, added.returncode)
    assert 1 == len(load_rules(shown.stdout, file="shown").rules)
    assert "not carried over: Read" in shown.stderr
    assert not (tmp_path / ".config/signoff/rules.yaml").exists()

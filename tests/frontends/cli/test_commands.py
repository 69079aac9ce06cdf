"""The command line as a user meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.frontends.cli.app import COMMANDS
from signoff.frontends.cli.demo import FACTS, FIRST, TOUR, DemoStep, action_of
from signoff_start import run_signoff


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in a home of its own."""
    folder = tmp_path / "home" / "project"
    folder.mkdir(parents=True)
    (folder / ".git").mkdir()
    give_patterns(folder.parent)
    return folder


def signoff(
    project: Path, arguments: Sequence[str], *, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a project."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(project.parent)}
    return run_signoff(*arguments, env=environment, cwd=project, stdin=stdin)


@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        (["check", "git status"], 0, "allow"),
        (["check", "--", "git", "status"], 0, "allow"),
        (["check", "git reset --hard"], 1, "ask"),
        (["check", "--", "rm", "-rf", "/"], 2, "deny"),
        (["check", "ls; rm -rf ~"], 2, "deny"),
        (["check", "--", "echo", "; rm -rf ~"], 0, "allow"),
        (["check", "--tool", "Read", "--input", '{"file_path": "/etc/hostname"}'], 0, "allow"),
    ],
)
def test_the_exit_status_is_the_verdict(
    project: Path, arguments: list[str], status: int, verdict: str
) -> None:
    """0 is allow, 1 ask, 2 deny; the words given stay the words judged."""
    done = signoff(project, arguments)

    assert (done.returncode, done.stdout.split()[0]) == (status, verdict)


def test_a_call_on_standard_input_is_answered_in_json(project: Path) -> None:
    """A host's own object goes in, an object comes out."""
    call = {"tool_name": "Bash", "tool_input": {"command": "git status"}, "id": "a"}
    done = signoff(project, ["check", "--json"], stdin=json.dumps(call))

    assert done.returncode == 0
    assert {"id": "a", "verdict": "allow"}.items() <= json.loads(done.stdout).items()


@pytest.mark.parametrize(
    ("arguments", "named", "status"),
    [
        ([], None, 0),  # a file of the project
        (["--cwd", "/etc"], None, 1),
        (["--cwd", "/etc"], "/etc", 1),
        ([], "/etc", 1),
        (["--cwd", "/tmp"], "/tmp", 0),
        (["--cwd", "/tmp"], "/home", 2),  # which of both is unknown
    ],
)
def test_json_without_a_folder_runs_in_the_given_one(
    project: Path, arguments: list[str], named: str | None, status: int
) -> None:
    """`--cwd` counts for JSON as for a line; without it the call would run here."""
    call = {"tool_name": "Bash", "tool_input": {"command": "rm notes.txt"}}
    done = signoff(
        project, ["check", *arguments], stdin=json.dumps(call | ({"cwd": named} if named else {}))
    )

    assert status == done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("more", [["ls"], ["--cwd", "/tmp"], ["--input", "{}"]])
def test_a_batch_takes_nothing_it_would_ignore(project: Path, more: list[str]) -> None:
    """An option without effect would be believed."""
    done = signoff(project, ["check", "--batch", *more])

    assert (2, "--batch takes no line" in done.stderr) == (done.returncode, True)


@pytest.mark.parametrize("text", ["", "{", '{"tool_name": "Bash"}', "[]"])
def test_what_cannot_be_read_is_no_allow(project: Path, text: str) -> None:
    """An unreadable call ends with the status of a deny and one line of reason."""
    done = signoff(project, ["check"], stdin=text)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")


def test_a_batch_answers_line_by_line(project: Path) -> None:
    """Good lines and bad lines have their answers, in order."""
    lines = [
        '{"id": 1, "tool_name": "Bash", "tool_input": {"command": "git status"}}',
        "nonsense",
        '{"id": 3, "function": "list_users"}',
        '{"id": 4, "hook_event_name": "HttpRequest", "method": "GET", "path": "/"}',
    ]
    done = signoff(project, ["check", "--batch"], stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]

    assert done.returncode == 0
    assert [answer["id"] for answer in answers] == [1, None, 3, 4]
    assert answers[0]["verdict"] == "allow"
    assert answers[1]["verdict"] == "deny"


def test_a_batch_guards_the_configured_port(project: Path) -> None:
    """Whoever listens there answers browsers in the daemon's place."""
    settings = project.parent / ".config" / "signoff"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "signoff.yaml").write_text("server: {port: 5123}\n", encoding="utf-8")
    call = {"tool_name": "Bash", "tool_input": {"command": "python3 -m http.server 5123"}}
    done = signoff(project, ["check", "--batch"], stdin=json.dumps(call) + "\n")

    assert json.loads(done.stdout)["verdict"] == "deny"


def test_checking_leaves_nothing_of_the_call_behind(project: Path) -> None:
    """A look at a call writes no record; only the patterns are kept, compiled, for the next one."""
    signoff(project, ["check", "git status"])
    kept = {path.suffix or path.name for path in project.parent.rglob("*") if path.is_file()}

    assert {".compiled", ".key"} == kept


def test_a_line_that_is_no_text_is_no_allow(project: Path) -> None:
    """Bytes that are no UTF-8 cannot be judged."""
    done = subprocess.run(
        [sys.executable, "-I", "-m", "signoff", "check", b"echo \xff"],
        cwd=project,
        env={"PATH": os.environ["PATH"], "HOME": str(project.parent)},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, b"")


def test_the_demo_runs(project: Path) -> None:
    """The tour shows every stop, without pauses where nobody watches."""
    done = signoff(project, ["demo"])

    assert done.returncode == 0
    assert all(stop.heading in done.stdout for stop in TOUR)


def test_the_demo_says_what_it_measures(project: Path) -> None:
    """Every call of the tour is new to the judge: the one before them is none of them."""
    done = signoff(project, ["demo"])
    calls = [call for stop in TOUR for call in stop.calls]

    assert FIRST not in calls
    assert f"{len(calls)} calls, " in done.stdout
    assert "first time seen, warm process" in done.stdout


@pytest.mark.parametrize("stop", TOUR, ids=lambda stop: stop.heading)
def test_the_demo_keeps_what_its_headings_say(stop: DemoStep) -> None:
    """Every call of a stop has the verdict the stop stands for."""
    judge = Judge(rules=RuleSet)
    verdicts = [judge(action_of(call), FACTS).preliminary for call in stop.calls]

    assert verdicts == [stop.verdict] * len(stop.calls)


def test_installing_and_removing_a_hook(project: Path) -> None:
    """A dry run shows the change, a run makes it, another one takes it away."""
    settings = project / ".claude" / "settings.json"

    shown = signoff(project, ["install", "claude-code", "--project", "--dry-run"])
    assert '+            "onFailure": "block",' in shown.stdout.splitlines()
    assert not settings.exists()

    signoff(project, ["install", "claude-code", "--project"])
    assert " claude-code --socket " in settings.read_text(encoding="utf-8")

    signoff(project, ["install", "claude-code", "--project", "--uninstall"])
    assert not settings.exists(), "nobody else wrote anything into it"


def test_unreadable_settings_are_named(project: Path) -> None:
    """The message says which file and that it was left alone."""
    settings = project.parent / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{broken", encoding="utf-8")

    done = signoff(project, ["install", "claude-code"])

    assert done.returncode == 2
    assert f"{settings}: settings cannot be read" in done.stderr
    assert settings.read_text(encoding="utf-8") == "{broken"


def test_the_hook_answers_and_records(project: Path) -> None:
    """What the hook answered is on the record, and the record adds up."""
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf ~"},
        "cwd": str(project),
        "session_id": "s",
    }
    answer = signoff(project, ["hook", "claude-code"], stdin=json.dumps(event))
    tail = signoff(project, ["audit", "tail"])
    stats = signoff(project, ["audit", "stats"])

    decided = json.loads(answer.stdout)["hookSpecificOutput"]["permissionDecision"]
    assert decided == "deny"
    assert "rm -rf ~" in tail.stdout
    assert "1 decision" in stats.stdout
    assert signoff(project, ["audit", "verify"]).returncode == 0


def test_a_missing_record_is_named(project: Path) -> None:
    """Nothing recorded yet is said so, and is no success."""
    done = signoff(project, ["audit", "verify"])

    assert done.returncode == 2
    assert "there is no audit log at" in done.stderr


RULES = """\
version: 1
rules:
  - name: no-push
    action: deny
    tool: Bash
    match: {command: [{command: git push}]}
    reason: pushing is done by people
    expect:
      - {tool: Bash, input: {command: git push}, verdict: deny}
      - {tool: Bash, input: {command: git status}, verdict: none}
"""


def test_rules_are_tested_and_explained(project: Path) -> None:
    """Examples that hold are counted; a call is explained rule by rule."""
    file = project / "rules.yaml"
    file.write_text(RULES, encoding="utf-8")

    tested = signoff(project, ["rules", "test", str(file)])
    explained = signoff(project, ["rules", "explain", "--file", str(file), "git push -f"])

    assert (tested.returncode, tested.stdout) == (0, "2 examples, 0 wrong\n")
    assert "settled by `no-push`: deny" in explained.stdout


def test_a_bad_rules_file_is_named_with_its_line(project: Path) -> None:
    """The message says where to look."""
    file = project / "rules.yaml"
    file.write_text("version: 1\nrules: {}\n", encoding="utf-8")

    done = signoff(project, ["rules", "lint", str(file)])

    assert done.returncode == 2
    assert f"{file}:2:" in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(project: Path, name: str) -> None:
    """Every command explains itself."""
    done = signoff(project, [name, "--help"])

    assert done.returncode == 0
    assert done.stdout.startswith("Usage: ")


def test_help_loads_no_judgement(project: Path) -> None:
    """The list of commands is there at once."""
    code = "import sys; sys.argv[1:] = ['--help']\nfrom signoff.__main__ import main\n"
    code += "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )

    assert all(name in done.stdout for name in COMMANDS)
    assert {"rich", "yaml", "signoff.build.gate"}.isdisjoint(done.stderr.split())


def test_a_failure_of_any_kind_is_no_ask(project: Path) -> None:
    """Python ends with status 1 where it fails, which would mean ask."""
    code = "import sys; sys.argv[1:] = ['check', 'ls']\nfrom signoff.__main__ import main\n"
    code += "import signoff.frontends.cli.check as check\n"
    code += "def fail(*_, **__): raise MemoryError\ncheck.judge_and_explain = fail\nmain()"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "MemoryError" in done.stderr


@pytest.mark.parametrize("name", ["check", "serve", "telegram", "unheard-of"])
def test_the_collector_runs_again_once_a_command_is_loaded(name: str) -> None:
    """A daemon whose collector stays off would grow for ever."""
    code = (
        "import gc, click; gc.disable()\n"
        "from signoff.frontends.cli.app import app\n"
        f"app.get_command(click.Context(app), {name!r})\n"
        "print(gc.isenabled())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "True" == done.stdout.strip()

"""The daemon as a service: agents of other users get decisions, and nothing else.

Real processes of real users, in a machine that `service_machine.py` makes: the service as its unit
starts it, an agent that tries what it can, and a person who answers with sudo or as an approver.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from inbox_caller import Person
from live_daemon import wait_until
from own_terminal import OwnTerminal
from service_machine import (
    AGENT,
    APPROVER,
    LINK,
    OTHER,
    SECOND,
    STRANGER,
    ServiceMachine,
    ids_of,
    service_machine,
    why_not,
)
from test_inbox_process import post

from signoff.frontends.client.service_layout import LAYOUT
from signoff.frontends.client.words import CLIENT
from signoff.frontends.hosts.claude_code.adapter import SESSION_VARIABLE

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")
AGENTS_CODE = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"


@pytest.fixture(scope="module")
def machine() -> Iterator[ServiceMachine]:
    """Return a machine on which the service runs."""
    with service_machine() as made, made.started():
        yield made


def event(command: str, session: str = "s1", **more: object) -> str:
    """Return Claude Code's event for a shell line."""
    said = {
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "cwd": "/",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "toolu_1",
    }
    return json.dumps({**said, **more})


def hook(machine: ServiceMachine, user: str) -> list[str]:
    """Return the words that answer an event as a user's hook does, under an agent of its own."""
    options = ["--socket", LAYOUT.socket, "--deadline", "40", "--without", "refuse"]
    client = [sys.executable, "-I", "-S", str(CLIENT), "claude-code", *options]
    return machine.words([sys.executable, "-c", AGENTS_CODE, *client], user)


def decided(machine: ServiceMachine, user: str, call: str) -> dict[str, Any]:
    """Return what a user's hook says at once."""
    done = subprocess.run(
        hook(machine, user), input=call, capture_output=True, text=True, check=False, cwd="/"
    )
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    specific: dict[str, Any] = found.get("hookSpecificOutput", found)
    return specific


@contextlib.contextmanager
def asking(person: Person, machine: ServiceMachine, user: str, call: str) -> Iterator[Waiting]:
    """Run a hook whose call people are asked about; it goes away at the end."""
    before = listed(person)
    process = subprocess.Popen(
        hook(machine, user),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        start_new_session=True,
    )
    assert process.stdin is not None
    process.stdin.write(call)
    process.stdin.close()
    process.stdin = None
    try:
        wait_until(lambda: bool(listed(person) - before))
        yield Waiting(process, (listed(person) - before).pop())
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A hook that waits, and the request it waits for."""

    hook: subprocess.Popen[str]
    request: str


def listed(person: Person) -> set[str]:
    """Return the ids of the requests on the page of the inbox."""
    return set(re.findall(r"/web/requests/(\w+)", person.get("/web/inbox/list")))


def signed_in(machine: ServiceMachine, user: str, *words: str) -> Person:
    """Sign in by a link that `signoff open` shows a user at a terminal."""
    shown = machine.at_terminal(user, "open", *words)
    found = LINK.search(shown)
    assert found is not None, shown
    machine.links.append(found[0])
    reply = post(machine, "/web/sign-in", code=found[1])
    assert reply.status == 200, reply
    cookie = reply.headers["set-cookie"].partition(";")[0]
    return Person(daemon=machine, cookie=cookie, token=reply.said["token"])


def add_approver(machine: ServiceMachine, user: str) -> None:
    """Have root name an approver, who is the user of this name, and confirm it on the web."""
    words = ["approvers", "add", user, "--identity", f"terminal:uid:{ids_of(machine, user)}"]
    with machine.on_terminal("root", *words) as typing:
        typing.confirm("add")
        typing.until("enter the code")
        page = signed_in(machine, "root").get("/web/policies")
        (code,) = set(re.findall(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", page))
        answer(typing, "enter the code", code)
        assert "in force now" in typing.to_end()


def answer(typing: OwnTerminal, question: str, line: str) -> None:
    """Type a line once its question stands; what is typed before is thrown away."""
    typing.until(question)
    typing.found(re.escape(question) + r".*\n> ")
    typing.type(line)


def test_an_agents_user_gets_decisions(machine: ServiceMachine) -> None:
    """For its own home folder, which is not that of the service."""
    refused = decided(machine, AGENT, event("rm -rf ~"))

    assert {"hookEventName": "PreToolUse"}.items() <= decided(machine, AGENT, event("ls")).items()
    assert "deny" == refused["permissionDecision"]
    assert f"/home/{AGENT}" in refused["permissionDecisionReason"]


@pytest.mark.parametrize(
    "line",
    [
        "ls {state}",
        "cat {state}/record.db",
        "cat {state}/redaction.key",
        "cat {config}/signoff.yaml",
        "echo x > {state}/approvals.db",
        "echo '[]' > {config}/approvers.json",
        "rm -rf {state}",
        "mv {state} /tmp/elsewhere",
        "rm {socket}",
        "kill $(cat {state}/daemon.lock)",
        "pkill -U {user}",
        "cat /proc/$(pgrep -U {user} -o)/environ",
        "cat /proc/$(pgrep -U {user} -o)/mem",
        "ls /proc/$(pgrep -U {user} -o)/fd/",
        "ls /proc/$(pgrep -U {user} -o)/root{state}",
        "prlimit --pid $(pgrep -U {user} -o) --nofile=3:3",
        "renice 19 -p $(pgrep -U {user} -o)",
        "flock -n {state}/daemon.lock true",
        "chmod 777 {state}",
        "unshare -Ur cat {state}/redaction.key",
        "setpriv --reuid {user} id",
        "touch {socket}.x",
        "mv $(dirname {socket}) /run/elsewhere",
        "ln -s {state} ~/link-$$ && ls ~/link-$$/",
        "echo x >> {unit}",
    ],
)
def test_an_agents_user_reaches_no_file(machine: ServiceMachine, line: str) -> None:
    """It can neither read, change nor remove what is kept, nor touch the process."""
    words = {name: getattr(LAYOUT, name) for name in ("state", "config", "socket", "unit", "user")}
    done = machine.run(["sh", "-c", line.format(**words)], user=AGENT)

    assert done.returncode != 0
    assert "ermitted" in done.stderr or "ermission denied" in done.stderr, done.stderr
    assert "" == done.stdout


def test_root_would_reach_the_files(machine: ServiceMachine) -> None:
    """The attempts above fail for their user and nothing else."""
    done = machine.run(["cat", f"{LAYOUT.config}/signoff.yaml"], user="root")

    assert (0, "channels: [web]") == (done.returncode, done.stdout.splitlines()[0])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/changes", ""),
        ("POST", "/v1/changes", '{"code": "AAAA-AAAA"}'),
        ("POST", "/v1/seals", '{"prefix": "signoff-answer-v2", "parts": [], "seal": ""}'),
        ("POST", "/v1/naps", '{"minutes": 30}'),
        ("POST", "/v1/enforcement", '{"mode": "shadow", "days": 1}'),
        ("GET", "/v1/learning", ""),
        ("POST", "/v1/learning", '{"accept": "x"}'),
        ("GET", "/v1/sessions", ""),
        ("GET", "/metrics", ""),
        ("GET", "/openapi.json", ""),
        ("POST", "/v1/sign-in-links", "{}"),
        ("GET", "/web/inbox", ""),
    ],
)
def test_an_agents_user_may_ask_for_decisions_only(
    machine: ServiceMachine, method: str, path: str, body: str
) -> None:
    """Its user is known by the system, whatever it sends."""
    assert said_to_agent(machine, method, path, body).endswith(" 403")


def said_to_agent(machine: ServiceMachine, method: str, path: str, body: str) -> str:
    """Return the body and the status that an agent's user gets on the socket."""
    words = ["curl", "-sS", "-m", "60", "--unix-socket", LAYOUT.socket, "-w", " %{http_code}"]
    words += ["-X", method, "-H", "Content-Type: application/json", "-d", body]
    return machine.run([*words, f"http://localhost{path}"], user=AGENT).stdout


def test_a_proxy_of_an_agents_user_warns_people(machine: ServiceMachine) -> None:
    """A tool that it holds back is told of, though it cannot change anything."""
    alert = json.dumps({"server": "notes", "tool": "add", "why": "has changed"})
    before = records(machine)

    assert said_to_agent(machine, "POST", "/v1/tool-alerts", alert) == '{"words":"told"} 200'
    assert records(machine) == before + 1


def test_a_sign_out_of_a_user_is_on_the_log_of_the_service(machine: ServiceMachine) -> None:
    """By the number of the user, and of no act but sign-ins and sign-outs at MCP servers."""
    done = machine.signoff_as(OTHER, "mcp", "logout", "https://mcp.example.com/mcp")
    forged = said_to_agent(machine, "POST", "/v1/own-acts", '{"act": "mode.set", "said": "local"}')
    lines = machine.signoff_as("root", "audit", "tail", "-n", "50", "--json").stdout.splitlines()
    acts = [one for line in lines if (one := json.loads(line)).get("kind") == "admin"]
    told = {(one["action_redacted"]["command"], one["approver"], one["reason"]) for one in acts}

    assert 0 == done.returncode, done.stderr
    uid = machine.run(["id", "-u"], user=OTHER).stdout.strip()
    assert ("mcp.logout", f"uid:{uid}", "https://mcp.example.com/mcp") in told
    assert forged.endswith(" 400")
    assert "mode.set" not in {act for act, _, _ in told}


def records(machine: ServiceMachine) -> int:
    """Count the entries of the audit log about the tool."""
    lines = machine.signoff_as("root", "audit", "tail", "--json").stdout.splitlines()
    return sum("mcp__notes__add" in line for line in lines)


def test_status_tells_other_users_of_no_project(machine: ServiceMachine) -> None:
    """Folders of one user are no business of another; root is told."""
    decided(machine, AGENT, event("ls"))

    own, root = (machine.signoff_as(user, "status").stdout for user in (OTHER, "root"))

    assert "daemon" in own
    assert "in force  " not in own
    assert "in force  " in root


def test_an_agent_does_not_approve(machine: ServiceMachine) -> None:
    """Not by the command, with or without a terminal, nor by a link; the request stays open."""
    person = signed_in(machine, "root")
    with asking(person, machine, AGENT, event("docker system prune -af", "s-own")) as waiting:
        request = waiting.request
        tried = [
            machine.signoff_as(AGENT, "approve", request).stderr,
            machine.at_terminal(AGENT, "approve", request),
            machine.at_terminal(AGENT, "approvers", "add", "eve", "--identity", "web:eve"),
            machine.at_terminal(AGENT, "open"),
            machine.at_terminal(STRANGER, "open"),
        ]
        state = waiting.hook.poll()
        answered = person.answer(request, "deny")

    assert ["sudo signoff" in said for said in tried[:3]] == [True] * 3
    assert "agents run as this user" in tried[3]
    assert "is no approver" in tried[4]
    assert (None, 303) == (state, answered)


def test_root_signs_in_and_approves(machine: ServiceMachine) -> None:
    """`sudo signoff open` is the way of a person whose own user runs the agents."""
    person = signed_in(machine, "root")
    with asking(person, machine, AGENT, event("docker system prune -af", "s-yes")) as waiting:
        assert 303 == person.answer(waiting.request, "approve")
        out, words = waiting.hook.communicate(timeout=30)

    assert "allow" == json.loads(out)["hookSpecificOutput"]["permissionDecision"], words


def test_what_one_user_was_allowed_no_other_uses(machine: ServiceMachine) -> None:
    """The same call of a session of the same name, by another user, is asked about."""
    call = event("docker system prune -af", "shared")
    person = signed_in(machine, "root")
    with asking(person, machine, AGENT, call) as first:
        pass
    # The agent went away; the approval waits for its call.
    assert 303 == person.answer(first.request, "approve")
    with asking(person, machine, OTHER, call) as second:
        assert second.hook.poll() is None
    own = decided(machine, AGENT, call)
    person.answer(second.request, "deny")

    assert first.request != second.request
    assert "allow" == own["permissionDecision"]


def test_an_approver_signs_in_by_their_user(machine: ServiceMachine) -> None:
    """Root names them once; once an agent runs as them, only root gives links."""
    assert "is no approver" in machine.at_terminal(APPROVER, "open")
    add_approver(machine, APPROVER)

    assert LINK.search(machine.at_terminal(APPROVER, "open")) is not None
    decided(machine, APPROVER, event("ls"))
    assert "agents run as this user" in machine.at_terminal(APPROVER, "open")


STEPS = """
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}/approvals.db?mode=ro", uri=True, timeout=60)
print(db.execute("SELECT steps FROM requests WHERE id = ?", (sys.argv[2],)).fetchone()[0].decode())
"""


def steps_of(machine: ServiceMachine, request: str) -> list[dict[str, Any]]:
    """Return the proofs a request takes, as they are kept."""
    done = machine.run([sys.executable, "-c", STEPS, LAYOUT.state, request], user=LAYOUT.user)
    assert done.stdout, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_several_people_approve(machine: ServiceMachine) -> None:
    """By an explanation of one and a quiz of another, each signed in as their own user."""
    add_approver(machine, SECOND)
    first, second = signed_in(machine, "root"), signed_in(machine, SECOND)
    call = event("git push --force origin topic", "two")
    with asking(first, machine, AGENT, call) as waiting:
        pass
    # The agent went away; the approval waits for its call.
    explain, quiz = steps_of(machine, waiting.request)
    said = (
        f"It replaces the branch on the remote ({' '.join(explain['terms'])}) by the one of"
        " this machine, so that commits which others have pushed there can be lost for good"
    )
    choices = {f"choice{at}": str(one["right"]) for at, one in enumerate(quiz["questions"])}
    given = [
        first.answer(waiting.request, "approve", explanation=said),
        first.answer(waiting.request, "approve", **choices),
        second.answer(waiting.request, "approve", **choices),
    ]

    assert [303, 403, 303] == given
    assert "allow" == decided(machine, AGENT, call)["permissionDecision"]


def approved(machine: ServiceMachine, command: str, session: str) -> str:
    """Have a call of the agent approved; return the last look its host puts before it."""
    person = signed_in(machine, "root")
    with asking(person, machine, AGENT, event(command, session)) as waiting:
        assert 303 == person.answer(waiting.request, "approve")
        out, words = waiting.hook.communicate(timeout=60)
    told = json.loads(out)["hookSpecificOutput"]
    assert "allow" == told["permissionDecision"], words
    look, _, rest = told["updatedInput"]["command"].partition("\n")
    assert rest == command
    return str(look)


def look_as(machine: ServiceMachine, user: str, look: str, session: str) -> tuple[int, str]:
    """Run a last look as this user's host would."""
    line = ["env", f"{SESSION_VARIABLE}={session}", "sh", "-c", look]
    done = machine.run(line, user=user)
    return done.returncode, done.stderr


def test_what_was_approved_is_looked_at_where_it_runs(machine: ServiceMachine) -> None:
    """Once, for the user whose call it is, though they can read nothing of what was approved."""
    look = approved(machine, "docker system prune -af", "look")
    other = look_as(machine, OTHER, look, "look")
    own, again = (look_as(machine, AGENT, look, "look") for _ in range(2))

    assert (126, True) == (other[0], "another session" in other[1])
    assert (0, "") == own
    assert (126, True) == (again[0], "good for" in again[1] or "for one run" in again[1])


def test_what_changed_after_the_approval_does_not_run(machine: ServiceMachine) -> None:
    """The service sees files of the agent's home as they are where the call runs."""
    script = machine.home / AGENT / "clean.sh"
    write = "echo 'docker system prune -af' > ~/clean.sh"
    machine.run(["sh", "-c", write], user=AGENT)
    look = approved(machine, f"bash /home/{AGENT}/clean.sh", "changed")
    machine.run(["sh", "-c", "echo 'rm -rf ~/work' >> ~/clean.sh"], user=AGENT)
    status, said = look_as(machine, AGENT, look, "changed")

    assert "rm -rf" in script.read_text("utf-8")
    assert (126, True) == (status, "has changed since it was approved" in said)


@pytest.mark.parametrize(
    ("start", "end", "is_on"),
    [
        (("nap", "30m"), ("nap", "--end"), "nap until"),
        (("shadow", "on", "--days", "1"), ("shadow", "off"), "NOT ENFORCED"),
    ],
)
def test_root_loosens_at_a_terminal(
    machine: ServiceMachine, start: tuple[str, ...], end: tuple[str, ...], is_on: str
) -> None:
    """With a code that is shown there; not to an agent's user, nor without a terminal."""
    refused = machine.at_terminal(AGENT, *start), machine.signoff_as("root", *start)
    with machine.on_terminal("root", *start) as typing:
        code = typing.found(r"code for .*: ([A-Z0-9]{6})\b")[1]
        answer(typing, "enter the code shown above:", code)
        shown = typing.to_end()
    status = machine.signoff_as(AGENT, "status").stdout
    ended = machine.signoff_as("root", *end)

    assert f"sudo signoff {start[0]}" in refused[0]
    assert 2 == refused[1].returncode
    assert is_on in shown
    assert is_on in status
    assert 0 == ended.returncode
    assert is_on not in machine.signoff_as(AGENT, "status").stdout


def test_the_service_lets_no_agent_run_as_itself(machine: ServiceMachine) -> None:
    """Such an agent could change everything it keeps."""
    done = subprocess.run(
        hook(machine, LAYOUT.user),
        input=event("ls"),
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )

    assert (2, "") == (done.returncode, done.stdout)


def test_hooks_are_installed_for_the_service(machine: ServiceMachine) -> None:
    """They know its socket, and start no daemon of their own."""
    done = machine.signoff_as(AGENT, "install", "claude-code", "--dry-run")

    assert f"--socket {LAYOUT.socket}" in done.stdout
    assert "--without refuse" in done.stdout


def test_status_and_doctor_say_who_guards(machine: ServiceMachine) -> None:
    """For the agent's user; `signoff up` starts no second daemon."""
    service = machine.signoff_as(AGENT, "service", "status")
    doctor = machine.signoff_as(AGENT, "doctor", "--json")
    said = [one["said"] for one in json.loads(doctor.stdout)["checks"] if one["about"] == "service"]

    assert (0, True) == (service.returncode, f"runs as `{LAYOUT.user}`" in service.stdout)
    assert [True] == [LAYOUT.socket in one for one in said]
    assert "systemctl" in machine.signoff_as(AGENT, "up").stderr


def test_the_record_is_the_services(machine: ServiceMachine) -> None:
    """Root reads it, with sessions under their user's name; nobody else does."""
    decided(machine, AGENT, event("ls", "s-record"))

    tail = machine.signoff_as("root", "audit", "tail", "--json").stdout
    entries = [json.loads(line) for line in tail.splitlines()]
    sessions = {one["session"] for one in entries if one.get("kind") != "admin"}
    assert f"s-record@{AGENT}" in sessions
    assert "sudo signoff audit" in machine.signoff_as(AGENT, "audit", "tail").stderr
    assert 0 == machine.signoff_as("root", "audit", "verify").returncode


def test_systemd_takes_the_unit(machine: ServiceMachine) -> None:
    """As far as this machine can check it."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed here")
    done = machine.run(["systemd-analyze", "verify", LAYOUT.unit], user="root")

    assert (0, "") == (done.returncode, done.stdout + done.stderr)


def test_uninstalling_gives_the_hooks_back(machine: ServiceMachine) -> None:
    """A dry run names each step; the record stays."""
    done = machine.signoff_as(AGENT, "service", "uninstall", "--dry-run")

    assert f"remove {LAYOUT.unit}" in done.stdout

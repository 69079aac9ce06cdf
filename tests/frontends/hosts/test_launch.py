"""The installed line says what the guard said, or refuses: 30 ways to fail, under every host."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.hosts.launch import hook_line, is_ours
from signoff.frontends.hosts.registry import ADAPTERS
from signoff.settings import HostsAllow

# What becomes of the guard; None = there is no such program.
OUTCOMES: dict[str, str | None] = {
    "is missing": None,
    "exits 1": "exit 1",
    "exits 2 in silence": "exit 2",
    "exits 2 with words": "echo no >&2; exit 2",
    "exits 127": "exit 127",
    "exits 255": "exit 255",
    "is killed": "kill -9 $$",
    "is ended": "kill -15 $$",
    "meets its deadline": "kill -14 $$",
    "breaks down": "kill -11 $$",
    "writes to nobody": "kill -13 $$",
    "runs out of processor time": "kill -XCPU $$",
    "says nothing": "exit 0",
    "says an empty line": "echo",
    "says text": "echo fine",
    "says half an object": "printf '{\"decision\":'",
    "says half an answer": 'printf \'{"hookSpecificOutput": {"hookEventName": "PreToolUse"\'',
    "says broken braces": "echo '{bad}'",
    "says an array": "echo '[]'",
    "says null": "echo null",
    "says yes": "echo true",
    "says another form": "echo '{\"continue\": true}'",
    "asks in a wrong form": 'echo \'{"hookSpecificOutput": {"permissionDecision": "ask"}}\'',
    "says an unknown word": 'echo \'{"permission": "perhaps"}\'',
    "talks before it answers": "echo hello; echo '{}'",
    "talks after its answer": "echo '{}'; echo hello",
    "answers and fails": "echo '{}'; exit 1",
    "closes its output": "exec >&-; exit 0",
    "says what is no text": "printf '\\377\\376'",
}
BY_HOST = pytest.mark.parametrize(
    "host", [n for n, one in ADAPTERS.items() if one.form and n != "claude-code"]
)  # whose line `test_claude_code_command.py` tries in every shell


def run(host: str, guard: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the installed line around a guard."""
    return subprocess.run(
        ["/bin/sh", "-c", hook_line(ADAPTERS[host], guard)],
        input="{}",
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=60,
        env={"PATH": os.environ["PATH"] if path is None else str(path)},
    )


def is_refusal(host: str, done: subprocess.CompletedProcess[str]) -> bool:
    """Tell whether the host takes this for a refusal."""
    form = ADAPTERS[host].form
    if form is not None and not form.refuses_in_words:
        return (2, "") == (done.returncode, done.stdout) and bool(done.stderr.strip())
    said = json.loads(done.stdout)
    denials = (said.get("permissionDecision"), said.get("decision"), said.get("cancel"))
    return done.returncode == 0 and any(denial in {"deny", True} for denial in denials if denial)


@BY_HOST
@pytest.mark.parametrize("script", OUTCOMES.values(), ids=OUTCOMES.keys())
def test_whatever_becomes_of_the_guard_is_a_refusal(
    host: str, script: str | None, tmp_path: Path
) -> None:
    """No failure is a silence, and none is anything the host takes for a yes."""
    guard = tmp_path / "guard"
    if script is not None:
        guard.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        guard.chmod(0o755)

    assert is_refusal(host, run(host, shlex.quote(str(guard))))


@BY_HOST
def test_a_guard_that_may_not_run_is_a_refusal(host: str, tmp_path: Path) -> None:
    """A file without the right to be run, and a PATH without anything, end the same way."""
    guard = tmp_path / "guard"
    guard.write_text("#!/bin/sh\necho '{}'\n", encoding="utf-8")

    assert is_refusal(host, run(host, shlex.quote(str(guard))))
    assert is_refusal(host, run(host, "signoff", path=tmp_path))


@pytest.mark.skipif(shutil.which("timeout") is None, reason="this system has no `timeout`")
@BY_HOST
def test_a_guard_that_was_stopped_is_a_refusal(host: str, tmp_path: Path) -> None:
    """What cannot even end itself is killed before the host's limit, where hosts run the call."""
    guard = tmp_path / "guard"
    guard.write_text("#!/bin/sh\nkill -STOP $$\n", encoding="utf-8")
    guard.chmod(0o755)
    line = hook_line(ADAPTERS[host], shlex.quote(str(guard)), patience_s=0.2)
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, text=True, check=False, timeout=60
    )

    assert is_refusal(host, done)


EVERY_HOST = pytest.mark.parametrize("host", [n for n, one in ADAPTERS.items() if one.form])
SHELLS = pytest.mark.parametrize("shell", [s for s in ("sh", "bash", "zsh") if shutil.which(s)])
ALLOWS = {"antigravity": '{"decision": "allow"}', "cline": '{"cancel": false}'}
# What replaces every word the line uses, where a shell takes functions from the environment.
FUNCTIONS = ("printf", "exit", "trap", "unset", "no", "exec", "eval", "test", "true", "echo")


def allowing(host: str, folder: Path) -> str:
    """Return the shell words of a guard that lets everything through."""
    guard = folder / "guard"
    guard.write_text(f"#!/bin/sh\necho '{ALLOWS.get(host, '{}')}'\n", encoding="utf-8")
    guard.chmod(0o755)
    return shlex.quote(str(guard))


@EVERY_HOST
@SHELLS
@pytest.mark.parametrize("spoiled", ["1>&-", "1>/dev/full", "1>&- 2>&-", "1>/dev/full 2>/dev/full"])
def test_an_answer_that_cannot_be_written_is_a_refusal(
    host: str, shell: str, spoiled: str, tmp_path: Path
) -> None:
    """No words reach the host, so the status refuses."""
    line = hook_line(ADAPTERS[host], allowing(host, tmp_path))
    spoiling = ["/bin/sh", "-c", f'exec {spoiled}; exec "$@"', "sh", shell, "-c", line]
    done = subprocess.run(spoiling, capture_output=True, check=False, timeout=60, input=b"{}")

    assert (2, b"") == (done.returncode, done.stdout)


@EVERY_HOST
@SHELLS
def test_a_pipe_nobody_reads_is_a_refusal(host: str, shell: str, tmp_path: Path) -> None:
    """The shell is not ended by its own write."""
    reader, writer = os.pipe()
    os.close(reader)
    line = hook_line(ADAPTERS[host], allowing(host, tmp_path))
    done = subprocess.run(
        [shell, "-c", line],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
        input=b"",
    )
    os.close(writer)

    assert done.returncode == 2


def heed_signals() -> None:
    """Undo what a run in the background hands down: ignored signals, which no shell can trap."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


@EVERY_HOST
@SHELLS
@pytest.mark.parametrize("number", ["HUP", "INT", "ALRM", "TERM", "PIPE", "XCPU", "USR1"])
def test_a_shell_that_is_ended_by_a_signal_refuses(
    host: str, shell: str, number: str, tmp_path: Path
) -> None:
    """The host hears a refusal, even if the guard then lets the call through."""
    allowing(host, tmp_path)
    guard, begun, signalled = tmp_path / "slow", tmp_path / "begun", tmp_path / "signalled"
    waits = f": >{begun}; until [ -e {signalled} ]; do sleep 0.01; done; {tmp_path}/guard"
    guard.write_text(f"#!/bin/sh\n{waits}\n", encoding="utf-8")
    guard.chmod(0o755)
    with subprocess.Popen(
        [shell, "-c", hook_line(ADAPTERS[host], shlex.quote(str(guard)))],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    ) as started:
        end = time.monotonic() + 60
        while not begun.exists() and time.monotonic() < end:
            time.sleep(0.01)
        started.send_signal(getattr(signal, f"SIG{number}"))
        signalled.touch()
        said, words = started.communicate(timeout=60)
    done = subprocess.CompletedProcess([], started.returncode, said, words)
    assert is_refusal(host, done)


@EVERY_HOST
@SHELLS
@pytest.mark.parametrize("body", ["() { :; }", "() { builtin exit 0; }"])
def test_functions_of_the_environment_replace_nothing(
    host: str, shell: str, body: str, tmp_path: Path
) -> None:
    """A guard that refuses is heard, and so is one that lets the call through."""
    spoiled = os.environ | {f"BASH_FUNC_{name}%%": body for name in FUNCTIONS}
    for guard in ("/bin/false", allowing(host, tmp_path)):
        line = hook_line(ADAPTERS[host], guard)
        done = subprocess.run(
            [shell, "-c", line],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=spoiled,
        )

        if done.returncode != 2:  # bash ends at a function named as one of POSIX's own
            is_allowed = (0, f"{ALLOWS.get(host, '{}')}\n") == (done.returncode, done.stdout)
            assert is_allowed if guard != "/bin/false" else is_refusal(host, done)


@EVERY_HOST
@SHELLS
def test_a_shell_without_descriptors_refuses(host: str, shell: str, tmp_path: Path) -> None:
    """With three the shell itself cannot start; with four it has none for the guard's answer."""
    line = hook_line(ADAPTERS[host], allowing(host, tmp_path))
    limited = ["/bin/sh", "-c", 'ulimit -n 4; exec "$@"', "sh", shell, "-c", line]
    done = subprocess.run(
        limited, capture_output=True, text=True, check=False, timeout=60, input=""
    )

    assert is_refusal(host, done)


@BY_HOST
@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("tell", [HostsAllow.SCORE, HostsAllow.NEVER])
def test_what_the_guard_says_goes_through(
    host: str, verdict: Verdict, tell: HostsAllow, decided: Callable[..., Decision], tmp_path: Path
) -> None:
    """The positive control: every answer an adapter gives comes out as it went in."""
    answer = ADAPTERS[host].render(decided(verdict), tell)
    said = tmp_path / "said"
    said.write_text(answer.stdout, encoding="utf-8")
    guard = tmp_path / "guard"
    words = f"cat {said}; echo '{answer.stderr}' >&2; exit {answer.status}"
    guard.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
    guard.chmod(0o755)
    done = run(host, shlex.quote(str(guard)))

    if answer.status:
        assert is_refusal(host, done)
        assert answer.stderr in done.stderr
    else:
        assert (0, f"{answer.stdout}\n") == (done.returncode, done.stdout)


@BY_HOST
def test_a_line_of_ours_is_known(host: str) -> None:
    """Ours is told by what it runs; another host's, or another program's, is not ours."""
    line = hook_line(ADAPTERS[host])

    assert is_ours(line, host)
    assert not is_ours(line, "elsewhere")
    assert not is_ours(f"their-guard {host}", host)

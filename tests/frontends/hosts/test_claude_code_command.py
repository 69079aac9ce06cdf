"""The installed command answers in JSON or refuses; there is no third outcome (T-01, T-03)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from signoff.frontends.hosts.claude_code.kinds import command_line

ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
SHELLS = [shell for shell in ("/bin/sh", "/bin/bash", "/bin/dash") if Path(shell).exists()]

BROKEN = {
    "exits 1": "exit 1",
    "exits 2": "echo no >&2; exit 2",
    "exits 127": "exit 127",
    "allows and exits 1": f"echo '{ALLOW}'; exit 1",
    "allows and exits 2": f"echo '{ALLOW}'; exit 2",
    "allows and is killed": f"echo '{ALLOW}'; kill -9 $$",
    "is killed": "kill -9 $$",
    "is ended": "kill -15 $$",
    "runs into its alarm": "kill -14 $$",
    "crashes": "kill -11 $$",
    "says nothing": "exit 0",
    "says a blank line": "echo",
    "says half an object": "printf '{\"hookSpecificOutput\":'",
    "says text": "echo allowed",
    "says text before its answer": f"echo warning; echo '{ALLOW}'",
    "says text after its answer": f"echo '{ALLOW}'; echo bye",
    "says a list": "echo '[]'",
    "closes its output": "exec >&-; exit 0",
}


def run(shell: str, interpreter: Path | str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as the host does."""
    command = command_line(str(interpreter))
    return subprocess.run(
        [shell, "-c", command], input="{}", capture_output=True, text=True, check=False, timeout=60
    )


def stand_in(folder: Path, script: str) -> Path:
    """Write an interpreter that does what the script says; its path needs quoting."""
    path = folder / "it's a python"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_guard_is_a_refusal(shell: str, script: str, tmp_path: Path) -> None:
    """Whatever goes wrong, the status is 2 and nothing stands on stdout."""
    done = run(shell, stand_in(tmp_path, script))

    assert (done.returncode, done.stdout) == (2, "")
    assert "signoff gave no answer, so this call is blocked" in done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_an_answer_comes_through_unchanged(shell: str, tmp_path: Path) -> None:
    """The positive control: a guard that answers is heard, to the letter."""
    said = json.dumps({"a": "50 % \\n \\\\ $HOME `id` 'x' \"y\" é"}, ensure_ascii=False)
    done = run(shell, stand_in(tmp_path, f"cat >/dev/null; cat <<'END'\n{said}\nEND"))

    assert (done.returncode, done.stdout) == (0, f"{said}\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_an_answer_over_several_lines_comes_through(shell: str, tmp_path: Path) -> None:
    """An object may be laid out over lines."""
    done = run(shell, stand_in(tmp_path, "printf '{\\n}\\n'"))

    assert (done.returncode, done.stdout) == (0, "{\n}\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_missing_interpreter_is_a_refusal(shell: str, tmp_path: Path) -> None:
    """An environment that was deleted lets nothing through."""
    assert run(shell, tmp_path / "gone").returncode == 2


@pytest.mark.parametrize("shell", SHELLS)
def test_an_interpreter_that_may_not_run_is_a_refusal(shell: str, tmp_path: Path) -> None:
    """A file without the execute bit lets nothing through."""
    path = stand_in(tmp_path, f"echo '{ALLOW}'")
    path.chmod(0o644)

    assert run(shell, path).returncode == 2


def test_a_missing_package_is_a_refusal(tmp_path: Path) -> None:
    """An interpreter without signoff lets nothing through."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "v"], check=True)

    done = run("/bin/sh", tmp_path / "v" / "bin" / "python")

    assert done.returncode == 2
    assert "No module named signoff" in done.stderr


def test_a_missing_path_is_no_trouble(tmp_path: Path) -> None:
    """The command needs nothing of PATH (services start without one)."""
    assert shutil.which("sh")
    script = stand_in(tmp_path, "echo '{}'")
    done = subprocess.run(
        ["/bin/sh", "-c", command_line(str(script))],
        env={},
        capture_output=True,
        text=True,
        check=False,
        input="",
    )

    assert (done.returncode, done.stdout) == (0, "{}\n")

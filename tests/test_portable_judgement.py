"""The judgement needs nothing that Windows does not have, and reads the lines of its shells.

Modules that only POSIX has are taken away. The whole of signoff is tried with Python for Windows by
`scripts/test_windows.py`.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

ABSENT = ("fcntl", "termios", "pwd", "grp", "resource", "pty", "tty", "uvloop")
SCRIPT = f"""
import importlib, pkgutil, sys
for name in {ABSENT!r}:
    sys.modules[name] = None
import signoff
for part in ("actions", "assess", "decide", "documents", "redaction"):
    package = importlib.import_module(f"signoff.{{part}}")
    for found in pkgutil.walk_packages(package.__path__, f"{{package.__name__}}."):
        importlib.import_module(found.name)
from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
action = Action(tool=sys.argv[1], arguments={{"command": sys.argv[2]}}, cwd="C:/work")
print(*(one.verb.value for one in understand(action, Facts()).operations))
"""


WINDOWS = f"""
import sys
sys.platform = "win32"
sys.version_info = (3, 12, 3)
sys.argv = ["signoff", *sys.argv[1:]]
for name in {ABSENT!r}:
    sys.modules[name] = None
from signoff.__main__ import main
main()
"""


@pytest.mark.parametrize("words", [["--help"], ["hook", "claude-code"], ["init"], ["check", "ls"]])
def test_an_old_python_on_windows_refuses_in_words(words: list[str]) -> None:
    """With the status that hosts read as a denial, and no traceback. Only the name is simulated."""
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS, *words], capture_output=True, text=True, check=False
    )

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n")), done
    assert "needs Python 3.12.4" in done.stderr


@pytest.mark.parametrize(
    ("tool", "line", "verb"),
    [
        ("PowerShell", "Remove-Item -Recurse -Force C:\\work\\old", "delete"),
        ("PowerShell", "Get-ChildItem C:\\work", "inert"),
        ("Bash", "cmd /c del /s /q C:\\work\\old", "delete"),
    ],
)
def test_the_judgement_runs_without_posix(tool: str, line: str, verb: str) -> None:
    """Every module of it is loaded, and a line is taken apart."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, tool, line], capture_output=True, text=True, check=False
    )

    assert (0, True) == (done.returncode, verb in done.stdout.split()), done

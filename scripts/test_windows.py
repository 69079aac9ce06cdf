"""Tries signoff with Python for Windows, under Wine where this is no Windows.

    python scripts/test_windows.py FOLDER

FOLDER holds an embeddable CPython 3.12.4 or later for x86-64 (`python.exe` and its `._pth` file).
Packages are installed into `build/windows`. Wine before 9 needs a `bcryptprimitives.dll` with
`ProcessPrng` beside `python.exe`, and no `_wmi.pyd` there. Ends with status 1 if a step goes
otherwise than expected.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "windows"
CLIENT = ROOT / "src" / "signoff" / "frontends" / "client" / "client.py"
IS_WINDOWS = sys.platform == "win32"
PROJECT = BUILD / "project"
SCRIPTS = {"look.sh": "git status\n", "destroy.sh": "rm -rf ~\n"}
WITHIN_S = 90
DESTROY, LOOK = "rm -rf ~", "git status"


def windows_path(path: Path) -> str:
    """Return a path as Windows programs read it; Wine has `/` as drive Z."""
    return str(path) if IS_WINDOWS else "Z:" + str(path).replace("/", "\\")


def install(python: Path) -> None:
    """Install what signoff needs for Windows, once, and let the embeddable Python find it."""
    site = BUILD / "site"
    if not site.is_dir():
        needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
            "dependencies"
        ]
        wanted = [need for need in needs if not need.startswith("uvloop")]
        version = python_version(python)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(site)]
        ways = ["--platform", "win_amd64", "--python-version", version, "--only-binary", ":all:"]
        subprocess.run(  # noqa: S603 - our own words
            [*pip, *ways, *(need.partition(";")[0] for need in wanted), "colorama"], check=True
        )
        subprocess.run([*pip, "--no-deps", "--no-compile", str(ROOT)], check=True)  # noqa: S603 - our own words
        shutil.rmtree(site / "signoff")  # the checkout's own is run; its metadata stays
    paths = next(python.parent.glob("python*._pth"))
    archive = paths.with_suffix(".zip").name
    src = windows_path(ROOT / "src")
    paths.write_text(f"{archive}\n.\n{windows_path(site)}\n{src}\n", encoding="utf-8")


def python_version(python: Path) -> str:
    """Return `3.13` for a folder with `python313.dll`."""
    digits = next(python.parent.glob("python3??.dll")).stem.removeprefix("python")
    return f"{digits[0]}.{digits[1:]}"


class Windows:
    """Runs programs with the embeddable Python, in a Windows of their own under Wine."""

    def __init__(self, python: Path) -> None:
        self._start = [str(python)] if IS_WINDOWS else ["wine", str(python)]
        home = {"WINEPREFIX": str(BUILD / "prefix"), "WINEDEBUG": "-all"}
        state = windows_path(BUILD / "state")
        folders = {"SIGNOFF_STATE_DIR": state, "SIGNOFF_CONFIG_DIR": f"{state}-config"}
        self._variables = {**os.environ, **home, **folders, "PYTHONUTF8": "1"}
        self.socket = f"{state}\\daemon.sock"

    def run(self, *words: str, said: str = "") -> tuple[int, str]:
        """Run Python with some arguments; return its status and what it printed."""
        # Not to the end of its output: Wine lets a daemon that it starts hold the pipe.
        process = subprocess.Popen(  # noqa: S603 - our own words
            [*self._start, *words],
            env=self._variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipes")
        process.stdin.write(said.encode())
        process.stdin.close()
        status = process.wait(WITHIN_S)
        os.set_blocking(process.stdout.fileno(), False)
        return status, (process.stdout.read() or b"").decode("utf-8", "replace")

    def signoff(self, *words: str, said: str = "") -> tuple[int, str]:
        """Run a signoff command."""
        return self.run("-I", "-m", "signoff", *words, said=said)

    def hook(self, line: str) -> tuple[int, str]:
        """Ask the daemon about a shell line as Claude Code's hook does."""
        event = {
            "session_id": "s1",
            "transcript_path": "C:\\t.jsonl",
            "cwd": windows_path(PROJECT),
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": line},
        }
        options = ["--socket", self.socket, "--deadline", "30", "--without", "refuse"]
        client = windows_path(CLIENT)
        return self.run("-I", "-S", client, "claude-code", *options, said=json.dumps(event))


def main() -> int:
    """Try each step; return 0 if all went as expected."""
    python = Path(sys.argv[1]).resolve() / "python.exe"
    install(python)
    for name in ("state", "state-config"):
        shutil.rmtree(BUILD / name, ignore_errors=True)
    PROJECT.mkdir(exist_ok=True)
    for name, text in SCRIPTS.items():
        (PROJECT / name).write_text(text, encoding="utf-8")
    windows = Windows(python)
    steps = (
        (
            "a line that destroys is denied",
            lambda: windows.signoff("check", "--", *DESTROY.split()),
            2,
            "deny",
        ),
        ("a look is allowed", lambda: windows.signoff("check", "--", *LOOK.split()), 0, "allow"),
        ("without a daemon a hook refuses", lambda: windows.hook(LOOK), 2, "refused"),
        ("the daemon starts", lambda: windows.signoff("up"), 0, ""),
        ("it says how it is", lambda: windows.signoff("status"), 0, "daemon"),
        ("a hook allows", lambda: windows.hook(LOOK), 0, ""),
        ("a hook denies", lambda: windows.hook(DESTROY), 0, '"deny"'),
        ("a script is read and allowed", lambda: windows.hook("bash look.sh"), 0, '"allow"'),
        ("a script is read and denied", lambda: windows.hook("bash destroy.sh"), 0, '"deny"'),
        ("the log is whole", lambda: windows.signoff("audit", "verify"), 0, "hash chain verified"),
        ("the daemon ends", lambda: windows.signoff("down"), 0, "ended"),
        ("and nobody answers", lambda: windows.hook(LOOK), 2, "refused"),
    )
    failed = 0
    for name, step, status, words in steps:
        began = time.monotonic()
        found, said = step()
        is_right = found == status and words in said
        failed += not is_right
        sys.stdout.write(
            f"{'ok' if is_right else 'FAILED'}  {name} ({time.monotonic() - began:.1f} s)" + "\n"
        )
        if not is_right:
            sys.stdout.write(
                f"    status {found}, expected {status} and `{words}`:\n{said[-1500:]}" + "\n"
            )
    sys.stdout.write(f"{len(steps) - failed} of {len(steps)} steps as expected" + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Every command in a block of README and how-tos is run: as a person at a terminal types it.

One home and one daemon for all of them; `docs/tutorial.md` has a test of its own
(`test_site.py`), which compares what is shown as well. What cannot run here is listed below with
the reason.
"""

from __future__ import annotations

import http.client
import json
import os
import pty
import re
import select
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.ports import free_port
from bench.warm_home import give_patterns

from test_docs_commands import ROOT, blocks

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
COMMAND = re.compile(
    r"^(?:\$ )?(mkdir -p .*|(?:sudo )?(?:eval \"\$\()?(?:\S*/)?signoff (?!import).*|TOKEN=.*)$"
)
TOLD = re.compile(r"\s{2,}(?=\S)|\s+#\s")  # what follows says what the command does
LIMIT_S = 30.0

# What cannot run in a home made for a test, and why.
NOT_RUN: Mapping[str, str] = {
    r"^sudo ": "needs root: tests/frontends/server/test_service_process.py",
    r"(telegram|slack|matrix) (setup|invite)": "needs a messenger: tests/channels",
    r"up --(systemd|launchd)": "needs a service manager",
    r"^signoff (init|approve) |init$": "several questions and codes: tests/e2e/test_init_e2e.py,"
    " tests/frontends/cli/test_approving.py; the tutorial runs `signoff init --yes`",
    r"learn (show|accept|dismiss|remove)": "needs a proposal: tests/frontends/learning",
    r"\$\(signoff completion zsh\)": "needs zsh",
}
# Commands whose exit status is part of what they say.
STATUSES: Mapping[str, tuple[int, ...]] = {
    r"^signoff check ": (1,),  # ask
    r"^signoff (serve|proxy)": (0, -signal.SIGINT),
    r"^signoff unlock$": (1,),  # without a code the locks stay until an admin confirms it
    r"^signoff status$": (0, 1),  # 1: the approvers added before wait for an admin's code
    r"doctor": (0, 1),  # 1: an agent is not installed on this machine, or must trust its hooks
}
# Which of a person's answers belongs to which question; `\1` is what was shown.
ANSWERS: Mapping[str, str] = {
    r"code for .+: (\w+)\s[\s\S]*enter the code shown above:\s*> $": r"\1",
    r"to [^:\n]+, type: ([\w ]+?)\s*> $": r"\1",
    r"type yes or no: $": "yes",
    # The code stands in the inbox; with none the change waits for `signoff confirm`.
    r"the inbox \(`signoff open`\):\s*> $": "",
    r"(?:serving|forwarding) .*; Control-C ends it\n$": "\x03",
}
RULES = "version: 1\nrules: []\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A home with a project, an agent's folder and settings."""

    home: Path
    port: int

    def make(self) -> None:
        """Write what the commands of the pages take for granted."""
        config, project = self.home / ".config" / "signoff", self.home / "project"
        for folder in (config / "programs", project / "other-folder", project / ".venv" / "bin"):
            folder.mkdir(parents=True)
        for name in (".claude", ".codex", "bin"):
            (self.home / name).mkdir()
        settings = f"server: {{port: {self.port}}}\nchannels: [web]\ntrust: {{enabled: true}}\n"
        (config / "signoff.yaml").write_text(settings, encoding="utf-8")
        own = (ROOT / "docs" / "how-to" / "own-programs.md").read_text(encoding="utf-8")
        described = re.search(r"```yaml\n(programs:.*?)```", own, re.DOTALL)
        assert described
        (config / "programs" / "own.yaml").write_text(described[1], encoding="utf-8")
        (project / "new.yaml").write_text(RULES, encoding="utf-8")
        (project / "policy").mkdir()
        (project / "policy" / "settings.yaml").write_text("pack: balanced\n", encoding="utf-8")
        (project / "policy" / "rules.yaml").write_text(RULES, encoding="utf-8")
        for path in (self.home / "bin" / "signoff", project / ".venv" / "bin" / "signoff"):
            path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -m signoff "$@"\n')
            path.chmod(0o755)
        give_patterns(self.home)

    @property
    def socket(self) -> Path:
        """The daemon's; it is there while the daemon runs."""
        return self.home / ".local" / "state" / "signoff" / "daemon.sock"

    def run(self, line: str) -> tuple[int, str]:
        """Run a line on a terminal; return its exit status and what was shown."""
        child, terminal = pty.fork()
        if child == 0:
            # A shell that starts tests in the background leaves this signal ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(self.home / "project")
            path = f"{self.home / 'bin'}:/usr/bin:/bin"
            environment = {"HOME": str(self.home), "PATH": path, "TERM": "dumb", "COLUMNS": "100"}
            os.execve("/bin/sh", ["sh", "-c", line], environment)
        try:
            shown = _talk(terminal)
        except AssertionError:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            os.close(terminal)
            _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), shown

    def line_of(self, line: str) -> str:
        """Return a line of a page with what stands for things of the reader's put in place."""
        if re.search(r"\b7be1\b", line):
            line = line.replace("7be1", self.ask()[:8])
        if "--key KEY" in line:
            line = line.replace("KEY", shlex.quote(self.run("signoff bundle key")[1].strip()))
        if "tokens revoke ID" in line:
            known = json.loads(self.run("signoff tokens list --json")[1])
            line = line.replace("ID", str(known[-1]["id"]))
        line = line.replace("--port 8080", f"--port {free_port()}")
        line = line.replace("127.0.0.1:4440", f"127.0.0.1:{self.port}")
        if line.startswith("eval"):
            line = f"bash -c {shlex.quote(line)}"
        return line.replace("signoff demo", "signoff demo --no-pause")

    def ask(self) -> str:
        """Let an agent ask about a call; return the request's id."""
        token = (self.home / ".local/state/signoff/token").read_text(encoding="ascii").strip()
        call = {
            "tool_name": "Bash",
            "tool_input": {"command": "docker system prune -af"},
            "cwd": str(self.home / "project"),
        }
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        link.request("POST", "/v1/actions", json.dumps(call), headers)
        answer = link.getresponse()
        assert answer.status == 202, answer.read()
        link.close()
        _, said = self.run("signoff pending --json")
        return str(json.loads(said)[-1]["id"])


def _talk(terminal: int) -> str:
    """Read what is shown, answer what is asked, end what serves; return all that was shown."""
    shown, start, ends = "", 0, time.monotonic() + LIMIT_S
    while time.monotonic() < ends:
        if not select.select([terminal], [], [], ends - time.monotonic())[0]:
            break
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # how the end of a terminal is told
            return shown
        if not piece:
            return shown
        shown += piece.decode(errors="replace").replace("\r\n", "\n")
        for prompt, answer in ANSWERS.items():
            if found := re.search(prompt, shown[start:]):
                start = len(shown)
                os.write(terminal, f"{found.expand(answer)}\n".encode())
                break
    raise AssertionError(f"nobody knows what to answer, or it never ends:\n{shown}")


def listed() -> Iterator[tuple[str, str]]:
    """Yield page and line of every command in a block, each line once."""
    seen: set[str] = set()
    for page in PAGES:
        text = re.sub(r"\s*\\\n\s*", " ", page.read_text(encoding="utf-8"))
        for block in blocks(re.sub(r"\n +curl ", "; curl ", text)):  # it uses what stands above it
            line = TOLD.split(block.strip())[0].removeprefix("$ ")
            if COMMAND.match(line) and line not in seen:
                seen.add(line)
                yield page.name, line


def why_not(line: str) -> str:
    """Return why a line is not run, "" if it is."""
    return next((why for form, why in NOT_RUN.items() if re.search(form, line)), "")


def test_what_is_not_run_is_little_and_all_there() -> None:
    """A form that fits nothing is a form too many; everything else runs."""
    lines = [line for _, line in listed()]
    unused = [form for form in NOT_RUN if not any(re.search(form, line) for line in lines)]

    assert unused == []
    assert len([line for line in lines if why_not(line)]) <= 30
    assert len([line for line in lines if not why_not(line)]) >= 70


def test_every_command_in_a_block_runs(tmp_path: Path) -> None:
    """One after another; none fails but those whose exit status says something."""
    sandbox = Sandbox(home=tmp_path, port=free_port())
    sandbox.make()
    wrong: list[str] = []
    try:
        for page, line in listed():
            if why_not(line):
                continue
            if not sandbox.socket.exists() and "serve" not in line:
                sandbox.run("signoff up")
            status, shown = sandbox.run(sandbox.line_of(line))
            if problem(line, status, shown):
                wrong.append(f"{page}: {line}\n--- status {status}:\n{shown}")
    finally:
        sandbox.run("signoff down")

    assert not wrong, "\n\n".join(wrong)


def problem(line: str, status: int, shown: str) -> bool:
    """Tell whether a command did not do what its page says."""
    wanted = next((good for form, good in STATUSES.items() if re.search(form, line)), (0,))
    return status not in wanted or bool(re.search(r"Traceback|^Usage: |^Error: ", shown, re.M))
